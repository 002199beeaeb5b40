internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// The requests that are answered on the loop, from memory.
extension Session {
    /// By type of request.
    static let liveMethods: [String: LiveMethod] = {
        let all: [LiveMethod] = [
            .handled(Session.join),
            .handled(Session.leave),
            .answered(where: { $0.room == nil }, Session.playback),
            .handled(Session.play),
            .handled(Session.pause),
            .handled(Session.seek),
            .handled(Session.hostStart),
            .handled(Session.hostPause),
            .answered(Session.hostTrack),
            .answered(Session.hostStop),
            .answered(Session.hostReject),
            .answered(Session.record),
            .answered(Session.requestSeat),
            .answered(Session.offerSeat),
            .answered(Session.takeBackSeat),
            .answered(Session.react),
            .answered(Session.report),
            .handled(Session.shift),
            .answered(Session.announcePlayer),
        ]
        return Dictionary(uniqueKeysWithValues: all.map { ($0.type, $0) })
    }()

    /// The room that the session is in.
    ///
    /// - Throws: `room.not_joined`.
    func joined() throws(WireError) -> RoomHome {
        guard let home else { throw WireError(.roomNotJoined) }
        return home
    }

    // MARK: Joining and leaving

    func join(_ join: RoomJoin, _ asker: LiveAsker) throws(WireError) {
        if let invite = join.invite { return enter(by: invite, join, asker) }
        var namesRoom = false
        if case .id = join.room { namesRoom = true }
        // A guest in a room that is awake and named by its identifier needs no disk; nobody has blocked a guest.
        if case .id(let id) = join.room, let home = core.rooms[id],
            asker.account.isGuest || asker.account.uid == home.room.owner.uid
        {
            return enter(home, asker.request, join, namesRoom: true)
        }
        let isByName = !namesRoom
        find(join.room, asker, forDoor: true) { session, home in
            session.enter(home, asker.request, join, namesRoom: !isByName)
        }
    }

    /// Enters by an invite. The invite is used up first, and that is stored.
    private func enter(by invite: String, _ join: RoomJoin, _ asker: LiveAsker) {
        let (shard, access, number, link) = (core.shard, core.methods.access, self.number, self.link.number)
        Task {
            do {
                let id = try await access.redeem(invite, to: join.room, asker.account, session: number)
                await shard.perform { core in
                    guard let session = core.session(onLink: link) else { return }
                    guard let home = core.rooms[id] else {
                        return session.refuse(asker.request, WireError(.serverBusy, retryAfterMilliseconds: 100))
                    }
                    session.enter(home, asker.request, join, namesRoom: true)
                }
            } catch {
                await shard.perform { $0.session(onLink: link)?.refuse(asker.request, WireError(error)) }
            }
        }
    }

    /// Finds a room by any reference and continues with it on the loop; a failure answers the request.
    private func find(
        _ reference: RoomReference, _ asker: LiveAsker, forDoor: Bool = false,
        _ body: @escaping @Sendable (Session, RoomHome) -> Void
    ) {
        let (shard, access, link) = (core.shard, core.methods.access, self.link.number)
        Task {
            do {
                let stored = try await access.resolve(reference, asker.account, forDoor: forDoor)
                let state = try await access.storedState(of: stored)
                await shard.perform { core in
                    guard let session = core.session(onLink: link) else { return }
                    do throws(WireError) {
                        body(session, try core.home(stored, state))
                    } catch {
                        session.refuse(asker.request, error)
                    }
                }
            } catch {
                await shard.perform { $0.session(onLink: link)?.refuse(asker.request, WireError(error)) }
            }
        }
    }

    /// Enters a room, and only then leaves the previous one. For the room that the session is in, it only makes a new
    /// snapshot.
    private func enter(_ home: RoomHome, _ request: Int64, _ join: RoomJoin, namesRoom: Bool) {
        let now = MonotonicClock.nowMicroseconds()
        do throws(WireError) { if try core.isUnanswered() { return } } catch { return refuse(request, error) }
        if core.isDraining { return refuse(request, WireError(.serverDraining, retryAfterMilliseconds: 2000)) }
        guard let account else { return refuse(request, WireError(.authRequired)) }
        do throws(WireError) {
            // `join` below gives the reason if the user may not come in.
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
            let lane = home.lane(of: self)
            lane.enter(link, takesAudio: join.wantsAudio, isSounding: snapshot.stream != nil, now: now)
            home.noteLane(lane, of: self)
        } catch {
            refuse(request, error)
        }
    }

