internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// The host seat as it changes hands, and reactions.
extension Session {
    func requestSeat(_ request: Request, now: Int64) throws(WireError) {
        _ = try HostRequest(request.data)
        let account = try signedIn()
        try account.require(.roomsControl)
        let home = try joined()
        let requested = ensureActiveState().seatRequestedMicroseconds
        let wait = requested.addingReportingOverflow(Int64(Limits.hostRequestSeconds) * 1_000_000)
        // Once in a while is enough to be told of the same person.
        if requested == .min || wait.overflow || wait.partialValue <= now {
            ensureActiveState().seatRequestedMicroseconds = now
            let event = HostRequested(room: home.id, user: User(account))
            let givers = Set([home.room.settings.owner.uid, home.room.seat.host?.uid].compactMap { $0 })
            for session in home.sessions where session.account.map({ givers.contains($0.uid) }) == true {
                session.send(event)
            }
        }
        answer(request.id, Empty())
    }

    func offerSeat(_ request: Request, now: Int64) throws(WireError) {
        let offer = try HostOffer(request.data)
        try signedIn().require(.roomsControl)
        let home = try joined()
        let uid: UserID
        switch offer.user {
        case .id(let id): uid = id
        case .username(let name):
            let known = home.room.members.values.first { $0.user.username?.key == name.key }
            guard let known else { throw WireError(.userNotFound) }
            uid = known.user.uid
        }
        let by = try home.update(now: now) { room throws(WireError) in
            (try room.offerSeat(to: uid, by: number, now: now), [])
        }
        // Who sits there already needs no offer.
        for session in home.sessions where session.account?.uid == uid && home.room.seat.host?.uid != uid {
            session.send(HostOffered(room: home.id, by: by))
        }
        answer(request.id, Empty())
    }

    func takeBackSeat(_ request: Request, now: Int64) throws(WireError) {
        _ = try HostTakeBack(request.data)
        try signedIn().require(.roomsControl)
        let home = try joined()
        let former = try home.update(now: now) { room throws(WireError) in
            let (former, effects) = try room.takeBackSeat(by: number, now: now)
            return (former, effects)
        }
        home.commands.failAll(WireError(.hostAbsent))
        if let former, former != number { home.lostSeat(former, HostLostSeat.takenBack) }
        answer(request.id, Empty())
    }

    func react(_ request: Request, now: Int64) throws(WireError) {
        let reaction = try ReactionSend(request.data)
        let home = try joined()
        let user = User(try signedIn())
        if let until = home.room.roster.mute(user.uid, at: MonotonicClock.wallMilliseconds()) {
            let wait = until == .max ? nil : Int(clamping: until - MonotonicClock.wallMilliseconds())
            throw WireError(.chatMuted, retryAfterMilliseconds: wait)
        }
        // What is too much is merged into what was there.
        if ensureActiveState().reactionBudget.take(now: now) == nil {
            home.react(reaction.emoji, at: reaction.atMicroseconds ?? now)
        }
        answer(request.id, Empty())
    }
}

extension RoomHome {
    /// Tells a host that the seat is somebody else's, or nobody's.
    func lostSeat(_ member: MemberID, _ reason: String) {
        session(of: member)?.send(HostLostSeat(room: id, reason: reason))
    }
}
