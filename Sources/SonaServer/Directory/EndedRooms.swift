internal import SonaWire

/// Rooms that ended a short time ago, so that news of them that are under way still bring none of them back.
///
/// News take milliseconds; each room is remembered for ten minutes at least, and none for longer than that takes to fill
/// `sweepCount` places.
struct EndedRooms {
    static let keptMicroseconds: Int64 = 600_000_000
    /// So many are remembered before those whose time is over are looked for.
    static let sweepCount = 1_024

    /// When each ended, µs on the monotonic clock.
    private var times: [RoomID: Int64] = [:]
    /// At how many rooms to sweep next.
    private var sweepAt = Self.sweepCount

    var count: Int { times.count }

    mutating func insert(_ id: RoomID, now: Int64) {
        times[id] = now
        guard times.count >= sweepAt else { return }
        times = times.filter { $0.value > now - Self.keptMicroseconds }
        // Twice as many as are left, so that each is looked at a few times at most.
        sweepAt = max(Self.sweepCount, times.count * 2)
    }

    func contains(_ id: RoomID) -> Bool { times[id] != nil }
}
