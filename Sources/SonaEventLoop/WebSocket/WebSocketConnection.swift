internal import CLibwebsockets

/// One WebSocket, ours or a client's, on one loop.
///
/// States: opening → open (`opened`) → closing (`close`, or the peer's close) → closeSent (a server's close frame is
/// out) → ended. What is sent outside of open is dropped silently: the end is reported once, by `webSocketClosed`.
///
/// A server's frames are read and written here (`+Reading`, `+Closing`): libwebsockets 4.1.6 answers a ping after messages
/// that came later, reads on after an error, checks neither masks nor UTF-8, and loses its own close frames on libuv. A
/// client's connection is libwebsockets' (`+Client`).
///
/// Sending goes straight to the socket when nothing is pending; what the socket did not take whole waits in `rest`, and
/// what comes after it in a queue that is bounded by `WebSocketLimits.queue`.
///
/// Nearly all connections listen and are idle. The state that an idle one does not need is in `Unfinished`.
public final class WebSocketConnection {
    /// Number of the socket, unique among all loops that share connections (`EventLoop.Options.index`).
    public let number: UInt64
    /// Limits on messages, queue and silence.
    public let limits: WebSocketLimits
    /// Receives the events of the connection.
    public var handler: (any WebSocketHandler)?

    /// The state of a connection that fan-out reads, in memory of its own: reading it counts no reference. 24 bytes, as
    /// many as malloc(3) gives to the smallest.
    struct Readiness {
        var wsi: OpaquePointer?
        /// When the peer was last heard, µs of `MonotonicClock`. No matter of fan-out's, but there is room.
        var heardAt: Int64
        var descriptor: Int32 = -1
        /// It is open, and nothing sent earlier waits here.
        var isClear = false
        var isTLS = false
    }

    /// The state of everything that has begun and not ended.
    final class Unfinished {
        /// The part of the last write that the socket has not taken. For a server's connection.
        var rest: [UInt8] = []
        var restStart = 0
        /// Frames that wait for the socket.
        var queue = SendQueue()
        /// The part of a message that has arrived.
        var assembly: [UInt8] = []
        var utf8 = UTF8Check()
        /// The client's frames that are incomplete or not yet parsed.
        var incoming = IncomingFrames()
        /// By when the message that has begun must be whole, µs.
        var messageDue = Int64.max
        /// The peer has sent its close frame: what follows is of no interest.
        var isPeerDone = false
        /// Both close frames have been exchanged.
        var isOver = false
        var closeReason = ""
        var closeDeadline: EventLoop.Timer?
        var ending = WebSocketEnding()
    }

    enum State { case opening, open, closing, closeSent, ended }
    let readiness: UnsafeMutablePointer<Readiness>
    unowned let core: LoopCore  // The core's table holds the socket that holds this.
    var unfinished: Unfinished?
    var state = State.opening { didSet { noteReadiness() } }
    let isClient: Bool
    /// It speaks no WebSocket: it is an answer of HTTP that does not end (`EventLoop.stream`), or speaks a protocol of its own
    /// (`EventLoop.acceptBare`). What it is given goes out as it is, and its end is that of the connection.
    var isBare = false
    /// Whether the handler of such a connection gets what the peer sends, in pieces of any size. Else it is dropped.
    var hears = false
    var closeCode: UInt16 = 1000
    var pingSlot: PingWheel.Slot?
    /// When its frames that carry nothing are forgotten, µs: see `isIdleTalk(now:)`.
    var idleTalkForgottenAt = Int64.min
    /// It is not read from: a client's from the end of the iteration on.
    var isPaused = false
    /// Whether bytes from it may wait for the next iteration of a loop that takes its time (`EventLoop.slowDown`).
    public var mayWait = false {
        didSet {
            if mayWait != oldValue { notePatience() }
        }
    }

    init(number: UInt64, limits: WebSocketLimits, core: LoopCore, isClient: Bool) {
        self.number = number
        self.limits = limits
        self.core = core
        self.isClient = isClient
        readiness = .allocate(capacity: 1)
        readiness.initialize(to: Readiness(heardAt: MonotonicClock.nowMicroseconds()))
    }

    deinit { readiness.deallocate() }

