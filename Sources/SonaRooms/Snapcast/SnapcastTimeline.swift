internal import SonaAudio
package import SonaWire

/// A room's packets as a player of Snapcast needs them: one after the other without a hole or an overlap.
///
/// Such a player plays packets end to end and looks at their times only to run faster or slower; after 2 ms out of step it
/// falls silent and begins anew. A room's packets overlap where one track follows another: the last one is longer than what
/// is heard of it, and the first ones begin before the track does. Most packets go out as they are. At such a place some
/// 100 ms are decoded, put together and encoded (`SnapcastBridge`). Holes shorter than what players have are filled with
/// packets of silence.
///
/// A state machine. O(packet); a bridge costs some milliseconds, once for each track.
package struct SnapcastTimeline: Sendable {
    package enum Step: Sendable, Equatable {
        /// What players have is wrong: they are to throw it away.
        case restart
        /// A packet and when its first sample sounds, µs. `samples` at 48 kHz.
        case packet([UInt8], at: Int64, samples: Int)
    }

    /// Server time at which what was sent has sounded, µs.
    package private(set) var edge: Int64?
    private var epoch: UInt16?
    /// The last packets that were sent, and the one that is held.
    private var tail: [AudioChunk] = []
    /// The last packet of an epoch, of which less is heard than it is long.
    private var held: AudioChunk?
    /// The beginning of the epoch that follows, and its first audible moment.
    private var pending: [AudioChunk] = []
    private var cut: Int64 = 0

    /// A step in time that is let pass: a live host's clock is followed by less, µs.
    private static let slack: Int64 = 1_000
    /// An overlap that is not bridged, µs.
    private static let overlapMax: Int64 = 100_000
    /// How long a bridge is at least, µs: what does not fit into packets is spread over it.
    private static let bridgeMicroseconds: Int64 = 100_000
    /// What is held goes out so long before it is to sound, µs.
    private static let reserve: Int64 = 150_000

    package init() {}

    /// - Parameter now: Server time, µs.
    package mutating func take(_ chunk: AudioChunk, _ info: StreamInfo, now: Int64) -> [Step] {
        guard (try? OpusPacket(inspecting: chunk.packet)) != nil else { return [] }
        var steps: [Step] = []
        if !pending.isEmpty {
            if chunk.header.epoch == pending[0].header.epoch, now < dueOfPending {
                pending.append(chunk)
                return settle()
            }
            steps = flush()
        }
        // Players have nothing more to play: they begin anew by themselves.
        guard let edge, edge > now, let epoch else { return steps + release() + send(chunk) }
        let start = chunk.header.playAtMicroseconds
        guard chunk.header.epoch != epoch else {
            steps += release()
            if start < edge - 2 * Self.slack { return steps }
            return steps + silence(to: start) + send(chunk)
        }
        let end = held?.header.playAtMicroseconds ?? edge
        cut = info.startMicroseconds
        if cut < end - Self.overlapMax {
            (held, tail) = (nil, [])
            return steps + [.restart] + send(chunk)
        }
        let whole = held.map { $0.header.playAtMicroseconds + Self.length($0) } ?? edge
        if start >= whole - Self.slack { return steps + release() + silence(to: start) + send(chunk) }
        pending = [chunk]
        return steps + settle()
    }

    /// When what is held has to go out, µs of the server's time; `nil` if nothing is held. Then call `flush`.
    package var due: Int64? {
        if !pending.isEmpty { return dueOfPending }
        return held.map { $0.header.playAtMicroseconds - Self.reserve }
    }

    private var dueOfPending: Int64 { (edge ?? 0) - Self.reserve }

    /// Sends what is held, because nothing that follows it has come in time.
    package mutating func flush() -> [Step] {
        var steps = release()
        let waiting = pending
        pending = []
        for chunk in waiting where chunk.header.playAtMicroseconds >= (edge ?? .min) - Self.slack {
            steps += send(chunk)
        }
        return steps
    }

    private mutating func release() -> [Step] {
        guard let chunk = held else { return [] }
        held = nil
        return pass(chunk)
    }

    private mutating func send(_ chunk: AudioChunk) -> [Step] {
        epoch = chunk.header.epoch
        let isShort = Int(chunk.header.samples) < Self.samples(chunk)
        guard chunk.header.flags.contains(.last) || isShort else { return pass(chunk) }
        held = chunk
        if edge == nil { edge = chunk.header.playAtMicroseconds }
        return []
    }

    private mutating func pass(_ chunk: AudioChunk) -> [Step] {
        edge = chunk.header.playAtMicroseconds + Self.length(chunk)
        tail = tail.suffix(SnapcastBridge.tailMax - 1) + [chunk]
        return [.packet(chunk.packet, at: chunk.header.playAtMicroseconds, samples: Self.samples(chunk))]
    }

    /// Silence from what was sent to a moment, in packets.
    private mutating func silence(to time: Int64) -> [Step] {
        guard let edge, time - edge > Self.slack else { return [] }
        var (steps, at): ([Step], Int64) = ([], edge)
        for units in SnapcastBridge.packets(of: time - edge) {
            steps.append(.packet(SnapcastBridge.silence(units), at: at, samples: units * SnapcastBridge.unit))
            at += Int64(units) * 2_500
        }
        self.edge = time
        tail = []
        return steps
    }

    /// Bridges as soon as what follows is there.
    private mutating func settle() -> [Step] {
        let end = held?.header.playAtMicroseconds ?? edge ?? 0
        guard let last = pending.last, case let start = last.header.playAtMicroseconds, start >= cut,
            start - end >= Self.bridgeMicroseconds
        else { return [] }
        let bridge = SnapcastBridge(
            before: tail + (held.map { [$0] } ?? []), after: pending, cut: cut, from: end, to: start)
        var (steps, at): ([Step], Int64) = ([], end)
        for (packet, samples) in bridge.encoded() {
            steps.append(.packet(packet, at: at, samples: samples))
            at += Int64(samples) * 1_000 / 48
        }
        (tail, held) = (Array(pending.dropLast().suffix(SnapcastBridge.tailMax - 1)), nil)
        pending = []
        edge = start
        return steps + send(last)
    }

    private static func samples(_ chunk: AudioChunk) -> Int {
        (try? OpusPacket(inspecting: chunk.packet).samples) ?? Int(chunk.header.samples)
    }

    private static func length(_ chunk: AudioChunk) -> Int64 { Int64(samples(chunk)) * 1_000 / 48 }
}
