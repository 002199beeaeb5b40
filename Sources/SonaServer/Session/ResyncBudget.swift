internal import SonaRooms
internal import SonaWire

/// How often a connection may enter the same room again: after the first time twice at once, then every five seconds.
/// Each entry costs a snapshot and a burst of audio.
struct ResyncBudget {
    private var room: RoomID?
    /// When all entries beyond the first are available again, µs. From it follows how many are left now.
    private var fullAt: Int64 = 0

    /// - Throws: `room.resync_limited`.
    mutating func take(_ id: RoomID, now: Int64) throws(WireError) {
        guard room == id else {
            room = id
            fullAt = now
            return
        }
        let interval = Int64(Limits.resyncSeconds) * 1_000_000
        let fullAfter = max(fullAt, now) + interval
        let missing = fullAfter - now - Int64(Limits.resyncBurst) * interval
        guard missing <= 0 else {
            throw WireError(.roomResyncLimited, retryAfterMilliseconds: Int(missing / 1_000) + 1)
        }
        fullAt = fullAfter
    }
}
