internal import CLoad
internal import Glibc
internal import SonaBase
internal import SonaWire

extension Engine {
    /// After this many attempts in a row a client stays away.
    private static let failuresMax: UInt8 = 6

    /// A client that was in for so long did get in, and its earlier failures no longer count.
    private static let steadyAfter: UInt64 = 1_000_000_000

    /// Releases the resources of a client. Sends nothing to the server.
    func release(_ slot: Int) {
        let client = clients + slot
        if let session = client.pointee.session { SSL_free(session) }
        client.pointee.session = nil
        if client.pointee.descriptor >= 0 { close(client.pointee.descriptor) }
        client.pointee.descriptor = -1
        client.pointee.kept?.deallocate()
        client.pointee.kept = nil
        client.pointee.keptCount = 0
        outboxes[slot] = nil
        probers[slot]?.lost()
    }

    /// Ends a client's connection, and its part in the counts of those under way and there.
    private func drop(_ slot: Int, to phase: LoadClient.Phase) {
        switch clients[slot].phase {
        case .connecting, .securing, .upgrading, .greeting, .signingIn, .joining, .starting, .answering: opening -= 1
        case .open, .leaving: if clients[slot].role == .listener { present -= 1 }
        case .unused, .waiting, .closed: break
        }
        clients[slot].phase = phase
        release(slot)
    }

    /// An attempt to get in did not succeed.
    func fail(_ slot: Int, _ code: String, _ sentence: String) {
        note(code, sentence)
        let client = clients + slot
        drop(slot, to: .closed)
        if client.pointee.role == .signUp { return signUpFailed(slot) }
        client.pointee.failures += 1
        if client.pointee.isUnwanted { return settle(slot) }
        guard client.pointee.failures < Self.failuresMax else { return givenUp += 1 }
        scheduleReturn(slot, backoff: true)
    }

    /// The server or the network has ended a connection that stood.
    ///
    /// - Parameters:
    ///   - closeCode: 0 if there was none.
    ///   - isNoted: Whether it is counted by another code already.
    func lost(_ slot: Int, closeCode: Int, isNoted: Bool = false) {
        let client = clients + slot
        let isOpen = client.pointee.phase == .open || client.pointee.phase == .leaving
        let code = closeCode == 0 ? "connection.lost" : "close.\(closeCode)"
        let sentence = closeCode == 0 ? "The connection ended without a close." : "The server closed with \(closeCode)."
        if !isOpen {
            // Before the answer to the handshake, a server closes like this when an address has too many connections.
            let isTurnedAway = closeCode == 0 && client.pointee.phase == .upgrading
            return fail(
                slot, isTurnedAway ? "connect.closed" : code,
                isTurnedAway ? "The server ends connections without an answer; \(LoadAdvice.addressLimit)" : sentence)
        }
        if client.pointee.phase == .leaving {
            drop(slot, to: .closed)
            return settle(slot)
        }
        if client.pointee.reader == .ordinary && !isNoted { note(code, sentence) }
        let isSteady = forgiveIfSteady(slot)
        client.pointee.isReturning = true
        client.pointee.lostAt = LoadClock.now
        if client.pointee.role == .host {
            rooms[Int(client.pointee.room)].isPlaying = false
        } else if client.pointee.reader == .ordinary {
            counts.pointee.lostConnections += 1
        } else {
            counts.pointee.laggardsClosed += 1
        }
        drop(slot, to: .closed)
        // 1005 stands for a close without a code, which is treated as 4408 is.
        let mayReturn =
            closeCode == 0 || closeCode == 1005
            || CloseCode(rawValue: UInt16(truncatingIfNeeded: closeCode))?.comeBack == .withBackoff
        // A host whose token has ended signs in again.
        let signsIn = closeCode == CloseCode.signInAgain.rawValue && mayRenew(slot)
        if (mayReturn || signsIn) && client.pointee.reader != .dead {
            scheduleReturn(slot, backoff: closeCode != 0 || !isSteady)
        }
    }

    /// A server that lets a client in and ends its connection at once, again and again, must not be asked without a
    /// pause.
    ///
    /// - Returns: Whether the client lasted.
    private func forgiveIfSteady(_ slot: Int) -> Bool {
        let client = clients + slot
        let isSteady = LoadClock.now >= client.pointee.inSince + Self.steadyAfter
        client.pointee.failures = isSteady ? 0 : min(client.pointee.failures + 1, Self.failuresMax - 1)
        return isSteady
    }

