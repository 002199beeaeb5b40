import Glibc
import SonaBase
import SonaTestSupport
import Testing

@testable import SonaImages

/// Goal: no bytes make the process stop or print, and what is not wholly there is not taken.
@Suite struct ImageDamageTests {
    /// Small pictures of every kind the decoders tell apart.
    static let fixtures: [(name: String, bytes: [UInt8])] = {
        let picture = TestPicture.slopes(40, 28)
        let clear = TestPicture.slopes(40, 28, alpha: 100)
        let rows = (0..<28).map { y in (0..<40).flatMap { x in PNGFixture.samples(clear[x, y], 16) } }
        let deep = PNGFixture(width: 40, height: 28, depth: 16, colorType: 6, rows: rows, isInterlaced: true)
        let palette = PNGFixture(
            width: 40, height: 28, depth: 8, colorType: 3,
            rows: (0..<28).map { y in (0..<40).map { x in UInt8((x + y) % 4) } })
        let colors = PNGFixture.chunk("PLTE", [255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9])
        let exif = MetadataFixtures.exif(orientation: 6)
        return [
            ("PNG", picture.png()), ("deep interlaced PNG", deep.file()),
            ("palette PNG", palette.file(colors + PNGFixture.chunk("tRNS", [9, 8, 7]))),
            ("JPEG", MetadataFixtures.inserting([(0xE1, exif)], intoJPEG: picture.jpeg())),
            ("progressive JPEG", picture.jpeg(isProgressive: true)), ("print JPEG", picture.printJPEG()),
            ("WebP", picture.webP()), ("clear WebP", clear.webP()), ("lossless WebP", clear.webP(isLossless: true)),
            ("animated WebP", MetadataFixtures.animation(40, 28, [clear.webP(), picture.webP()])),
        ]
    }()

    @Test(arguments: fixtures.indices)
    func `a file cut short anywhere is refused`(index: Int) throws {
        let (name, bytes) = Self.fixtures[index]
        _ = try Photo(bytes)
        // The animation's first frame is whole somewhat before the end.
        let counts = name == "animated WebP" ? 0..<bytes.count / 3 : 0..<bytes.count
        let step = max(1, bytes.count / 300)
        for count in Array(stride(from: 0, to: counts.upperBound, by: step)) + [counts.upperBound - 1] {
            do {
                _ = try Photo(Array(bytes.prefix(count)))
                Issue.record("\(name) of \(count) bytes in \(bytes.count) was taken.")
            } catch {
                #expect(error.code == .damaged || error.code == .unsupportedType, "\(name) of \(count): \(error.code)")
            }
        }
    }

