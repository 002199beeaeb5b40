internal import SonaEventLoop
internal import SonaWire

/// A room's last events as they were sent, for members who resume.
///
/// The newest events without a gap, bounded by number, bytes and age (`Limits.keptRoomEvents` and so on). Each frame is
/// the one that was sent to all members.
struct RoomEventLog {
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

    /// The log of another process.
    init(_ events: [KeptEvent]) {
        for event in events { append(event.frame, event.sequence, now: event.atMicroseconds) }
    }

    /// O(events held) if the oldest are dropped.
    ///
    /// - Parameter sequence: One more than that of the event before.
    mutating func append(_ frame: WebSocketFrame, _ sequence: Int64, now: Int64) {
        entries.append(Entry(sequence: sequence, frame: frame, time: now))
        bytes += frame.count
        let oldest = now - Int64(Limits.keptRoomEventSeconds) * 1_000_000
        var count = 0
        for entry in entries {
            let isTooMuch = entries.count - count > Limits.keptRoomEvents || bytes > Limits.keptRoomEventBytes
            guard isTooMuch || entry.time < oldest else { break }
            bytes -= entry.frame.count
            count += 1
        }
        if count > 0 { entries.removeFirst(count) }
    }

    /// The events after one, in their order.
    ///
    /// - Parameter last: Number of the room's last event.
    /// - Returns: `nil` if some of them are no longer here, or if the room has not reached that number.
    func frames(after sequence: Int64, last: Int64) -> [WebSocketFrame]? {
        guard sequence <= last else { return nil }
        guard sequence < last else { return [] }
        guard let first = entries.first, first.sequence <= sequence + 1 else { return nil }
        return entries.filter { $0.sequence > sequence }.map(\.frame)
    }
}