    /// The plan cuts the connection, as a network would.
    func cut(_ slot: Int) {
        guard clients[slot].phase == .open else { return }
        // It is not the server's doing, however short the stay was.
        clients[slot].failures = 0
        clients[slot].isReturning = true
        clients[slot].lostAt = LoadClock.now
        drop(slot, to: .waiting)
        scheduleReturn(slot, backoff: false)
    }

    /// As Protocol/spec/errors.md, "Close codes", asks of a client: at once when the connection was cut, else with
    /// backoff.
    private func scheduleReturn(_ slot: Int, backoff: Bool) {
        let failures = clients[slot].failures
        let longest = backoff ? min(10, 0.25 * Double(1 << min(failures, 8))) : (failures == 0 ? 0 : 0.15)
        clients[slot].phase = .waiting
        agenda.add(.returning, slot, at: LoadClock.now + nanoseconds(longest * generator.fraction()))
    }

    func comeBack(_ slot: Int) {
        guard clients[slot].phase == .waiting, !clients[slot].isUnwanted else { return }
        // A client that has heard nothing yet counts from its planned join, even if it was let in and dropped.
        let since = clients[slot].hasHeard ? clients[slot].lostAt : clients[slot].plannedAt
        connect(slot, plannedAt: since)
    }

    // MARK: Leaving

    /// Called when the plan has the client leave. It stays until everything sent to it so far has come, for `patience`
    /// at most, so that nothing under way looks lost.
    func leave(_ slot: Int, _ now: UInt64) {
        let client = clients + slot
        client.pointee.isUnwanted = true
        switch client.pointee.phase {
        case .open:
            client.pointee.phase = .leaving
            client.pointee.end = client.pointee.first == .max ? .max : rooms[Int(client.pointee.room)].sent
            client.pointee.leaveBy = now + (client.pointee.reader == .ordinary ? Self.patience : 0)
            leavers.append(slot)
            leaveIfComplete(slot)
        case .waiting, .unused, .closed:
            client.pointee.phase = .closed
            settle(slot)
        default: break
        }
    }

    @inline(__always)
    func isComplete(_ client: LoadClient) -> Bool {
        client.first == .max || (client.next >= client.end && !client.hasGaps)
    }

    func leaveIfComplete(_ slot: Int) {
        guard clients[slot].phase == .leaving, isComplete(clients[slot]) else { return }
        goodbye(slot)
        settle(slot)
    }

    /// Closes as RFC 6455 asks for, without waiting for the answer.
    func goodbye(_ slot: Int) {
        if clients[slot].phase == .open || clients[slot].phase == .leaving {
            transmit(slot, WebSocketFrames.frame(WebSocketFrames.close, [0x03, 0xE8]))
        }
        drop(slot, to: .closed)
    }

    /// Leavers whose time is up, and attempts that nobody answers.
    func sweep(_ now: UInt64) {
        agenda.add(.sweep, at: now + 500_000_000)
        leavers.removeAll { slot in
            if clients[slot].phase == .leaving && now >= clients[slot].leaveBy {
                goodbye(slot)
                settle(slot)
            }
            return clients[slot].phase != .leaving
        }
        guard opening > 0 else { return }
        for slot in 0..<clientCount {
            switch clients[slot].phase {
            case .connecting, .securing, .upgrading, .greeting, .signingIn, .joining, .starting, .answering:
                if now > clients[slot].openedAt + Self.openingTimeout {
                    fail(slot, "connect.timeout", "\(target.address) does not answer for 20 s.")
                }
            default: break
            }
        }
    }

    // MARK: Accounts

    /// Adds up a client's span: the packets it should have got, and those it did not get. Once per client.
    func settle(_ slot: Int) {
        let client = clients + slot
        guard !client.pointee.isSettled, client.pointee.role == .listener else { return }
        client.pointee.isSettled = true
        guard client.pointee.first != .max, client.pointee.reader != .dead else { return }
        let tally = tallies + Int(client.pointee.reader.rawValue)
        let end = min(client.pointee.end, rooms[Int(client.pointee.room)].sent)
        tally.pointee.spanned += Int(end - client.pointee.first)
        guard client.pointee.next < end else { return }
        let behind = Int(end - client.pointee.next)
        if client.pointee.isReturning { tally.pointee.away += behind } else { tally.pointee.missing += behind }
    }
}
