internal import CLibwebsockets

/// One WebSocket, ours or a client's, on one loop.
///
/// States: opening → open (`opened`) → closing (`close`, or the peer's close) → closeSent (a server's close frame is
/// out) → ended. What is sent outside of open is dropped silently: the end is reported once, by `webSocketClosed`.
///
/// A server's close frames are written here. libwebsockets would do it, but Debian's build of 4.1.6 closes every
/// connection twice when it runs on libuv (a leftover of its own tests, compiled in by `_DEBUG`), and the second time
/// cuts the socket before the frame is out.
///
/// Sending goes straight to the socket when nothing is pending; otherwise it waits in a queue of this connection that
/// is bounded by `WebSocketLimits.queue`. Nothing may be written while libwebsockets holds a partial write
/// (`lws_partial_buffered`): 4.1.6 would then send frames without their headers.
///
/// Nearly all of them listen and are idle: what such a one does not need is in `Unfinished`.
public final class WebSocketConnection {
    public let number: UInt64
    public let limits: WebSocketLimits
    public var handler: (any WebSocketHandler)?

    /// What fan-out has to know of a connection, in memory of its own: looking at it counts no reference. 24 bytes, as
    /// many as malloc(3) gives to the smallest.
    struct Readiness {
        var wsi: OpaquePointer?
        /// When the peer was last heard, µs of `MonotonicClock`. No matter of fan-out's, but there is room.
        var heardAt: Int64
        /// It is open, and nothing sent earlier waits here.
        var isClear = false
    }

    /// What has been begun and not been done with.
    final class Unfinished {
        /// What waits for the socket.
        var queue = SendQueue()
        /// What has come of a message.
        var assembly: [UInt8] = []
        var utf8 = UTF8Check()
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
    var closeCode: UInt16 = 1000
    var pingSlot: PingWheel.Slot?
    var isPauseDue = false
    /// What comes from it may wait for the next turn of a loop that takes its time (`EventLoop.slowDown`).
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

    private func noteReadiness() { readiness.pointee.isClear = state == .open && isQueueEmpty }

    func begun() -> Unfinished {
        if let unfinished { return unfinished }
        let first = Unfinished()
        unfinished = first
        return first
    }

    /// An open connection for which nothing waits keeps nothing.
    private func forgetFinished() {
        guard state == .open, let unfinished, unfinished.queue.isEmpty, unfinished.assembly.isEmpty,
            unfinished.utf8.isComplete
        else { return }
        self.unfinished = nil
    }

    func dropQueue() {
        unfinished?.queue.removeAll()
        noteReadiness()
    }

    // MARK: Sending

    public var isOpen: Bool { state == .open }
    /// Bytes that wait here, not counting what the kernel holds.
    public var queuedBytes: Int { unfinished?.queue.bytes ?? 0 }

    public func send(text bytes: [UInt8]) {
        isClient ? enqueue(.client(bytes, isText: true)) : send(WebSocketFrame(text: bytes))
    }

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
        guard state == .open, let wsi else { return }
        if !isClient, lws_partial_buffered(wsi) == 0 {
            _ = write(WebSocketFrame(binary: make()))
            return
        }
        enqueue(.urgent(make))
    }

    public enum WriteResult { case written, blocked, dead }

    /// Hands a frame to the socket if it can take it whole now, and keeps nothing if not. For fan-out, which has a
    /// queue of its own. O(1), no allocation.
    @inline(__always)
    public func writeNow(_ frame: WebSocketFrame) -> WriteResult {
        guard state == .open, isQueueEmpty else { return state == .open ? .blocked : .dead }
        return write(frame)
    }

    /// The same for bytes that are so many whole frames.
    func writeNow(_ start: UnsafeMutablePointer<UInt8>, _ count: Int, messages: Int) -> WriteResult {
        guard state == .open, isQueueEmpty else { return state == .open ? .blocked : .dead }
        return write(start, count, messages: messages)
    }

    func write(_ frame: WebSocketFrame) -> WriteResult { write(frame.start, frame.count, messages: 1) }

    private func write(_ start: UnsafeMutablePointer<UInt8>, _ count: Int, messages: Int) -> WriteResult {
        guard let wsi else { return .dead }
        if lws_partial_buffered(wsi) != 0 { return .blocked }
        core.figures.messagesOut &+= UInt64(messages)
        core.figures.bytesOut &+= UInt64(count)
        // A short write is kept and finished by libwebsockets; a failed one is followed by its close callback.
        return sona_lws_write_raw(wsi, start, count) < 0 ? .dead : .written
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
        begun().queue.append(message)
        noteReadiness()
        requestWritable()
    }

    // MARK: Reading

    /// Stops reading from the socket: the peer is held back by TCP. Its pings wait too. What has been read already is
    /// still handed on, up to a TLS record (16 KiB, RFC 8446 §5.1).
    public func pauseReading() {
        guard wsi != nil, state == .open, !isPauseDue else { return }
        isPauseDue = true
        core.pauseAfterTurn(number)
    }

