internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// The requests that are answered on the loop, out of what is in memory.
extension Session {
    /// - Returns: False if the request is none of these.
    func handleLive(_ request: Request, now: Int64) throws(WireError) -> Bool {
        if Self.liveTypes.contains(request.type) {
            guard let account else { throw WireError(.authRequired) }
            // Guests have no name, and are shown as such.
            try account.requireName()
        }
        switch request.type {
        case RoomJoin.type: try join(request, now: now)
        case RoomLeave.type:
            _ = try RoomLeave(request.data)
            _ = try joined()
            leaveRoom(isLost: false)
            answer(request.id, Empty())
        case PlaybackGet.type:
            guard try PlaybackGet(request.data).room == nil else { return false }
            answer(request.id, try joined().playback(now: now))
        case PlaybackPlay.type:
            let play = try PlaybackPlay(request.data)
            try command(request.id, play.room, .play, position: play.positionMicroseconds)
        case PlaybackPause.type:
            try command(request.id, PlaybackPause(request.data).room, .pause, position: nil)
        case PlaybackSeek.type:
            let seek = try PlaybackSeek(request.data)
            try command(request.id, seek.room, .seek, position: seek.positionMicroseconds)
        case HostStart.type: try hostStart(request, now: now)
        case HostPause.type: try hostPause(request, now: now)
        case HostTrack.type:
            let track = try HostTrack(request.data).track
            try joined().update(now: now) { room throws(WireError) in
                ((), try room.setTrack(number, track, now: now))
            }
            answer(request.id, Empty())
        case HostStop.type:
            _ = try HostStop(request.data)
            let home = try joined()
            try home.update(now: now) { room throws(WireError) in ((), try room.stopHost(number, now: now)) }
            home.commands.failAll(WireError(.hostAbsent))
            answer(request.id, Empty())
        case HostReject.type: try hostReject(request)
        case HostRequest.type: try requestSeat(request, now: now)
        case HostOffer.type: try offerSeat(request, now: now)
        case HostTakeBack.type: try takeBackSeat(request, now: now)
        case ReactionSend.type: try react(request, now: now)
        case ListeningReport.type:
            let report = try ListeningReport(request.data)
            try joined().take(report.measured, from: self, now: now)
            answer(request.id, Empty())
        default: return false
        }
        return true
    }

    private static let liveTypes: Set<String> = [
        RoomJoin.type, RoomLeave.type, PlaybackGet.type, PlaybackPlay.type, PlaybackPause.type, PlaybackSeek.type,
        HostStart.type, HostPause.type, HostTrack.type, HostStop.type, HostReject.type, HostRequest.type,
        HostOffer.type, HostTakeBack.type, ReactionSend.type, ListeningReport.type,
    ]

    static func isLive(_ type: String) -> Bool { liveTypes.contains(type) }

    func signedIn() throws(WireError) -> Accounts.Account {
        guard let account else { throw WireError(.authRequired) }
        return account
    }

    func joined() throws(WireError) -> RoomHome {
        _ = try signedIn()
        guard let home else { throw WireError(.roomNotJoined) }
        return home
    }

    // MARK: Coming and going

    private func join(_ request: Request, now: Int64) throws(WireError) {
        let join = try RoomJoin(request.data)
        let account = try signedIn()
        if let invite = join.invite { return enter(by: invite, join, account, request.id) }
        var namesRoom = false
        if case .id = join.room { namesRoom = true }
        // A guest in a room that is awake and named by its id needs no disk; nobody has blocked a guest.
        if case .id(let id) = join.room, let home = core.rooms[id],
            account.isGuest || account.uid == home.room.settings.owner.uid
        {
            return enter(home, request.id, join, namesRoom: true)
        }
        let isByName = !namesRoom
        find(join.room, account, request.id, forDoor: true) { session, home in
            session.enter(home, request.id, join, namesRoom: !isByName)
        }
    }

    /// Enters by an invite: it is used up first, and stored.
    private func enter(by invite: String, _ join: RoomJoin, _ account: Accounts.Account, _ request: Int64) {
        let (shard, methods, number, link) = (core.shard, core.methods, self.number, self.link.number)
        Task {
            do throws(WireError) {
                let id = try await methods.redeem(invite, to: join.room, account, session: number)
                await shard.perform { core in
                    guard let session = core.session(onLink: link) else { return }
                    guard let home = core.rooms[id] else {
                        return session.refuse(request, WireError(.serverBusy, retryAfterMilliseconds: 100))
                    }
                    session.enter(home, request, join, namesRoom: true)
                }
            } catch {
                await shard.perform { $0.session(onLink: link)?.refuse(request, error) }
            }
        }
    }

    /// Finds a room by any reference and goes on with it on the loop; a failure answers the request.
    private func find(
        _ reference: RoomReference, _ account: Accounts.Account, _ request: Int64, forDoor: Bool = false,
        _ body: @escaping @Sendable (Session, RoomHome) -> Void
    ) {
        let (shard, methods, link) = (core.shard, core.methods, self.link.number)
        Task {
            do throws(WireError) {
                let stored = try await methods.resolve(reference, account, forDoor: forDoor)
                let state = try await methods.storedState(of: stored)
                await shard.perform { core in
                    guard let session = core.session(onLink: link) else { return }
                    do throws(WireError) {
                        body(session, try core.home(stored, state))
                    } catch {
                        session.refuse(request, error)
                    }
                }
            } catch {
                await shard.perform { $0.session(onLink: link)?.refuse(request, error) }
            }
        }
    }

