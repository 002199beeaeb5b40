import Testing

@testable import SonaImages

@Suite struct MetadataTests {
    private static let xmp = Array("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>home address</x:xmpmeta>".utf8)
    private static let profile = Array("ICC_PROFILE\0\u{1}\u{1}acsp profile".utf8)
    private static let words = [
        "Exif", "GPSLatitude", "52.5200", "xmpmeta", "home address", "ICC_PROFILE", "acsp", "secret",
    ]

    /// The names of a WebP's chunks, in order; nil if its sizes do not add up.
    private static func chunks(of bytes: [UInt8]) -> [String]? {
        var names: [String] = []
        var offset = 12
        while offset + 8 <= bytes.count {
            names.append(String(decoding: bytes[offset..<offset + 4], as: UTF8.self))
            let size = (0..<4).reduce(0) { $0 | Int(bytes[offset + 4 + $1]) << (8 * $1) }
            offset += 8 + size + size % 2
        }
        return offset == bytes.count ? names : nil
    }

    private static func contains(_ word: String, _ bytes: [UInt8]) -> Bool {
        let word = Array(word.utf8)
        return bytes.indices.contains { bytes[$0...].starts(with: word) }
    }

    private func expectPixelsOnly(_ bytes: [UInt8], _ label: String) throws {
        // The goal is missed if the metadata was not there to begin with.
        #expect(Self.words.contains { Self.contains($0, bytes) }, "\(label)")
        let photo = try Photo(bytes)
        for image in [photo.full] + photo.squares {
            let names = try #require(Self.chunks(of: image.bytes))
            #expect(Set(names).isSubset(of: ["VP8 ", "VP8X", "ALPH"]), "\(label): \(names)")
            for word in Self.words { #expect(!Self.contains(word, image.bytes), "\(label): \(word)") }
        }
    }

    @Test func `only the pixels of a JPEG are kept`() throws {
        let segments: [(marker: UInt8, content: [UInt8])] = [
            (0xE1, MetadataFixtures.exif(orientation: 3)), (0xE1, Self.xmp), (0xE2, Self.profile),
            (0xED, Array("Photoshop 3.0\0secret".utf8)), (0xFE, Array("a secret comment".utf8)),
        ]
        let jpeg = MetadataFixtures.inserting(segments, intoJPEG: TestPicture.quarters().jpeg())
        try expectPixelsOnly(jpeg + Array("secret behind the end".utf8), "JPEG")
    }

    @Test func `only the pixels of a PNG are kept`() throws {
        let png = TestPicture.slopes(48, 32, alpha: 128).png()
        let chunks =
            PNGFixture.chunk("eXIf", MetadataFixtures.tiff(orientation: 1, isBigEndian: true))
            + PNGFixture.chunk("iCCP", Array("secret\0\0".utf8) + PNGFixture.stored(Self.profile))
            + PNGFixture.chunk("tEXt", Array("Comment\0secret".utf8))
            + PNGFixture.chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + Self.xmp)
        try expectPixelsOnly(png.prefix(33) + chunks + png.dropFirst(33), "PNG")
    }

    @Test func `only the pixels of a WebP are kept`() throws {
        let picture = Array(TestPicture.quarters().webP().dropFirst(12))
        let chunks =
            MetadataFixtures.webPChunk("ICCP", Self.profile) + picture
            + MetadataFixtures.webPChunk("EXIF", MetadataFixtures.tiff(orientation: 1, isBigEndian: false))
            + MetadataFixtures.webPChunk("XMP ", Self.xmp)
        try expectPixelsOnly(MetadataFixtures.webP(48, 32, flags: 0x2C, chunks), "WebP")
    }
}
