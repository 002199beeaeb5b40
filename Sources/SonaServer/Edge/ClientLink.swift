internal import SonaEventLoop
internal import SonaWire
internal import Synchronization

/// One client's WebSocket: what its loop does for it by itself, and its way from there to its session and back.
///
/// The loop answers time probes, takes part in fan-out and lets go of who goes; all that is said otherwise is handed to
/// the session, which lives on the first loop, whichever loop the socket is on. Messages keep their order. Packets of a
/// host go ahead of others' requests, but not of its own.
final class ClientLink: WebSocketHandler, @unchecked Sendable {
    // Safe to share: what is below `On its loop` is used there only, `number` is written before anybody is told of it,
    // and the rest is constant or atomic.
    let limitedAddress: String?
    let door: EdgeDoor
    private(set) var number: UInt64 = 0
    private let heardAt = Atomic<Int64>(0)
    /// Messages on the ordinary way to the session.
    private let onTheirWay = Atomic<Int32>(0)
    /// Bytes of all messages on their way to it.
    private let bytesOnTheirWay = Atomic<Int32>(0)
    private let isEnding = Atomic<Bool>(false)

    /// What may be on its way until the socket is not read any more.
    private static let bytesOnTheirWayMax: Int32 = 128 * 1024

    // MARK: On its loop

    private var edge: Edge { door.edgeHere }
    private(set) var connection: WebSocketConnection?
    /// Its place in a room.
    var place: (relay: Relay, member: FanOut.Member)?
    private var isHeldBack = false
    private var isOverfull = false

    init(edge: Edge, limitedAddress: String?) {
        self.limitedAddress = limitedAddress
        door = edge.door
    }

    func webSocketOpened(_ connection: WebSocketConnection) {
        self.connection = connection
        number = connection.number
        heardAt.store(MonotonicClock.nowMicroseconds(), ordering: .relaxed)
        toSession(bytes: 0) { [self] in $0.opened(self) }
    }

    func webSocket(_ connection: WebSocketConnection, received bytes: UnsafeRawBufferPointer, isText: Bool) {
        let now = MonotonicClock.nowMicroseconds()
        heardAt.store(now, ordering: .relaxed)
        if !isText, ClientFrame.isTimeRequest(bytes), case .timeRequest(let probe)? = try? ClientFrame(parsing: bytes) {
            return answer(probe, now: now)
        }
        let number = number
        guard isText || onTheirWay.load(ordering: .relaxed) > 0 else {
            if let home = edge.homeIfHere {
                home.sessions[number]?.received(frame: bytes, now: now)
                return
            }
            let message = Array(bytes)
            noteBytes(message.count)
            edge.shard.postUrgently { [self] home in
                defer { haveArrived(message.count) }
                message.withUnsafeBytes { home.sessions[number]?.received(frame: $0, now: now) }
            }
            return
        }
        let message = Array(bytes)
        toSession(bytes: message.count) { home in
            message.withUnsafeBytes { bytes in
                guard let session = home.sessions[number] else { return }
                isText ? session.received(text: bytes, now: now) : session.received(frame: bytes, now: now)
            }
        }
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
        self.connection = nil
        let code = ending.code
        let number = number
        // Who never opened has no session.
        if number > 0 { toSession(bytes: 0) { $0.sessions[number]?.closed(code) } }
    }

    /// Answers ahead of everything that waits, with the time of the moment it goes out.
    private func answer(_ probe: TimeRequest, now: Int64) {
        edge.figures.timeProbes &+= 1
        connection?.sendUrgent {
            TimeResponse(
                probeID: probe.probeID, clientSend: probe.clientSend, serverReceive: now,
                serverSend: MonotonicClock.nowMicroseconds()
            ).encode()
        }
    }

    /// Goes out of the room it is in, as far as this loop is concerned.
    func leave() {
        guard let place else { return }
        self.place = nil
        place.relay.remove(place.member)
    }

    // MARK: To the session

    private func toSession(bytes: Int, _ body: @escaping @Sendable (ShardCore) -> Void) {
        onTheirWay.add(1, ordering: .relaxed)
        noteBytes(bytes)
        edge.shard.post { [self] home in
            onTheirWay.subtract(1, ordering: .relaxed)
            body(home)
            haveArrived(bytes)
        }
    }

    private func noteBytes(_ count: Int) {
        let sum = bytesOnTheirWay.add(Int32(count), ordering: .relaxed).newValue
        guard sum > Self.bytesOnTheirWayMax, !isOverfull else { return }
        isOverfull = true
        connection?.pauseReading()
    }

    /// On the first loop.
    private func haveArrived(_ count: Int) {
        guard count > 0 else { return }
        let (before, after) = bytesOnTheirWay.subtract(Int32(count), ordering: .relaxed)
        let half = Self.bytesOnTheirWayMax / 2
        guard before > half, after <= half else { return }
        door.tell { [self] _ in
            isOverfull = false
            resumeIfMay()
        }
    }

    private func resumeIfMay() {
        if !isHeldBack, !isOverfull { connection?.resumeReading() }
    }

    // MARK: From anywhere

    /// When the client was last heard, µs.
    var lastHeardMicroseconds: Int64 { heardAt.load(ordering: .relaxed) }

    /// Whether messages still go out to it.
    var isOpen: Bool { !isEnding.load(ordering: .relaxed) }

    func send(text bytes: [UInt8]) { door.tell { [self] _ in connection?.send(text: bytes) } }
    func send(_ frame: WebSocketFrame) { door.tell { [self] _ in connection?.send(frame) } }

    func close(_ code: UInt16, _ reason: String) {
        isEnding.store(true, ordering: .relaxed)
        door.tell { [self] _ in connection?.close(code, reason) }
    }

    /// Reads nothing for a while.
    func holdBack(microseconds: Int64) {
        door.tell { [self] edge in
            isHeldBack = true
            connection?.pauseReading()
            edge.loop.schedule(after: .microseconds(microseconds)) { [weak self] in
                guard let self else { return }
                isHeldBack = false
                resumeIfMay()
            }
        }
    }
}
