internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// The host seat as it changes hands, and reactions.
extension Session {
    func requestSeat(_ request: Request, now: Int64) throws(WireError) {
        _ = try HostRequest(request.data)
        let home = try joined()
        let account = try signedIn()
        try account.require(.roomsControl)
        let wait = seatRequestedMicroseconds.addingReportingOverflow(Int64(Limits.hostRequestSeconds) * 1_000_000)
        if !wait.overflow, seatRequestedMicroseconds != .min, wait.partialValue > now {
            throw WireError(
                .requestRateLimited, retryAfterMilliseconds: Int((wait.partialValue - now) / 1_000) + 1)
        }
        seatRequestedMicroseconds = now
        let event = HostRequested(room: home.id, user: User(account))
        home.tell(.host, event)
        // A host who is there by an offer has the seat to give, too.
        if let host = home.hostSession, let user = host.account.map({ User($0) }),
            !home.room.capabilities(of: user).contains(.host)
        {
            host.send(event)
        }
        answer(request.id, Empty())
    }

    func offerSeat(_ request: Request, now: Int64) throws(WireError) {
        let offer = try HostOffer(request.data)
        let home = try joined()
        try signedIn().require(.roomsControl)
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
        for session in home.members.values where session.account?.uid == uid {
            session.send(HostOffered(room: home.id, by: by))
        }
        answer(request.id, Empty())
    }

    func takeBackSeat(_ request: Request, now: Int64) throws(WireError) {
        _ = try HostTakeBack(request.data)
        let home = try joined()
        try signedIn().require(.roomsControl)
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
        if reactionBudget.take(now: now) == nil { home.react(reaction.emoji, at: reaction.atMicroseconds ?? now) }
        answer(request.id, Empty())
    }
}

extension RoomHome {
    /// Tells a host that the seat is somebody else's, or nobody's.
    func lostSeat(_ member: MemberID, _ reason: String) {
        members[member]?.send(HostLostSeat(room: id, reason: reason))
    }
}
