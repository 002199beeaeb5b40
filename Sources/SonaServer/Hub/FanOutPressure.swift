internal import SonaEventLoop
internal import SonaWire

/// How much of a loop's time delivery takes, and how many packets are to be gathered so that it keeps pace.
///
/// Above half of the time packets are gathered, and above a quarter where the loop has no time left. If that still takes
/// seven tenths after three windows they are gathered for twice as long: in the first of them there is still what had come
/// before, and what a wave of joins costs is over with the second. (4 000 listeners × 50 packets a second on one loop
/// went on to 120 ms where 60 leave four tenths of the time.) Back when the level below
/// would take well under half, and would have for five seconds: what it would take is reckoned from how many packets a
/// write carried, since those of 80 ms, of which a round holds one or two, save little by being gathered, and those of
/// 20 ms much.
///
/// The time must be processor time of this thread's, too, lest a neighbour on the core count as work of ours; and what
/// the neighbour had is none that could have been used. A loop that gets half of its core and uses it all can do no more,
/// though that is not above half of the time: beside busy processes 500 rooms of eight were heard four seconds late.
struct FanOutPressure {
    private static let windowMicroseconds: Int64 = 500_000
    private static let patienceMicroseconds: Int64 = 5_000_000
    /// Windows in a row in which gathering does not suffice, until there is more of it.
    private static let windowsInsufficient = 3
    private static let shareMax = 0.5
    /// The same where packets are gathered already: to wait for longer is worth it only where time runs out.
    private static let shareGatheredMax = 0.7
    private static let shareBelowMax = 0.45
    /// A loop that works for more than this is as busy as it can be.
    private static let fullShare = 0.9
    private static let shareOfFullMax = 0.25
    /// What a further packet adds to a write, as a share of a write of one: two cost 1.2 times as much as one, three 1.35
    /// (paired on one core).
    private static let furtherPacket = 0.175

    /// Ticks of a round of gathering, as long as there is something to deliver: 1 is at once.
    private var ticks = 1
    private var delivering: Int64 = 0
    /// What was sent, in writes of one packet; and what it would have been with the ticks below.
    private var work = 0.0
    private var workBelow = 0.0
    private var windowBegin: Int64 = 0
    private var threadBegin = ThreadTime(used: 0, waited: 0)
    private var calmSince: Int64?
    /// Windows in a row, the last of them now, in which gathering did not suffice.
    private var insufficient = 0

    /// - Returns: Ticks of a round of gathering: 1 is at once.
    func ticks(now: Int64) -> Int { isForgotten(now) ? 1 : ticks }

    /// After so long without a packet it is as if there had been none.
    private func isForgotten(_ now: Int64) -> Bool { now - windowBegin > Self.patienceMicroseconds }

    /// Notes what a room was sent.
    ///
    /// - Parameter least: Ticks that its packets are gathered for whatever there is to do.
    mutating func count(packets: Int, writes: Int, least: Int) {
        guard ticks > 1 else { return }
        let (now, below) = (max(ticks, least), max(ticksBelow, least))
        work += Self.work(packets, Double(writes))
        // More writes than packets there are never.
        workBelow += Self.work(packets, min(Double(packets), Double(writes * now) / Double(below)))
    }

    private static func work(_ packets: Int, _ writes: Double) -> Double {
        writes + furtherPacket * (Double(packets) - writes)
    }

    /// Notes that packets were delivered for so long, and until now, µs. On the loop's thread.
    ///
    /// - Parameter thread: What the loop's thread has had so far.
    mutating func add(
        _ microseconds: Int64, now: Int64, thread: @autoclosure () -> ThreadTime = .ofThisThread()
    ) {
        delivering += microseconds
        let elapsed = now - windowBegin
        guard elapsed >= Self.windowMicroseconds else { return }
        let thread = thread()
        if isForgotten(now) {
            ticks = 1
            insufficient = 0
            calmSince = nil
        } else {
            weigh(elapsed: elapsed, since: threadBegin, until: thread, now: now)
        }
        delivering = 0
        work = 0
        workBelow = 0
        windowBegin = now
        threadBegin = thread
    }

    private mutating func weigh(elapsed: Int64, since begin: ThreadTime, until end: ThreadTime, now: Int64) {
        let used = Double(end.used - begin.used)
        var waited = 0.0
        if let before = begin.waited, let after = end.waited { waited = Double(after - before) }
        // Delivering took so long by the clock, and others ran for a part of that.
        let delivered = min(Double(delivering) * used / max(used + waited, 1), used)
        /// The share of the time had if there were so many times as much to do: who runs longer waits longer.
        func share(times: Double) -> Double {
            min(1, delivered * times / max(Double(elapsed) - waited * times, 1))
        }
        // Where all of the time goes, less than half of it is enough for gathering to be what helps.
        let isFull = used > Self.fullShare * (Double(elapsed) - waited)
        let usualMax = ticks > 1 ? Self.shareGatheredMax : Self.shareMax
        if share(times: 1) > (isFull ? Self.shareOfFullMax : usualMax) {
            calmSince = nil
            // A window with a pause in it says nothing of a burst at its end.
            if elapsed < 2 * Self.windowMicroseconds { rise() }
            return
        }
        insufficient = 0
        if ticks > 1, !isFull, share(times: work > 0 ? workBelow / work : 1) < Self.shareBelowMax {
            let since = calmSince ?? now
            calmSince = since
            guard now - since > Self.patienceMicroseconds else { return }
            calmSince = nil
            ticks = ticksBelow
        } else {
            calmSince = nil
        }
    }

    private mutating func rise() {
        guard ticks > 1 else {
            ticks = ServerTuning.gatherTicks
            return
        }
        insufficient += 1
        if insufficient >= Self.windowsInsufficient { ticks = ServerTuning.gatherTicksMax }
    }

    private var ticksBelow: Int { ticks == ServerTuning.gatherTicksMax ? ServerTuning.gatherTicks : 1 }
}