    /// Between turns. From inside of its callback for what was received, 4.1.6 would go on to read the rest of a TLS
    /// record for ever: it puts by what it may not hand on, and takes that for having read.
    func pauseIfDue() {
        guard isPauseDue, let wsi else { return }
        isPauseDue = false
        if state == .open { lws_rx_flow_control(wsi, 0) }
    }

    public func resumeReading() {
        isPauseDue = false
        guard let wsi, state == .open else { return }
        lws_rx_flow_control(wsi, 1)
        // What libwebsockets had read before it was paused, which it has with TLS only, comes with a turn of its own, which
        // on libuv follows on something a socket of the same context does and on nothing else.
        core.loop.wake()
    }

    // MARK: From the callbacks. Each returns what libwebsockets is told: 0 to go on, -1 to hang up.

    func opened(_ wsi: OpaquePointer) {
        readiness.pointee.wsi = wsi
        notePatience()
        guard state == .opening else { return }
        state = .open
        heardFrom()
        if limits.silence != nil { core.pings.add(self) }
        handler?.webSocketOpened(self)
    }

    func received(_ piece: UnsafeRawBufferPointer) -> Int32 {
        guard let wsi else { return -1 }
        let missing = lws_remaining_packet_payload(wsi)
        if core.pace.isSlow { core.leftUnread.note(wsi, number, bytes: piece.count, isWhole: missing == 0) }
        guard state == .open else { return closeIfRequested() }
        heardFrom()
        let isText = lws_frame_is_binary(wsi) == 0
        let limit = isText ? limits.text : limits.binary
        let assembled = unfinished?.assembly.count ?? 0
        guard assembled + piece.count <= limit, missing <= limit - assembled - piece.count else {
            unfinished?.assembly = []
            close(1009, "a message may have \(limit) bytes")
            return closeIfRequested()
        }
        let isWhole = missing == 0 && lws_is_final_fragment(wsi) != 0
        var utf8 = unfinished?.utf8 ?? UTF8Check()
        if isText {
            guard utf8.accept(piece), !isWhole || utf8.isComplete else {
                unfinished?.assembly = []
                close(1007, "a text message must be UTF-8")
                return closeIfRequested()
            }
        }
        if isWhole, assembled == 0 {
            deliver(piece, isText)
        } else if isWhole {
            let message = (unfinished?.assembly ?? []) + piece
            unfinished?.assembly = []
            unfinished?.utf8 = UTF8Check()
            forgetFinished()
            message.withUnsafeBytes { deliver($0, isText) }
        } else {
            let unfinished = begun()
            unfinished.assembly.append(contentsOf: piece)
            unfinished.utf8 = utf8
        }
        return closeIfRequested()
    }

    private func deliver(_ message: UnsafeRawBufferPointer, _ isText: Bool) {
        core.figures.messagesIn &+= 1
        core.figures.bytesIn &+= UInt64(message.count)
        handler?.webSocket(self, received: message, isText: isText)
    }

    func heardFrom() {
        readiness.pointee.heardAt = MonotonicClock.nowMicroseconds()
    }

    func receivedPong() {
        heardFrom()
        handler?.webSocketHeard(self)
    }

    func becameWritable() -> Int32 {
        guard let wsi, state != .ended else { return -1 }
        if let unfinished {
            defer { noteReadiness() }
            while lws_partial_buffered(wsi) == 0, let message = unfinished.queue.popFirst() {
                if send(message, to: wsi) < 0 { return -1 }
            }
        }
        if lws_partial_buffered(wsi) != 0 || !isQueueEmpty {
            lws_callback_on_writable(wsi)
            return 0
        }
        forgetFinished()
        if state == .open { handler?.webSocketWritable(self) }
        return closeIfRequested()
    }

    private func send(_ message: SendQueue.Message, to wsi: OpaquePointer) -> Int32 {
        switch message {
        case .frame(let frame):
            return write(frame) == .dead ? -1 : 0
        case .urgent(let make):
            let bytes = make()
            if isClient { return sendMasked(bytes, isText: false, wsi) }
            return write(WebSocketFrame(binary: bytes)) == .dead ? -1 : 0
        case .client(let bytes, let isText):
            return sendMasked(bytes, isText: isText, wsi)
        }
    }

    private func sendMasked(_ bytes: [UInt8], isText: Bool, _ wsi: OpaquePointer) -> Int32 {
        let headroom = Int(sona_lws_pre)
        core.clientScratch.removeAll(keepingCapacity: true)
        core.clientScratch.append(contentsOf: repeatElement(0, count: headroom))
        core.clientScratch.append(contentsOf: bytes)
        core.figures.messagesOut &+= 1
        core.figures.bytesOut &+= UInt64(bytes.count)
        return core.clientScratch.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return -1 }
            return lws_write(wsi, base + headroom, bytes.count, isText ? LWS_WRITE_TEXT : LWS_WRITE_BINARY)
        }
    }

    func sendPing(_ frame: WebSocketFrame) {
        guard state == .open, let wsi, lws_partial_buffered(wsi) == 0, !isClient else { return }
        _ = sona_lws_write_raw(wsi, frame.start, frame.count)
    }
}
