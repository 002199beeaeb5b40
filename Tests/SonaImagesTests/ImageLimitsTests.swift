import Glibc
import Testing

@testable import SonaImages

@Suite struct ImageLimitsTests {
    private static func code(_ bytes: [UInt8], _ limits: ImageLimits = ImageLimits()) -> ImageError.Code? {
        do {
            _ = try Photo(bytes, limits: limits)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `a file of the most bytes is taken, one of one more is not`() {
        let bytes = TestPicture.quarters().jpeg()
        #expect(Self.code(bytes, ImageLimits(bytesMax: bytes.count)) == nil)
        #expect(Self.code(bytes, ImageLimits(bytesMax: bytes.count - 1)) == .tooManyBytes(count: bytes.count))
    }

    @Test func `the most pixels and the longest side are taken, one more is not`() {
        let picture = TestPicture.quarters(48, 32)
        for bytes in [picture.png(), picture.jpeg(), picture.webP()] {
            let refused = ImageError.Code.tooManyPixels(width: 48, height: 32)
            #expect(Self.code(bytes, ImageLimits(pixelsMax: 48 * 32, sideMax: 48)) == nil)
            #expect(Self.code(bytes, ImageLimits(pixelsMax: 48 * 32 - 1)) == refused)
            #expect(Self.code(bytes, ImageLimits(sideMax: 47)) == refused)
        }
    }

    @Test func `the sentence tells the size and the limits`() {
        #expect { try Photo(BombFixtures.png(30_000, 20_000)) } throws: { error in
            "\(error)".contains("30000 × 20000") && "\(error)".contains("40000000")
        }
    }

    @Test func `headers are read without decoding`() throws {
        let sizes = [(48, 32), (1, 1), (300, 7)]
        for (width, height) in sizes {
            let picture = TestPicture.quarters(width, height)
            for (bytes, kind) in [(picture.png(), ImageKind.png), (picture.jpeg(), .jpeg), (picture.webP(), .webP)] {
                #expect(try ImageHeader(bytes) == ImageHeader(kind: kind, width: width, height: height))
            }
        }
        #expect(try ImageHeader(BombFixtures.jpeg(65_500, 65_500)).width == 65_500)
    }

    @Test func `a picture of no width is damaged`() {
        #expect(Self.code(BombFixtures.png(0, 100)) == .damaged)
        #expect(Self.code(BombFixtures.png(100, 0)) == .damaged)
        #expect(Self.code(BombFixtures.jpeg(0, 100)) == .damaged)
        #expect(Self.code(BombFixtures.jpeg(100, 0)) == .damaged)
    }

    /// Goal: a small file that declares a giant picture costs nothing.
    /// Way: a process of its own, whose peak memory is nobody else's; each of the pictures would take 0.7 to 17 GB.
    @Test func `giants are refused without memory for their pixels`() async {
        await #expect(processExitsWith: .success) {
            let bombs = [
                BombFixtures.png(30_000, 30_000), BombFixtures.png(0x7FFF_FFFF, 0x7FFF_FFFF),
                BombFixtures.png(16_385, 1), BombFixtures.jpeg(65_500, 65_500), BombFixtures.jpeg(16_384, 16_384),
                BombFixtures.webP(16_383, 16_383), BombFixtures.losslessWebP(16_384, 16_384),
                BombFixtures.animation(16_777_216, 255), BombFixtures.animation(16_384, 16_384),
            ]
            let before = BombFixtures.peakMemory()
            for bomb in bombs {
                #expect(bomb.count < 1000)
                #expect { try Photo(bomb) } throws: { error in
                    if case .tooManyPixels = (error as? ImageError)?.code { true } else { false }
                }
            }
            #expect(BombFixtures.peakMemory() - before < 8 << 20)
        }
    }

    /// Goal: texts and profiles that unpack to much more cost nothing.
    /// Way: what libpng is given of such a file is, byte for byte, the file without them.
    @Test func `compressed texts and profiles of a PNG do not reach libpng`() throws {
        let plain = TestPicture.quarters().png()
        let zeros = PNGFixture.stored([UInt8](repeating: 0, count: 10_000))
        for (name, head) in [("zTXt", "Comment\0\0"), ("iTXt", "Comment\0\u{1}\0\0\0"), ("iCCP", "Profile\0\0")] {
            let chunk = PNGFixture.chunk(name, Array(head.utf8) + zeros)
            var file = plain
            file.insert(contentsOf: chunk, at: plain.count - 12)
            file.insert(contentsOf: chunk + chunk, at: 33)
            #expect(try PNGChunks(file).essence == plain)
        }
    }

    /// libwebp adds up areas in 32 bits. Nothing the limits allow may pass them: white would not stay white.
    @Test(arguments: [(16_384, 2441, 64, 10), (2441, 16_384, 10, 64), (6324, 6324, 64, 64), (4096, 4096, 32, 32)])
    func `the largest picture shrunk to the least keeps its colour`(
        width: Int, height: Int, newWidth: Int, newHeight: Int
    ) throws {
        var pixels = try Pixels(PixelSize(width: width, height: height))
        pixels.withBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 255) }
        try pixels.resize(to: PixelSize(width: newWidth, height: newHeight))
        let isWhite = pixels.withPixels { $0.count == newWidth * newHeight && $0.allSatisfy { $0 == 0xFFFF_FFFF } }
        #expect(isWhite)
    }

    @Test func `a JPEG of more than 64 scans is refused`() throws {
        let jpeg = TestPicture.quarters().jpeg(isProgressive: true)
        let markers = try JPEGMarkers(jpeg)
        #expect((2...20).contains(markers.scans))
        let scan = try #require(jpeg.indices.last { jpeg[$0...].starts(with: [0xFF, 0xDA]) })
        let repeated = Array(jpeg[scan...].dropLast(2))
        func with(_ scans: Int) -> [UInt8] {
            jpeg.dropLast(2) + (markers.scans..<scans).flatMap { _ in repeated } + jpeg.suffix(2)
        }
        #expect(try JPEGMarkers(with(64)).scans == 64)
        #expect(Self.code(with(65)) == .unsupportedFeature)
    }
}
