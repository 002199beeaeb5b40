import CTurboJPEG
import Testing

@testable import SonaImages

/// The content that each format may have, and what is kept of it.
@Suite struct ImageKindTests {
    private static let picture = TestPicture.quarters()

    private func expectQuarters(_ bytes: [UInt8], _ label: String, tolerance: Int = 24) throws {
        let full = try #require(TestPicture(try Photo(bytes).full))
        for (found, wanted) in zip(full.middles, Self.picture.middles) {
            #expect(areClose(found, wanted, tolerance: tolerance), "\(label): \(String(found, radix: 16))")
        }
    }

    @Test func `the kind is recognized by content`() {
        #expect(ImageKind(sniffing: Self.picture.png()) == .png)
        #expect(ImageKind(sniffing: Self.picture.jpeg()) == .jpeg)
        #expect(ImageKind(sniffing: Self.picture.webP()) == .webP)
        let others: [[UInt8]] = [
            [], [0xFF, 0xD8], Array("GIF89a".utf8), Array("<svg xmlns=".utf8), Array("BM".utf8),
            Array("RIFF\0\0\0\0WAVE".utf8), Array("RIFF\0\0\0\0WEB".utf8), Array("OggS".utf8),
            Array(Self.picture.png().prefix(7)),
        ]
        for other in others {
            #expect(ImageKind(sniffing: other) == nil)
            #expect { try Photo(other) } throws: { ($0 as? ImageError)?.code == .unsupportedType }
        }
    }

    @Test func `JPEGs of every subsampling, of print colours and of grey are read`() throws {
        for subsampling in [TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_440, TJSAMP_411] {
            try expectQuarters(Self.picture.jpeg(subsampling), "\(subsampling.rawValue)")
        }
        try expectQuarters(Self.picture.printJPEG(), "print colours")
        let grey = try #require(TestPicture(try Photo(Self.picture.jpeg(TJSAMP_GRAY)).full))
        for middle in grey.middles {
            let value = middle & 0xFF
            #expect(areClose(middle, 0xFF00_0000 | value << 16 | value << 8 | value, tolerance: 3))
        }
        #expect(Set(grey.middles).count > 2)
    }

