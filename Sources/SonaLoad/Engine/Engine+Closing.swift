internal import CLoad
internal import Glibc
internal import SonaWire

extension Engine {
    /// After so many attempts in a row a line stays away.
    private static let failuresMax: UInt8 = 6

    /// Whoever was in for so long did get in: what failed before is over.
    private static let steadyAfter: UInt64 = 1_000_000_000

    /// Gives back what a line holds. Says nothing to the server.
    func release(_ slot: Int) {
        let line = lines + slot
        if let session = line.pointee.session { SSL_free(session) }
        line.pointee.session = nil
        if line.pointee.descriptor >= 0 { close(line.pointee.descriptor) }
        line.pointee.descriptor = -1
        line.pointee.kept?.deallocate()
        line.pointee.kept = nil
        line.pointee.keptCount = 0
        outboxes[slot] = nil
        probers[slot]?.lost()
    }

    /// Ends a line's connection, and its part in the counts of those under way and there.
    private func drop(_ slot: Int, to phase: Line.Phase) {
        switch lines[slot].phase {
        case .connecting, .securing, .upgrading, .greeting, .signingIn, .joining, .starting, .answering: opening -= 1
        case .open, .leaving: if lines[slot].role == .listener { present -= 1 }
        case .unused, .waiting, .closed: break
        }
        lines[slot].phase = phase
        release(slot)
    }

    /// An attempt to get in did not succeed.
    func fail(_ slot: Int, _ code: String, _ sentence: String) {
        note(code, sentence)
        let line = lines + slot
        drop(slot, to: .closed)
        if line.pointee.role == .signUp { return signUpFailed(slot) }
        line.pointee.failures += 1
        if line.pointee.isUnwanted { return settle(slot) }
        guard line.pointee.failures < Self.failuresMax else { return givenUp += 1 }
        scheduleReturn(slot, backoff: true)
    }

