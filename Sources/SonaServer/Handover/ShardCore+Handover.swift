internal import SonaCrypto
internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// What is live goes from one process to the next.
extension ShardCore {
    /// All that is live. The caller lets go of it in the same turn of the loop.
    func handover() -> ServerHandover {
        let now = MonotonicClock.nowMicroseconds()
        return ServerHandover(
            resumeKey: Base64.encode(resumeTokens.secret), lastConnections: [],
            sessions: sessions.values.filter(\.isHandedOver).compactMap { SessionHandover($0) },
            rooms: rooms.values.filter { !$0.room.isIdle }.map { HomeHandover($0, now: now) })
    }

    /// Goes on with the sessions of another process. Before any connection is accepted.
    func takeOver(_ handover: ServerHandover) {
        if let key = Base64.decode(handover.resumeKey.utf8) { resumeTokens = ResumeTokens(secret: key) }
        let due = MonotonicClock.nowMicroseconds() + Int64(services.configuration.resumeSeconds) * 1_000_000
        let sessions = handover.sessions.compactMap(\.value).map { (session: $0, due: min($0.due ?? due, due)) }
        for (session, due) in sessions.sorted(by: { $0.due < $1.due }) { takeOver(session, due: due) }
        armAwayAlarm()
    }

    private func takeOver(_ handed: SessionHandover, due: Int64) {
        guard let mailbox = mailboxes.first, !services.model.accounts.isBanned(handed.uid) else { return }
        let link = ClientLink(
            lost: handed.number, hub: mailbox.hubHere, address: handed.address, limitedAddress: handed.limitedAddress)
        let session = Session(link, core: self)
        take(session)
        session.savesData = handed.savesData
        session.goOn(handed.account, sequence: handed.sequence, handed.events, parting: handed.parting)
        if let device = handed.device { session.ensureActiveState().playerDevice = device }
        away.keep(session.number, address: handed.limitedAddress, due: due)
    }

    /// Goes on with a room of another process. After its sessions.
    func takeOver(_ handed: HomeHandover, _ stored: RoomStore.StoredRoom, _ state: StoredRoomState) {
        let now = MonotonicClock.nowMicroseconds()
        var room = LiveRoom(stored, state, now: now)
        room.takeOver(handed.room)
        let home = wake(room, stored, state)
        home.eventLog = RoomEventLog(handed.events)
        home.outlet.refill(handed.chunks)
        if !handed.heard.isEmpty {
            home.heard = HeardDesk(Dictionary(handed.heard.map { ($0.member, $0.tally) }, uniquingKeysWith: { $1 }))
        }
        for member in Array(room.members.keys) {
            if let session = sessions[member], session.home == nil {
                session.home = home
            } else {
                // A client that the other process did not keep, or a host inside of it.
                home.leave(member, now: now)
            }
        }
        home.queue?.lookWhoIsHere { home.room.presence.contains($0) }
        home.wakeAutoplay(state.autoplay, scheduled[stored.id], stored.playback, now: now)
        if let play = handed.play, let edge = handed.room.edge, handed.room.seat == .server {
            let latest = handed.room.playback.latest
            let isHeld = latest.state == .paused
            home.autoplay?.isHeld = isHeld
            home.autoplay?.resumption = RoomAutoplay.Resumption(
                play: play, positionMicroseconds: isHeld ? latest.positionMicroseconds : edge.position,
                sinceMicroseconds: isHeld ? nil : edge.time)
        }
        // Its schedule had it play, and has ended meanwhile.
        if home.autoplay == nil { home.update(now: now) { $0.dismissServer(now: now) } }
        for track in handed.unwritten { home.history.add(.play(track), at: track.atMicroseconds, now: now) }
        home.apply([], now: now)
        home.noteAudience(now: now)
        services.directory.note(home.room.description())
        home.missHostSoon()
        home.forgetSoon()
    }
}

extension RoomHome {
    /// How long a host may take to come to a new process before everybody is told that they are away.
    private static let patience = Duration.seconds(5)

    /// A member leaves of whom this process has no session.
    fileprivate func leave(_ member: MemberID, now: Int64) {
        guard let user = room.members[member]?.user else { return }
        _ = heard?.end(member)
        let effects = notingPresence(of: user) { room(leaving: member, isLost: true, now: now) }
        apply(effects, now: now)
    }

    /// The host's connection was to another process.
    fileprivate func missHostSoon() {
        guard let member = room.seat.member, member != HostSeat.serverMember else { return }
        after(Self.patience) { home in
            guard home.room.seat.member == member, home.core.sessions[member]?.isAway ?? true else { return }
            let now = MonotonicClock.nowMicroseconds()
            home.update(now: now) { $0.lose(member, now: now) }
        }
    }
}

extension Session {
    /// Whether it sends the sound of its room.
    var isHost: Bool { home?.room.seat.member == number }

    /// Whether its client can resume it with another process. Those who are in no room begin anew.
    var isHandedOver: Bool { mayGoOn && (home != nil || isAway) }
}
