import SonaBase
import SonaTestSupport
import Testing

@testable import SonaImages

@Suite struct OrientationTests {
    private static let picture = TestPicture.quarters()

    /// What is seen when `picture` was stored under an orientation, by the words of the Exif standard: which stored
    /// quarter lies at the upper left, upper right, lower left, lower right.
    private static func middles(_ orientation: Int) -> [UInt32] {
        let (red, green) = (TestPicture.red, TestPicture.green)
        let (blue, yellow) = (TestPicture.blue, TestPicture.yellow)
        return switch orientation {
        // Row 0 is the right-hand side, column 0 the top, and so on.
        case 2: [green, red, yellow, blue]
        case 3: [yellow, blue, green, red]
        case 4: [blue, yellow, red, green]
        case 5: [red, blue, green, yellow]
        case 6: [blue, red, yellow, green]
        case 7: [yellow, green, blue, red]
        case 8: [green, yellow, red, blue]
        default: [red, green, blue, yellow]
        }
    }

    private func expect(_ bytes: [UInt8], _ orientation: Int, _ label: String) throws {
        let full = try #require(TestPicture(try Photo(bytes).full))
        let isTurned = (5...8).contains(orientation)
        #expect(full.width == (isTurned ? 32 : 48) && full.height == (isTurned ? 48 : 32), "\(label)")
        for (found, wanted) in zip(full.middles, Self.middles(orientation)) {
            #expect(areClose(found, wanted), "\(label), \(orientation): \(String(found, radix: 16))")
        }
    }

    @Test(arguments: 0...9, [false, true])
    func `every orientation is applied in every format`(orientation: Int, isBigEndian: Bool) throws {
        let exif = MetadataFixtures.exif(orientation: orientation, isBigEndian: isBigEndian)
        let tiff = MetadataFixtures.tiff(orientation: orientation, isBigEndian: isBigEndian)
        let jpeg = MetadataFixtures.inserting([(0xE1, exif)], intoJPEG: Self.picture.jpeg())
        try expect(jpeg, orientation, "JPEG")

        let png = Self.picture.png()
        try expect(png.prefix(33) + PNGFixture.chunk("eXIf", tiff) + png.dropFirst(33), orientation, "PNG")

        let picture = Array(Self.picture.webP().dropFirst(12))
        for metadata in [tiff, exif] {
            let chunks = picture + MetadataFixtures.webPChunk("EXIF", metadata)
            try expect(MetadataFixtures.webP(48, 32, flags: 0x08, chunks), orientation, "WebP")
        }
    }

    @Test func `a shrunk picture is turned as well, and its squares with it`() throws {
        let exif = MetadataFixtures.exif(orientation: 6)
        let jpeg = MetadataFixtures.inserting([(0xE1, exif)], intoJPEG: TestPicture.quarters(900, 600).jpeg())
        let photo = try Photo(jpeg, longestSideMax: 90)
        #expect(photo.full.width == 60 && photo.full.height == 90)
        for image in [photo.full] + photo.squares {
            let picture = try #require(TestPicture(image))
            for (found, wanted) in zip(picture.middles, Self.middles(6)) { #expect(areClose(found, wanted)) }
        }
    }

    @Test func `an XMP segment in front does not hide the Exif segment`() throws {
        let segments: [(marker: UInt8, content: [UInt8])] = [
            (0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>".utf8)),
            (0xE1, MetadataFixtures.exif(orientation: 8)),
        ]
        try expect(MetadataFixtures.inserting(segments, intoJPEG: Self.picture.jpeg()), 8, "JPEG")
    }

    @Test(arguments: [false, true])
    func `a directory that lies about itself means upright`(isBigEndian: Bool) {
        let good = MetadataFixtures.tiff(orientation: 6, isBigEndian: isBigEndian)
        #expect(ExifOrientation.read(good[...]) == .rightTop)
        // The directory's offset: past the end, at the very end, and the largest of 32 bits.
        for offset in [good.count, good.count - 1, 0x7FFF_FFFF, 0xFFFF_FFFF] {
            var bytes = good
            let field = PNGFixture.number(offset)
            bytes.replaceSubrange(4..<8, with: isBigEndian ? field : field.reversed())
            #expect(ExifOrientation.read(bytes[...]) == .upright)
        }
        // Cut in front of the value, every length is harmless; the value of the second entry ends at 8 + 2 + 12 + 10.
        for count in 0..<32 { #expect(ExifOrientation.read(good.prefix(count)) == .upright) }
        #expect(ExifOrientation.read(good.prefix(32)) == .rightTop)
        // More entries than there are bytes.
        var many = good
        (many[8], many[9]) = (0xFF, 0xFF)
        #expect(ExifOrientation.read(many[...]) == .rightTop)
        // A value of another type.
        var typed = good
        (typed[24], typed[25]) = (4, 4)
        #expect(ExifOrientation.read(typed[...]) == .upright)
    }

    @Test func `ten thousand hostile directories are read without harm`() {
        var generator = SeededGenerator(seed: 7)
        var read: Set<Int> = []
        for _ in 0..<10_000 {
            var bytes = MetadataFixtures.exif(orientation: 6, isBigEndian: Bool.random(using: &generator))
            for _ in 0...Int.random(in: 0...5, using: &generator) {
                bytes[Int.random(in: 6..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            read.insert(ExifOrientation.read(bytes.prefix(.random(in: 0...bytes.count, using: &generator))).rawValue)
        }
        #expect(read.isSuperset(of: [1, 6]))
    }
}
