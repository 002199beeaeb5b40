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

    /// Whether a change that was stored is to be taken: who stored first may be the last to come here.
    func takes(_ changeNumber: Int64, of subject: TakenChanges.Subject) -> Bool {
        taken.take(changeNumber, of: subject, now: MonotonicClock.nowMicroseconds())
    }

    /// Somebody is something else from now on.
    ///
    /// - Parameters:
    ///   - changeNumber: The number of the change.
    ///   - isSilent: Nobody is told of it unless they are inside: they are about to come in, or are out.
    func set(_ entry: RoomRoster.Entry?, for user: User, changeNumber: Int64, isSilent: Bool = false) {
        guard takes(changeNumber, of: .standing(user.uid)) else { return }
        let wasWaiting = room.roster.waiting[user.uid] != nil
        let effects = (try? update { room throws(WireError) in room.set(entry, for: user) }) ?? []
        if wasWaiting { tellAnswer(user.uid, isAdmitted: entry != nil) }
        // Who is inside already, with another connection perhaps, has changed.
        if !isSilent || room.presence.contains(user.uid) { apply(effects, now: MonotonicClock.nowMicroseconds()) }
        core.services.directory.note(room.description())
    }

    /// Puts somebody out, with all their connections.
    func putOut(_ uid: UserID, _ reason: String, until: Int64? = nil, message: String? = nil) {
        for session in Array(sessions) where session.account?.uid == uid {
            session.send(RoomRemoved(room: id, reason: reason, untilMilliseconds: until, message: message))
            session.leaveRoom(isLost: false)
        }
        for session in core.sessions(of: uid) where session.knocksAt === self { session.knocksAt = nil }
        // A host who was away, and has no connection to lose.
        let now = MonotonicClock.nowMicroseconds()
        apply((try? update { room throws(WireError) in room.vacateSeat(of: uid, now: now) }) ?? [], now: now)
    }

    /// Keeps somebody out, and takes away their standing.
    ///
    /// - Parameter until: `nil` for good.
    /// - Returns: Whether that is the last word on it.
    func ban(_ user: User, until: Int64?, reason: String?, changeNumber: Int64) -> Bool {
        set(nil, for: user, changeNumber: changeNumber)
        guard takes(changeNumber, of: .ban(user.uid)) else { return false }
        _ = try? update { room throws(WireError) in room.ban(user.uid, until: until ?? .max, reason: reason) }
        return true
    }

    /// - Returns: As `ban`.
    func liftBan(_ uid: UserID, changeNumber: Int64) -> Bool {
        guard takes(changeNumber, of: .ban(uid)) else { return false }
        _ = try? update { room throws(WireError) in room.ban(uid, until: nil) }
        return true
    }

    /// - Returns: As `ban`.
    func mute(_ user: User, until: Int64?, changeNumber: Int64) -> Bool {
        guard takes(changeNumber, of: .mute(user.uid)) else { return false }
        setMute(user, until: until, isLifted: false)
        return true
    }

    /// - Returns: As `ban`.
    func liftMute(_ user: User, changeNumber: Int64) -> Bool {
        guard takes(changeNumber, of: .mute(user.uid)) else { return false }
        if room.roster.mutes[user.uid] != nil { setMute(user, until: nil, isLifted: true) }
        return true
    }

    private func setMute(_ user: User, until: Int64?, isLifted: Bool) {
        let wasMuted = room.roster.mute(user.uid, at: MonotonicClock.wallMilliseconds()) != nil
        _ = try? update { room throws(WireError) in room.mute(user.uid, until: isLifted ? nil : until ?? .max) }
        guard wasMuted || !isLifted else { return }
        let event = RoomModerated(
            room: id, action: isLifted ? .unmute : .mute, user: user, by: nil,
            untilMilliseconds: isLifted ? nil : until)
        for session in sessions where session.account?.uid == user.uid { session.send(event) }
    }

    /// Tells moderators what one of them has done.
    func moderated(_ action: RoomModerated.Action, _ user: User, by moderator: User, until: Int64? = nil) {
        tell(
            .moderate,
            RoomModerated(room: id, action: action, user: user, by: moderator, untilMilliseconds: until))
    }

    /// A personal event to each member who has a capability.
    func tell(_ capability: Capability, _ event: some WireEvent) {
        for session in sessions {
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

    /// Does something after which somebody may be seen who was not, or the other way round.
    func notingPresence<Result, Failure: Error>(
        of user: User, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let wasSeen = room.presence.isSeen(user.uid)
        let result = try body()
        let isSeen = room.presence.isSeen(user.uid)
        if isSeen, !wasSeen { memberChanges.came(user) }
        if wasSeen, !isSeen { memberChanges.went(user.uid) }
        return result
    }

    // MARK: Chat

    func posted(_ message: ChatMessage) {
        let effects = chat.post(message).map { RoomEffect.event(ChatPosted(message: $0)) }
        announceChat(effects)
    }

    /// - Parameter changeNumber: The number of the change.
    func changed(_ message: ChatMessage, changeNumber: Int64) {
        guard takes(changeNumber, of: .message(message.id)) else { return }
        chat.change(message)
        announceChat([.event(ChatChanged(message: message))])
    }

    /// The chat is no news for the directory.
    func announceChat(_ effects: [RoomEffect]) {
        for case .event(let event) in effects {
            tell(event, now: MonotonicClock.nowMicroseconds())
        }
    }

    /// Somebody likes what they hear.
    func react(_ emoji: String, at microseconds: Int64) {
        guard reactions.add(emoji, at: microseconds) else { return }
        after(.microseconds(ReactionTally.spanMicroseconds)) { home in
            home.announce(WebSocketFrame(text: Event.encode(home.reactions.take(), room: home.id, seq: nil)))
        }
    }
}