    @Test func `a JPEG with an end but without all of its pixels is refused`() throws {
        for isProgressive in [false, true] {
            let jpeg = TestPicture.slopes(200, 200).jpeg(isProgressive: isProgressive)
            for missing in [100, 1000, jpeg.count / 2] {
                #expect { try Photo(jpeg.dropLast(2 + missing) + jpeg.suffix(2)) } throws: {
                    ($0 as? ImageError)?.code == .damaged
                }
            }
        }
    }

    @Test(arguments: fixtures.indices)
    func `two thousand changes to each file are decoded or refused`(index: Int) {
        let (name, bytes) = Self.fixtures[index]
        var generator = SeededGenerator(seed: UInt64(index) + 2026)
        // A mutated size is bounded here by what a test has time for.
        let limits = ImageLimits(pixelsMax: 100_000)
        var (taken, refused) = (0, 0)
        for round in 0..<2000 {
            var mutated = bytes
            Self.mutate(&mutated, using: &generator)
            if name.hasSuffix("PNG"), round % 2 == 0 { Self.repairChecksums(&mutated) }
            do {
                let photo = try Photo(mutated, limits: limits, longestSideMax: 64)
                taken += 1
                let isFine = TestPicture(photo.full) != nil && max(photo.full.width, photo.full.height) <= 64
                #expect(isFine && photo.color.contrast(with: photo.foreground) >= 4.5, "\(name), round \(round)")
            } catch {
                refused += 1
                #expect(!error.description.isEmpty)
            }
        }
        // Changes that all do nothing, or all stop at the first byte, would prove nothing. A PNG's two checksums catch
        // nearly all; the next test gets past them.
        let least = name.hasSuffix("PNG") ? 1 : 20
        #expect(taken >= least && refused >= least, "\(name): \(taken) taken, \(refused) refused")
    }

    @Test func `two thousand PNGs of odd content and right checksums are decoded or refused`() {
        var generator = SeededGenerator(seed: 99)
        func byte() -> UInt8 { .random(in: 0...255, using: &generator) }
        var (taken, refused) = (0, 0)
        for round in 0..<2000 {
            let depth = 1 << Int.random(in: 0...4, using: &generator)
            let colorType = [0, 2, 3, 4, 6].randomElement(using: &generator) ?? 6
            let (width, height) = (Int.random(in: 1...20, using: &generator), Int.random(in: 1...20, using: &generator))
            let channels = [1, 0, 3, 1, 2, 0, 4][colorType]
            let exact = (width * channels * depth + 7) / 8
            let count = round % 4 == 0 ? Int.random(in: 0...exact + 9, using: &generator) : exact
            let fixture = PNGFixture(
                width: width, height: height, depth: UInt8(depth), colorType: UInt8(colorType),
                rows: (0..<height).map { _ in (0..<count).map { _ in byte() } },
                isInterlaced: depth >= 8 && Bool.random(using: &generator),
                filter: round % 7 == 0 ? byte() : byte() % 5)
            var chunks: [UInt8] = []
            for (name, sizeMax) in [("gAMA", 4), ("PLTE", 40), ("tRNS", 20), ("sRGB", 1), ("IHDR", 13), ("ABCD", 3)] {
                guard Int.random(in: 0..<10, using: &generator) < (name == "PLTE" ? 9 : 3) else { continue }
                let size = name == "PLTE" ? 3 * Int.random(in: 1...16, using: &generator) : sizeMax
                if sizeMax == 13 || sizeMax == 3, round % 10 != 0 { continue }
                chunks += PNGFixture.chunk(name, (0..<size).map { _ in byte() })
            }
            do {
                let photo = try Photo(fixture.file(chunks), limits: ImageLimits(pixelsMax: 100_000))
                taken += 1
                #expect(photo.full.width == width && photo.full.height == height, "round \(round)")
            } catch {
                refused += 1
                #expect(error.code == .damaged, "round \(round): \(error)")
            }
        }
        #expect(taken > 200 && refused > 200, "\(taken) taken, \(refused) refused")
    }

    @Test func `the libraries print nothing about damage`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            var generator = SeededGenerator(seed: 5)
            write(STDERR_FILENO, "<<", 2)
            for (_, bytes) in ImageDamageTests.fixtures {
                for _ in 0..<100 {
                    var mutated = bytes
                    ImageDamageTests.mutate(&mutated, using: &generator)
                    _ = try? Photo(mutated, limits: ImageLimits(pixelsMax: 100_000), longestSideMax: 64)
                }
            }
            write(STDERR_FILENO, ">>", 2)
        }
        let printed = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(printed.contains("<<>>"), "\(printed.prefix(2000))")
    }

    @Test func `concurrent threads get the same results as a single one`() async throws {
        let wanted = try Self.fixtures.map { try Photo($0.bytes) }
        try await withThrowingTaskGroup { group in
            for round in 0..<40 {
                group.addTask {
                    let index = round % Self.fixtures.count
                    // A damaged file beside each good one: messages of one must not reach the other.
                    _ = try? Photo(Array(Self.fixtures[index].bytes.dropLast(30)))
                    return (index, try Photo(Self.fixtures[index].bytes))
                }
            }
            for try await (index, photo) in group { #expect(photo == wanted[index]) }
        }
    }

    private static func mutate(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
        for _ in 0...Int.random(in: 0...3, using: &generator) where bytes.count > 40 {
            // Half of the changes hit the headers, where more depends on each byte.
            let end = Bool.random(using: &generator) ? min(bytes.count, 200) : bytes.count
            let at = Int.random(in: 2..<end, using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 1: bytes[at] = [0, 1, 127, 128, 254, 255].randomElement(using: &generator) ?? 0
            case 2: bytes.remove(at: at)
            case 3: bytes.insert(.random(in: 0...255, using: &generator), at: at)
            case 4: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 0..<60, using: &generator)))
            default: bytes[at] = .random(in: 0...255, using: &generator)
            }
        }
    }

    /// Right checksums for a PNG's chunks as far as they can be followed, or no change would reach the code behind.
    private static func repairChecksums(_ bytes: inout [UInt8]) {
        var result = Array(bytes.prefix(8))
        var rest = bytes.dropFirst(8)
        while rest.count >= 12 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard length <= rest.count - 12 else { break }
            let name = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
            guard name.utf8.count == 4 else { break }
            result += PNGFixture.chunk(name, Array(rest.dropFirst(8).prefix(length)))
            rest = rest.dropFirst(12 + length)
        }
        bytes = result + rest
    }
}
