internal import CLoad
internal import Glibc
internal import SonaClient
internal import SonaWire

extension Engine {
    static let program = Program(name: "sonaload", version: LoadVersion.text)

    /// Begins to connect. The client's times count from `plannedAt`.
    func connect(_ slot: Int, plannedAt: UInt64) {
        let client = clients + slot
        client.pointee.plannedAt = plannedAt
        client.pointee.openedAt = LoadClock.now
        client.pointee.generation &+= 1
        // The kernel must not hold half a minute of sound for a reader that is meant to fall behind.
        let receiveBytes: Int32? = client.pointee.reader == .ordinary ? nil : 16_384
        opening += 1
        client.pointee.phase = .connecting
        do {
            client.pointee.descriptor = try target.connect(ordinal: slot, blocking: false, receiveBytes: receiveBytes)
        } catch {
            return fail(slot, error.code == .machine ? "machine.exhausted" : "connect.refused", error.message)
        }
        watch(slot, Watch.writingToo, EPOLL_CTL_ADD)
    }

    func handle(_ slot: Int, _ kinds: UInt32, _ now: UInt64) {
        switch clients[slot].phase {
        case .unused, .closed, .waiting: return
        case .connecting: connected(slot)
        case .securing: secure(slot)
        default:
            if kinds & EPOLLOUT.rawValue != 0 && outboxes[slot] != nil { flush(slot) }
            if clients[slot].descriptor < 0 { return }
            let isOver = kinds & Watch.end != 0
            if isLaggard(slot) {
                if isOver { laggardEnded(slot, now) }
            } else {
                receive(slot, toTheEnd: isOver, limit: Self.inputBytesMax, now)
            }
        }
    }

    /// Whether incoming data stays unread for now: a slow reader reads at intervals of its own, a dead one never.
    private func isLaggard(_ slot: Int) -> Bool {
        let client = clients + slot
        guard client.pointee.phase == .open || client.pointee.phase == .leaving else { return false }
        switch client.pointee.reader {
        case .ordinary: return false
        case .slow: return true
        case .dead: return client.pointee.hasHeard
        }
    }

    private func connected(_ slot: Int) {
        var error: Int32 = 0
        var length = socklen_t(4)
        getsockopt(clients[slot].descriptor, SOL_SOCKET, SO_ERROR, &error, &length)
        guard error == 0 else {
            return fail(
                slot, Target.isMachines(error) ? "machine.exhausted" : "connect.refused",
                "\(target.address) can't be reached: \(String(cString: strerror(error))).")
        }
        watch(slot, Watch.reading, EPOLL_CTL_MOD)
        guard let sessions else { return begin(slot) }
        guard let session = sessions.begin(clients[slot].descriptor) else {
            return fail(slot, "machine.tls", "OpenSSL gives no session.")
        }
        clients[slot].session = session
        clients[slot].phase = .securing
        secure(slot)
    }

    private func secure(_ slot: Int) {
        guard let session = clients[slot].session else { return }
        switch SecureSessions.handshake(session) {
        case .done: begin(slot)
        case .waiting: break
        case .failed:
            let why = SecureSessions.complaint(session) ?? "the TLS handshake failed"
            fail(slot, "connect.tls", "\(target.address) can't be trusted: \(why).")
        }
    }

    /// Sends the first message once the connection stands.
    private func begin(_ slot: Int) {
        if clients[slot].role == .signUp { return askToSignUp(slot) }
        clients[slot].phase = .upgrading
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
        clients[slot].phase = .greeting
        greet(slot)
        return true
    }

    private func greet(_ slot: Int) {
        let client = clients[slot]
        var hello = Hello(client: Self.program, auth: .guest)
        if client.role == .host {
            let room = rooms[Int(client.room)]
            // An old token is replaced as soon as the connection stands.
            hello.auth = room.account?.isTokenOld == true ? nil : .token(room.token)
        } else if client.isReturning, let guest = guestTokens[slot] {
            hello.auth = .token(guest)
            hello.resume = resumeTokens[slot].map { token in
                SessionResume(
                    token: token, roomSequence: client.roomSequence < 0 ? nil : client.roomSequence,
                    sessionSequence: client.sessionSequence < 0 ? nil : client.sessionSequence,
                    packetSequence: client.hasSequence ? client.sequence : nil)
            }
        }
        say(slot, WebSocketFrames.frame(WebSocketFrames.text, Request.encode(id: RequestNumber.hello, hello)))
    }

