internal import SonaEventLoop
internal import SonaRooms
internal import SonaWire

/// The part of the server on one loop: its clients' sockets, and a relay of each room that has members among them.
///
/// The live domain (sessions, rooms) belongs to `ShardCore`, on the first loop. Delivery, which is nearly all of the
/// work, is spread over all loops. On its loop only.
final class Hub {
    let mailbox: HubMailbox
    let shard: Shard
    let services: ShardServices
    /// The live domain, if this is its loop.
    unowned let coreIfHere: ShardCore?  // The shard owns it, and lives as long as the process does.
    private var relays: [Lane: Relay] = [:]
    /// Listeners by HTTP, by what they listen to.
    var radioRelays: [RadioID: RadioRelay] = [:]
    var figures = HubFigures()
    private(set) var isDraining = false
    /// Number of loops that share the server-wide limits.
    let loopCount: Int

    /// Relays in which some members have not got everything yet.
    private var waiting: [Relay] = []
    private var gatherTick = 0
    private var nextTickAt: Int64 = 0
    private var isTickScheduled = false
    private var lateness = LoopLateness()
    private var pressure = FanOutPressure()
    private var hosts: HostPressure
    /// Allowances for the text messages that addresses send to this loop.
    private var textOfAddresses = AddressBudgets(of: Allowance())

    init(mailbox: HubMailbox, loopCount: Int, shard: Shard, core: ShardCore?, services: ShardServices) {
        self.mailbox = mailbox
        self.loopCount = loopCount
        hosts = HostPressure(loopCount: loopCount)
        self.shard = shard
        coreIfHere = core
        self.services = services
    }

    var loop: EventLoop { mailbox.loop }

    func drain() { isDraining = true }

    /// Notes a text message of an address.
    ///
    /// - Returns: The address's overdraft, as time to refill, µs.
    func noteText(_ bytes: Int, of address: String, now: Int64) -> Int64 {
        textOfAddresses.with(address, now: now) { $0.use(bytes, of: .address, now: now) }
    }

    // MARK: Relays

    /// Gives a client its place in a room.
    ///
    /// - Parameters:
    ///   - takesAudio: Whether it gets packets, or only announcements.
    ///   - number: Number of the next packet in this room.
    ///   - burst: Frames that it is sent first, with their number of packets.
    func enter(
        _ link: ClientLink, _ lane: Lane, takesAudio: Bool, next number: Int, burst: JoinBurst?
    ) {
        guard let connection = link.connection else { return }
        link.leave()
        let relay = relays[lane] ?? Relay(lane, from: number, hub: self)
        relays[lane] = relay
        if let burst {
            for frame in burst.frames { connection.send(frame) }
            figures.deliveries &+= UInt64(burst.packetCount)
        }
        link.place = (relay, relay.add(connection, takesAudio: takesAudio))
    }

    func leave(_ link: ClientLink, _ lane: Lane) {
        // If the client has entered another room, it has left this one already.
        if link.place?.relay.lane == lane { link.leave() }
    }

    /// Number of room members on this loop, and of those who are behind.
    var placeCounts: (members: Int, behind: Int) {
        relays.values.reduce((0, 0)) { ($0.0 + $1.memberCount, $0.1 + $1.behindCount) }
    }

    func forget(_ relay: Relay) { relays[relay.lane] = nil }

    func relay(of lane: Lane) -> Relay? { relays[lane] }

    func deliver(_ chunk: RelayedChunk, to lane: Lane) {
        if let relay = relays[lane] { deliver(chunk, to: relay) }
    }

    func deliver(_ chunk: RelayedChunk, to relay: Relay) {
        let begin = MonotonicClock.nowMicroseconds()
        if hosts.add(now: begin) {
            loop.slowDown(iterationMicroseconds: hosts.iterationMicroseconds, until: hosts.until)
        }
        lateness.add(iteration: loop.iteration, relayedAt: chunk.relayedAt, now: begin)
        relay.deliver(chunk, now: begin)
        // A busy loop's timers run late, so the tick is taken here if it is due.
        if !waiting.isEmpty, begin > nextTickAt { takeTick(now: begin) }
        noteWork(from: begin)
    }

    func announce(_ frame: WebSocketFrame, to lane: Lane, isInOrder: Bool) {
        relays[lane]?.announce(frame, isInOrder: isInOrder)
    }

    func announceInPassing(_ frame: WebSocketFrame, to lane: Lane) {
        relays[lane]?.announceInPassing(frame)
    }

    /// Sends a room's announcements after the work that the loop has been given already, which may announce more. Each
    /// member then gets all of them in one write.
    func tellSoon(_ lane: Lane) {
        loop.post { [mailbox] in mailbox.hubHere.relay(of: lane)?.tellAll() }
    }

