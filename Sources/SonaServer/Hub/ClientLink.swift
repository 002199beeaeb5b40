internal import SonaEventLoop
internal import SonaWire
internal import Synchronization

/// One client's WebSocket: what its loop does for it by itself, and its way from there to its session and back.
///
/// The loop answers time probes, takes part in fan-out and lets go of who goes; all that is said otherwise is handed to
/// the session, which lives on the first loop, whichever loop the socket is on. Messages keep their order. Packets of a
/// host go ahead of others' requests, but not of its own: what comes behind a request waits here until that was heard.
final class ClientLink: WebSocketHandler, @unchecked Sendable {
    // Safe to share: what is below `On its loop` is used there only, `number` is written before anybody is told of it,
    // and the rest is constant or atomic.
    let limitedAddress: String?
    let mailbox: HubMailbox
    private(set) var number: UInt64 = 0
    private let heardAt = Atomic<Int64>(0)
    /// Requests on their way to the session.
    private let onTheirWay = Atomic<Int32>(0)
    /// Whether something is held until they have arrived.
    private let isHolding = Atomic<Bool>(false)
    /// Bytes of all messages on their way to it, and what messages themselves take.
    private let bytesOnTheirWay = Atomic<Int32>(0)
    private let isEnding = Atomic<Bool>(false)

    /// What may be on its way until the socket is not read any more.
    private static let bytesOnTheirWayMax: Int32 = 128 * 1024
    /// What a message counts besides its bytes: that much in memory, and enough that of a host's smallest packets no more
    /// than a second's are on their way before it can be held back.
    private static let messageBytes: Int32 = 2_048

    // MARK: On its loop

    var hub: Hub { mailbox.hubHere }
    private(set) var connection: WebSocketConnection?
    /// Its place in a room.
    var place: (relay: Relay, member: FanOut.Member)?
    /// Whose frames were handed on last: a host's session, where sessions are on this loop.
    var heard: Session?
    /// What it may still send in text messages.
    var text = Allowance()
    /// Time probes that were answered lately.
    var probes = FloodCounter()
    /// What of it only those need who say much, made when they do.
    private(set) var backlog: Backlog?

    final class Backlog {
        /// What came behind a request that has not been heard yet.
        var held: [(bytes: [UInt8], isText: Bool)] = []
        /// Until when it is not read from, µs.
        var heldBackUntil: Int64?
        /// Too much of it is on its way to be read on.
        var isOverfull = false
        /// It has a room's host seat: its session said so.
        var isSeated = false
        /// Until when frames are taken for those of a host that had not heard yet that the seat is lost, µs.
        var lostSeatUntil = Int64.min
        /// When its session was last given a frame of somebody who is no host, µs.
        var refusedAt = Int64.min / 2
        /// What was refused here.
        var floods = FloodCounter()
        /// Of that, what may have been on its way when the seat was lost.
        var late = FloodCounter()
        /// Messages of types that a server need not know.
        var ignored = FloodCounter()
        /// How often it was not read from because it had sent too much text.
        var overdrafts = FaultCounter()
    }

    func ensureBacklog() -> Backlog {
        if let backlog { return backlog }
        let first = Backlog()
        backlog = first
        return first
    }

    init(hub: Hub, limitedAddress: String?) {
        self.limitedAddress = limitedAddress
        mailbox = hub.mailbox
    }

    func webSocketOpened(_ connection: WebSocketConnection) {
        self.connection = connection
        number = connection.number
        heardAt.store(MonotonicClock.nowMicroseconds(), ordering: .relaxed)
        toSession { [self] in $0.opened(self) }
    }

