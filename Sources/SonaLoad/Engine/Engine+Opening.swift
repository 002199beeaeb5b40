internal import CLoad
internal import Glibc
internal import SonaClient
internal import SonaWire

extension Engine {
    static let program = Program(name: "sonaload", version: LoadVersion.text)

    /// Begins to connect. `plannedAt` is what its times count from.
    func connect(_ slot: Int, plannedAt: UInt64) {
        let line = lines + slot
        line.pointee.plannedAt = plannedAt
        line.pointee.openedAt = LoadClock.now
        line.pointee.generation &+= 1
        // A reader that is to fall behind must not have half a minute of sound in its kernel.
        let receiveBytes: Int32? = line.pointee.reader == .ordinary ? nil : 16_384
        opening += 1
        line.pointee.phase = .connecting
        do {
            line.pointee.descriptor = try target.connect(ordinal: slot, blocking: false, receiveBytes: receiveBytes)
        } catch {
            return fail(slot, error.code == .machine ? "machine.exhausted" : "connect.refused", error.message)
        }
        watch(slot, Watch.writingToo, EPOLL_CTL_ADD)
    }

    func handle(_ slot: Int, _ kinds: UInt32, _ now: UInt64) {
        switch lines[slot].phase {
        case .unused, .closed, .waiting: return
        case .connecting: connected(slot)
        case .securing: secure(slot)
        default:
            if kinds & EPOLLOUT.rawValue != 0 && outboxes[slot] != nil { flush(slot) }
            if lines[slot].descriptor < 0 { return }
            let isOver = kinds & Watch.end != 0
            if isLaggard(slot) {
                if isOver { laggardEnded(slot, now) }
            } else {
                receive(slot, toTheEnd: isOver, limit: Self.inputBytesMax, now)
            }
        }
    }

    /// Whether what comes is left where it is: a slow reader has intervals of its own, a dead one has none.
    private func isLaggard(_ slot: Int) -> Bool {
        let line = lines + slot
        guard line.pointee.phase == .open || line.pointee.phase == .leaving else { return false }
        switch line.pointee.reader {
        case .ordinary: return false
        case .slow: return true
        case .dead: return line.pointee.hasHeard
        }
    }

    private func connected(_ slot: Int) {
        var error: Int32 = 0
        var length = socklen_t(4)
        getsockopt(lines[slot].descriptor, SOL_SOCKET, SO_ERROR, &error, &length)
        guard error == 0 else {
            return fail(
                slot, Target.isMachines(error) ? "machine.exhausted" : "connect.refused",
                "\(target.address) can't be reached: \(String(cString: strerror(error))).")
        }
        watch(slot, Watch.reading, EPOLL_CTL_MOD)
        guard let sessions else { return begin(slot) }
        guard let session = sessions.begin(lines[slot].descriptor) else {
            return fail(slot, "machine.tls", "OpenSSL gives no session.")
        }
        lines[slot].session = session
        lines[slot].phase = .securing
        secure(slot)
    }

    private func secure(_ slot: Int) {
        guard let session = lines[slot].session else { return }
        switch SecureSessions.handshake(session) {
        case .done: begin(slot)
        case .waiting: break
        case .failed:
            let why = SecureSessions.complaint(session) ?? "the TLS handshake failed"
            fail(slot, "connect.tls", "\(target.address) can't be trusted: \(why).")
        }
    }

    /// The line stands: what is to be said first?
    private func begin(_ slot: Int) {
        if lines[slot].role == .signUp { return askToSignUp(slot) }
        lines[slot].phase = .upgrading
        say(
            slot,
            WebSocketFrames.upgrade(
                authority: target.address.authority, path: Limits.webSocketPath, subprotocol: Limits.subprotocol))
    }

    /// - Returns: Whether the server agreed.
    func upgraded(_ slot: Int, _ head: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let status = HTTPHead.status(head), status == 101 else {
            let status = HTTPHead.status(head).map(String.init) ?? "none"
            fail(slot, "http.\(status)", "The server answers a WebSocket's handshake with status \(status).")
            return false
        }
        lines[slot].phase = .greeting
        greet(slot)
        return true
    }

    private func greet(_ slot: Int) {
        let line = lines[slot]
        var hello = Hello(client: Self.program, auth: .guest)
        if line.role == .host {
            let room = rooms[Int(line.room)]
            // An old token is replaced as soon as the connection stands.
            hello.auth = room.account?.isTokenOld == true ? nil : .token(room.token)
        } else if line.isReturning, let guest = guestTokens[slot] {
            hello.auth = .token(guest)
            hello.resume = resumeTokens[slot].map { token in
                SessionResume(
                    token: token, roomSequence: line.roomSequence < 0 ? nil : line.roomSequence,
                    sessionSequence: line.sessionSequence < 0 ? nil : line.sessionSequence,
                    packetSequence: line.hasSequence ? line.sequence : nil)
            }
        }
        say(slot, WebSocketFrames.frame(WebSocketFrames.text, Request.encode(id: RequestNumber.hello, hello)))
    }

