internal import SonaWire

/// Rooms that ended a short time ago, so that news of them that are still under way do not bring them back.
///
/// News take milliseconds; each room is remembered for at least ten minutes. Older ones are dropped when `sweepCount`
/// places are full, or twice as many as were left by the sweep before.
struct EndedRooms {
    static let keptMicroseconds: Int64 = 600_000_000
    /// Number of rooms from which old ones are dropped.
    static let sweepCount = 1_024

    /// When each ended, µs on the monotonic clock.
    private var times: [RoomID: Int64] = [:]
    /// Number of rooms at which the next sweep comes.
    private var sweepAt = Self.sweepCount

    var count: Int { times.count }

    mutating func insert(_ id: RoomID, now: Int64) {
        times[id] = now
        guard times.count >= sweepAt else { return }
        times = times.filter { $0.value > now - Self.keptMicroseconds }
        // Twice as many as remain, so that each is looked at only a few times.
        sweepAt = max(Self.sweepCount, times.count * 2)
    }

    func contains(_ id: RoomID) -> Bool { times[id] != nil }
}