    func webSocket(_ connection: WebSocketConnection, received bytes: UnsafeRawBufferPointer, isText: Bool) {
        let now = MonotonicClock.nowMicroseconds()
        heardAt.store(now, ordering: .relaxed)
        if !isText, ClientFrame.isTimeRequest(bytes), case .timeRequest(let probe)? = try? ClientFrame(parsing: bytes) {
            mayWait(false, connection)
            if mayProbe(now: now) { answer(probe, now: now) }
            return
        }
        mayWait(!isText && ClientFrame.isAudio(bytes), connection)
        if isText { guard isTextAllowed(bytes.count, now: now) else { return } }
        if backlog?.held.isEmpty ?? true, onTheirWay.load(ordering: .sequentiallyConsistent) == 0 {
            return isText ? hand(text: Array(bytes)) : hand(frame: bytes, now: now)
        }
        noteBytes(bytes.count)
        ensureBacklog().held.append((Array(bytes), isText))
        isHolding.store(true, ordering: .sequentiallyConsistent)
        // The request before may have been heard just now.
        if onTheirWay.load(ordering: .sequentiallyConsistent) == 0 { handHeld() }
    }

    /// A host's packets can wait for others. What else it says, its time probes too, waits with them as long as a packet
    /// was the last it said: that is not known before it is read.
    private func mayWait(_ itMay: Bool, _ connection: WebSocketConnection) {
        if connection.mayWait != itMay { connection.mayWait = itMay }
    }

    func webSocketHeard(_ connection: WebSocketConnection) {
        heardAt.store(MonotonicClock.nowMicroseconds(), ordering: .relaxed)
    }

    func webSocketWritable(_ connection: WebSocketConnection) {
        guard let place else { return }
        place.relay.catchUp(place.member, now: MonotonicClock.nowMicroseconds())
    }

    func webSocketClosed(_ connection: WebSocketConnection, _ ending: WebSocketEnding) {
        isEnding.store(true, ordering: .relaxed)
        leave()
        heard = nil
        self.connection = nil
        let number = number
        // Who never opened has no session.
        guard number > 0 else { return }
        // What it said last is heard before its end.
        for (bytes, isText) in backlog?.held ?? [] { toSession { Self.deliver(bytes, isText, to: number, $0) } }
        backlog?.held = []
        toSession { [self] in $0.closed(self, ending) }
    }

    private static func deliver(_ message: [UInt8], _ isText: Bool, to number: UInt64, _ core: ShardCore) {
        guard let session = core.session(onLink: number) else { return }
        let now = MonotonicClock.nowMicroseconds()
        message.withUnsafeBytes { bytes in
            isText ? session.received(text: bytes, now: now) : session.received(frame: bytes, now: now)
        }
    }

    /// Answers ahead of everything that waits, with the time of the moment it goes out.
    private func answer(_ probe: TimeRequest, now: Int64) {
        hub.figures.timeProbes &+= 1
        connection?.sendUrgent {
            TimeResponse(
                probeID: probe.probeID, clientSend: probe.clientSend, serverReceive: now,
                serverSend: MonotonicClock.nowMicroseconds()
            ).encode()
        }
    }

    /// How it is served in a room, if it is there. On its loop.
    func served(in room: RoomID) -> ServedListener? {
        guard let place, place.relay.room == room else { return nil }
        return place.relay.served(place.member)
    }

    /// Goes out of the room it is in, as far as this loop is concerned.
    func leave() {
        guard let place else { return }
        self.place = nil
        place.relay.remove(place.member)
    }

    // MARK: To the session

    /// Hands on something that is not urgent.
    private func toSession(_ body: @escaping @Sendable (ShardCore) -> Void) {
        onTheirWay.add(1, ordering: .sequentiallyConsistent)
        hub.shard.post { [self] core in
            body(core)
            let left = onTheirWay.subtract(1, ordering: .sequentiallyConsistent).newValue
            guard left == 0, isHolding.load(ordering: .sequentiallyConsistent) else { return }
            mailbox.tell { [self] _ in handHeld() }
        }
    }

    private func hand(text message: [UInt8]) {
        let number = number
        noteBytes(message.count)
        toSession { [self] core in
            Self.deliver(message, true, to: number, core)
            haveArrived(message.count)
        }
    }

