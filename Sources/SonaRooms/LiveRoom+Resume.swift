package import SonaWire

/// Members whose connections are lost and who are expected back.
extension LiveRoom {
    /// A member's connection is lost. The member stays in the room; a host's seat is kept, as by `leave`.
    package mutating func lose(_ member: MemberID, now: Int64) -> [RoomEffect] {
        guard members[member] != nil, case .held(member, let user) = seat else { return [] }
        defer { endOfferWithoutGiver() }
        return keepSeat(of: user, lost: member, now: now)
    }

    /// A member is back. A host gets the seat again, unless somebody else has it.
    package mutating func regain(_ member: MemberID) -> [RoomEffect] {
        guard members[member] != nil, case .away(let user, _, member) = seat else { return [] }
        seat = .held(member, user)
        return [.event(seatEvent), .listenersChanged]
    }

    /// The place at which a host goes on; `nil` if the member is not the host.
    package func hostPlace(of member: MemberID) -> ResumedStay.HostPlace? {
        guard seat.member == member else { return nil }
        return ResumedStay.HostPlace(epoch: stream?.hostEpoch ?? lastEpoch, samplePosition: stream?.hostPosition)
    }

    /// The host is away; the seat stays theirs for a while.
    ///
    /// - Parameter lost: The connection that gets the seat again if it comes back.
    mutating func keepSeat(of user: User, lost: MemberID?, now: Int64) -> [RoomEffect] {
        seat = .away(user, until: now + Int64(Limits.hostSeatSeconds) * 1_000_000, lost: lost)
        var effects: [RoomEffect] = [.event(seatEvent), .listenersChanged]
        // The moment at which the music will stop is known already. A host that comes back sooner goes on from there.
        if let stream, !stream.isStarved, playback.latest.state == .playing { effects += starve(now: now) + [.persist] }
        return effects
    }
}
