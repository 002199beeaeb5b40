internal import SonaEventLoop
internal import SonaWire

/// The task behind a `RoomStay`: reads one connection after the other.
///
/// After `init` it is used by the one task that runs it, so it need not be Sendable.
final class RoomStayTask {
    private var client: Client
    private var join: RoomJoin
    private let patience: Duration
    private let mailbox: RoomStayMailbox
    private let open: RoomStay.Opener
    private let follow: @Sendable (Client) -> Bool

    private var point: ResumePoint
    private var plan = ReconnectPlan()
    private var guestToken: String?
    private var welcomedAt = ContinuousClock.now
    private var draining: Duration?

    /// - Parameter follow: Told of each new connection; false if nobody wants it any more.
    init(
        _ client: Client, in snapshot: RoomSnapshot, by join: RoomJoin, patience: Duration, mailbox: RoomStayMailbox,
        open: @escaping RoomStay.Opener, follow: @escaping @Sendable (Client) -> Bool
    ) {
        self.client = client
        self.join = join
        self.patience = patience
        self.mailbox = mailbox
        self.open = open
        self.follow = follow
        // The host may have moved on to another room meanwhile.
        self.join.room = .id(snapshot.room.id)
        guestToken = client.welcome.accessToken
        point = ResumePoint(client.welcome)
        point.entered(snapshot)
    }

    func run() async {
        while !Task.isCancelled {
            client.giveUp(afterSilenceOf: RoomStay.silence)
            let lost = await passOn()
            guard !Task.isCancelled else { break }
            guard lost.isWorthReturning, patience > .zero else { return end(lost) }
            mailbox.deliver(.away(lost))
            do throws(ClientError) {
                mailbox.deliver(.back(try await comeBack(from: lost)))
            } catch {
                return end(error)
            }
        }
        await client.close()
    }

    private func end(_ error: ClientError) {
        mailbox.deliver(.closed(error))
        mailbox.finish()
    }

    /// Passes on what comes, until the connection is over.
    private func passOn() async -> ClientError {
        for await incoming in client.incoming {
            if case .closed(let error) = incoming { return error }
            note(incoming)
            await mailbox.deliverWhenRoomy(.incoming(incoming))
        }
        return .closed(nil, "")
    }

    private func note(_ incoming: Incoming) {
        point.note(incoming)
        if case .event(.serverDraining(let event), _, _) = incoming {
            draining = .milliseconds(min(event.reconnectInMilliseconds, 30_000))
        }
    }

    // MARK: Coming back

    private func comeBack(from lost: ClientError) async throws(ClientError) -> RoomStay.Return {
        let begin = ContinuousClock.now
        plan.begin(after: lost, lasted: begin - welcomedAt, draining: draining)
        draining = nil
        var generator = SystemRandomNumberGenerator()
        var last = lost
        while true {
            let (delay, timeout) = plan.next(sought: .now - begin, using: &generator)
            guard ContinuousClock.now + delay < begin + patience else { throw last }
            try? await Task.sleep(for: delay)
            guard !Task.isCancelled else { throw last }
            do throws(ClientError) {
                return try await attempt(timeout, since: begin)
            } catch {
                guard error.isWorthReturning else { throw error }
                last = error
            }
        }
    }

    private func attempt(
        _ timeout: Duration, since begin: ContinuousClock.Instant
    ) async throws(ClientError) -> RoomStay.Return {
        let former = client
        let next = try await open(
            Reconnection(clock: former.clock, resume: point.request, guestToken: guestToken, timeout: timeout))
        do throws(ClientError) {
            let comeback = try await settle(next, since: begin)
            guard follow(next) else { throw .closed(nil, "") }
            client = next
            guestToken = next.welcome.accessToken ?? guestToken
            welcomedAt = .now
            await former.close()
            return comeback
        } catch {
            await next.close()
            throw error
        }
    }

    /// Goes on in the room, or enters it anew.
    private func settle(
        _ next: Client, since begin: ContinuousClock.Instant
    ) async throws(ClientError) -> RoomStay.Return {
        if next.welcome.isResumed == true {
            point.resumed(next.welcome)
            let stay = next.welcome.stay
            return RoomStay.Return(
                isResumed: true, snapshot: stay?.snapshot, playback: stay?.playback, upcoming: stay?.upcoming ?? [],
                away: .now - begin)
        }
        let snapshot = try await enter(next)
        point = ResumePoint(next.welcome)
        point.entered(snapshot)
        return RoomStay.Return(
            isResumed: false, snapshot: snapshot, playback: snapshot.playback, upcoming: snapshot.upcoming,
            away: .now - begin)
    }

    /// Enters the room, and waits before its door for as long as the server's patience lasts.
    private func enter(_ next: Client) async throws(ClientError) -> RoomSnapshot {
        while true {
            do throws(ClientError) {
                return try await next.call(join)
            } catch {
                guard error.code == .roomApprovalPending else { throw error }
                try await waitForAdmission(next, error)
            }
        }
    }

    private func waitForAdmission(_ next: Client, _ refusal: ClientError) async throws(ClientError) {
        for await incoming in next.incoming {
            switch incoming {
            case .event(.roomAdmitted, _, _): return
            case .event(.roomDenied, _, _), .event(.roomRemoved, _, _), .event(.roomClosed, _, _): throw refusal
            case .closed(let error): throw error
            case .event, .audio, .position, .complaint, .wake, .interrupted: break
            }
        }
        throw .closed(nil, "")
    }
}