    /// How far apart the loop's iterations are because many hosts play, µs; 0 if they are not delayed.
    var iterationMicroseconds: Int64 {
        MonotonicClock.nowMicroseconds() < hosts.until ? hosts.iterationMicroseconds : 0
    }

    // MARK: Gathering

    /// Ticks of the round in which a room's listeners get this packet, one group each tick; `nil`: it is sent at once.
    func ticks(for chunk: RelayedChunk, now: Int64) -> Int? {
        Gathering(pressed: pressure.ticks(now: now), isLate: lateness.isLate(now: now)).ticks(for: chunk, now: now)
    }

    /// Counts the packets and writes of a relay's fan-out.
    ///
    /// - Parameter least: Ticks for which the room's packets are gathered anyway.
    func sent(_ sent: FanOut.Sent, least: Int) {
        count(sent)
        pressure.count(packets: sent.frames, writes: sent.writes, least: least)
    }

    func count(_ sent: FanOut.Sent) {
        figures.deliveries &+= UInt64(sent.frames)
        figures.audioWrites &+= UInt64(sent.writes)
    }

    /// Adds a relay to those in which some listeners have not got everything.
    func wait(_ relay: Relay) {
        guard !relay.isWaiting else { return }
        relay.isWaiting = true
        waiting.append(relay)
        if waiting.count == 1 { scheduleTick(now: MonotonicClock.nowMicroseconds()) }
    }

    /// Ticks are at fixed times, so that the work is spread evenly however many rooms there are.
    private func scheduleTick(now: Int64) {
        guard !isTickScheduled else { return }
        isTickScheduled = true
        nextTickAt = (now / ServerTuning.gatherTickMicroseconds + 1) * ServerTuning.gatherTickMicroseconds
        loop.schedule(atMicroseconds: nextTickAt) { [weak self] in
            guard let self else { return }
            isTickScheduled = false
            guard !waiting.isEmpty else { return }
            let now = MonotonicClock.nowMicroseconds()
            if now >= nextTickAt { serveTick() }
            scheduleTick(now: now)
        }
    }

    private func serveTick() {
        let begin = MonotonicClock.nowMicroseconds()
        takeTick(now: begin)
        noteWork(from: begin)
    }

    private func takeTick(now: Int64) {
        gatherTick &+= 1
        nextTickAt = (now / ServerTuning.gatherTickMicroseconds + 1) * ServerTuning.gatherTickMicroseconds
        var index = 0
        while index < waiting.count {
            let relay = waiting[index]
            if relay.serve(tick: gatherTick, now: now) {
                relay.isWaiting = false
                waiting.swapAt(index, waiting.count - 1)
                waiting.removeLast()
            } else {
                index += 1
            }
        }
    }

    private func noteWork(from begin: Int64) {
        let end = MonotonicClock.nowMicroseconds()
        pressure.add(end - begin, now: end)
        figures.fanOutMicroseconds &+= UInt64(end - begin)
    }

    /// For how long packets are gathered because the loop is too busy, µs; 0 if they are not.
    var gatherMicroseconds: Int64 {
        let ticks = pressure.ticks(now: MonotonicClock.nowMicroseconds())
        return ticks > 1 ? Int64(ticks) * ServerTuning.gatherTickMicroseconds : 0
    }
}

/// One of the ways in which a room's sound goes out: as it came, or at a lower bit rate.
struct Lane: Hashable, Sendable {
    var room: RoomID
    var savesData = false
}

/// A packet on its way to the relays.
struct RelayedChunk: Sendable {
    /// The message, AUDIO_DN.
    var message: [UInt8]
    /// Server time by which it must have arrived, µs.
    var due: Int64
    /// When it left the room's home, µs.
    var relayedAt: Int64
    /// Duration of its sound, µs.
    var microseconds: Int64
    var isLast: Bool
    /// Whether the room's delivery gathers packets.
    var isGathered: Bool
}

/// Frames that a joining or resuming member is sent at once.
struct JoinBurst: Sendable {
    var frames: [WebSocketFrame]
    var packetCount: Int
}

/// Figures of one loop for the metrics page, besides the loop's own.
struct HubFigures: Sendable {
    var deliveries: UInt64 = 0
    var audioWrites: UInt64 = 0
    var skippedChunks: UInt64 = 0
    var slowListenersClosed: UInt64 = 0
    /// Of listeners by HTTP: packets handed to their sockets, the writes that carried them, and the slow ones closed.
    var radioDeliveries: UInt64 = 0
    var radioWrites: UInt64 = 0
    var slowRadioClosed: UInt64 = 0
    var timeProbes: UInt64 = 0
    var conduct = ConductFigures()
    /// Refusals of `RequestGate`, by code.
    var gateRefusals: [ErrorCode: UInt64] = [:]
    var fanOutMicroseconds: UInt64 = 0
}