    /// The server has answered the step that was under way.
    func stepDone(_ slot: Int, _ data: JSON) {
        let room = rooms[Int(clients[slot].room)]
        switch (clients[slot].phase, clients[slot].role) {
        case (.greeting, let role):
            welcomed(slot, data)
            // A session that goes on is in the room already.
            if role == .listener, data["resumed"]?.bool == true, data["stay"]?.object != nil {
                return opened(slot, isResumed: true)
            }
            if role == .host, let account = room.account, account.isTokenOld {
                clients[slot].phase = .signingIn
                let signIn = Request.encode(id: RequestNumber.signIn, account.signIn)
                return say(slot, WebSocketFrames.frame(WebSocketFrames.text, signIn))
            }
            clients[slot].phase = .joining
            say(slot, role == .host ? room.hostJoin : room.join)
        case (.signingIn, _):
            guard let grant = try? Grant(data) else {
                return fail(slot, "reply.unreadable", "The reply to auth.sign_in is not one.")
            }
            room.account?.hold(grant.accessToken)
            room.token = grant.accessToken
            clients[slot].phase = .joining
            say(slot, room.hostJoin)
        case (.joining, .host):
            clients[slot].phase = .starting
            let start = HostStart(stream: StreamOffer(channels: 2, preSkip: bank.preSkip), pacing: .server)
            say(slot, WebSocketFrames.frame(WebSocketFrames.text, Request.encode(id: RequestNumber.start, start)))
        case (.joining, _):
            clients[slot].roomSequence = data["seq"]?.integer ?? -1
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
        guard clients[slot].role == .host, rooms[Int(clients[slot].room)].account != nil else { return false }
        rooms[Int(clients[slot].room)].account?.tokenAt = nil
        return true
    }

    private func welcomed(_ slot: Int, _ data: JSON) {
        if let server = data["server"], serverProgram == nil {
            serverProgram = [server["name"]?.string, server["version"]?.string].compactMap { $0 }.joined(separator: " ")
        }
        resumeTokens[slot] = token("resume_token", Limits.resumeTokenBytes, in: data)
        if let guest = token("access_token", Limits.tokenBytes, in: data) { guestTokens[slot] = guest }
        if data["resumed"]?.bool != true {
            clients[slot].roomSequence = -1
            clients[slot].sessionSequence = -1
        }
        if clients[slot].role == .host, let server = data["server_us"]?.integer {
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

    /// Called once a client is in its room.
    private func opened(_ slot: Int, isResumed: Bool) {
        let client = clients + slot
        opening -= 1
        client.pointee.phase = .open
        client.pointee.inSince = LoadClock.now
        present += 1
        presentMax = max(presentMax, present)
        if client.pointee.isReturning {
            counts.pointee.reconnects += 1
            if isResumed { counts.pointee.resumed += 1 } else { client.pointee.joinFloor = client.pointee.next }
        } else {
            counts.pointee.joins += 1
        }
        if client.pointee.reader == .slow { watch(slot, Watch.endAlone, EPOLL_CTL_MOD) }
        if began > 0 && client.pointee.first == .max { beginSpan(slot) }
        if client.pointee.isUnwanted { leave(slot, LoadClock.now) }
    }

    /// Begins the span in which packets are expected.
    func beginSpan(_ slot: Int) {
        let sent = rooms[Int(clients[slot].room)].sent
        clients[slot].first = sent
        clients[slot].next = sent
        clients[slot].end = .max
    }

    func answerPing(_ slot: Int, _ payload: UnsafeBufferPointer<UInt8>) {
        say(slot, WebSocketFrames.frame(WebSocketFrames.pong, payload))
    }
}
