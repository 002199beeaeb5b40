import Foundation
import SonaAudio
import Testing

@Suite struct WAVHeaderTests {
    private func u32(_ bytes: [UInt8], _ offset: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }

    private func u64(_ bytes: [UInt8], _ offset: Int) -> Int { u32(bytes, offset) | u32(bytes, offset + 4) << 32 }

    private func word(_ bytes: [UInt8], _ offset: Int) -> String {
        String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
    }

    /// Where a chunk's content lies, found as a reader would: from chunk to chunk.
    private func chunk(_ name: String, _ bytes: [UInt8]) -> Range<Int>? {
        var offset = 12
        while offset + 8 <= bytes.count {
            let size = u32(bytes, offset + 4)
            if word(bytes, offset) == name { return offset + 8..<offset + 8 + size }
            offset += 8 + size + size % 2
        }
        return nil
    }

    @Test(arguments: [nil, "x", "first_sample_server_us=-123", "even"])
    func `sizes, format and comment are where a reader looks for them`(comment: String?) throws {
        let header = WAVHeader(channels: 2, comment: comment)
        let bytes = header.bytes(dataBytes: 4000)
        #expect(word(bytes, 0) == "RIFF" && word(bytes, 8) == "WAVE")
        #expect(u32(bytes, 4) == bytes.count - 8 + 4000)
        let format = try #require(chunk("fmt ", bytes))
        #expect(Array(bytes[format]) == [1, 0, 2, 0, 0x80, 0xBB, 0, 0, 0, 0xEE, 2, 0, 4, 0, 16, 0])
        #expect(chunk("data", bytes) == bytes.count..<bytes.count + 4000)
        let list = chunk("LIST", bytes)
        #expect((list == nil) == (comment == nil))
        if let list, let comment {
            #expect(word(bytes, list.lowerBound) == "INFO" && word(bytes, list.lowerBound + 4) == "ICMT")
            let text = bytes[(list.lowerBound + 12)...].prefix { $0 != 0 }
            #expect(String(decoding: text, as: UTF8.self) == comment)
        }
    }

    @Test func `the header is as long for every size`() {
        let header = WAVHeader(channels: 2, comment: "c")
        let lengths = [0, 1, 4000, Int(UInt32.max), 1 << 40].map { header.bytes(dataBytes: $0).count }
        #expect(Set(lengths + [header.bytes(dataBytes: nil).count]).count == 1)
    }

    @Test func `beyond four gibibytes it is RF64, up to there it is not`() {
        let header = WAVHeader(channels: 2)
        let rest = header.bytes(dataBytes: 0).count - 8
        let most = Int(UInt32.max) - 1 - rest
        #expect(word(header.bytes(dataBytes: most / 4 * 4), 0) == "RIFF")
        let bytes = header.bytes(dataBytes: 8_000_000_000)
        #expect(word(bytes, 0) == "RF64" && u32(bytes, 4) == Int(UInt32.max))
        #expect(word(bytes, 12) == "ds64" && u32(bytes, 16) == 28)
        #expect(u64(bytes, 20) == rest + 8_000_000_000)
        #expect(u64(bytes, 28) == 8_000_000_000)
        #expect(u64(bytes, 36) == 2_000_000_000)
        #expect(u32(bytes, bytes.count - 4) == Int(UInt32.max))
    }

    @Test func `a stream's sizes are unknown`() {
        let bytes = WAVHeader(channels: 1).bytes(dataBytes: nil)
        #expect(word(bytes, 0) == "RIFF" && u32(bytes, 4) == Int(UInt32.max))
        #expect(u32(bytes, bytes.count - 4) == Int(UInt32.max))
    }

    @Test func `floats become the nearest step, held at full scale`() {
        let bytes = PCM16.bytes([0, 1, -1, 2, -2, .nan, 0.5 / 32_768, 1.5 / 32_768, .infinity] as [Float])
        let values = stride(from: 0, to: bytes.count, by: 2).map {
            Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8)
        }
        #expect(values == [0, 32_767, -32_768, 32_767, -32_768, 0, 1, 2, 32_767])
    }
}