    var wsi: OpaquePointer? { readiness.pointee.wsi }
    /// That of libwebsockets which it is in, one of its loop's.
    var context: OpaquePointer? { wsi.flatMap { lws_get_context($0) } }
    var descriptor: Int32? { wsi.map { lws_get_socket_fd($0) } }
    var heardAt: Int64 { readiness.pointee.heardAt }

    private func notePatience() {
        guard let descriptor else { return }
        mayWait ? core.pace.ignore(descriptor) : core.pace.attend(to: descriptor)
    }

    var isQueueEmpty: Bool { unfinished?.queue.isEmpty ?? true }

    /// Part of a frame has been written, and the rest of it must be before anything else.
    var isBlocked: Bool {
        guard let wsi else { return false }
        return isClient ? lws_partial_buffered(wsi) != 0 : unfinished.map { !$0.rest.isEmpty } ?? false
    }

    func noteReadiness() {
        readiness.pointee.isClear = state == .open && isQueueEmpty && (unfinished?.rest.isEmpty ?? true)
    }

    func begun() -> Unfinished {
        if let unfinished { return unfinished }
        let first = Unfinished()
        unfinished = first
        return first
    }

    /// An open connection for which nothing waits keeps nothing.
    func forgetFinished() {
        guard state == .open, let unfinished, unfinished.queue.isEmpty, unfinished.assembly.isEmpty,
            unfinished.rest.isEmpty, unfinished.utf8.isComplete, unfinished.incoming.isIdle
        else { return }
        self.unfinished = nil
    }

    func dropQueue() {
        unfinished?.queue.removeAll()
        noteReadiness()
    }

    // MARK: Sending

    /// Whether messages can be sent: the handshake is done, and neither side has begun to close.
    public var isOpen: Bool { state == .open }
    /// Bytes that wait here, not counting what the kernel holds.
    public var queuedBytes: Int {
        guard let unfinished else { return 0 }
        return unfinished.queue.bytes + unfinished.rest.count - unfinished.restStart
    }

    /// Sends a text message. Dropped silently unless the connection is open.
    ///
    /// - Parameter bytes: UTF-8; not checked.
    public func send(text bytes: [UInt8]) {
        isClient ? enqueue(.client(bytes, isText: true)) : send(WebSocketFrame(text: bytes))
    }

    /// Sends a binary message. Dropped silently unless the connection is open.
    public func send(binary bytes: [UInt8]) {
        isClient ? enqueue(.client(bytes, isText: false)) : send(WebSocketFrame(binary: bytes))
    }

    /// Sends a frame that other connections may send too. Servers only: a client's frames are masked one by one.
    public func send(_ frame: WebSocketFrame) {
        precondition(!isClient, "A client masks each frame; send(text:) and send(binary:) are for it.")
        guard state == .open else { return }
        if isQueueEmpty, write(frame) != .blocked { return }
        enqueue(.frame(frame))
    }

    /// Sends a message before all that waits, made at the moment it is written: for answers that carry the time.
    public func sendUrgent(_ make: @escaping () -> [UInt8]) {
        guard state == .open else { return }
        if !isClient, !isBlocked, write(WebSocketFrame(binary: make())) != .blocked { return }
        enqueue(.urgent(make))
    }

    /// What became of a frame: `written` takes it, `blocked` means to try again later, `dead` means the connection is
    /// not open.
    public enum WriteResult { case written, blocked, dead }

    /// Hands a frame to the socket if it can take it whole now, and keeps nothing if not. For fan-out, which has a
    /// queue of its own. O(1), no allocation.
    @inline(__always)
    public func writeNow(_ frame: WebSocketFrame) -> WriteResult {
        writeNow(frame.start, frame.count, messages: frame.messages)
    }

    /// The same for bytes that are so many whole frames.
    func writeNow(_ start: UnsafeMutablePointer<UInt8>, _ count: Int, messages: Int) -> WriteResult {
        guard state == .open, isQueueEmpty else { return state == .open ? .blocked : .dead }
        return write(start, count, messages: messages, isFannedOut: true)
    }

    func write(_ frame: WebSocketFrame) -> WriteResult {
        write(frame.start, frame.count, messages: frame.messages, isFannedOut: false)
    }

