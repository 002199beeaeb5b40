internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// Who is in a room, who stands before its door, and what becomes of them. What is told here has been stored.
extension RoomHome {
    // MARK: The door

    /// Somebody has to be let in: those who may do that are told.
    func knock(_ session: Session, _ user: User) throws(WireError) {
        session.knocksAt = self
        guard try update({ room throws(WireError) in try room.knock(user) }) else { return }
        tell(.moderate, RoomKnocked(room: id, user: user))
    }

    /// Somebody stops waiting: their last connection has gone, or they have been answered.
    func stopWaiting(_ uid: UserID, _ session: Session) {
        guard !core.sessions(of: uid).contains(where: { $0 !== session && $0.knocksAt === self }) else { return }
        _ = try? update { room throws(WireError) in room.stopWaiting(uid) }
    }

    /// Answers who stands before the door.
    ///
    /// - Returns: Who it was; `nil` if nobody of that name waits.
    func answer(_ uid: UserID, isAdmitted: Bool, by moderator: User) -> User? {
        guard let user = try? update({ room throws(WireError) in room.stopWaiting(uid) }) else { return nil }
        tellAnswer(uid, isAdmitted: isAdmitted)
        moderated(isAdmitted ? .admit : .deny, user, by: moderator)
        return user
    }

    /// Nobody has to wait any more, for one reason or the other.
    func answerAll(isAdmitted: Bool) {
        for uid in room.roster.waiting.keys {
            _ = try? update { room throws(WireError) in room.stopWaiting(uid) }
            tellAnswer(uid, isAdmitted: isAdmitted)
        }
    }

    private func tellAnswer(_ uid: UserID, isAdmitted: Bool) {
        for session in core.sessions(of: uid) where session.knocksAt === self {
            session.knocksAt = nil
            if isAdmitted { session.send(RoomAdmitted(room: id)) } else { session.send(RoomDenied(room: id)) }
        }
    }

    // MARK: Standing

    func set(_ entry: RoomRoster.Entry?, for user: User) {
        let wasWaiting = room.roster.waiting[user.uid] != nil
        let effects = (try? update { room throws(WireError) in room.set(entry, for: user) }) ?? []
        if wasWaiting { tellAnswer(user.uid, isAdmitted: entry != nil) }
        apply(effects, now: MonotonicClock.nowMicroseconds())
        core.services.directory.note(room.description())
    }

    /// Puts somebody out, with all their connections.
    func putOut(_ uid: UserID, _ reason: String, until: Int64? = nil, message: String? = nil) {
        for session in members.values where session.account?.uid == uid {
            session.send(RoomRemoved(room: id, reason: reason, untilMilliseconds: until, message: message))
            session.leaveRoom(isLost: false)
        }
        for session in core.sessions(of: uid) where session.knocksAt === self { session.knocksAt = nil }
        // A host who was away, and has no connection to lose.
        let now = MonotonicClock.nowMicroseconds()
        apply((try? update { room throws(WireError) in room.vacateSeat(of: uid, now: now) }) ?? [], now: now)
    }

    func ban(_ uid: UserID, until: Int64?, reason: String? = nil, isLifted: Bool = false) {
        _ = try? update { room throws(WireError) in
            room.ban(uid, until: isLifted ? nil : until ?? .max, reason: reason)
        }
    }

    func mute(_ user: User, until: Int64?, isLifted: Bool = false) {
        _ = try? update { room throws(WireError) in room.mute(user.uid, until: isLifted ? nil : until ?? .max) }
        let event = RoomModerated(
            room: id, action: isLifted ? .unmute : .mute, user: user, by: nil,
            untilMilliseconds: isLifted ? nil : until)
        for session in members.values where session.account?.uid == user.uid { session.send(event) }
    }

    /// Tells those who keep order what one of them has done.
    func moderated(_ action: RoomModerated.Action, _ user: User, by moderator: User, until: Int64? = nil) {
        tell(
            .moderate,
            RoomModerated(room: id, action: action, user: user, by: moderator, untilMilliseconds: until))
    }

    /// A personal event to each member who has a capability.
    func tell(_ capability: Capability, _ event: some WireEvent) {
        for session in members.values {
            guard let account = session.account, room.capabilities(of: User(account)).contains(capability) else {
                continue
            }
            session.send(event)
        }
    }

    private func update<Result>(
        _ body: (inout LiveRoom) throws(WireError) -> Result
    ) throws(WireError) -> Result {
        try update(now: MonotonicClock.nowMicroseconds()) { room throws(WireError) in (try body(&room), []) }
    }

    // MARK: Members

    /// People whom nobody sees here, each once.
    var ghostCount: Int { Set(room.members.values.map(\.user.uid)).count - presentCount }

    /// Tells members who came and went, once a second at most.
    func tellMembers() {
        guard let changed = comings.take(count: presentCount, ghostCount: ghostCount) else { return }
        announce(WebSocketFrame(text: Event.encode(changed, room: id, seq: nil)))
    }

    /// People here, each once and without ghosts.
    var presentCount: Int { Set(room.members.values.lazy.filter { !$0.isGhost }.map(\.user.uid)).count }

    /// Who is here, each once and without ghosts, in the order of their names' identifiers.
    func present() -> [LiveRoom.Member] {
        var first: [UserID: LiveRoom.Member] = [:]
        for member in room.members.values where !member.isGhost {
            if let known = first[member.user.uid], known.joinedMilliseconds <= member.joinedMilliseconds { continue }
            first[member.user.uid] = member
        }
        return first.values.sorted {
            ($0.joinedMilliseconds, $0.user.uid.rawValue) < ($1.joinedMilliseconds, $1.user.uid.rawValue)
        }
    }

    // MARK: Talking

    func posted(_ message: ChatMessage) {
        let effects = chat.post(message).map { RoomEffect.event(ChatPosted(message: $0)) }
        announceTalk(effects)
    }

    func changed(_ message: ChatMessage) {
        chat.change(message)
        announceTalk([.event(ChatChanged(message: message))])
    }

    /// Talk is no news for the directory.
    func announceTalk(_ effects: [RoomEffect]) {
        for case .event(let event) in effects {
            guard let seq = try? update({ room throws(WireError) in room.nextSequence() }) else { continue }
            announce(WebSocketFrame(text: Event.encode(event, room: id, seq: seq)))
        }
    }

    /// Somebody likes what they hear.
    func react(_ emoji: String, at microseconds: Int64) {
        guard reactions.add(emoji, at: microseconds) else { return }
        core.loop.schedule(after: .microseconds(ReactionTally.spanMicroseconds)) { [weak self] in
            guard let self else { return }
            announce(WebSocketFrame(text: Event.encode(reactions.take(), room: id, seq: nil)))
        }
    }
}
