internal import CLibwebsockets

/// The header of a frame that a client sent (RFC 6455 §5.2).
struct FrameHeader {
    enum Opcode: UInt8 {
        case continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10
        var isControl: Bool { rawValue >= 8 }
    }

    var opcode: Opcode
    var isFinal: Bool
    /// Bytes of payload.
    var count: Int
    /// The four bytes that the payload is masked with, as they lie in memory.
    var mask: UInt32
    /// Bytes of the header itself.
    var headerBytes: Int

    static let bytesMax = 14

    enum Parsed {
        /// More bytes are needed.
        case unfinished
        case header(FrameHeader)
        /// A fault, in words: the connection closes with 1002.
        case fault(StaticString)
    }

    static func parse(_ bytes: UnsafeRawBufferPointer) -> Parsed {
        guard bytes.count >= 2 else { return .unfinished }
        guard bytes[0] & 0x70 == 0 else { return .fault("no extension is in use") }
        guard let opcode = Opcode(rawValue: bytes[0] & 0x0F) else { return .fault("the opcode is unknown") }
        guard bytes[1] & 0x80 != 0 else { return .fault("a client masks its frames") }
        let isFinal = bytes[0] & 0x80 != 0
        let short = Int(bytes[1] & 0x7F)
        if opcode.isControl {
            guard isFinal else { return .fault("a control frame is not fragmented") }
            guard short <= 125 else { return .fault("a control frame has 125 bytes at most") }
        }
        let lengthBytes = short == 126 ? 2 : short == 127 ? 8 : 0
        guard bytes.count >= 2 + lengthBytes + 4 else { return .unfinished }
        var count = short
        if lengthBytes > 0 {
            var wide: UInt64 = 0
            for index in 0..<lengthBytes { wide = wide << 8 | UInt64(bytes[2 + index]) }
            guard wide <= UInt64(Int.max) else { return .fault("the length has 63 bits") }
            guard wide > (lengthBytes == 2 ? 125 : 65535) else {
                return .fault("the length is not in its shortest form")
            }
            count = Int(wide)
        }
        let mask = bytes.loadUnaligned(fromByteOffset: 2 + lengthBytes, as: UInt32.self)
        return .header(
            FrameHeader(
                opcode: opcode, isFinal: isFinal, count: count, mask: mask, headerBytes: 2 + lengthBytes + 4))
    }

    /// Takes the mask off a part of the payload that begins `offset` bytes after its beginning, in place (RFC 6455 §5.3).
    func unmask(_ bytes: UnsafeMutableRawBufferPointer, offset: Int) {
        guard mask != 0, let base = bytes.baseAddress else { return }
        let turned = offset & 3
        // The mask as it begins at this byte.
        let here = turned == 0 ? mask : mask >> UInt32(8 * turned) | mask << UInt32(32 - 8 * turned)
        let wide = UInt64(here) | UInt64(here) << 32
        var index = 0
        while index + 8 <= bytes.count {
            let word = base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            base.storeBytes(of: word ^ wide, toByteOffset: index, as: UInt64.self)
            index += 8
        }
        while index < bytes.count {
            let part = UInt8(truncatingIfNeeded: here >> UInt32(8 * (index & 3)))
            base.storeBytes(
                of: base.load(fromByteOffset: index, as: UInt8.self) ^ part, toByteOffset: index, as: UInt8.self)
            index += 1
        }
    }
}

/// The state between two reads of a client's frames.
struct IncomingFrames {
    /// Bytes read and not yet parsed: the beginning of a header, or the rest of a large read.
    var unread: [UInt8] = []
    /// The frame whose payload is coming, and how much of that has come.
    var frame: FrameHeader?
    var offset = 0
    /// The part of a control frame's payload that has arrived.
    var control: [UInt8] = []
    /// A message has begun that is not at its end; whether it is text.
    var isTextBegun: Bool?
    /// Whether `unread` is parsed in the next iteration.
    var isReadOnDue = false

    var isIdle: Bool { unread.isEmpty && frame == nil && isTextBegun == nil }
    /// A message is there in part, and the rest of it has not come yet.
    var hasBegun: Bool { frame != nil || isTextBegun != nil || !unread.isEmpty && !isReadOnDue }
}

/// Reading what clients of a server send.
extension WebSocketConnection {
    /// Messages of one connection that are handed on in one iteration: others have their turn in between.
    private static let messagesPerIteration = 64
    /// Seconds within which a message must have come whole, from when the beginning of it was left unfinished.
    private static let messageSeconds = 30

