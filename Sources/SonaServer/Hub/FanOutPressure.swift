internal import SonaEventLoop
internal import SonaWire

/// Measures how much of a loop's time delivery takes, and decides how long packets are gathered so that it keeps pace.
///
/// Packets are gathered when delivery takes more than half of the time, or more than a quarter if the loop has no time
/// left. If delivery still takes more than seven tenths for three windows in a row, packets are gathered for twice as
/// long. One or two windows do not count: the first still holds the backlog, and the cost of a wave of joins is over
/// with the second. (4 000 listeners × 50 packets a second on one loop went on to 120 ms, where 60 ms leave four tenths
/// of the time.)
///
/// The level falls when the next lower one would take well under half of the time, and would have for five seconds. The
/// estimate uses the number of packets per write: gathering packets of 80 ms, of which a round holds one or two, saves
/// little; gathering those of 20 ms saves much.
///
/// Only processor time of this thread counts, so that a neighbour on the core does not look like work of ours. The
/// neighbour's time does not count as time that the loop could have used. A loop that gets half of its core and
/// uses all of it can do no more, although that is not above half of the time: beside busy processes 500 rooms of eight
/// were heard four seconds late.
struct FanOutPressure {
    private static let windowMicroseconds: Int64 = 500_000
    private static let patienceMicroseconds: Int64 = 5_000_000
    /// Windows in a row with insufficient gathering after which packets are gathered for longer.
    private static let windowsInsufficient = 3
    private static let shareMax = 0.5
    /// The same while packets are gathered: a longer wait is worth it only if time runs out.
    private static let shareGatheredMax = 0.7
    private static let shareBelowMax = 0.45
    /// A loop that works for more than this share is fully busy.
    private static let fullShare = 0.9
    private static let shareOfFullMax = 0.25
    /// Cost of each further packet in a write, as a share of a write of one: two packets cost 1.2 times as much as one,
    /// three 1.35 (paired on one core).
    private static let furtherPacket = 0.175

    /// Ticks of a round of gathering, while there is something to deliver: 1 is at once.
    private var ticks = 1
    private var delivering: Int64 = 0
    /// Cost of the packets sent, in writes of one packet, and the cost they would have had at the level below.
    private var work = 0.0
    private var workBelow = 0.0
    private var windowBegin: Int64 = 0
    private var threadBegin = ThreadTime(used: 0, waited: 0)
    private var calmSince: Int64?
    /// Windows in a row, up to now, in which gathering did not suffice.
    private var insufficient = 0

    /// - Returns: Ticks of a round of gathering: 1 is at once.
    func ticks(now: Int64) -> Int { isForgotten(now) ? 1 : ticks }

    /// After so long without a packet the state no longer counts.
    private func isForgotten(_ now: Int64) -> Bool { now - windowBegin > Self.patienceMicroseconds }

    /// Notes the packets and writes of a room.
    ///
    /// - Parameter least: Ticks for which the room's packets are gathered anyway.
    mutating func count(packets: Int, writes: Int, least: Int) {
        guard ticks > 1 else { return }
        let (now, below) = (max(ticks, least), max(ticksBelow, least))
        work += Self.work(packets, Double(writes))
        // There are never more writes than packets.
        workBelow += Self.work(packets, min(Double(packets), Double(writes * now) / Double(below)))
    }

    private static func work(_ packets: Int, _ writes: Double) -> Double {
        writes + furtherPacket * (Double(packets) - writes)
    }

    /// Notes that delivery took so long, and ended now, µs. On the loop's thread.
    ///
    /// - Parameter thread: Processor time of the loop's thread so far.
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
        // That is wall time, and other threads ran for a part of it.
        let delivered = min(Double(delivering) * used / max(used + waited, 1), used)
        /// The share of the available time if there were so many times as much to deliver: a longer run also waits
        /// longer.
        func share(times: Double) -> Double {
            min(1, delivered * times / max(Double(elapsed) - waited * times, 1))
        }
        // If the loop uses all of its time, gathering helps even when delivery takes less than half of it.
        let isFull = used > Self.fullShare * (Double(elapsed) - waited)
        let usualMax = ticks > 1 ? Self.shareGatheredMax : Self.shareMax
        if share(times: 1) > (isFull ? Self.shareOfFullMax : usualMax) {
            calmSince = nil
            // A window with a pause in it tells nothing about a burst at its end.
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
