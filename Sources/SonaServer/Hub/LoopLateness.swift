import SonaWire

/// Detects that a loop passes on packets later than they arrive, because it has too much to do.
///
/// A loop is late when packets wait longer than a tick of gathering: either since its iteration began, or, for packets
/// from another loop, since they were relayed.
struct LoopLateness {
    /// For how long lateness is remembered: the countermeasures shorten iterations, so that it would no longer show.
    private static let holdMicroseconds: Int64 = 1_000_000

    private var iteration: UInt64 = 0
    private var iterationBegin: Int64 = 0
    private var until: Int64 = 0

    /// Notes a packet.
    ///
    /// - Parameters:
    ///   - iteration: The number of the loop's iteration.
    ///   - relayedAt: When the packet left the room's home, µs.
    mutating func add(iteration: UInt64, relayedAt: Int64, now: Int64) {
        if iteration != self.iteration {
            self.iteration = iteration
            iterationBegin = now
        }
        if now - min(iterationBegin, relayedAt) > ServerTuning.gatherTickMicroseconds {
            until = now + Self.holdMicroseconds
        }
    }

    func isLate(now: Int64) -> Bool { now < until }
}
