import SonaTestSupport
import Testing

@testable import SonaImages

/// Goal: no compressed part of a PNG is unpacked past what its pixels need.
@Suite struct PNGInflationTests {
    private static func code(_ bytes: [UInt8]) -> ImageError.Code? {
        do {
            _ = try Photo(bytes)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `more than the pixels and 64 KiB is damaged, as much as that is taken`() {
        #expect(Self.code(PNGBomb.harmless()) == nil)
        #expect(Self.code(PNGBomb.harmless(extraBytes: 65_536)) == nil)
        #expect(Self.code(PNGBomb.harmless(extraBytes: 65_537)) == .damaged)
    }

    @Test func `four and a half GiB of zeros, in one piece or in many, cost what 64 KiB cost`() {
        let bomb = PNGBomb.png(mebibytes: 4_600)
        let data = Array(bomb[41..<bomb.count - 16])
        let pieces = PNGBomb.file(
            stride(from: 0, to: data.count, by: 1_000).flatMap {
                PNGBomb.chunk("IDAT", Array(data[$0..<min(data.count, $0 + 1_000)]))
            })
        let start = ContinuousClock.now
        #expect(Self.code(bomb) == .damaged && Self.code(pieces) == .damaged)
        #expect(ContinuousClock.now - start < .seconds(2))
    }

    @Test func `compressed texts and profiles are not unpacked at all`() {
        for name in ["zTXt", "iTXt", "iCCP"] {
            let start = ContinuousClock.now
            #expect(Self.code(PNGBomb.harmless(before: PNGBomb.chunk(name, mebibytes: 4_600))) == nil)
            #expect(ContinuousClock.now - start < .seconds(2))
        }
    }

    @Test func `every depth, kind and interlacing is given as much as it needs`() throws {
        for (colorType, depths, channels) in [
            (0, [1, 2, 4, 8, 16], 1), (2, [8, 16], 3), (3, [1, 2, 4, 8], 1), (4, [8, 16], 2), (6, [8, 16], 4),
        ] {
            for depth in depths {
                for isInterlaced in [false, true] where depth >= 8 || !isInterlaced {
                    for (width, height) in [(1, 1), (3, 2), (5, 9), (300, 217)] {
                        let row = [UInt8](repeating: 0, count: (width * channels * depth + 7) / 8)
                        let fixture = PNGFixture(
                            width: width, height: height, depth: UInt8(depth), colorType: UInt8(colorType),
                            rows: [[UInt8]](repeating: row, count: height), isInterlaced: isInterlaced)
                        let palette = colorType == 3 ? PNGFixture.chunk("PLTE", [9, 9, 9]) : []
                        let chunks = try PNGChunks(fixture.file(palette))
                        #expect(PNGInflation.bytesNeeded(chunks.essence) == fixture.filtered.count)
                        #expect(Self.code(fixture.file(palette)) == nil)
                    }
                }
            }
        }
    }
}