    /// Takes bytes of the connection. False if it is to be closed.
    func received(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
        heardFrom()
        if isBare {
            if hears, state == .open {
                handler?.webSocket(self, received: UnsafeRawBufferPointer(bytes), isText: false)
            }
            return state != .ended && closeIfRequested() == 0
        }
        if let unfinished, !unfinished.incoming.unread.isEmpty {
            unfinished.incoming.unread.append(contentsOf: bytes)
            guard !isPaused, !unfinished.incoming.isReadOnDue else { return true }
            return readOn()
        }
        let used = read(bytes)
        return settle(bytes[used...])
    }

    /// Looks at what was read before.
    func readOn() -> Bool {
        guard let unfinished, state != .ended else { return state != .ended }
        unfinished.incoming.isReadOnDue = false
        guard !isPaused else { return true }
        var bytes = unfinished.incoming.unread
        unfinished.incoming.unread = []
        return bytes.withUnsafeMutableBytes { bytes in
            let used = read(bytes)
            return settle(bytes[used...])
        }
    }

    /// Keeps what could not be dealt with, and says what comes next.
    private func settle(_ left: Slice<UnsafeMutableRawBufferPointer>) -> Bool {
        guard state != .ended, wsi != nil, unfinished?.isOver != true else { return false }
        if !left.isEmpty {
            let unfinished = begun()
            unfinished.incoming.unread = Array(left)
            // More than the beginning of a header is left where others are to have their turn, or nothing is to be read.
            if !isPaused, left.count >= FrameHeader.bytesMax {
                core.sockets[number]?.pauseReading()
                unfinished.incoming.isReadOnDue = true
                core.readOnLater(number)
            }
        }
        if isPaused { core.sockets[number]?.pauseReading() }
        if let unfinished {
            if !unfinished.incoming.hasBegun {
                unfinished.messageDue = .max
            } else if unfinished.messageDue == .max, !isPaused {
                unfinished.messageDue = MonotonicClock.nowMicroseconds() + Int64(Self.messageSeconds) * 1_000_000
                // The deadline of bytes that wait for the peer may come sooner, and takes precedence.
                if let socket = core.sockets[number], socket.deadline == .max {
                    socket.expect(within: Self.messageSeconds)
                }
            }
        }
        forgetFinished()
        return closeIfRequested() == 0 && unfinished?.isOver != true
    }

    /// Reads whole frames, and of the last what is there. Returns how many bytes it took.
    private func read(_ bytes: UnsafeMutableRawBufferPointer) -> Int {
        var used = 0
        var budget = Self.messagesPerIteration
        while used < bytes.count, budget > 0, !isPaused, wsi != nil {
            if unfinished?.isPeerDone == true { return bytes.count }
            if let incoming = unfinished?.incoming, let frame = incoming.frame {
                let count = min(frame.count - incoming.offset, bytes.count - used)
                payload(frame, incoming.offset, UnsafeMutableRawBufferPointer(rebasing: bytes[used..<used + count]))
                used += count
                budget -= 1
                continue
            }
            switch FrameHeader.parse(UnsafeRawBufferPointer(rebasing: bytes[used...])) {
            case .unfinished: return used
            case .fault(let reason):
                fail(1002, "\(reason)")
                return bytes.count
            case .header(let frame):
                used += frame.headerBytes
                budget -= 1
                guard begin(frame) else { return bytes.count }
                let count = min(frame.count, bytes.count - used)
                payload(frame, 0, UnsafeMutableRawBufferPointer(rebasing: bytes[used..<used + count]))
                used += count
            }
        }
        return used
    }

    /// Checks what a frame may be where it comes. False if the connection has failed.
    private func begin(_ frame: FrameHeader) -> Bool {
        // After an error or our close nothing but the peer's close is of interest.
        guard state == .open else { return true }
        let begun = unfinished?.incoming.isTextBegun
        switch frame.opcode {
        case .continuation:
            if begun == nil { return fail(1002, "there is no message to go on with") }
        case .text, .binary:
            if begun != nil { return fail(1002, "the message before is not at its end") }
            if !frame.isFinal { self.begun().incoming.isTextBegun = frame.opcode == .text }
        case .close, .pong: return true
        case .ping: break
        }
        if frame.opcode == .ping || frame.count == 0 && !frame.isFinal, isIdleTalk(now: heardAt) {
            return fail(1008, "too many frames that carry nothing")
        }
        return true
    }