    /// The server has answered the step that was under way.
    func stepDone(_ slot: Int, _ data: JSON) {
        let room = rooms[Int(lines[slot].room)]
        switch (lines[slot].phase, lines[slot].role) {
        case (.greeting, let role):
            welcomed(slot, data)
            // With a session that goes on, the room is one's own already.
            if role == .listener, data["resumed"]?.bool == true, data["stay"]?.object != nil {
                return opened(slot, isResumed: true)
            }
            if role == .host, let account = room.account, account.isTokenOld {
                lines[slot].phase = .signingIn
                let signIn = Request.encode(id: RequestNumber.signIn, account.signIn)
                return say(slot, WebSocketFrames.frame(WebSocketFrames.text, signIn))
            }
            lines[slot].phase = .joining
            say(slot, role == .host ? room.hostJoin : room.join)
        case (.signingIn, _):
            guard let grant = try? Grant(data) else {
                return fail(slot, "reply.unreadable", "The reply to auth.sign_in is not one.")
            }
            room.account?.hold(grant.accessToken)
            room.token = grant.accessToken
            lines[slot].phase = .joining
            say(slot, room.hostJoin)
        case (.joining, .host):
            lines[slot].phase = .starting
            let start = HostStart(stream: StreamOffer(channels: 2, preSkip: bank.preSkip), pacing: .server)
            say(slot, WebSocketFrames.frame(WebSocketFrames.text, Request.encode(id: RequestNumber.start, start)))
        case (.joining, _):
            lines[slot].roomSequence = data["seq"]?.integer ?? -1
            opened(slot, isResumed: false)
        case (.starting, _):
            guard let started = try? HostStarted(data) else {
                return fail(slot, "reply.unreadable", "The reply to host.start is not one.")
            }
            hostStarted(slot, started)
        default: break
        }
    }

    /// Has a host sign in again when it comes back.
    ///
    /// - Returns: Whether it can.
    func mayRenew(_ slot: Int) -> Bool {
        guard lines[slot].role == .host, rooms[Int(lines[slot].room)].account != nil else { return false }
        rooms[Int(lines[slot].room)].account?.tokenAt = nil
        return true
    }

    private func welcomed(_ slot: Int, _ data: JSON) {
        if let server = data["server"], serverProgram == nil {
            serverProgram = [server["name"]?.string, server["version"]?.string].compactMap { $0 }.joined(separator: " ")
        }
        resumeTokens[slot] = token("resume_token", Limits.resumeTokenBytes, in: data)
        if let guest = token("access_token", Limits.tokenBytes, in: data) { guestTokens[slot] = guest }
        if data["resumed"]?.bool != true {
            lines[slot].roomSequence = -1
            lines[slot].sessionSequence = -1
        }
        if lines[slot].role == .host, let server = data["server_us"]?.integer {
            clockOffset = server &- Int64(LoadClock.now / 1000)
        }
    }

    /// Nil, and an error noted, if it is not as long as the protocol has it: it is said to the server again.
    private func token(_ name: String, _ bytes: ClosedRange<Int>, in data: JSON) -> String? {
        guard let text = data[name]?.string else { return nil }
        guard bytes ~= text.utf8.count else {
            note("reply.unreadable", "The welcome's \(name) has \(text.utf8.count) bytes.")
            return nil
        }
        return text
    }

    /// In its room.
    private func opened(_ slot: Int, isResumed: Bool) {
        let line = lines + slot
        opening -= 1
        line.pointee.phase = .open
        line.pointee.inSince = LoadClock.now
        present += 1
        presentMax = max(presentMax, present)
        if line.pointee.isReturning {
            counts.pointee.reconnects += 1
            if isResumed { counts.pointee.resumed += 1 } else { line.pointee.joinFloor = line.pointee.next }
        } else {
            counts.pointee.joins += 1
        }
        if line.pointee.reader == .slow { watch(slot, Watch.endAlone, EPOLL_CTL_MOD) }
        if began > 0 && line.pointee.first == .max { beginSpan(slot) }
        if line.pointee.isUnwanted { leave(slot, LoadClock.now) }
    }

    /// From here on packets are expected.
    func beginSpan(_ slot: Int) {
        let sent = rooms[Int(lines[slot].room)].sent
        lines[slot].first = sent
        lines[slot].next = sent
        lines[slot].end = .max
    }

    func answerPing(_ slot: Int, _ payload: UnsafeBufferPointer<UInt8>) {
        say(slot, WebSocketFrames.frame(WebSocketFrames.pong, payload))
    }
}