    /// The server or the network has ended a line that stood.
    ///
    /// - Parameters:
    ///   - closeCode: 0 if there was none.
    ///   - isNoted: Whether it is counted by another code already.
    func lost(_ slot: Int, closeCode: Int, isNoted: Bool = false) {
        let line = lines + slot
        let isOpen = line.pointee.phase == .open || line.pointee.phase == .leaving
        let code = closeCode == 0 ? "connection.lost" : "close.\(closeCode)"
        let sentence = closeCode == 0 ? "The connection ended without a close." : "The server closed with \(closeCode)."
        if !isOpen {
            // Before the handshake's answer it is how a server turns away who is one too many of an address.
            let isTurnedAway = closeCode == 0 && line.pointee.phase == .upgrading
            return fail(
                slot, isTurnedAway ? "connect.closed" : code,
                isTurnedAway ? "The server ends connections without an answer; \(LoadAdvice.addressLimit)" : sentence)
        }
        if line.pointee.phase == .leaving {
            drop(slot, to: .closed)
            return settle(slot)
        }
        if line.pointee.reader == .ordinary && !isNoted { note(code, sentence) }
        let isSteady = forgiveIfSteady(slot)
        line.pointee.isReturning = true
        line.pointee.lostAt = LoadClock.now
        if line.pointee.role == .host {
            rooms[Int(line.pointee.room)].isPlaying = false
        } else if line.pointee.reader == .ordinary {
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
        if (mayReturn || signsIn) && line.pointee.reader != .dead {
            scheduleReturn(slot, backoff: closeCode != 0 || !isSteady)
        }
    }

    /// A server that lets a line in and ends it at once, again and again, must not be asked without a pause.
    ///
    /// - Returns: Whether the line lasted.
    private func forgiveIfSteady(_ slot: Int) -> Bool {
        let line = lines + slot
        let isSteady = LoadClock.now >= line.pointee.inSince + Self.steadyAfter
        line.pointee.failures = isSteady ? 0 : min(line.pointee.failures + 1, Self.failuresMax - 1)
        return isSteady
    }

    /// The plan cuts the line, as a network would.
    func cut(_ slot: Int) {
        guard lines[slot].phase == .open else { return }
        // It is not the server's doing, however short the stay was.
        lines[slot].failures = 0
        lines[slot].isReturning = true
        lines[slot].lostAt = LoadClock.now
        drop(slot, to: .waiting)
        scheduleReturn(slot, backoff: false)
    }

    /// As Protocol/spec/errors.md, "Close codes", asks of a client: at once when the line was cut, else with backoff.
    private func scheduleReturn(_ slot: Int, backoff: Bool) {
        let failures = lines[slot].failures
        let longest = backoff ? min(10, 0.25 * Double(1 << min(failures, 8))) : (failures == 0 ? 0 : 0.15)
        lines[slot].phase = .waiting
        agenda.add(.returning, slot, at: LoadClock.now + nanoseconds(longest * generator.fraction()))
    }

    func comeBack(_ slot: Int) {
        guard lines[slot].phase == .waiting, !lines[slot].isUnwanted else { return }
        // Whoever has heard nothing yet still counts from when they were to join, also if they were let in and dropped.
        let since = lines[slot].hasHeard ? lines[slot].lostAt : lines[slot].plannedAt
        connect(slot, plannedAt: since)
    }

    // MARK: Leaving

    /// The plan wants the line to go: it stays until what was sent to it so far has come, for `patience` at most, so that
    /// nothing that is under way looks lost.
    func leave(_ slot: Int, _ now: UInt64) {
        let line = lines + slot
        line.pointee.isUnwanted = true
        switch line.pointee.phase {
        case .open:
            line.pointee.phase = .leaving
            line.pointee.end = line.pointee.first == .max ? .max : rooms[Int(line.pointee.room)].sent
            line.pointee.leaveBy = now + (line.pointee.reader == .ordinary ? Self.patience : 0)
            leavers.append(slot)
            leaveIfComplete(slot)
        case .waiting, .unused, .closed:
            line.pointee.phase = .closed
            settle(slot)
        default: break
        }
    }

    @inline(__always)
    func isComplete(_ line: Line) -> Bool {
        line.first == .max || (line.next >= line.end && !line.hasGaps)
    }

    func leaveIfComplete(_ slot: Int) {
        guard lines[slot].phase == .leaving, isComplete(lines[slot]) else { return }
        goodbye(slot)
        settle(slot)
    }

    /// Closes as RFC 6455 asks for, without waiting for the answer.
    func goodbye(_ slot: Int) {
        if lines[slot].phase == .open || lines[slot].phase == .leaving {
            transmit(slot, WebSocketFrames.frame(WebSocketFrames.close, [0x03, 0xE8]))
        }
        drop(slot, to: .closed)
    }

    /// Leavers whose time is up, and attempts that nobody answers.
    func sweep(_ now: UInt64) {
        agenda.add(.sweep, at: now + 500_000_000)
        leavers.removeAll { slot in
            if lines[slot].phase == .leaving && now >= lines[slot].leaveBy {
                goodbye(slot)
                settle(slot)
            }
            return lines[slot].phase != .leaving
        }
        guard opening > 0 else { return }
        for slot in 0..<lineCount {
            switch lines[slot].phase {
            case .connecting, .securing, .upgrading, .greeting, .signingIn, .joining, .starting, .answering:
                if now > lines[slot].openedAt + Self.openingTimeout {
                    fail(slot, "connect.timeout", "\(target.address) does not answer for 20 s.")
                }
            default: break
            }
        }
    }

    // MARK: Accounts

    /// Adds a line's span up: what it should have got, and what it did not. Once per line.
    func settle(_ slot: Int) {
        let line = lines + slot
        guard !line.pointee.isSettled, line.pointee.role == .listener else { return }
        line.pointee.isSettled = true
        guard line.pointee.first != .max, line.pointee.reader != .dead else { return }
        let tally = tallies + Int(line.pointee.reader.rawValue)
        let end = min(line.pointee.end, rooms[Int(line.pointee.room)].sent)
        tally.pointee.spanned += Int(end - line.pointee.first)
        guard line.pointee.next < end else { return }
        let behind = Int(end - line.pointee.next)
        if line.pointee.isReturning { tally.pointee.away += behind } else { tally.pointee.missing += behind }
    }
}
