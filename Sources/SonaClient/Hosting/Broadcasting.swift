internal import SonaWire

/// The common part of all broadcasts: the seat of a room, over a connection that may be lost and is sought again.
///
/// Source: Protocol/spec/hosting.md, Protocol/spec/resuming.md, "A host".
protocol Broadcasting: Actor {
    nonisolated var interruption: HostInterruption { get }
    nonisolated var report: @Sendable (HostReport) -> Void { get }
    var connection: HostConnection { get set }

    /// Takes the seat of a room that was just entered, for the first time.
    func begin(in snapshot: RoomSnapshot) async throws(HostError)
    /// Sends what is due and asks to be woken. True if nothing is left to send.
    func advance() async throws(HostError) -> Bool
    /// The moment asked for has come.
    func woken()
    /// The owner, or who may control the room, wants something.
    func carryOut(_ command: HostCommand) async throws(HostError)
    /// The room's queue is another.
    func follow(_ changed: QueueChanged) async throws(HostError)
    /// The room's timeline is another.
    func follow(_ playback: Playback)

    /// The connection is lost.
    func wentAway()
    /// Another connection is there, and nobody has been told so.
    func cameBack()
    /// Goes on in the epoch that was, the server having kept the seat. False if that cannot be.
    func goOn(in stay: ResumedStay, _ host: ResumedStay.HostPlace) throws(HostError) -> Bool
    /// Takes the seat again in a room that was entered anew.
    func takeUpAgain(_ snapshot: RoomSnapshot, isSameClock: Bool) async throws(HostError)
}

extension Broadcasting {
    func call<R: WireRequest>(_ request: R) async throws(HostError) -> R.Response {
        do { return try await connection.client.call(request) } catch { throw .client(error) }
    }

    /// Broadcasts until all is sent, it is interrupted, or it cannot go on.
    func broadcast() async throws(HostError) -> HostEnding {
        interruption.follow(connection.client)
        do throws(HostError) {
            try await begin(in: enter())
            try await agreeToRecording()
        } catch {
            await connection.client.close()
            throw error
        }
        while true {
            do {
                let ending = try await serve()
                await connection.client.close()
                return ending
            } catch {
                guard case .client(let lost) = error, HostConnection.isWorthReturning(lost) else {
                    await connection.client.close()
                    throw error
                }
                if try await comeBack(lost) { return .interrupted }
            }
        }
    }

    /// Says that the host agrees to be recorded. A room that records nothing is played to all the same.
    private func agreeToRecording() async throws(HostError) {
        guard connection.records else { return }
        do throws(HostError) { _ = try await call(HostRecord(on: true)) } catch {
            guard case .client(let refusal) = error, case .refused(let reason) = refusal.kind else { throw error }
            report(.warning("Nothing is recorded: \(reason.message) (\(reason.code.text))"))
        }
    }

    private func enter() async throws(HostError) -> RoomSnapshot {
        let snapshot = try await call(RoomJoin(room: .id(connection.room), wantsAudio: false))
        connection.point.entered(snapshot)
        return snapshot
    }

    // MARK: Serving

    private func serve() async throws(HostError) -> HostEnding {
        connection.client.giveUp(afterSilenceOf: RoomStay.silence)
        if try await advance() { return await stop(.finished) }
        for await incoming in connection.client.incoming {
            connection.point.note(incoming)
            switch incoming {
            case .interrupted: return await stop(.interrupted)
            case .closed(let error): throw .client(error)
            case .wake: woken()
            case .event(let event, _, _): try await handle(event)
            case .complaint(let error): connection.complain(error, report)
            case .position(let frame): follow(frame.playback)
            case .audio: break
            }
            if try await advance() { return await stop(.finished) }
        }
        throw .client(.closed(nil, ""))
    }

