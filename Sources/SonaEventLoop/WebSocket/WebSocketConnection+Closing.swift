internal import CLibwebsockets

/// The ends a connection may come to: closed by this side or the other, dropped by libwebsockets, cut, or never opened.
extension WebSocketConnection {
    /// Ends the connection with a close frame (RFC 6455 §5.5.1) after what waits has been sent.
    ///
    /// A peer that does not take it within three seconds is cut.
    /// - Parameter reason: At most 123 bytes are sent.
    public func close(_ code: UInt16, _ reason: String) {
        guard state == .open || state == .opening else { return }
        state = .closing
        closeCode = code
        begun().closeReason = reason
        begun().ending.ownCode = code
        guard let wsi else { return }
        // All further bytes are read and dropped.
        if isPaused { resumeForClosing(wsi) }
        // A peer that does not read finds the frame after what its socket holds, should it ever read again.
        if !isQueueEmpty || isBlocked, let descriptor { sona_set_send_buffer(descriptor, Self.lastWordsBytes) }
        lws_callback_on_writable(wsi)
        cutAfterClosing()
    }

    private func resumeForClosing(_ wsi: OpaquePointer) {
        isPaused = false
        unfinished?.incoming = IncomingFrames()
        isClient ? _ = lws_rx_flow_control(wsi, 1) : core.sockets[number]?.resumeReading()
    }

    /// Cuts the connection where its end takes longer than three seconds.
    private func cutAfterClosing() {
        guard begun().closeDeadline == nil else { return }
        begun().closeDeadline = core.schedule(due: MonotonicClock.nowMicroseconds() + 3_000_000) { [weak self] in
            self?.cut()
        }
    }

    /// A deadline of its socket has passed (`LoopSocket.expect`).
    func deadlinePassed() {
        guard state == .open, let unfinished, let socket = core.sockets[number] else { return }
        if !isQueueEmpty || isBlocked, socket.isStalled() {
            core.figures.unreadClosed &+= 1
            dropQueue()
            return close(limits.tooSlowCode, "the connection does not read what it is sent")
        }
        let now = MonotonicClock.nowMicroseconds()
        guard unfinished.messageDue != .max else { return }
        guard now < unfinished.messageDue else {
            core.figures.timedOut &+= 1
            return close(1008, "a message must be whole within half a minute")
        }
        if socket.deadline == .max { socket.expect(within: Int((unfinished.messageDue - now) / 1_000_000) + 1) }
    }

    /// Bytes that a socket may hold while it is being closed: the usual buffer, one write that it did not take whole,
    /// and the close frame. The kernel doubles it.
    private static let lastWordsBytes: Int32 = 160 * 1024

    /// Ends the connection without a word. The end is reported from the loop, not from inside this call.
    public func cut() {
        guard state != .ended, let wsi else { return }
        state = .closeSent
        guard !isClient, let socket = core.sockets[number] else { return core.cut(wsi) }
        socket.cut()
    }

    // MARK: From the callbacks. Each returns what libwebsockets is told: 0 to go on, -1 to hang up.

    /// Sends the close frame if one is due and nothing of ours is in its way. Then the socket waits for the peer's
    /// close frame, for three seconds at most. Anything else the peer sends is read and discarded, since closing a
    /// socket with unread bytes would lose the frame (RFC 9293 §3.6, a reset).
    func closeIfRequested() -> Int32 {
        guard state == .closing, let wsi else { return 0 }
        guard isQueueEmpty, !isBlocked else { return 0 }
        if isBare {
            state = .closeSent
            core.sockets[number]?.finish()
            return 0
        }
        let closeReason = unfinished?.closeReason ?? ""
        guard isClient else {
            switch write(WebSocketFrame(closing: closeCode, closeReason)) {
            case .dead: return -1
            case .blocked:
                requestWritable()
                return 0
            case .written: break
            }
            state = .closeSent
            // The server is the first to end the connection (RFC 6455 §7.1.1).
            if unfinished?.isPeerDone == true { core.sockets[number]?.finish() }
            return 0
        }
        var reason = Array(closeReason.utf8.prefix(123))
        reason.withUnsafeMutableBufferPointer {
            lws_close_reason(wsi, lws_close_status(UInt32(closeCode)), $0.baseAddress, $0.count)
        }
        return -1
    }

    /// The peer's close frame. Returns what libwebsockets is told of a client's connection.
    @discardableResult
    func peerCloses(_ body: UnsafeRawBufferPointer) -> Int32 {
        // This is the answer to our close frame: it ends the connection and repeats our own code.
        if state == .closeSent {
            begun().isOver = true
            return -1
        }
        if body.count >= 2 {
            begun().ending.code = UInt16(body[0]) << 8 | UInt16(body[1])
            begun().ending.reason = String(decoding: body[2...], as: UTF8.self)
        }
        let code = unfinished?.ending.code
        core.figures.closedByPeer &+= 1
        guard !isClient, state != .ended else { return 0 }
        var check = UTF8Check()
        let isText = body.count < 3 || (check.accept(UnsafeRawBufferPointer(rebasing: body[2...])) && check.isComplete)
        let isFine = body.isEmpty || (body.count >= 2 && isText && code.map(Self.mayBeSent) == true)
        closeCode = isFine ? code ?? 1000 : isText ? 1002 : 1007
        begun().closeReason = ""
        begun().ending.ownCode = closeCode
        begun().isPeerDone = true
        dropQueue()
        state = .closing
        cutAfterClosing()
        // Before the answer: once the peer has that, it may be back over another connection.
        reportEnd()
        return 0
    }

    /// The codes that may stand in a close frame (RFC 6455 §7.4).
    private static func mayBeSent(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    func failed(_ message: String) {
        // The fault of the certificate says more than the failed handshake does.
        if !begun().ending.isUntrusted { begun().ending.failure = message }
    }

    func distrusts(_ sentence: String) {
        failed(sentence)
        begun().ending.isUntrusted = true
    }

    /// Silence went on for too long.
    func fellSilent() {
        core.figures.silent &+= 1
        close(limits.tooSlowCode, "nothing was heard from the connection")
    }

    func ended() {
        guard state != .ended else { return }
        state = .ended
        readiness.pointee.wsi = nil
        reportEnd()
        let unfinished = self.unfinished
        self.unfinished = nil
        if let deadline = unfinished?.closeDeadline { core.timers.cancel(deadline.number) }
        core.pings.remove(self)
    }

    /// Tells the handler how the connection ended, once: when a client's close frame has come, else with the socket's end.
    private func reportEnd() {
        let handler = self.handler
        self.handler = nil
        handler?.webSocketClosed(self, unfinished?.ending ?? WebSocketEnding())
    }
}
