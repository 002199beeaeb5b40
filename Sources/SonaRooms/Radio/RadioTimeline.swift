internal import SonaAudio
package import SonaWire

/// A room's packets in the order of their time, for an encoder: what of each is heard, and how long it is silent in between.
///
/// A state machine, O(packet).
package struct RadioTimeline: Sendable {
    /// A step of the sound.
    package enum Step: Sendable, Equatable {
        /// A packet to decode. `count` of its samples are heard, after the first `skip`. `resets`: the decoder starts anew.
        case packet([UInt8], skip: Int, count: Int, resets: Bool, gain: Int)
        /// So many samples of silence.
        case silence(Int)
        /// From the next sample on this is heard.
        case title(OggRadio.Title)
    }

    /// Server time at which what was taken has sounded, µs.
    package private(set) var edge: Int64?
    private var title: OggRadio.Title?
    private static let gapMax: Int64 = 10_000_000
    /// A gap is one that a packet could fill, µs.
    private static let gapMin: Int64 = 20_000

    package init() {}

    package mutating func take(_ chunk: AudioChunk, _ info: StreamInfo, title: OggRadio.Title) -> [Step] {
        guard let duration = try? OpusPacket(inspecting: chunk.packet).samples else { return [] }
        let start = chunk.header.playAtMicroseconds
        var steps: [Step] = []
        // What is decoded for a time before the epoch's start is not heard.
        let skip = Int(info.unheardSamples(of: chunk.header))
        let count = max(0, min(duration, Int(chunk.header.samples)) - skip)
        if count > 0 {
            steps += gap(to: max(start, info.startMicroseconds))
            steps += change(to: title)
        }
        steps.append(
            .packet(
                chunk.packet, skip: skip, count: count, resets: chunk.header.flags.contains(.discontinuity),
                gain: info.gain ?? 0))
        edge = max(edge ?? chunk.end, chunk.end)
        return steps
    }

    /// Silence until a moment at which no packet has come.
    package mutating func fill(to time: Int64, title: OggRadio.Title) -> [Step] {
        if edge == nil { edge = time - 5 * Self.gapMin }
        let silence = gap(to: time)
        return silence.isEmpty ? [] : change(to: title) + silence
    }

    private mutating func gap(to time: Int64) -> [Step] {
        guard let edge, time - edge >= Self.gapMin else { return [] }
        let milliseconds = min(time - edge, Self.gapMax) / 1_000
        self.edge = time
        return [.silence(Int(milliseconds) * 48)]
    }

    private mutating func change(to title: OggRadio.Title) -> [Step] {
        guard self.title != title else { return [] }
        self.title = title
        return [.title(title)]
    }
}
