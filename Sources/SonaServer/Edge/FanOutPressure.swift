internal import SonaEventLoop
internal import SonaWire

/// How much of a loop's time delivery takes, and how many packets are to be gathered so that it keeps pace.
///
/// Above half of the time the next level: three packets of 20 ms in one write cost less than half of three writes
/// (0.45, paired on one core). Back only when delivery would take well under half without it, and has for five seconds.
///
/// Processor time, so that neighbours on the same core do not count as work of ours; but who delivers nearly all of
/// the time has too much to do, whoever takes it.
struct FanOutPressure {
    private static let windowMicroseconds: Int64 = 500_000
    private static let patienceMicroseconds: Int64 = 5_000_000

    /// Turns of a round of gathering: 1 is at once.
    private(set) var turns = 1
    private var used: Int64 = 0
    private var passed: Int64 = 0
    private var windowBegin: Int64 = 0
    private var calmSince: Int64?

    /// A moment, by both clocks, µs.
    struct Moment {
        let processor: Int64
        let time: Int64

        static func now() -> Moment {
            Moment(
                processor: MonotonicClock.threadMicroseconds(), time: MonotonicClock.nowMicroseconds())
        }
    }

    /// Notes that packets were delivered from one moment to another.
    mutating func add(from begin: Moment, to end: Moment) {
        used += end.processor - begin.processor
        passed += end.time - begin.time
        let elapsed = end.time - windowBegin
        guard elapsed >= Self.windowMicroseconds else { return }
        // After a pause the window is long, and says nothing of a burst at its end.
        let isMeasured = elapsed < 2 * Self.windowMicroseconds
        let (share, timeShare) = (Double(used) / Double(elapsed), Double(passed) / Double(elapsed))
        used = 0
        passed = 0
        windowBegin = end.time
        if isMeasured { weigh(share, timeShare, now: end.time) }
    }

    private mutating func weigh(_ share: Double, _ timeShare: Double, now: Int64) {
        if share > 0.5 || timeShare > 0.9 {
            calmSince = nil
            turns = turns == 1 ? Limits.gatherTurns : Limits.gatherTurnsMax
        } else if share < 0.2, timeShare < 0.5, turns > 1 {
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
