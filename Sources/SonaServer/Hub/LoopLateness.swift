import SonaWire

/// Whether a loop passes on packets later than they come, because it has too much to do.
///
/// It shows in how long it is busy with what it found when it looked, and in how long packets from another loop have
/// waited for it: longer than a turn of gathering.
struct LoopLateness {
    /// For how long that is remembered: what is done against it makes turns shorter.
    private static let holdMicroseconds: Int64 = 1_000_000

    private var turn: UInt64 = 0
    private var turnBegin: Int64 = 0
    private var until: Int64 = 0

    /// Notes that there is a packet.
    ///
    /// - Parameters:
    ///   - turn: The loop's.
    ///   - relayedAt: When it was sent here, µs.
    mutating func add(turn: UInt64, relayedAt: Int64, now: Int64) {
        if turn != self.turn {
            self.turn = turn
            turnBegin = now
        }
        if now - min(turnBegin, relayedAt) > Limits.gatherTurnMicroseconds { until = now + Self.holdMicroseconds }
    }

    func isLate(now: Int64) -> Bool { now < until }
}
