internal import SonaEventLoop
internal import SonaWire

/// The personal events a session was sent lately, which the client may have missed if its connection proves to be lost.
///
/// Bounded by number and bytes, and, while the client is connected, by age: an older event has arrived, or the
/// connection would have been given up.
struct PersonalLog {
    private struct Entry {
        let sequence: Int64
        let frame: WebSocketFrame
        /// µs.
        let time: Int64
    }

    private var entries: [Entry] = []
    private var bytes = 0

    /// The events as they are handed to another process.
    var handover: [KeptEvent] {
        entries.map { KeptEvent(sequence: $0.sequence, text: $0.frame.text, atMicroseconds: $0.time) }
    }

    init() {}

    /// The log of another process, whose client is away.
    init(_ events: [KeptEvent]) {
        for event in events { append(event.frame, event.sequence, keepsAll: true, now: event.atMicroseconds) }
    }

    /// - Parameters:
    /// - keepsAll: The client is away, so that old events may not have arrived either.
    mutating func append(_ frame: WebSocketFrame, _ sequence: Int64, keepsAll: Bool, now: Int64) {
        entries.append(Entry(sequence: sequence, frame: frame, time: now))
        bytes += frame.count
        let oldest = now - Int64(Limits.keptPersonalEventSeconds) * 1_000_000
        var count = 0
        for entry in entries {
            let isTooMuch =
                entries.count - count > Limits.keptPersonalEvents || bytes > Limits.keptPersonalEventBytes
            guard isTooMuch || (!keepsAll && entry.time < oldest) else { break }
            bytes -= entry.frame.count
            count += 1
        }
        if count > 0 { entries.removeFirst(count) }
    }

    /// Whether some event may not have arrived.
    func isNews(now: Int64) -> Bool {
        guard let last = entries.last else { return false }
        return now - last.time < Int64(Limits.keptPersonalEventSeconds) * 1_000_000
    }

    /// The events after a number, in their order, for a client that has all up to that number.
    func frames(after sequence: Int64) -> [WebSocketFrame] {
        entries.filter { $0.sequence > sequence }.map(\.frame)
    }
}
