package import SonaAudio
internal import SonaWire

/// Encodes a room's packets anew at a lower bit rate, packet for packet: each keeps its number, its time and its
/// duration, so that whoever hears these is in step with everybody else.
///
/// An encoder's output lags its input by a lookahead. It is fed that much ahead, so that the lag disappears; a packet is
/// therefore made once the next one is there, or once it is said that none follows.
///
/// Confined to its owner. A stereo packet of 20 ms costs about 0.2 ms of CPU.
///
/// Source: RFC 6716; Protocol/spec/audio.md, "Data saver".
package final class ChunkReencoder {
    private let decoder: OpusDecoder
    private let encoder: OpusEncoder
    /// Packets that were decoded and not encoded yet.
    private var waiting: [(chunk: AudioChunk, samples: Int)] = []
    /// Their sound, interleaved, less what the encoder is ahead by.
    private var sound: [Float] = []
    /// Samples that are still left out at the beginning, per channel.
    private var skipped: Int
    /// Number of the last packet taken.
    private var last: UInt32?
    /// The next packet made is the first of a new stream.
    private var begins = true

    private static let channels = 2
    private static let complexity = 5

    /// - Parameter bitrate: Bits per second, 500…512000; on average, the encoder varies it.
    /// - Throws: `.unsupported`, `.codec`.
    package init(bitrate: Int) throws(AudioError) {
        decoder = try OpusDecoder(channels: Self.channels)
        encoder = try OpusEncoder(channels: Self.channels, bitrate: bitrate, complexity: Self.complexity)
        skipped = encoder.lookahead
    }

    /// Takes the next packet. One whose number does not follow the last begins a new stream, as does one with
    /// DISCONTINUITY.
    ///
    /// - Returns: The packets that could be made, in order.
    package func take(_ chunk: AudioChunk) -> [AudioChunk] {
        var made: [AudioChunk] = []
        let follows = last.map { $0 &+ 1 == chunk.header.sequence } ?? false
        if !follows || chunk.header.flags.contains(.discontinuity) {
            made = finish()
            reset()
        }
        last = chunk.header.sequence
        guard let samples = try? OpusPacket(inspecting: chunk.packet).samples,
            OpusEncoder.frameSamplesAllowed.contains(samples)
        else { return made + pass(chunk) }
        // A packet that is damaged inside is heard by nobody; its time passes all the same.
        let pcm = (try? decoder.decode(chunk.packet)) ?? Array(repeating: 0, count: samples * Self.channels)
        let left = min(skipped, samples)
        skipped -= left
        sound += pcm.dropFirst(left * Self.channels)
        waiting.append((chunk, samples))
        return made + encode()
    }

    /// Makes the packets that wait for the next one, which does not come soon.
    package func finish() -> [AudioChunk] {
        guard !waiting.isEmpty else { return [] }
        let wanted = waiting.reduce(0) { $0 + $1.samples } * Self.channels
        let missing = wanted - sound.count
        // The decoder lets the sound fade, as for a packet that was lost.
        sound += ((try? decoder.decode(nil)) ?? []).prefix(max(0, missing))
        sound += Array(repeating: 0, count: max(0, wanted - sound.count))
        let made = encode()
        // Should it go on, what was made up here is left out there.
        skipped += missing / Self.channels
        return made
    }

    private func encode() -> [AudioChunk] {
        var made: [AudioChunk] = []
        while let next = waiting.first, sound.count >= next.samples * Self.channels {
            waiting.removeFirst()
            let count = next.samples * Self.channels
            var chunk = next.chunk
            if let packet = try? encoder.encode(Array(sound.prefix(count)), frameSamples: next.samples) {
                chunk.packet = packet
            } else {
                begins = true
            }
            sound.removeFirst(count)
            if begins { chunk.header.flags.insert(.discontinuity) }
            begins = false
            made.append(chunk)
        }
        return made
    }

    /// A packet of a duration that no encoder makes goes on as it is, between two streams.
    private func pass(_ chunk: AudioChunk) -> [AudioChunk] {
        var made = finish()
        reset()
        var passed = chunk
        passed.header.flags.insert(.discontinuity)
        made.append(passed)
        return made
    }

    private func reset() {
        decoder.reset()
        encoder.reset()
        waiting = []
        sound = []
        skipped = encoder.lookahead
        begins = true
    }
}
