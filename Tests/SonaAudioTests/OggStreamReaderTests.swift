import Testing

@testable import SonaAudio

/// An Ogg stream whose end is not known, taken apart as it comes.
struct OggStreamReaderTests {
    /// Two chained streams of three packets each, one of them longer than a page's segment.
    private static func sample() throws -> (bytes: [UInt8], packets: [[UInt8]]) {
        var bytes: [UInt8] = []
        var packets: [[UInt8]] = []
        for serial: UInt32 in [1, 2] {
            var writer = OggOpusWriter(
                head: OpusHead(channels: 2, preSkip: 312), tags: OpusTags(vendor: "v", comments: ["TITLE=\(serial)"]),
                serial: serial)
            bytes += writer.headerPages()
            for length in [3, 600, 40] {
                let packet = [0xFC] + [UInt8](repeating: UInt8(serial), count: length)
                packets.append(packet)
                bytes += try writer.write(packet: packet, samples: 960, flush: true)
            }
            bytes += writer.finish()
        }
        return (bytes, packets)
    }

    private static func packets(_ events: [OggStreamReader.Event]) -> [[UInt8]] {
        events.compactMap { if case .packet(let packet) = $0, packet.first == 0xFC { packet } else { nil } }
    }

    @Test func `packets come out whole, however the bytes are split`() throws {
        let (bytes, packets) = try Self.sample()
        for size in [1, 7, 28, 1_000, bytes.count] {
            var reader = OggStreamReader()
            var events: [OggStreamReader.Event] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                events += reader.take(bytes[start..<min(start + size, bytes.count)])
            }
            #expect(Self.packets(events) == packets)
            #expect(events.filter { if case .end(2_880) = $0 { true } else { false } }.count == 2)
        }
    }

    @Test func `bytes that are no page, and a page that was changed, are passed over`() throws {
        let (bytes, packets) = try Self.sample()
        var reader = OggStreamReader()
        var broken = Array("HTTP OggX".utf8) + bytes
        // In the second packet of the first stream.
        broken[9 + 47 + 28 + 8 + 4 + 1 + 4 + 4 + 7 + 100] ^= 1
        let found = Self.packets(reader.take(broken))
        #expect(found.count >= packets.count - 2 && found.count < packets.count)
        #expect(found.suffix(3) == packets.suffix(3))
    }
}