    private func stop(_ ending: HostEnding) async -> HostEnding {
        do {
            _ = try await connection.client.call(HostStop())
        } catch {
            // Everything was sent: a room that cannot be told so ends by itself when the seat runs out.
            report(.warning("The end could not be announced: \(error.description)"))
        }
        return ending
    }

    private func handle(_ event: ServerEvent) async throws(HostError) {
        switch event {
        case .hostCommand(let command):
            do throws(HostError) {
                try await carryOut(command)
            } catch {
                // The owner has been told, or has waited too long; the broadcast itself goes on.
                guard case .client(let refusal) = error, case .refused(let reason) = refusal.kind else { throw error }
                report(.warning("\(command.action.rawValue) failed: \(reason.message) (\(reason.code.text))"))
            }
        case .hostLostSeat(let lost):
            if lost.room == connection.room { throw .lostSeat(lost) }
        case .queueChanged(let changed): try await follow(changed)
        case .roomClosed: throw .roomClosed
        case .roomRemoved(let removed): throw .removed(removed)
        case .serverDraining(let draining):
            connection.reconnectDelay = .milliseconds(min(draining.reconnectInMilliseconds, 30_000))
        default: break
        }
    }

    func reject(_ command: HostCommand, _ message: String) async throws(HostError) {
        _ = try await call(HostReject(command: command.command, code: .hostRefused, message: message))
    }

    // MARK: Coming back

    /// Looks for the server again for a minute. True if interrupted meanwhile.
    private func comeBack(_ lost: ClientError) async throws(HostError) -> Bool {
        report(.away(lost))
        let clock = connection.client.clock
        await connection.client.close()
        wentAway()
        let begin = ContinuousClock.now
        let deadline = begin + .seconds(Int64(Limits.hostSeatSeconds))
        connection.reconnecting.begin(
            after: lost, lasted: begin - connection.welcomedAt, draining: connection.reconnectDelay)
        connection.reconnectDelay = nil
        var generator = SystemRandomNumberGenerator()
        var last = lost
        while true {
            let (delay, timeout) = connection.reconnecting.next(sought: .now - begin, using: &generator)
            guard ContinuousClock.now + delay < deadline else {
                cameBack()
                throw .client(
                    ClientError(
                        .unreachable,
                        "The server did not come back within \(Limits.hostSeatSeconds) seconds. \(last.description)"))
            }
            if await interruption.sleep(delay) {
                cameBack()
                return true
            }
            do throws(ClientError) {
                connection.client = try await connection.open(
                    Reconnection(clock: clock, resume: connection.point.request, timeout: timeout))
            } catch {
                guard HostConnection.isWorthReturning(error) else {
                    cameBack()
                    throw .client(error)
                }
                last = error
                continue
            }
            interruption.follow(connection.client)
            connection.welcomedAt = .now
            do throws(HostError) {
                cameBack()
                if try !resume() {
                    let isSameClock = connection.renewClock()
                    try await takeUpAgain(enter(), isSameClock: isSameClock)
                    try await agreeToRecording()
                }
                report(.back)
                return false
            } catch {
                await connection.client.close()
                guard case .client(let failure) = error, HostConnection.isWorthReturning(failure) else { throw error }
                // The session goes on and the seat is not ours: no connection of before holds it.
                if connection.client.welcome.isResumed == true, failure.code == .hostSeatTaken {
                    throw .lostSeat(HostLostSeat(room: connection.room, reason: "seat_taken"))
                }
                wentAway()
                last = failure
            }
        }
    }

    /// Goes on with the first sample that the server has not got, if the session goes on and the room is as we left it.
    private func resume() throws(HostError) -> Bool {
        let welcome = connection.client.welcome
        guard welcome.isResumed == true else {
            connection.point = ResumePoint(welcome)
            return false
        }
        connection.point.resumed(welcome)
        guard let stay = welcome.stay, let host = stay.host, try goOn(in: stay, host) else { return false }
        for playback in [stay.playback] + stay.upcoming { follow(playback) }
        return true
    }
}