    /// Takes a part of a frame's payload, and notes what is missing.
    private func payload(_ frame: FrameHeader, _ offset: Int, _ bytes: UnsafeMutableRawBufferPointer) {
        frame.unmask(bytes, offset: offset)
        let missing = frame.count - offset - bytes.count
        if missing > 0 {
            let unfinished = begun()
            unfinished.incoming.frame = frame
            unfinished.incoming.offset = offset + bytes.count
        } else if let unfinished {
            unfinished.incoming.frame = nil
            unfinished.incoming.offset = 0
        }
        if frame.opcode.isControl {
            if missing > 0 { return begun().incoming.control.append(contentsOf: bytes) }
            if let unfinished, !unfinished.incoming.control.isEmpty {
                let whole = unfinished.incoming.control + bytes
                unfinished.incoming.control = []
                return whole.withUnsafeBytes { control(frame.opcode, $0) }
            }
            return control(frame.opcode, UnsafeRawBufferPointer(bytes))
        }
        guard state == .open else { return }
        let isText = unfinished?.incoming.isTextBegun ?? (frame.opcode == .text)
        let isWhole = missing == 0 && frame.isFinal
        if isWhole { unfinished?.incoming.isTextBegun = nil }
        take(UnsafeRawBufferPointer(bytes), missing: missing, isText: isText, isWhole: isWhole)
    }

    /// Frames without a message that a peer may send at once, and then in a second.
    private static let idleTalkMax: Int64 = 300
    private static let idleTalkPerSecond: Int64 = 50

    /// Counts a frame that costs its reading and carries nothing: a ping, or an empty piece of a message.
    ///
    /// - Returns: Whether it was one too many.
    private func isIdleTalk(now: Int64) -> Bool {
        let interval = 1_000_000 / Self.idleTalkPerSecond
        let forgottenAt = max(idleTalkForgottenAt, now) + interval
        guard forgottenAt - now <= Self.idleTalkMax * interval else { return true }
        idleTalkForgottenAt = forgottenAt
        return false
    }

    private func control(_ opcode: FrameHeader.Opcode, _ payload: UnsafeRawBufferPointer) {
        switch opcode {
        case .ping:
            guard state == .open else { return }
            // In its place among what is sent: before answers to what came later.
            send(WebSocketFrame(.pong, Array(payload)))
        case .pong: receivedPong()
        case .close: peerCloses(payload)
        case .continuation, .text, .binary: return
        }
    }

    /// The peer broke the protocol: it is told so, and nothing more of it is looked at (RFC 6455 §7.1.7). Where its next
    /// frame begins may not even be known.
    @discardableResult
    func fail(_ code: UInt16, _ reason: String) -> Bool {
        unfinished?.assembly = []
        if !isClient, state == .open {
            dropQueue()
            begun().isPeerDone = true
        }
        close(code, reason)
        return false
    }

    // MARK: Being read

    /// Stops reading from the socket: the peer is held back by TCP. Its pings wait too.
    public func pauseReading() {
        guard wsi != nil, state == .open, !isPaused else { return }
        isPaused = true
        isClient ? core.pauseAfterIteration(number) : core.sockets[number]?.pauseReading()
    }

    /// Reads on after `pauseReading`. Does nothing if reading is not paused.
    public func resumeReading() {
        guard isPaused else { return }
        isPaused = false
        guard let wsi, state == .open else { return }
        // A peer that has reset the connection is gone. The bytes it sent before would only get the connection paused again.
        if let socket = core.sockets[number], socket.isReset { return socket.cut() }
        guard !isClient else {
            lws_rx_flow_control(wsi, 1)
            // libwebsockets delivers bytes it had read before the pause, which it has with TLS only, in an iteration of
            // its own. On libuv that iteration follows only on an event of a socket of the same context.
            return core.loop.wake()
        }
        guard let unfinished, !unfinished.incoming.unread.isEmpty else {
            return core.sockets[number]?.resumeReading() ?? ()
        }
        guard !unfinished.incoming.isReadOnDue else { return }
        unfinished.incoming.isReadOnDue = true
        core.readOnLater(number)
    }
}

extension LoopCore {
    /// Has a connection's bytes that were read looked at in the next iteration.
    func readOnLater(_ number: UInt64) {
        readingOn.append(number)
        loop.wake()
    }

    /// At the end of an iteration.
    func readOn() {
        guard !readingOn.isEmpty else { return }
        let numbers = readingOn
        readingOn = []
        for number in numbers {
            guard let socket = sockets[number], socket.isAlive, let webSocket = socket.webSocket else { continue }
            guard webSocket.readOn() else {
                socket.cut()
                continue
            }
            // Nothing is left that the next iteration would look at: the socket has its turn again.
            if webSocket.wantsReading { socket.resumeReading() }
        }
        if !readingOn.isEmpty { pace.hurry() }
    }
}

extension WebSocketConnection {
    fileprivate var wantsReading: Bool {
        !isPaused && !(unfinished?.incoming.isReadOnDue ?? false)
    }
}