    func leave(_ request: RoomLeave, _ asker: LiveAsker) throws(WireError) {
        let home = try joined()
        let kept = request.keepsListening == true ? home.heardNow(now: asker.now) : nil
        let device = activeState?.playerDevice
        leaveRoom(isLost: false)
        guard let kept, let account else { return answer(asker.request, RoomLeft()) }
        let (shard, library, link) = (core.shard, core.services.library, self.link.number)
        let session = number
        Task {
            let change = try? await library.players.take(
                kept.tracks, position: kept.position / 1_000, device: kept.isPlaying ? device : nil,
                repeats: kept.repeats,
                for: try await library.listener(for: account))
            await shard.perform { core in
                let result = change?.result
                if let result {
                    let event = PlayerChanged(player: result.player, nowMilliseconds: result.nowMilliseconds)
                    core.tell(event, to: account.uid, except: session)
                }
                core.session(onLink: link)?.answer(
                    asker.request, RoomLeft(player: result?.player, nowMilliseconds: result?.nowMilliseconds))
            }
        }
    }

    func leaveRoom(isLost: Bool) {
        guard let home else { return }
        self.home = nil
        if !isAway { home.outlet.leave(link) }
        home.leave(self, isLost: isLost, now: MonotonicClock.nowMicroseconds())
    }

    // MARK: Controlling

    func playback(_: PlaybackGet, _ asker: LiveAsker) throws(WireError) -> PlaybackResult {
        try joined().playback(now: asker.now)
    }

    func play(_ request: PlaybackPlay, _ asker: LiveAsker) throws(WireError) {
        try command(asker, request.room, .play, position: request.positionMicroseconds)
    }

    func pause(_ request: PlaybackPause, _ asker: LiveAsker) throws(WireError) {
        try command(asker, request.room, .pause, position: nil)
    }

    func seek(_ request: PlaybackSeek, _ asker: LiveAsker) throws(WireError) {
        try command(asker, request.room, .seek, position: request.positionMicroseconds)
    }

    /// Asks the host for an action, and answers when the host has done it.
    private func command(
        _ asker: LiveAsker, _ reference: RoomReference?, _ action: HostCommand.Action, position: Int64?
    ) throws(WireError) {
        guard let reference else { return command(asker.request, try joined(), action, position: position) }
        if case .id(let id) = reference, let home = core.rooms[id] {
            return command(asker.request, home, action, position: position)
        }
        find(reference, asker) { session, home in
            session.command(asker.request, home, action, position: position)
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
        if home.room.seat == .server { return command(request, ofServerIn: home, action, position: position) }
        guard let host = home.hostSession else { return refuse(request, WireError(.hostAbsent)) }
        let state = home.room.playback.latest.state
        if (action == .pause && state == .paused) || (action == .play && state == .playing && position == nil) {
            return answer(request, home.playbackNow())
        }
        let commands = home.commands
        let asking = link
        let number = commands.add { [weak self] result in
            // The answer goes only to the connection on which the request was made.
            if let self, link === asking { answer(request, result) }
        }
        host.send(HostCommand(command: number, action: action, positionMicroseconds: position))
        core.loop.schedule(after: .seconds(Limits.hostCommandSeconds)) {
            commands.complete(number, .failure(WireError(.hostTimeout, retryAfterMilliseconds: 1000)))
        }
    }

    /// The same in a room that plays by itself: it is done at once.
    private func command(
        _ request: Int64, ofServerIn home: RoomHome, _ action: HostCommand.Action, position: Int64?
    ) {
        guard let autoplay = home.autoplay else { return refuse(request, WireError(.hostAbsent)) }
        do throws(WireError) {
            answer(
                request, try autoplay.perform(action, position: position, now: MonotonicClock.nowMicroseconds()))
        } catch { refuse(request, error) }
    }

    // MARK: Listening

    func report(_ request: ListeningReport, _ asker: LiveAsker) throws(WireError) -> Empty {
        let home = try joined()
        try home.take(request.measured, from: self, now: asker.now)
        if let heard = request.heardMilliseconds {
            let window = Int64(request.measured.windowMilliseconds)
            home.hear(heard, window: window, self, asker.account, now: asker.now)
        }
        return Empty()
    }

    func react(_ request: ReactionSend, _ asker: LiveAsker) throws(WireError) -> Empty {
        let home = try joined()
        let wall = MonotonicClock.wallMilliseconds()
        if let until = home.room.roster.mute(asker.account.uid, at: wall) {
            let wait = until == .max ? nil : Int(clamping: until - wall)
            throw WireError(.chatMuted, retryAfterMilliseconds: wait)
        }
        // A reaction beyond the limit is accepted and not counted.
        if ensureActiveState().reactionBudget.take(now: asker.now) == nil {
            home.react(request.emoji, at: request.atMicroseconds ?? asker.now)
        }
        return Empty()
    }
}
