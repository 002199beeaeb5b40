import CZlib
import SonaBase
import SonaCompression
import SonaTestSupport
import Testing

@Suite struct GzipTests {
    /// What zlib makes of one gzip member; nil unless it ends where the bytes end.
    private func decompressed(_ bytes: [UInt8], atMost limit: Int) -> [UInt8]? {
        var stream = z_stream()
        guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: limit + 1)
        let result = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return inflate(&stream, Z_FINISH)
            }
        }
        guard result == Z_STREAM_END, stream.avail_in == 0 else { return nil }
        return Array(output[..<Int(stream.total_out)])
    }

    @Test(arguments: [0, 1, 2, 1000, 32_768, 300_000]) func `compressed bytes decompress to the original`(count: Int) {
        var generator = SeededGenerator(seed: 7)
        let text = (0..<count).map { UInt8(truncatingIfNeeded: $0 % 61 + 32) }
        let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        for bytes in [text, noise] {
            #expect(decompressed(Gzip.compress(bytes), atMost: count) == bytes)
        }
    }

    @Test func `text becomes much shorter, and noise hardly longer`() {
        let text = Array(String(repeating: "everybody hears the same moment ", count: 1000).utf8)
        #expect(Gzip.compress(text).count < text.count / 50)
        var generator = SeededGenerator(seed: 8)
        let noise = (0..<10_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        #expect(Gzip.compress(noise).count < noise.count + 64)
    }

    @Test func `equal bytes give equal members, without name and time`() {
        let bytes = Array("the same".utf8)
        let member = Gzip.compress(bytes)
        #expect(member == Gzip.compress(bytes))
        // RFC 1952 §2.3: flags, then four bytes of time.
        #expect(member[3] == 0 && member[4..<8].allSatisfy { $0 == 0 })
    }
}
