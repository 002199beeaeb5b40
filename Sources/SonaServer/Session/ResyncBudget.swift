internal import SonaRooms
internal import SonaWire

/// How often a connection may enter the room it was in last: the first time, twice more at once, then every five
/// seconds. Each entry costs a snapshot and a burst of audio.
struct ResyncBudget {
    private var room: RoomID?
    /// Entries beyond the first that are left, and when they were counted, µs.
    private var left = 0.0
    private var countedAt: Int64 = 0

    /// - Throws: `room.resync_limited`.
    mutating func take(_ id: RoomID, now: Int64) throws(WireError) {
        let interval = Double(Limits.resyncSeconds) * 1_000_000
        guard room == id else {
            room = id
            left = Double(Limits.resyncBurst)
            countedAt = now
            return
        }
        left = min(Double(Limits.resyncBurst), left + Double(now - countedAt) / interval)
        countedAt = now
        guard left >= 1 else {
            throw WireError(.roomResyncLimited, retryAfterMilliseconds: Int((1 - left) * interval / 1_000) + 1)
        }
        left -= 1
    }
}