    /// Enters a room, and only then leaves the one before; entering the same again only looks at it afresh.
    private func enter(_ home: RoomHome, _ request: Int64, _ join: RoomJoin, namesRoom: Bool) {
        let now = MonotonicClock.nowMicroseconds()
        if core.isDraining { return refuse(request, WireError(.serverDraining, retryAfterMilliseconds: 2000)) }
        guard let account else { return refuse(request, WireError(.authRequired)) }
        do throws(WireError) {
            // Who may not come in is told why by `join`.
            let wall = MonotonicClock.wallMilliseconds()
            let isAdmitted = (try? home.room.admit(User(account), namesRoom: namesRoom, wall: wall)) != nil
            if isAdmitted { try resync.take(home.id, now: now) }
            let snapshot = try home.join(self, User(account), join, namesRoom: namesRoom, now: now)
            knocksAt = nil
            if self.home === home {
                home.outlet.leave(link)
            } else {
                leaveRoom(isLost: false)
            }
            self.home = home
            hasEntered()
            answer(request, snapshot)
            home.outlet.enter(link, takesAudio: join.wantsAudio, isSounding: snapshot.stream != nil, now: now)
        } catch {
            refuse(request, error)
        }
    }

    func leaveRoom(isLost: Bool) {
        guard let home else { return }
        self.home = nil
        if !isAway { home.outlet.leave(link) }
        home.leave(self, isLost: isLost, now: MonotonicClock.nowMicroseconds())
    }

    // MARK: Hosting

    private func hostStart(_ request: Request, now: Int64) throws(WireError) {
        let start = try HostStart(request.data)
        let home = try joined()
        try signedIn().require(.roomsControl)
        let isSilent = home.hostSession.map { $0.isSilent(in: home, now: now) } ?? true
        let user = User(try signedIn())
        let (started, former) = try home.notingPresence(of: user) { () throws(WireError) in
            try home.update(now: now) { room throws(WireError) in
                let (started, effects, former) = try room.startHost(number, start, mayTakeOver: isSilent, now: now)
                return ((started, former), effects)
            }
        }
        noteEpochEnd(now: now)
        if let former { home.lostSeat(former.member, former.reason) }
        answer(request.id, started)
        if let command = start.command { home.commands.complete(command, .success(home.playback(now: now))) }
    }

    /// Whether nothing has been heard from a host for so long that the same user may sit down elsewhere.
    private func isSilent(in home: RoomHome, now: Int64) -> Bool {
        let patience: Int64 = home.room.playback.latest.state == .playing ? 5_000_000 : 20_000_000
        guard link.isOpen else { return true }
        return now - link.lastHeardMicroseconds > patience
    }

    private func hostPause(_ request: Request, now: Int64) throws(WireError) {
        let pause = try HostPause(request.data)
        let home = try joined()
        try home.update(now: now) { room throws(WireError) in
            ((), try room.pauseHost(number, position: pause.positionMicroseconds, now: now))
        }
        noteEpochEnd(now: now)
        let result = home.playback(now: now)
        answer(request.id, result)
        if let command = pause.command { home.commands.complete(command, .success(result)) }
    }

    private func hostReject(_ request: Request) throws(WireError) {
        let reject = try HostReject(request.data)
        let home = try joined()
        guard home.room.seat.member == number else { throw WireError(.hostNotHost) }
        home.commands.complete(reject.command, .failure(WireError(reject.code, reject.message)))
        answer(request.id, Empty())
    }

    // MARK: Controlling

    /// Asks the host to do something and answers when it has been done.
    private func command(
        _ request: Int64, _ reference: RoomReference?, _ action: HostCommand.Action, position: Int64?
    ) throws(WireError) {
        let account = try signedIn()
        guard let reference else { return command(request, try joined(), action, position: position) }
        if case .id(let id) = reference, let home = core.rooms[id] {
            return command(request, home, action, position: position)
        }
        find(reference, account, request) { session, home in
            session.command(request, home, action, position: position)
        }
    }

    private func command(_ request: Int64, _ home: RoomHome, _ action: HostCommand.Action, position: Int64?) {
        guard let account else { return refuse(request, WireError(.authRequired)) }
        do throws(WireError) {
            try home.room.refuseIfBanned(account.uid, wall: MonotonicClock.wallMilliseconds())
            guard home.room.isVisible(to: User(account)) else { throw WireError(.roomNotFound) }
            try home.room.require(.control, of: User(account))
        } catch {
            return refuse(request, error)
        }
        guard let host = home.hostSession else { return refuse(request, WireError(.hostAbsent)) }
        let state = home.room.playback.latest.state
        if (action == .pause && state == .paused) || (action == .play && state == .playing && position == nil) {
            return answer(request, home.playbackNow())
        }
        let commands = home.commands
        let asking = link
        let number = commands.add { [weak self] result in
            // An answer belongs to the connection on which it was asked for.
            if let self, link === asking { answer(request, result) }
        }
        host.send(HostCommand(command: number, action: action, positionMicroseconds: position))
        core.loop.schedule(after: .seconds(Limits.hostCommandSeconds)) {
            commands.complete(number, .failure(WireError(.hostTimeout, retryAfterMilliseconds: 1000)))
        }
    }
}
