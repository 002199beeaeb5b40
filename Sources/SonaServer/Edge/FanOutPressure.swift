internal import SonaEventLoop
internal import SonaWire

/// How much of a loop's time delivery takes, and how many packets are to be gathered so that it keeps pace.
///
/// Above half of the time the next level. Back when the level below would take well under half, and would have for five
/// seconds: what it would take is reckoned from how many packets a write carried, since those of 80 ms, of which a round
/// holds one or two, save little by being gathered, and those of 20 ms much.
///
/// The time must be processor time of this thread's, too, lest a neighbour on the core count as work of ours.
struct FanOutPressure {
    private static let windowMicroseconds: Int64 = 500_000
    private static let patienceMicroseconds: Int64 = 5_000_000
    private static let shareMax = 0.5
    private static let shareBelowMax = 0.45
    /// What a further packet adds to a write, as a share of a write of one: two cost 1.2 times as much as one, three 1.35
    /// (paired on one core).
    private static let furtherPacket = 0.175

    /// Turns of a round of gathering: 1 is at once.
    private(set) var turns = 1
    private var delivering: Int64 = 0
    private var packets = 0
    private var writes = 0
    private var windowBegin: Int64 = 0
    private var processorBegin: Int64 = 0
    private var calmSince: Int64?

    /// Notes what was sent.
    mutating func count(packets: Int, writes: Int) {
        self.packets += packets
        self.writes += writes
    }

    /// Notes that packets were delivered for so long, and until now, µs. On the loop's thread.
    ///
    /// - Parameter processor: Time that the loop's thread has had, µs.
    mutating func add(
        _ microseconds: Int64, now: Int64, processor: @autoclosure () -> Int64 = MonotonicClock.threadMicroseconds()
    ) {
        delivering += microseconds
        let elapsed = now - windowBegin
        guard elapsed >= Self.windowMicroseconds else { return }
        let processor = processor()
        let share = Double(min(delivering, processor - processorBegin)) / Double(elapsed)
        // After a pause the window is long, and says nothing of a burst at its end.
        if elapsed < 2 * Self.windowMicroseconds { weigh(share, now: now) }
        delivering = 0
        packets = 0
        writes = 0
        windowBegin = now
        processorBegin = processor
    }

    private mutating func weigh(_ share: Double, now: Int64) {
        if share > Self.shareMax {
            calmSince = nil
            turns = turns == 1 ? Limits.gatherTurns : Limits.gatherTurnsMax
        } else if turns > 1, share * costBelow < Self.shareBelowMax {
            let since = calmSince ?? now
            calmSince = since
            guard now - since > Self.patienceMicroseconds else { return }
            calmSince = nil
            turns = turnsBelow
        } else {
            calmSince = nil
        }
    }

    private var turnsBelow: Int { turns == Limits.gatherTurnsMax ? Limits.gatherTurns : 1 }

    /// What a packet would cost with the turns below, as a share of what it costs now.
    private var costBelow: Double {
        let perWrite = max(1, Double(packets) / Double(max(1, writes)))
        let perWriteBelow = max(1, perWrite * Double(turnsBelow) / Double(turns))
        return Self.cost(perWriteBelow) / Self.cost(perWrite)
    }

    /// Of a packet, where a write carries so many; that of a write of one is 1.
    private static func cost(_ perWrite: Double) -> Double { (1 + furtherPacket * (perWrite - 1)) / perWrite }
}
