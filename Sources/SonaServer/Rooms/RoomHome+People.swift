internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// The people in a room and in its waiting room. Every event sent from here describes a change that is already stored.
extension RoomHome {
    // MARK: The waiting room

    /// Puts a user into the waiting room, and tells the members who may moderate.
    func knock(_ session: Session, _ user: User) throws(WireError) {
        session.knocksAt = self
        guard try update({ room throws(WireError) in try room.knock(user) }) else { return }
        tell(.moderate, RoomKnocked(room: id, user: user))
    }

    /// A user stops waiting: they have been answered, or their last session that waited has gone.
    func stopWaiting(_ uid: UserID, _ session: Session) {
        guard !core.sessions(of: uid).contains(where: { $0 !== session && $0.knocksAt === self }) else { return }
        _ = try? update { room throws(WireError) in room.stopWaiting(uid) }
    }

    /// Answers a user in the waiting room.
    ///
    /// - Returns: The user; `nil` if no such user waits.
    func answer(_ uid: UserID, isAdmitted: Bool, by moderator: User) -> User? {
        guard let user = try? update({ room throws(WireError) in room.stopWaiting(uid) }) else { return nil }
        tellAnswer(uid, isAdmitted: isAdmitted)
        moderated(isAdmitted ? .admit : .deny, user, by: moderator)
        return user
    }

    /// Empties the waiting room with one answer for all.
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

    /// Whether a stored change is to be applied. Changes may arrive here in another order than they were stored in.
    func takes(_ changeNumber: Int64, of subject: TakenChanges.Subject) -> Bool {
        taken.take(changeNumber, of: subject, now: MonotonicClock.nowMicroseconds())
    }

    /// Applies a user's new standing; `nil` is none.
    ///
    /// - Parameters:
    ///   - changeNumber: The number of the change.
    /// - isSilent: The user is about to come in, or is out: no event is sent unless they are inside.
    func set(_ entry: RoomRoster.Entry?, for user: User, changeNumber: Int64, isSilent: Bool = false) {
        guard takes(changeNumber, of: .standing(user.uid)) else { return }
        let wasWaiting = room.roster.waiting[user.uid] != nil
        let effects = (try? update { room throws(WireError) in room.set(entry, for: user) }) ?? []
        if wasWaiting { tellAnswer(user.uid, isAdmitted: entry != nil) }
        // A user who is inside already, perhaps over another connection, has visibly changed.
        if !isSilent || room.presence.contains(user.uid) { apply(effects, now: MonotonicClock.nowMicroseconds()) }
        core.services.directory.note(room.description())
    }

    /// Gives the room to its new owner.
    func transfer(_ moved: RoomTransferStore.Moved) {
        let new = moved.room.owner
        // The former owner still owns the room here, so this is no visible change yet.
        set(moved.formerMember.map(RoomRoster.Entry.init), for: moved.former, changeNumber: moved.standingNumber)
        if room.roster.waiting[new.uid] != nil {
            _ = try? update { room throws(WireError) in room.stopWaiting(new.uid) }
            tellAnswer(new.uid, isAdmitted: true)
        }
        change(moved.room, changeNumber: moved.changeNumber)
        set(nil, for: new, changeNumber: moved.standingNumber)
        _ = liftBan(new.uid, changeNumber: moved.standingNumber)
        _ = liftMute(new, changeNumber: moved.standingNumber)
    }

    /// Removes a user from the room, with all their sessions.
    func putOut(_ uid: UserID, _ reason: String, until: Int64? = nil, message: String? = nil) {
        for session in Array(sessions) where session.account?.uid == uid {
            session.send(RoomRemoved(room: id, reason: reason, untilMilliseconds: until, message: message))
            session.leaveRoom(isLost: false)
        }
        for session in core.sessions(of: uid) where session.knocksAt === self { session.knocksAt = nil }
        // The host may be away, with no session to remove: the seat is vacated all the same.
        let now = MonotonicClock.nowMicroseconds()
        apply((try? update { room throws(WireError) in room.vacateSeat(of: uid, now: now) }) ?? [], now: now)
    }

    /// Bans a user, and takes away their standing.
    ///
    /// - Parameter until: Wall time, ms; `nil` is for good.
    /// - Returns: Whether it was applied; false if a newer change was applied before.
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

    /// Tells the moderators of an action by one of them.
    func moderated(_ action: RoomModerated.Action, _ user: User, by moderator: User, until: Int64? = nil) {
        tell(
            .moderate,
            RoomModerated(room: id, action: action, user: user, by: moderator, untilMilliseconds: until))
    }

    /// Sends a personal event to each member who has a capability.
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

    /// Runs a body that may bring a user into view or out of it, and notes the difference for the members.
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

    /// Tells members, but not the directory: chat changes nothing there.
    func announceChat(_ effects: [RoomEffect]) {
        for case .event(let event) in effects {
            tell(event, now: MonotonicClock.nowMicroseconds())
        }
    }

    /// Counts a reaction, and tells members soon.
    func react(_ emoji: String, at microseconds: Int64) {
        keepReaction(emoji, at: microseconds)
        guard reactions.add(emoji, at: microseconds) else { return }
        after(.microseconds(ReactionTally.spanMicroseconds)) { home in
            home.announce(WebSocketFrame(text: Event.encode(home.reactions.take(), room: home.id, seq: nil)))
        }
    }
}
