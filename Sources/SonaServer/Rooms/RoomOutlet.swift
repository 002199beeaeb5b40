internal import SonaEventLoop
internal import SonaRooms
internal import SonaWire

/// A room's way out: to the relay on each loop that has members of it.
///
/// The seam between a room's decisions and their recipients, narrow and Sendable: numbered packets, frames encoded
/// once, members who enter and leave.
final class RoomOutlet {
    private let lane: Lane
    var room: RoomID { lane.room }
    private let mailboxes: [HubMailbox]
    /// Members on each loop.
    private var counts: [Int]
    /// Their sums: members on this loop, and members on all others.
    private var countHere = 0
    private var countElsewhere = 0
    /// The mailbox of this loop.
    private let here: HubMailbox?
    /// Recent packets, for members who join late.
    private let ring: ChunkRing
    /// The way out at a lower bit rate, while somebody takes it.
    var saver: DataSaverLane?
    /// The relay on this loop, while it has members: it saves a look-up for each packet.
    private var relayHere: Relay?
    /// The last join burst; members who join before the next packet get the same.
    private var burst: (plan: JoinPlan, burst: JoinBurst)?

    init(_ lane: Lane, ringMicroseconds: Int64, mailboxes: [HubMailbox]) {
        self.lane = lane
        self.mailboxes = mailboxes
        counts = Array(repeating: 0, count: mailboxes.count)
        here = mailboxes.first { $0.loop.isCurrent }
        ring = ChunkRing(microsecondsMax: ringMicroseconds)
    }

    /// Sets how far back the packets are kept, after a change of the lead.
    func reach(back microseconds: Int64) {
        ring.microsecondsMax = microseconds
        saver?.outlet.reach(back: microseconds)
    }

    // MARK: Members

    /// Lets a client receive what the room sends. A listener first gets the recent packets that it needs.
    func enter(_ link: ClientLink, takesAudio: Bool, isSounding: Bool, now: Int64) {
        enter(link, takesAudio: takesAudio, burst: takesAudio && isSounding ? joinBurst(now: now) : nil)
    }

    /// The same with a burst that `replay` has found.
    func enter(_ link: ClientLink, takesAudio: Bool, burst: JoinBurst?) {
        count(link.mailbox, 1)
        let (lane, next) = (self.lane, ring.end)
        link.mailbox.tell { $0.enter(link, lane, takesAudio: takesAudio, next: next, burst: burst) }
    }

    /// Only for a client that has entered, here or at the lower bit rate.
    func leave(_ link: ClientLink) {
        if let saver, saver.links.remove(link.number) != nil { return saver.outlet.leave(link) }
        count(link.mailbox, -1)
        if countHere == 0 { relayHere = nil }
        let lane = self.lane
        link.mailbox.tell { $0.leave(link, lane) }
    }

    private func count(_ mailbox: HubMailbox, _ change: Int) {
        counts[mailbox.index] += change
        if mailbox === here { countHere += change } else { countElsewhere += change }
    }

    private func joinBurst(now: Int64) -> JoinBurst {
        let plan = JoinPlan(ring, now: now)
        if let burst, burst.plan == plan { return burst.burst }
        let made = Self.burst(plan, ring)
        burst = (plan, made)
        return made
    }

    /// The recent packets that a resuming member needs.
    ///
    /// - Parameters:
    /// - sequence: Number of the last packet they have; `nil` if they have none.
    /// - isSounding: Whether more packets are to come.
    func replay(after sequence: UInt32?, isSounding: Bool, now: Int64) -> JoinBurst? {
        guard let sequence else { return isSounding ? joinBurst(now: now) : nil }
        let plan = JoinPlan(ring, after: sequence, now: now)
        // No pre-roll if no audio will follow.
        guard isSounding || !plan.audible.isEmpty else { return nil }
        return Self.burst(plan, ring)
    }

    private static func burst(_ plan: JoinPlan, _ ring: ChunkRing) -> JoinBurst {
        JoinBurst(
            frames: plan.messages(ring).map { WebSocketFrame(binary: $0) },
            packetCount: plan.audible.count + plan.preroll.count)
    }

    /// Play time of the oldest packet that is held, µs.
    var ringFrom: Int64? { ring.isEmpty ? nil : ring.header(ring.first).playAtMicroseconds }

    /// The packets held that sound within a span, for somebody who hears the room later. O(packets held).
    func recent(from: Int64, to: Int64) -> [AudioChunk] {
        ring.numbers.compactMap { number in
            guard ring.header(number).playAtMicroseconds < to else { return nil }
            var chunk = ring[number]
            guard chunk.end > from else { return nil }
            chunk.header.flags.insert(.shifted)
            return chunk
        }
    }

    /// The packets held, for those who begin to take them at a lower bit rate. O(packets held).
    var held: [AudioChunk] { ring.numbers.map { ring[$0] } }

    /// Packets that another process has sent, in their order.
    func refill(_ chunks: [AudioChunk]) {
        for chunk in chunks { ring.append(chunk) }
    }

    /// The packets that somebody may lack who comes back: those that end after a time.
    func held(after time: Int64) -> [AudioChunk] {
        ring.numbers.filter { ring.header($0).playAtMicroseconds >= time }.map { ring[$0] }
    }

    // MARK: Sending

    func deliver(_ chunk: AudioChunk, _ delivery: Delivery, now: Int64) {
        ring.append(chunk)
        saver?.take(chunk, now: now)
        let relayed = RelayedChunk(
            message: AudioDown.encode(chunk.header, packet: chunk.packet), due: chunk.due, relayedAt: now,
            microseconds: chunk.end - chunk.header.playAtMicroseconds, isLast: chunk.header.flags.contains(.last),
            isGathered: delivery == .party)
        // Nearly always there is one loop, or all members are on this one: the table is then not walked.
        if countElsewhere > 0 {
            for index in mailboxes.indices where counts[index] > 0 && mailboxes[index] !== here {
                mailboxes[index].tell { [lane] in $0.deliver(relayed, to: lane) }
            }
        }
        guard countHere > 0, let hub = here?.hubHere else { return }
        // A relay without members may have been replaced.
        if relayHere?.memberCount ?? 0 == 0 { relayHere = hub.relay(of: lane) }
        if let relayHere { hub.deliver(relayed, to: relayHere) }
    }

    /// Tells all members something whose order relative to other messages does not matter. If there are thousands, it
    /// goes to a few at a time, so that no packet waits for it.
    func announceInPassing(_ frame: WebSocketFrame) {
        let lane = self.lane
        for (mailbox, count) in zip(mailboxes, counts) where count > 0 {
            mailbox.tell { $0.announceInPassing(frame, to: lane) }
        }
        saver?.outlet.announceInPassing(frame)
    }

    /// - Parameter isInOrder: Whether packets sent before must have gone out first.
    func announce(_ frame: WebSocketFrame, isInOrder: Bool = false) {
        let lane = self.lane
        for (mailbox, count) in zip(mailboxes, counts) where count > 0 {
            mailbox.tell { $0.announce(frame, to: lane, isInOrder: isInOrder) }
        }
        saver?.outlet.announce(frame, isInOrder: isInOrder)
    }
}
