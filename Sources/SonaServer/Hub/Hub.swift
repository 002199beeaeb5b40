internal import SonaEventLoop
internal import SonaRooms
internal import SonaWire

/// What lives on one loop of several: its clients' sockets, and a relay of each room that has members among them.
///
/// The live domain (sessions, rooms) is `ShardCore`'s, on the first loop; delivery, which is nearly all of the work, is
/// spread over as many loops as there are. On its loop only.
final class Hub {
    let mailbox: HubMailbox
    let shard: Shard
    let services: ShardServices
    /// The live domain, where this is its loop.
    unowned let coreIfHere: ShardCore?  // The shard owns it, and lives as long as the process does.
    private var relays: [RoomID: Relay] = [:]
    var figures = HubFigures()
    private(set) var isDraining = false
    /// How many loops share what is limited for all of them together.
    let loopCount: Int

    /// Relays in which some have not got everything yet.
    private var waiting: [Relay] = []
    private var gatherTick = 0
    private var nextTickAt: Int64 = 0
    private var isTickScheduled = false
    private var lateness = LoopLateness()
    private var pressure = FanOutPressure()
    private var hosts: HostPressure
    /// Text messages that addresses send to this loop.
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
    /// - Returns: By how much the address has overdrawn what it may send, µs.
    func noteText(_ bytes: Int, of address: String, now: Int64) -> Int64 {
        textOfAddresses.with(address, now: now) { $0.use(bytes, of: .address, now: now) }
    }

    // MARK: Relays

    /// Gives a client its place in a room.
    ///
    /// - Parameters:
    ///   - takesAudio: Whether it gets packets, or what is announced only.
    ///   - number: Of the packet that comes next in this room.
    ///   - burst: What it is sent first, and how many packets that is.
    func enter(
        _ link: ClientLink, _ room: RoomID, takesAudio: Bool, next number: Int, burst: JoinBurst?
    ) {
        guard let connection = link.connection else { return }
        link.leave()
        let relay = relays[room] ?? Relay(room, from: number, hub: self)
        relays[room] = relay
        if let burst {
            for frame in burst.frames { connection.send(frame) }
            figures.deliveries &+= UInt64(burst.packetCount)
        }
        link.place = (relay, relay.add(connection, takesAudio: takesAudio))
    }

    func leave(_ link: ClientLink, _ room: RoomID) {
        // Entering another has taken it out already.
        if link.place?.relay.room == room { link.leave() }
    }

    /// Members of rooms on this loop, and those of them who do not keep up.
    var placeCounts: (members: Int, behind: Int) {
        relays.values.reduce((0, 0)) { ($0.0 + $1.memberCount, $0.1 + $1.behindCount) }
    }

    func forget(_ relay: Relay) { relays[relay.room] = nil }

    func relay(of room: RoomID) -> Relay? { relays[room] }

    func deliver(_ chunk: RelayedChunk, to room: RoomID) {
        if let relay = relays[room] { deliver(chunk, to: relay) }
    }

    func deliver(_ chunk: RelayedChunk, to relay: Relay) {
        let begin = MonotonicClock.nowMicroseconds()
        if hosts.add(now: begin) {
            loop.slowDown(iterationMicroseconds: hosts.iterationMicroseconds, until: hosts.until)
        }
        lateness.add(iteration: loop.iteration, relayedAt: chunk.relayedAt, now: begin)
        relay.deliver(chunk, now: begin)
        // A loop that has its hands full reads its clock late.
        if !waiting.isEmpty, begin > nextTickAt { takeTick(now: begin) }
        noteWork(from: begin)
    }

    func announce(_ frame: WebSocketFrame, to room: RoomID, isInOrder: Bool) {
        relays[room]?.announce(frame, isInOrder: isInOrder)
    }

    func announceInPassing(_ frame: WebSocketFrame, to room: RoomID) {
        relays[room]?.announceInPassing(frame)
    }

    /// Has a room's announcements sent behind what the loop has been given to do already, which may announce more: each
    /// member then gets all of it in one write.
    func tellSoon(_ room: RoomID) {
        loop.post { [mailbox] in mailbox.hubHere.relay(of: room)?.tellAll() }
    }

    /// How far apart the loop's iterations are, because many hosts play; 0 if not at all.
    var iterationMicroseconds: Int64 {
        MonotonicClock.nowMicroseconds() < hosts.until ? hosts.iterationMicroseconds : 0
    }

    // MARK: Gathering

    /// How many ticks a round has in which all of a room's listeners get what has come since; `nil` for at once.
    func ticks(for chunk: RelayedChunk, now: Int64) -> Int? {
        Gathering(pressed: pressure.ticks(now: now), isLate: lateness.isLate(now: now)).ticks(for: chunk, now: now)
    }

    /// Counts what a relay has sent in fan-out.
    ///
    /// - Parameter least: Ticks that its room has its packets gathered for.
    func sent(_ sent: FanOut.Sent, least: Int) {
        count(sent)
        pressure.count(packets: sent.frames, writes: sent.writes, least: least)
    }

    func count(_ sent: FanOut.Sent) {
        figures.deliveries &+= UInt64(sent.frames)
        figures.audioWrites &+= UInt64(sent.writes)
    }

    /// Some of a relay's listeners have not got everything.
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

    /// How long packets are gathered because there is too much to do, µs.
    var gatherMicroseconds: Int64 {
        let ticks = pressure.ticks(now: MonotonicClock.nowMicroseconds())
        return ticks > 1 ? Int64(ticks) * ServerTuning.gatherTickMicroseconds : 0
    }
}

/// A packet on its way to the relays.
struct RelayedChunk: Sendable {
    /// The message, AUDIO_DN.
    var message: [UInt8]
    /// Server time by which it must have arrived, µs.
    var due: Int64
    /// When it was sent on its way, µs.
    var relayedAt: Int64
    /// How long it sounds.
    var microseconds: Int64
    var isLast: Bool
    /// The room's delivery lets some be gathered.
    var isGathered: Bool
}

/// What somebody who comes in is sent at once.
struct JoinBurst: Sendable {
    var frames: [WebSocketFrame]
    var packetCount: Int
}

/// What the metrics page counts of one loop beside the loop's own figures.
struct HubFigures: Sendable {
    var deliveries: UInt64 = 0
    var audioWrites: UInt64 = 0
    var skippedChunks: UInt64 = 0
    var slowListenersClosed: UInt64 = 0
    var timeProbes: UInt64 = 0
    var conduct = ConductFigures()
    /// What `RequestGate` refused, by code.
    var gateRefusals: [ErrorCode: UInt64] = [:]
    var fanOutMicroseconds: UInt64 = 0
}
