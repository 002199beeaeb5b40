package import SonaWire

/// Who may sit in the host seat, and how the seat changes hands.
extension LiveRoom {
    /// An offer of the seat. It ends when its time is up, with another offer, and when the seat is taken back or
    /// somebody else takes it. It also ends with its giver's right to offer: the owner's right lasts while they are
    /// here, the host's while they have the seat.
    package struct Offer: Sendable, Equatable, Codable {
        package let user: UserID
        let giver: UserID
        /// µs.
        let until: Int64
    }

    /// The claim of a user who had the seat when the server ended, or to whom it was offered. They may take the seat
    /// again for as long as it would have been kept. The claim ends when anybody takes the seat, or takes it back.
    package struct Claim: Sendable, Equatable, Codable {
        let user: UserID
        /// µs.
        let until: Int64
    }

    /// - Parameter until: µs.
    package mutating func recallHost(_ user: UserID, until: Int64) { claim = Claim(user: user, until: until) }

    /// Offers the seat to a member.
    ///
    /// - Throws: `room.forbidden` unless the owner or the host offers, `user.not_found` if the member is not here.
    package mutating func offerSeat(
        to uid: UserID, by member: MemberID, now: Int64
    ) throws(WireError) -> User {
        guard let user = members[member]?.user else { throw WireError(.roomNotJoined) }
        guard seat.member == member || standing(of: user) == .owner else { throw WireError(.roomForbidden) }
        guard presence.contains(uid), let other = members.values.first(where: { $0.user.uid == uid })?.user else {
            throw WireError(.userNotFound)
        }
        guard !other.isGuest else { throw WireError(.roomForbidden) }
        guard seat.host?.uid != uid else { return user }
        offer = Offer(user: uid, giver: user.uid, until: now + Int64(Limits.hostOfferSeconds) * 1_000_000)
        return user
    }

    /// Takes the seat away from its holder. The broadcast ends where its packets end.
    ///
    /// - Returns: The connection that had the seat, lost or not.
    /// - Throws: `room.forbidden`.
    package mutating func takeBackSeat(
        by member: MemberID, now: Int64
    ) throws(WireError) -> (former: MemberID?, effects: [RoomEffect]) {
        guard let user = members[member]?.user else { throw WireError(.roomNotJoined) }
        guard let host = seat.host else {
            try require(.host, of: user)
            claim = nil
            return (nil, [])
        }
        try requireAbove(host.uid, user, .host)
        offer = nil
        return (seat.connection, vacate(.finished, now: now))
    }

    /// Vacates the seat if it belongs to somebody who is put out.
    package mutating func vacateSeat(of uid: UserID, now: Int64) -> [RoomEffect] {
        if offer?.user == uid { offer = nil }
        if claim?.user == uid { claim = nil }
        guard seat.host?.uid == uid else { return [] }
        return vacate(.finished, now: now)
    }

    /// Ends the offer if its giver has lost the right to make it, by leaving the room or the seat.
    mutating func endOfferWithoutGiver() {
        guard let giver = offer?.giver else { return }
        let isHost = seat.member != nil && seat.host?.uid == giver
        let isOwner = giver == owner.uid && presence.contains(giver)
        if !isHost, !isOwner { offer = nil }
    }

    /// A connection that has lost the seat, whether it is here or away, with one of the reasons of `HostLostSeat`.
    package struct FormerHost: Sendable, Equatable {
        package let member: MemberID
        package let reason: String

        package init?(_ member: MemberID?, _ reason: String) {
            guard let member else { return nil }
            self.member = member
            self.reason = reason
        }
    }

    /// Frees the seat for somebody.
    ///
    /// - Parameter mayTakeOver: The connection in the seat has fallen silent.
    /// - Throws: `room.forbidden` (neither owner nor cohost, and not offered), `host.seat_taken`.
    mutating func clearSeat(
        for user: User, mayTakeOver: Bool, now: Int64
    ) throws(WireError) -> (former: FormerHost?, effects: [RoomEffect]) {
        let reason: String
        if let offer, offer.user == user.uid, offer.until >= now {
            self.offer = nil
            reason = HostLostSeat.handedOver
        } else if seat.host?.uid == user.uid {
            // The user in the seat, by an offer or by right, may go on in it from elsewhere.
            guard seat.member == nil || mayTakeOver else { throw WireError(.hostSeatTaken) }
            return (FormerHost(seat.connection, HostLostSeat.elsewhere), [])
        } else if seat == .vacant || seat == .server, let claim, claim.user == user.uid, claim.until >= now {
            reason = HostLostSeat.takenBack
        } else {
            let isDJ = slotHosts.host == user.uid
            if !isDJ { try require(.host, of: user) }
            // The DJ of a slot that is over keeps the seat, but not from the next one.
            let isFollowed = isDJ && slotSeat != nil && seat.host?.uid == slotSeat && !mayHost(seat.host)
            let isFree =
                isFollowed || seat == .server || standing(of: user) == .owner && (seat.member == nil || mayTakeOver)
            guard seat == .vacant || isFree else { throw WireError(.hostSeatTaken) }
            reason = isFollowed ? HostLostSeat.handedOver : HostLostSeat.takenBack
        }
        slotSeat = slotHosts.host == user.uid ? user.uid : nil
        // In a room that plays by itself one epoch is followed by the next whoever sends it.
        guard seat != .vacant, seat != .server else { return (nil, []) }
        let former = FormerHost(seat.connection, reason)
        if hasServer { return (former, []) }
        let effects = vacate(.finished, now: now)
        // The broadcast goes on.
        tracks.handOver()
        return (former, effects)
    }

    private func mayHost(_ user: User?) -> Bool { user.map { capabilities(of: $0).contains(.host) } ?? false }
}
