internal import SonaWire

/// What sessions that broadcast have in common: the seat of a room, over a connection that may be lost and is sought again.
///
/// Source: Protocol/spec/hosting.md, Protocol/spec/resuming.md, "A host".
protocol Broadcasting: Actor {
    nonisolated var interruption: HostInterruption { get }
    nonisolated var report: @Sendable (HostReport) -> Void { get }
    var line: HostLine { get set }

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

    /// The line is lost.
    func wentAway()
    /// Another line is there, and nobody has been told so.
    func cameBack()
    /// Goes on in the epoch that was, the server having kept the seat. False if that cannot be.
    func goOn(in stay: ResumedStay, _ host: ResumedStay.HostPlace) throws(HostError) -> Bool
    /// Takes the seat again in a room that was entered anew.
    func takeUpAgain(_ snapshot: RoomSnapshot, isSameClock: Bool) async throws(HostError)
}

extension Broadcasting {
    func call<R: WireRequest>(_ request: R) async throws(HostError) -> R.Response {
        do { return try await line.client.call(request) } catch { throw .client(error) }
    }

    /// Broadcasts until all is sent, the session is interrupted, or it cannot go on.
    func broadcast() async throws(HostError) -> HostEnding {
        interruption.follow(line.client)
        do throws(HostError) {
            try await begin(in: enter())
        } catch {
            await line.client.close()
            throw error
        }
        while true {
            do {
                let ending = try await serve()
                await line.client.close()
                return ending
            } catch {
                guard case .client(let lost) = error, HostLine.isWorthReturning(lost) else {
                    await line.client.close()
                    throw error
                }
                if try await comeBack(lost) { return .interrupted }
            }
        }
    }

    private func enter() async throws(HostError) -> RoomSnapshot {
        let snapshot = try await call(RoomJoin(room: .id(line.room), wantsAudio: false))
        line.point.entered(snapshot)
        return snapshot
    }

    // MARK: Serving

    private func serve() async throws(HostError) -> HostEnding {
        line.client.giveUp(afterSilenceOf: ListenSession.silence)
        if try await advance() { return await stop(.finished) }
        for await incoming in line.client.incoming {
            line.point.note(incoming)
            switch incoming {
            case .interrupted: return await stop(.interrupted)
            case .closed(let error): throw .client(error)
            case .wake: woken()
            case .event(let event, _, _): try await handle(event)
            case .complaint(let error): line.complain(error, report)
            case .position(let frame): follow(frame.playback)
            case .audio: break
            }
            if try await advance() { return await stop(.finished) }
        }
        throw .client(.closed(nil, ""))
    }

    private func stop(_ ending: HostEnding) async -> HostEnding {
        do {
            _ = try await line.client.call(HostStop())
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
            if lost.room == line.room { throw .lostSeat(lost) }
        case .queueChanged(let changed): try await follow(changed)
        case .roomClosed: throw .roomClosed
        case .roomRemoved(let removed): throw .removed(removed)
        case .serverDraining(let draining):
            line.reconnectDelay = .milliseconds(min(draining.reconnectInMilliseconds, 30_000))
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
        let clock = line.client.clock
        await line.client.close()
        wentAway()
        let begin = ContinuousClock.now
        let deadline = begin + .seconds(Int64(Limits.hostSeatSeconds))
        line.reconnecting.begin(after: lost, lasted: begin - line.welcomedAt, draining: line.reconnectDelay)
        line.reconnectDelay = nil
        var generator = SystemRandomNumberGenerator()
        var last = lost
        while true {
            let (delay, timeout) = line.reconnecting.next(sought: .now - begin, using: &generator)
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
                line.client = try await line.open(
                    Reconnection(clock: clock, resume: line.point.request, timeout: timeout))
            } catch {
                guard HostLine.isWorthReturning(error) else {
                    cameBack()
                    throw .client(error)
                }
                last = error
                continue
            }
            interruption.follow(line.client)
            line.welcomedAt = .now
            do throws(HostError) {
                cameBack()
                if try !resume() {
                    let isSameClock = line.renewClock()
                    try await takeUpAgain(enter(), isSameClock: isSameClock)
                }
                report(.back)
                return false
            } catch {
                await line.client.close()
                guard case .client(let failure) = error, HostLine.isWorthReturning(failure) else { throw error }
                // The session goes on and the seat is not ours: no connection of before holds it.
                if line.client.welcome.isResumed == true, failure.code == .hostSeatTaken {
                    throw .lostSeat(HostLostSeat(room: line.room, reason: "seat_taken"))
                }
                wentAway()
                last = failure
            }
        }
    }

    /// Goes on with the first sample that the server has not got, if the session goes on and the room is as we left it.
    private func resume() throws(HostError) -> Bool {
        let welcome = line.client.welcome
        guard welcome.isResumed == true else {
            line.point = ResumePoint(welcome)
            return false
        }
        line.point.resumed(welcome)
        guard let stay = welcome.stay, let host = stay.host, try goOn(in: stay, host) else { return false }
        for playback in [stay.playback] + stay.upcoming { follow(playback) }
        return true
    }
}
