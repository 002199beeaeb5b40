internal import SonaEventLoop
internal import SonaWire

/// How much of a loop's time delivery takes, and how many packets are to be gathered so that it keeps pace.
///
/// Above half of the time the next level: three packets of 20 ms in one write cost less than half of three writes
/// (0.45, paired on one core). Back only when delivery would take well under half without it, and has for five seconds.
///
/// The time must be processor time of this thread's, too, lest a neighbour on the core count as work of ours.
struct FanOutPressure {
    private static let windowMicroseconds: Int64 = 500_000
    private static let patienceMicroseconds: Int64 = 5_000_000

    /// Turns of a round of gathering: 1 is at once.
    private(set) var turns = 1
    private var delivering: Int64 = 0
    private var windowBegin: Int64 = 0
    private var processorBegin: Int64 = 0
    private var calmSince: Int64?

    /// Notes that packets were delivered for so long, and until now, µs. On the loop's thread.
    mutating func add(_ microseconds: Int64, now: Int64) {
        delivering += microseconds
        let elapsed = now - windowBegin
        guard elapsed >= Self.windowMicroseconds else { return }
        let processor = MonotonicClock.threadMicroseconds()
        let share = Double(min(delivering, processor - processorBegin)) / Double(elapsed)
        delivering = 0
        windowBegin = now
        processorBegin = processor
        // After a pause the window is long, and says nothing of a burst at its end.
        if elapsed < 2 * Self.windowMicroseconds { weigh(share, now: now) }
    }

    private mutating func weigh(_ share: Double, now: Int64) {
        if share > 0.5 {
            calmSince = nil
            turns = turns == 1 ? Limits.gatherTurns : Limits.gatherTurnsMax
        } else if share < 0.2, turns > 1 {
            let since = calmSince ?? now
            calmSince = since
            guard now - since > Self.patienceMicroseconds else { return }
            calmSince = nil
            turns = turns == Limits.gatherTurnsMax ? Limits.gatherTurns : 1
        } else {
            calmSince = nil
        }
    }
}
