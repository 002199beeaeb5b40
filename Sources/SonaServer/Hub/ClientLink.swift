internal import SonaEventLoop
internal import SonaWire
internal import Synchronization

/// One client's WebSocket: the work that its loop does for it, and the way from there to its session and back.
///
/// The loop answers time probes, takes part in fan-out and removes a closed connection from its room. Everything else
/// is handed to the session, which lives on the first loop, whichever loop the socket is on. Messages keep their order.
/// Packets of a host overtake other clients' requests, but not the host's own: messages that follow a request wait here
/// until the session has received it.
final class ClientLink: WebSocketHandler, @unchecked Sendable {
    // Safe to share: everything below `On its loop` is used there only, `number` is written before the link is known
    // elsewhere, and the rest is constant or atomic.
    let limitedAddress: String?
    /// The client's network address, for the log.
    let address: String
    let mailbox: HubMailbox
    private(set) var number: UInt64 = 0
    private let heardAt = Atomic<Int64>(0)
    /// Requests on their way to the session.
    private let onTheirWay = Atomic<Int32>(0)
    /// Whether messages are held here until those requests have arrived.
    private let isHolding = Atomic<Bool>(false)
    /// Bytes of all messages on their way to the session, each with `messageBytes` added.
    private let bytesOnTheirWay = Atomic<Int32>(0)
    private let isEnding = Atomic<Bool>(false)

    /// Bytes on their way at which the socket is no longer read.
    private static let bytesOnTheirWayMax: Int32 = 128 * 1024
    /// Bytes that a message counts besides its own. It is about its overhead in memory. It is also so much that at most
    /// a second of a host's smallest packets is on its way before the host can be held back.
    private static let messageBytes: Int32 = 2_048

    // MARK: On its loop

    var hub: Hub { mailbox.hubHere }
    private(set) var connection: WebSocketConnection?
    /// Its place in a room.
    var place: (relay: Relay, member: FanOut.Member)?
    /// The session that received the last frame: a host's, if sessions are on this loop.
    var heard: Session?
    /// The allowance for its text messages.
    var text = Allowance()
    /// Counts the time probes that it sent lately.
    var probes = FloodCounter()
    /// State that a connection needs only if it sends much or has a host seat; made on first use.
    private(set) var backlog: Backlog?

    final class Backlog {
        /// Messages that followed a request which the session has not received yet.
        var held: [(bytes: [UInt8], isText: Bool)] = []
        /// Until when it is not read from, µs.
        var heldBackUntil: Int64?
        /// So much of it is on its way that it is not read from.
        var isOverfull = false
        /// Whether it has a room's host seat, as told by its session.
        var isSeated = false
        /// Until when its frames may be those of a host that does not know yet that it has lost the seat, µs.
        var lostSeatUntil = Int64.min
        /// When its session was last given a frame although the connection is not the host, µs.
        var refusedAt = Int64.min / 2
        /// Counts messages that were refused here.
        var floods = FloodCounter()
        /// Counts refused frames that may have been on their way when the seat was lost.
        var late = FloodCounter()
        /// Counts messages of types that a server need not know.
        var ignored = FloodCounter()
        /// Counts how often it was not read from because it had sent too much text.
        var overdrafts = FaultCounter()
    }

    func ensureBacklog() -> Backlog {
        if let backlog { return backlog }
        let first = Backlog()
        backlog = first
        return first
    }

    init(hub: Hub, address: String, limitedAddress: String?) {
        self.address = address
        self.limitedAddress = limitedAddress
        mailbox = hub.mailbox
    }

    /// The lost connection of a session that another process had.
    init(lost number: UInt64, hub: Hub, address: String, limitedAddress: String?) {
        self.address = address
        self.limitedAddress = limitedAddress
        self.number = number
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
        // The session may have received the request just now.
        if onTheirWay.load(ordering: .sequentiallyConsistent) == 0 { handHeld() }
    }

    /// Lets a host's packets wait for others. Its other messages, time probes included, wait with them if the message
    /// before was a packet: its kind is not known before it is read.
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
        // A connection that never opened has no session.
        guard number > 0 else { return }
        // Held messages are delivered before the end.
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

    /// Answers a time probe ahead of everything that waits, with the time at which the answer goes out.
    private func answer(_ probe: TimeRequest, now: Int64) {
        hub.figures.timeProbes &+= 1
        connection?.sendUrgent {
            TimeResponse(
                probeID: probe.probeID, clientSend: probe.clientSend, serverReceive: now,
                serverSend: MonotonicClock.nowMicroseconds()
            ).encode()
        }
    }

    /// How it is served in a room; `nil` if it is not in that room. On its loop.
    func served(in room: RoomID) -> ServedListener? {
        guard let place, place.relay.room == room else { return nil }
        return place.relay.served(place.member)
    }

    /// Leaves the relay of its room, on this loop only.
    func leave() {
        guard let place else { return }
        self.place = nil
        place.relay.remove(place.member)
    }

    // MARK: To the session

    /// Posts to the session something that is not urgent.
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
            // The session may have gone on over another connection.
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

    /// Hands on the held messages, up to and including the next request.
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

    /// When the client was last heard from, µs.
    var lastHeardMicroseconds: Int64 { heardAt.load(ordering: .relaxed) }

    /// Whether messages still go out to it.
    var isOpen: Bool { !isEnding.load(ordering: .relaxed) }

    func send(text bytes: [UInt8]) { sendBehindAnnouncements { $0.send(text: bytes) } }
    func send(_ frame: WebSocketFrame) { sendBehindAnnouncements { $0.send(frame) } }

    /// Runs a body after the announcements that its room made before have gone out.
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

    /// Ends the connection without a word, after what was sent: the client resumes its session.
    func cut() {
        isEnding.store(true, ordering: .relaxed)
        sendBehindAnnouncements { $0.cut() }
    }

    /// Stops reading for a while.
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
