import SonaWire

/// Whether a loop passes on packets later than they come, because it has too much to do.
///
/// It shows in how long it is busy with what it found when it looked, and in how long packets from another loop have
/// waited for it: longer than a tick of gathering.
struct LoopLateness {
    /// For how long that is remembered: what is done against it makes iterations shorter.
    private static let holdMicroseconds: Int64 = 1_000_000

    private var iteration: UInt64 = 0
    private var iterationBegin: Int64 = 0
    private var until: Int64 = 0

    /// Notes that there is a packet.
    ///
    /// - Parameters:
    ///   - iteration: The loop's.
    ///   - relayedAt: When it was sent here, µs.
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