    private func write(
        _ start: UnsafeMutablePointer<UInt8>, _ count: Int, messages: Int, isFannedOut: Bool
    ) -> WriteResult {
        guard wsi != nil else { return .dead }
        if isBlocked { return .blocked }
        let taken = send(start, count)
        if taken < count {
            // Nothing has been begun, and may be left out.
            if taken == 0, !readiness.pointee.isTLS { return .blocked }
            guard taken >= 0 else {
                // While the connection is not read from, only a failed write tells that the peer has gone.
                core.sockets[number]?.cut()
                return .dead
            }
            keep(start + taken, count - taken, of: isFannedOut ? 0 : count)
        }
        core.figures.messagesOut &+= UInt64(messages)
        core.figures.bytesOut &+= UInt64(count)
        return .written
    }

    /// Bytes the socket has taken; see `sona_socket_send`.
    @inline(__always)
    private func send(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int {
        let socket = readiness.pointee
        guard let wsi = socket.wsi else { return -1 }
        return sona_socket_send(wsi, socket.descriptor, socket.isTLS ? 1 : 0, start, count)
    }

    /// Keeps what the socket has not taken of a frame; it goes out before anything else.
    ///
    /// - Parameter message: Bytes of the whole message; 0 for sound, which is fanned out. A listener's buffer is what
    ///   bounds its lag, so it does not grow for that.
    func keep(_ start: UnsafePointer<UInt8>, _ count: Int, of message: Int = 0) {
        let unfinished = begun()
        unfinished.rest = Array(UnsafeBufferPointer(start: start, count: count))
        unfinished.restStart = 0
        noteReadiness()
        waitForSocket(message)
    }

    /// A message of more bytes is an answer that somebody waits for. Smaller ones do not make the kernel take more, so
    /// that peers which read nothing are noticed early (`LoopSocket.isStalled`).
    private static let longMessageBytes = 4 * 1024
    private static let muchBytes = 16 * 1024

    /// Something waits for the socket, which has to take some of it before long.
    ///
    /// - Parameter message: Bytes of the message that waits.
    private func waitForSocket(_ message: Int) {
        if !isClient {
            let socket = core.sockets[number]
            if message > Self.longMessageBytes || queuedBytes > Self.muchBytes { socket?.growBuffer() }
            socket?.expectTaking()
        }
        requestWritable()
    }

    /// Writes what waits, as far as the socket takes it. False if the connection is dead.
    private func flush() -> Bool {
        guard let unfinished else { return true }
        defer { noteReadiness() }
        if isClient {
            while !isBlocked, let message = unfinished.queue.first {
                unfinished.queue.removeFirst()
                if sendMasked(message) < 0 { return false }
            }
            return true
        }
        while !unfinished.rest.isEmpty {
            let taken = unfinished.rest.withUnsafeBufferPointer { bytes in
                bytes.baseAddress.map { send($0 + unfinished.restStart, bytes.count - unfinished.restStart) } ?? -1
            }
            guard taken >= 0 else { return false }
            guard taken > 0 else { return true }
            unfinished.restStart += taken
            core.sockets[number]?.expectTaking()
            if unfinished.restStart == unfinished.rest.count {
                unfinished.rest = []
                unfinished.restStart = 0
            }
        }
        var hasWritten = false
        defer { if hasWritten { core.sockets[number]?.expectTaking() } }
        while let message = unfinished.queue.first {
            let frame: WebSocketFrame
            switch message {
            case .frame(let made): frame = made
            case .urgent(let make): frame = WebSocketFrame(binary: make())
            case .client: preconditionFailure("What a client sends is in no server's queue.")
            }
            switch write(frame) {
            case .dead: return false
            case .blocked: return true
            case .written:
                unfinished.queue.removeFirst()
                hasWritten = true
            }
        }
        if unfinished.rest.isEmpty { core.sockets[number]?.shrinkBuffer() }
        return true
    }

    /// Bytes that the kernel holds for the peer, sent and not acknowledged or not sent yet: what a peer that does not
    /// read is behind by (SIOCOUTQ, tcp(7)). A system call.
    public var unsentBytes: Int {
        guard let wsi else { return 0 }
        return Int(sona_unsent_bytes(lws_get_socket_fd(wsi)))
    }

    /// TCP's smoothed round trip to the peer, µs (TCP_INFO, tcp(7)); `nil` where the socket is none of TCP's. A system
    /// call.
    public var smoothedRoundTripMicroseconds: Int? {
        guard let wsi else { return nil }
        let microseconds = sona_smoothed_round_trip(lws_get_socket_fd(wsi))
        return microseconds < 0 ? nil : Int(microseconds)
    }

    /// Asks for a `webSocketWritable` call as soon as the socket takes more.
    public func requestWritable() {
        guard state != .ended, let wsi else { return }
        lws_callback_on_writable(wsi)
    }

    private func enqueue(_ message: SendQueue.Message) {
        guard state == .open else { return }
        guard queuedBytes + message.bytes <= limits.queue else {
            dropQueue()
            close(limits.tooSlowCode, "the connection does not read what it is sent")
            return
        }
        let isFirst = isQueueEmpty && !isBlocked
        begun().queue.append(message)
        noteReadiness()
        isFirst ? waitForSocket(message.bytes) : requestWritable()
    }

    // MARK: From the callbacks

    /// The handshake is through.
    ///
    /// - Parameter answer: A server's, with which it begins.
    func opened(_ wsi: OpaquePointer, descriptor: Int32, isTLS: Bool = false, after answer: [UInt8]? = nil) {
        readiness.pointee.wsi = wsi
        readiness.pointee.descriptor = descriptor
        readiness.pointee.isTLS = isTLS
        notePatience()
        guard state == .opening else { return }
        state = .open
        heardFrom()
        if let answer {
            let taken = answer.withUnsafeBufferPointer { bytes in
                bytes.baseAddress.map { base -> Int in
                    let taken = send(base, bytes.count)
                    if taken >= 0, taken < bytes.count { keep(base + taken, bytes.count - taken) }
                    return taken
                } ?? -1
            }
            guard taken >= 0 else { return cut() }
        }
        if limits.silence != nil { core.pings.add(self) }
        handler?.webSocketOpened(self)
    }

    func heardFrom() {
        readiness.pointee.heardAt = MonotonicClock.nowMicroseconds()
    }

    func receivedPong() {
        heardFrom()
        handler?.webSocketHeard(self)
    }

    /// Returns what libwebsockets is told: 0 to go on, -1 to hang up.
    func becameWritable() -> Int32 {
        guard wsi != nil, state != .ended else { return -1 }
        guard flush() else { return -1 }
        if isBlocked || !isQueueEmpty {
            requestWritable()
            return 0
        }
        forgetFinished()
        if state == .open { handler?.webSocketWritable(self) }
        return closeIfRequested()
    }

    func deliver(_ message: UnsafeRawBufferPointer, _ isText: Bool) {
        core.figures.messagesIn &+= 1
        core.figures.bytesIn &+= UInt64(message.count)
        handler?.webSocket(self, received: message, isText: isText)
    }

    /// Takes a part of a message.
    ///
    /// - Parameters:
    ///   - missing: Bytes of the same frame that are still to come.
    ///   - isWhole: The message ends with this part.
    func take(_ piece: UnsafeRawBufferPointer, missing: Int, isText: Bool, isWhole: Bool) {
        guard state == .open else { return }
        let limit = isText ? limits.text : limits.binary
        let assembled = unfinished?.assembly.count ?? 0
        guard assembled + piece.count <= limit, missing <= limit - assembled - piece.count else {
            fail(1009, "a message may have \(limit) bytes")
            return
        }
        var utf8 = unfinished?.utf8 ?? UTF8Check()
        if isText {
            guard utf8.accept(piece), !isWhole || utf8.isComplete else {
                fail(1007, "a text message must be UTF-8")
                return
            }
        }
        if isWhole { unfinished?.messageDue = .max }
        if isWhole, assembled == 0 {
            unfinished?.utf8 = UTF8Check()
            deliver(piece, isText)
        } else if isWhole {
            let message = (unfinished?.assembly ?? []) + piece
            unfinished?.assembly = []
            unfinished?.utf8 = UTF8Check()
            message.withUnsafeBytes { deliver($0, isText) }
        } else {
            let unfinished = begun()
            unfinished.assembly.append(contentsOf: piece)
            unfinished.utf8 = utf8
        }
    }

    func sendPing(_ frame: WebSocketFrame) {
        guard state == .open, !isClient else { return }
        _ = write(frame)
    }
}
