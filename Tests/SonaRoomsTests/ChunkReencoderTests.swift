import Glibc
import SonaAudio
import SonaRooms
import SonaWire
import Testing

/// Real Opus is encoded anew, and heard.
@Suite struct ChunkReencoderTests {
    /// A chord of five tones that swell, so that its place in time is known to a sample.
    private static func pcm(_ packet: Int, samples: Int = 960) -> [Float] {
        (0..<samples).flatMap { index -> [Float] in
            let t = Double(packet * samples + index) / 48_000
            let swell = 0.5 + 0.5 * sin(2 * .pi * 3.1 * t)
            let chord = [220.0, 331, 512, 947, 1730].reduce(0) { $0 + sin(2 * .pi * $1 * t) } / 8
            return [Float(chord * swell), Float(chord * (1 - swell))]
        }
    }

    private static func chunks(_ count: Int, samples: Int = 960) throws -> [AudioChunk] {
        let encoder = try OpusEncoder(channels: 2, bitrate: 160_000, frameSamples: samples)
        return try (0..<count).map { number in
            let at = Timeline.microseconds(Int64(number * samples))
            var header = AudioDown(
                epoch: 7, sequence: UInt32(100 + number), playAtMicroseconds: at, samples: UInt32(samples))
            if number == 0 { header.flags.insert(.discontinuity) }
            return AudioChunk(header: header, packet: try encoder.encode(pcm(number, samples: samples)), due: at)
        }
    }

    private static func heard(_ chunks: [AudioChunk]) throws -> [Float] {
        let decoder = try OpusDecoder(channels: 2)
        return try chunks.flatMap { chunk in
            if chunk.header.flags.contains(.discontinuity) { decoder.reset() }
            return try decoder.decode(chunk.packet)
        }
    }

    /// Correlation of the left channels, −1…1, with `other` moved by so many samples.
    private static func likeness(_ one: [Float], _ other: [Float], movedBy offset: Int) -> Double {
        var (cross, ofOne, ofOther) = (0.0, 0.0, 0.0)
        for index in 9_600..<(min(one.count, other.count) / 2 - 9_600) {
            let (a, b) = (Double(one[index * 2]), Double(other[(index + offset) * 2]))
            cross += a * b
            ofOne += a * a
            ofOther += b * b
        }
        return cross / (ofOne * ofOther).squareRoot()
    }

    @Test(arguments: [480, 960, 1_920])
    func `packets keep number, time and duration, and sound at the same sample`(samples: Int) throws {
        let chunks = try Self.chunks(96_000 / samples, samples: samples)
        let reencoder = try ChunkReencoder(bitrate: 32_000)
        let made = chunks.flatMap { reencoder.take($0) } + reencoder.finish()
        #expect(made.map(\.header) == chunks.map(\.header))
        #expect(made.map(\.due) == chunks.map(\.due))
        let bytes = made.reduce(0) { $0 + $1.packet.count }
        #expect((6_000...10_500).contains(bytes), "two seconds of 32 kb/s are 8000 bytes: \(bytes)")
        #expect(try made.allSatisfy { try OpusPacket(inspecting: $0.packet).samples == samples })
        let (before, after) = (try Self.heard(chunks), try Self.heard(made))
        #expect(before.count == after.count)
        let best = try #require(
            (-400...400).max {
                Self.likeness(before, after, movedBy: $0) < Self.likeness(before, after, movedBy: $1)
            })
        #expect(best == 0)
        #expect(Self.likeness(before, after, movedBy: 0) > 0.97)
    }

    @Test func `a packet waits for the next one, or until it is said that none follows`() throws {
        let chunks = try Self.chunks(10)
        let reencoder = try ChunkReencoder(bitrate: 32_000)
        #expect(reencoder.take(chunks[0]).isEmpty)
        #expect(reencoder.take(chunks[1]).map(\.header.sequence) == [100])
        #expect(reencoder.finish().map(\.header.sequence) == [101])
        #expect(reencoder.finish().isEmpty)
        // It goes on at the same samples.
        let rest = chunks[2...].flatMap { reencoder.take($0) } + reencoder.finish()
        #expect(rest.map(\.header.sequence) == Array(102...109))
        #expect(rest.allSatisfy { !$0.header.flags.contains(.discontinuity) })
    }

    @Test func `a packet that is missing, or resets the decoder, begins a new stream`() throws {
        var chunks = try Self.chunks(10)
        chunks.remove(at: 4)
        chunks[7].header.flags.insert(.discontinuity)
        let reencoder = try ChunkReencoder(bitrate: 32_000)
        let made = chunks.flatMap { reencoder.take($0) } + reencoder.finish()
        #expect(made.map(\.header.sequence) == [100, 101, 102, 103, 105, 106, 107, 108, 109])
        let resets = made.filter { $0.header.flags.contains(.discontinuity) }.map(\.header.sequence)
        #expect(resets == [100, 105, 108])
    }

    @Test func `a packet of 30 ms goes on as it is, between two streams`() throws {
        var chunks = try Self.chunks(6, samples: 480)
        // Three frames of 10 ms in one packet of code 3 (RFC 6716 §3.2.5), all of the same size.
        let frame = chunks[2].packet.dropFirst()
        chunks[2].packet = [chunks[2].packet[0] | 3, 0x03] + frame + frame + frame
        #expect(try OpusPacket(inspecting: chunks[2].packet).samples == 1_440)
        let reencoder = try ChunkReencoder(bitrate: 32_000)
        let made = chunks.flatMap { reencoder.take($0) } + reencoder.finish()
        #expect(made.map(\.header.sequence) == chunks.map(\.header.sequence))
        #expect(made[2].packet == chunks[2].packet)
        let resets = made.filter { $0.header.flags.contains(.discontinuity) }.map(\.header.sequence)
        #expect(resets == [100, 102, 103])
    }

    @Test func `a packet that cannot be decoded is silence, and the rest goes on`() throws {
        var chunks = try Self.chunks(12)
        // The table of contents of 20 ms, and a frame longer than any may be.
        chunks[5].packet = [chunks[5].packet[0]] + Array(repeating: 0xFF, count: 1_276)
        let reencoder = try ChunkReencoder(bitrate: 32_000)
        let made = chunks.flatMap { reencoder.take($0) } + reencoder.finish()
        #expect(made.map(\.header.sequence) == chunks.map(\.header.sequence))
    }
}
