import Testing

@testable import SonaAudio

@Suite struct OpusHeadTests {
    @Test func `an OpusHead of ffmpeg is read and written byte for byte`() throws {
        let bytes: [UInt8] = Array("OpusHead".utf8) + [1, 2, 0x38, 1, 0x80, 0xBB, 0, 0, 0, 0, 0]
        let head = try OpusHead(parsing: bytes)
        #expect(head == OpusHead(channels: 2, preSkip: 312))
        #expect(head.encoded() == bytes)
    }

    @Test func `a negative gain and a rate of 44100 survive`() throws {
        let head = OpusHead(channels: 1, preSkip: 65_535, inputSampleRate: 44_100, outputGain: -256)
        #expect(try OpusHead(parsing: head.encoded()) == head)
    }

    @Test func `values beyond their fields are clamped when written`() throws {
        let head = try OpusHead(
            parsing: OpusHead(channels: 2, preSkip: -1, inputSampleRate: .max, outputGain: .min).encoded())
        #expect(head.preSkip == 0 && head.inputSampleRate == 4_294_967_295 && head.outputGain == -32_768)
    }

    @Test func `every shortened OpusHead is refused`() {
        let bytes = OpusHead(channels: 2, preSkip: 312).encoded()
        for length in 0..<bytes.count {
            let error = #expect(throws: AudioError.self) { try OpusHead(parsing: Array(bytes[..<length])) }
            #expect(error?.code == .badHeader)
        }
    }

    @Test(arguments: [
        (8, 16, AudioError.Code.unsupported), (9, 0, .badHeader), (9, 3, .badHeader), (18, 1, .unsupported),
        (18, 255, .unsupported), (0, 0x6F, .badHeader),
    ])
    func `an OpusHead with a value it must not have is refused`(at: Int, value: UInt8, code: AudioError.Code) {
        var bytes = OpusHead(channels: 2, preSkip: 312).encoded()
        bytes[at] = value
        let error = #expect(throws: AudioError.self) { try OpusHead(parsing: bytes) }
        #expect(error?.code == code)
    }
}

@Suite struct OpusTagsTests {
    private func packet(count: UInt64, comments: [[UInt8]]) -> [UInt8] {
        Array("OpusTags".utf8) + little(1, 4) + "v".utf8 + little(count, 4)
            + comments.flatMap { little(UInt64($0.count), 4) + $0 }
    }

    @Test func `tags are read and written byte for byte`() throws {
        let tags = OpusTags(vendor: "libopus 1.3.1", comments: ["TITLE=Ä=b", "artist=one", "ARTIST=two", "ALBUM="])
        #expect(try OpusTags(parsing: tags.encoded()) == tags)
        #expect(tags.title == "Ä=b" && tags.artist == "one" && tags.album == "" && tags[first: "aLbUm"] == "")
        #expect(tags[first: "GENRE"] == nil && tags[first: "TITL"] == nil)
    }

    @Test func `a track gain is a 16 bit number or nothing`() {
        func gain(_ text: String) -> Int? { OpusTags(vendor: "", comments: ["R128_TRACK_GAIN=" + text]).trackGain }
        #expect(gain("-573") == -573 && gain("32767") == 32_767)
        #expect(gain("32768") == nil && gain("1.5") == nil && gain("") == nil)
    }

    @Test func `every shortened OpusTags is refused`() {
        let bytes = OpusTags(vendor: "v", comments: ["A=b", "C=d"]).encoded()
        for length in 0..<bytes.count {
            let error = #expect(throws: AudioError.self) { try OpusTags(parsing: Array(bytes[..<length])) }
            #expect(error?.code == .badHeader)
        }
    }

    @Test func `a lying length or count is refused without being believed`() {
        let lies = [
            packet(count: 0xFFFF_FFFF, comments: [Array("A=b".utf8)]),
            Array("OpusTags".utf8) + little(0xFFFF_FFFF, 4),
            packet(count: 1, comments: []) + little(0xFFFF_FFF0, 4) + "A=b".utf8,
        ]
        for bytes in lies { #expect(throws: AudioError.self) { try OpusTags(parsing: bytes) } }
    }

    @Test func `pictures and oversize comments are passed over, the rest is kept`() throws {
        let picture = Array("metadata_block_picture=".utf8) + [UInt8](repeating: 65, count: 3_000_000)
        let long = Array("LYRICS=".utf8) + [UInt8](repeating: 66, count: 70_000)
        let small = Array("COVERART=abc".utf8)
        let comments = [picture, long, small, Array("TITLE=kept".utf8), Array("no key".utf8), Array("=x".utf8)]
        let tags = try OpusTags(parsing: packet(count: UInt64(comments.count), comments: comments) + [1, 2, 3])
        #expect(tags.comments == ["TITLE=kept"])
    }

    @Test func `no more than 64 KiB are kept of many small comments`() throws {
        let comments = [[UInt8]](repeating: Array("A=".utf8), count: 100_000)
        let tags = try OpusTags(parsing: packet(count: 100_000, comments: comments))
        #expect(tags.comments.count == (OpusTags.bytesMax - 1) / 18)
    }

    @Test func `bytes that are not UTF-8 do not cost the comment`() throws {
        let tags = try OpusTags(parsing: packet(count: 1, comments: [Array("TITLE=a".utf8) + [0xFF, 0x62]]))
        #expect(tags.title == "a\u{FFFD}b")
    }

    @Test func `tags fed byte by byte are the same`() throws {
        let bytes = OpusTags(vendor: "vendor", comments: ["A=b", "METADATA_BLOCK_PICTURE=xyz", "C=d"]).encoded()
        var parser = OpusTagsParser()
        for byte in bytes { withUnsafeBytes(of: byte) { parser.feed($0) } }
        let tags = try parser.finish()
        #expect(tags == OpusTags(vendor: "vendor", comments: ["A=b", "C=d"]))
    }
}
