package import SonaWire

/// Who may sit in the host seat, and how it changes hands.
extension LiveRoom {
    /// Somebody was offered the seat.
    package struct Offer: Sendable, Equatable {
        package let user: UserID
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
        guard members.values.contains(where: { $0.user.uid == uid }) else { throw WireError(.userNotFound) }
        offer = Offer(user: uid, until: now + Int64(Limits.hostOfferSeconds) * 1_000_000)
        return user
    }

    /// Takes the seat away from whoever has it. The broadcast ends where its packets end.
    ///
    /// - Returns: Who had it.
    /// - Throws: `room.forbidden`; `host.absent` if nobody has it.
    package mutating func takeBackSeat(
        by member: MemberID, now: Int64
    ) throws(WireError) -> (former: MemberID?, effects: [RoomEffect]) {
        guard let user = members[member]?.user else { throw WireError(.roomNotJoined) }
        guard let host = seat.host else {
            try require(.host, of: user)
            throw WireError(.hostAbsent)
        }
        try requireAbove(host.uid, user, .host)
        offer = nil
        return (seat.member, vacate(.finished, now: now))
    }

    /// Makes room in the seat for somebody who was offered it.
    ///
    /// - Returns: Who had it, if they are still here.
    mutating func acceptOffer(_ user: User, now: Int64) -> (former: MemberID?, effects: [RoomEffect])? {
        guard let offer, offer.user == user.uid, offer.until >= now else { return nil }
        self.offer = nil
        let former = seat.member
        return (former, seat == .vacant ? [] : vacate(.finished, now: now))
    }
}
