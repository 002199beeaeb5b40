internal import SonaWire

/// How much of a loop's time delivery takes, and how many packets are to be gathered so that it keeps pace.
///
/// Above half of the time the next level: three packets of 20 ms in one write cost less than half of three writes
/// (0.45, paired on one core). Back only when delivery would take well under half without it, and has for five seconds.
struct FanOutPressure {
    private static let windowMicroseconds: Int64 = 500_000
    private static let patienceMicroseconds: Int64 = 5_000_000

    /// Turns of a round of gathering: 1 is at once.
    private(set) var turns = 1
    private var busy: Int64 = 0
    private var windowBegin: Int64 = 0
    private var calmSince: Int64?

    mutating func add(_ microseconds: Int64, now: Int64) {
        busy += microseconds
        guard now - windowBegin >= Self.windowMicroseconds else { return }
        let share = Double(busy) / Double(max(1, now - windowBegin))
        // After a pause the window is long, and says nothing of a burst at its end.
        let isMeasured = now - windowBegin < 2 * Self.windowMicroseconds
        busy = 0
        windowBegin = now
        guard isMeasured else { return }
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
