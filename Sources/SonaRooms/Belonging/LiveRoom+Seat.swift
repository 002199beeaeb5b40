package import SonaWire

/// Who may sit in the host seat, and how it changes hands.
extension LiveRoom {
    /// Somebody was offered the seat. It ends by its time, by another offer, when the seat is taken back or somebody else
    /// takes it, and with its giver's right to make one: that of the owner who is here, and of the host.
    package struct Offer: Sendable, Equatable {
        package let user: UserID
        let giver: UserID
        /// µs.
        let until: Int64
    }

    /// Offers the seat to a member.
    ///
    /// - Throws: `room.forbidden` unless by the owner or the host, `user.not_found` if they are not here.
    package mutating func offerSeat(
        to uid: UserID, by member: MemberID, now: Int64
    ) throws(WireError) -> User {
        guard let user = members[member]?.user else { throw WireError(.roomNotJoined) }
        guard seat.member == member || standing(of: user) == .owner else { throw .roomForbidden(.host) }
        guard presence.contains(uid), let other = members.values.first(where: { $0.user.uid == uid })?.user else {
            throw WireError(.userNotFound)
        }
        guard !other.isGuest else { throw WireError(.roomForbidden) }
        guard seat.host?.uid != uid else { return user }
        offer = Offer(user: uid, giver: user.uid, until: now + Int64(Limits.hostOfferSeconds) * 1_000_000)
        return user
    }

    /// Takes the seat away from whoever has it. The broadcast ends where its packets end.
    ///
    /// - Returns: The connection that had it, lost or not.
    /// - Throws: `room.forbidden`.
    package mutating func takeBackSeat(
        by member: MemberID, now: Int64
    ) throws(WireError) -> (former: MemberID?, effects: [RoomEffect]) {
        guard let user = members[member]?.user else { throw WireError(.roomNotJoined) }
        guard let host = seat.host else {
            try require(.host, of: user)
            return (nil, [])
        }
        try requireAbove(host.uid, user, .host)
        offer = nil
        return (seat.connection, vacate(.finished, now: now))
    }

    /// The seat of somebody who is put out.
    package mutating func vacateSeat(of uid: UserID, now: Int64) -> [RoomEffect] {
        if offer?.user == uid { offer = nil }
        guard seat.host?.uid == uid else { return [] }
        return vacate(.finished, now: now)
    }

    /// Somebody has left, or the seat, and with it perhaps the right to offer it.
    mutating func endOfferWithoutGiver() {
        guard let giver = offer?.giver else { return }
        let isHost = seat.member != nil && seat.host?.uid == giver
        let isOwner = giver == settings.owner.uid && presence.contains(giver)
        if !isHost, !isOwner { offer = nil }
    }

    /// Makes room in the seat for somebody who was offered it.
    ///
    /// - Returns: The connection that had it, lost or not.
    mutating func acceptOffer(_ user: User, now: Int64) -> (former: MemberID?, effects: [RoomEffect])? {
        guard let offer, offer.user == user.uid, offer.until >= now else { return nil }
        self.offer = nil
        let former = seat.connection
        guard seat != .vacant else { return (former, []) }
        let effects = vacate(.finished, now: now)
        // The evening goes on.
        tracks.handOver()
        return (former, effects)
    }
}