    @Test func `a shrunk JPEG of print colours is read`() throws {
        let large = TestPicture.quarters(900, 600)
        let full = try #require(TestPicture(try Photo(large.printJPEG(), longestSideMax: 90).full))
        #expect(full.width == 90 && full.height == 60)
        for (found, wanted) in zip(full.middles, large.middles) { #expect(areClose(found, wanted)) }
    }

    @Test(arguments: [8, 16] as [UInt8], [false, true])
    func `PNGs of 8 and 16 bits, interlaced or not, with and without alpha are read`(
        depth: UInt8, isInterlaced: Bool
    ) throws {
        let picture = Self.picture
        for (colorType, channels) in [(2, 3), (6, 4)] as [(UInt8, Int)] {
            let rows = (0..<picture.height).map { y in
                (0..<picture.width).flatMap { x in
                    PNGFixture.samples(picture[x, y], depth).prefix(channels * Int(depth) / 8)
                }
            }
            let fixture = PNGFixture(
                width: picture.width, height: picture.height, depth: depth, colorType: colorType, rows: rows,
                isInterlaced: isInterlaced)
            try expectQuarters(fixture.file(), "type \(colorType)")
        }
    }

    @Test func `PNGs of a palette, with transparency, and of one bit are read`() throws {
        let rows = (0..<32).map { y in (0..<48).map { x in UInt8((x < 24 ? 0 : 1) + (y < 16 ? 0 : 2)) } }
        let colors: [UInt8] = [0xE0, 0x20, 0x20, 0x20, 0xC0, 0x20, 0x20, 0x20, 0xE0, 0xE0, 0xE0, 0x20]
        let fixture = PNGFixture(width: 48, height: 32, depth: 8, colorType: 3, rows: rows)
        let palette = PNGFixture.chunk("PLTE", colors)
        try expectQuarters(fixture.file(palette), "palette")

        let clear = try Photo(fixture.file(palette + PNGFixture.chunk("tRNS", [255, 255, 255, 0])))
        let middles = try #require(TestPicture(clear.full)).middles
        #expect(middles.map { $0 >> 24 } == [255, 255, 255, 0])

        let stripes = PNGFixture(
            width: 16, height: 16, depth: 1, colorType: 0, rows: Array(repeating: [0xFF, 0x00], count: 16))
        let picture = try #require(TestPicture(try Photo(stripes.file()).full))
        #expect(areClose(picture[4, 8], 0xFFFF_FFFF) && areClose(picture[12, 8], 0xFF00_0000))
    }

    @Test func `a PNG's gamma is applied, and without one 16 bits are sRGB`() throws {
        func middle(_ depth: UInt8, gamma: Int?) throws -> UInt32 {
            let row = [UInt8](repeating: 0x80, count: 16 * Int(depth) / 8)
            let fixture = PNGFixture(
                width: 16, height: 16, depth: depth, colorType: 0, rows: Array(repeating: row, count: 16))
            let chunk = gamma.map { PNGFixture.chunk("gAMA", PNGFixture.number($0)) } ?? []
            return try #require(TestPicture(try Photo(fixture.file(chunk)).full))[8, 8]
        }
        for depth in [8, 16] as [UInt8] {
            #expect(areClose(try middle(depth, gamma: nil), 0xFF80_8080, tolerance: 3))
            #expect(areClose(try middle(depth, gamma: 45_455), 0xFF80_8080, tolerance: 3))
            // Half of linear light is 188 in sRGB.
            #expect(areClose(try middle(depth, gamma: 100_000), 0xFFBC_BCBC, tolerance: 3))
        }
    }

    @Test func `an animated WebP gives its first frame`() throws {
        let other = TestPicture(48, 32) { _, _ in 0xFF11_1111 }
        for isLossless in [false, true] {
            let frames = [Self.picture.webP(isLossless: isLossless), other.webP(isLossless: isLossless)]
            try expectQuarters(MetadataFixtures.animation(48, 32, frames), "animation")
        }
        let clear = TestPicture(48, 32) { x, _ in x < 24 ? TestPicture.red : 0 }
        let middles = try #require(
            TestPicture(try Photo(MetadataFixtures.animation(48, 32, [clear.webP(), other.webP()])).full)
        ).middles
        #expect(areClose(middles[0], TestPicture.red) && middles[1] >> 24 == 0)
        let empty = MetadataFixtures.webP(48, 32, flags: 2, MetadataFixtures.webPChunk("ANIM", [0, 0, 0, 0, 0, 0]))
        #expect { try Photo(empty) } throws: { ($0 as? ImageError)?.code == .damaged }
        // A frame that would pass its canvas is not decoded.
        for (width, height) in [(47, 32), (48, 31)] {
            let outside = MetadataFixtures.animation(width, height, [Self.picture.webP()])
            #expect { try Photo(outside) } throws: { ($0 as? ImageError)?.code == .damaged }
        }
    }

    @Test func `an animated PNG gives its default image`() throws {
        let plain = Self.picture.png()
        let control = PNGFixture.chunk("acTL", [0, 0, 0, 2, 0, 0, 0, 0])
        let more = PNGFixture.chunk("fdAT", [0, 0, 0, 1] + PNGFixture.stored([1, 2, 3]))
        let headEnd = 8 + 25
        try expectQuarters(
            Array(plain[..<headEnd]) + control + plain[headEnd...].dropLast(12) + more + PNGFixture.end, "animation")
    }

    @Test func `unusual JPEGs are refused with a reason`() throws {
        let jpeg = Self.picture.jpeg()
        let frame = try #require(jpeg.indices.dropLast().first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
        func with(_ offset: Int, _ byte: UInt8) -> [UInt8] {
            var copy = jpeg
            copy[frame + offset] = byte
            return copy
        }
        for bytes in [with(1, 0xC3), with(1, 0xC5), with(4, 12), with(9, 2)] {
            #expect { try Photo(bytes) } throws: { ($0 as? ImageError)?.code == .unsupportedFeature }
        }
    }

    @Test func `superfluous bytes between markers do no harm`() throws {
        let jpeg = Self.picture.jpeg()
        // The decoder reads some bytes ahead; a hundred are more than it takes for pixels.
        let zeros = [UInt8](repeating: 0, count: 100)
        try expectQuarters(jpeg.dropLast(2) + zeros + jpeg.suffix(2), "zeros before the end")
    }
}