    private func hand(frame bytes: UnsafeRawBufferPointer, now: Int64) {
        guard isHeard(bytes, now: now) else { return }
        let number = number
        if let core = hub.coreIfHere {
            // It may go on over another connection.
            if heard?.link !== self { heard = core.session(onLink: number) }
            heard?.received(frame: bytes, now: now)
            return
        }
        let message = Array(bytes)
        noteBytes(message.count)
        hub.shard.postUrgently { [self] core in
            Self.deliver(message, false, to: number, core)
            haveArrived(message.count)
        }
    }

    /// Goes on with what was held, up to the next request.
    private func handHeld() {
        guard onTheirWay.load(ordering: .sequentiallyConsistent) == 0 else { return }
        isHolding.store(false, ordering: .sequentiallyConsistent)
        guard let backlog else { return }
        let now = MonotonicClock.nowMicroseconds()
        var count = 0
        for (bytes, isText) in backlog.held {
            count += 1
            if isText { hand(text: bytes) } else { bytes.withUnsafeBytes { hand(frame: $0, now: now) } }
            haveArrived(bytes.count)
            if isText { break }
        }
        backlog.held.removeFirst(count)
        guard !backlog.held.isEmpty else { return }
        isHolding.store(true, ordering: .sequentiallyConsistent)
        if onTheirWay.load(ordering: .sequentiallyConsistent) == 0 { handHeld() }
    }

    private func noteBytes(_ count: Int) {
        let sum = bytesOnTheirWay.add(Int32(count) + Self.messageBytes, ordering: .relaxed).newValue
        guard sum > Self.bytesOnTheirWayMax, !ensureBacklog().isOverfull else { return }
        ensureBacklog().isOverfull = true
        connection?.pauseReading()
    }

    private func haveArrived(_ count: Int) {
        let (before, after) = bytesOnTheirWay.subtract(Int32(count) + Self.messageBytes, ordering: .relaxed)
        let half = Self.bytesOnTheirWayMax / 2
        guard before > half, after <= half else { return }
        mailbox.tell { [self] _ in
            backlog?.isOverfull = false
            resumeIfMay()
        }
    }

    private func resumeIfMay() {
        if backlog?.heldBackUntil == nil, backlog?.isOverfull != true { connection?.resumeReading() }
    }

    // MARK: From anywhere

    /// When the client was last heard, µs.
    var lastHeardMicroseconds: Int64 { heardAt.load(ordering: .relaxed) }

    /// Whether messages still go out to it.
    var isOpen: Bool { !isEnding.load(ordering: .relaxed) }

    func send(text bytes: [UInt8]) { sendBehindAnnouncements { $0.send(text: bytes) } }
    func send(_ frame: WebSocketFrame) { sendBehindAnnouncements { $0.send(frame) } }

    /// What a room has announced before goes out before.
    private func sendBehindAnnouncements(_ body: @escaping @Sendable (WebSocketConnection) -> Void) {
        mailbox.tell { [self] _ in
            if let place { place.relay.tell(place.member) }
            if let connection { body(connection) }
        }
    }

    func close(_ code: UInt16, _ reason: String) {
        isEnding.store(true, ordering: .relaxed)
        sendBehindAnnouncements { $0.close(code, reason) }
    }

    /// Reads nothing for a while.
    func holdBack(microseconds: Int64) {
        mailbox.tell { [self] _ in holdBack(until: MonotonicClock.nowMicroseconds() + microseconds) }
    }

    /// The same, on its loop.
    func holdBack(until: Int64) {
        let backlog = ensureBacklog()
        let isTimed = backlog.heldBackUntil != nil
        backlog.heldBackUntil = max(until, backlog.heldBackUntil ?? until)
        connection?.pauseReading()
        if !isTimed { waitOut(hub.loop, until) }
    }

    private func waitOut(_ loop: EventLoop, _ due: Int64) {
        loop.schedule(atMicroseconds: due) { [weak self] in
            guard let self, let until = backlog?.heldBackUntil else { return }
            guard until <= MonotonicClock.nowMicroseconds() else { return waitOut(loop, until) }
            backlog?.heldBackUntil = nil
            resumeIfMay()
        }
    }
}
