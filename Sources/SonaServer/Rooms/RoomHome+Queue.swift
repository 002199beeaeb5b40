internal import SonaEventLoop
internal import SonaRooms
internal import SonaWire

/// The queue's view of the people in the room.
extension RoomHome {
    func isHere(_ uid: UserID) -> Bool { room.presence.contains(uid) }

    /// People who listen at the live place, each counted once, without the host. A share of them can vote to skip.
    var activeListeners: Int {
        let people = room.presence.count + room.presence.ghostCount - room.shiftedPeople
        return max(0, people - (room.seat.host.map { room.presence.contains($0.uid) } == true ? 1 : 0))
    }

    /// - Throws: `room.not_joined` if the user must be inside and is not.
    func partyMember(_ user: User, mustBeInside: Bool) throws(WireError) -> PartyMember {
        let joined = core.sessions(of: user.uid).compactMap { room.members[$0.number]?.joinedMilliseconds }.min()
        if mustBeInside, joined == nil { throw WireError(.roomNotJoined) }
        return PartyMember(
            uid: user.uid, isGuest: user.isGuest, rights: rights(of: user),
            joinedMilliseconds: joined ?? MonotonicClock.wallMilliseconds())
    }

    private func rights(of user: User) -> PartyRights {
        let capabilities = room.capabilities(of: user)
        var rights: PartyRights = []
        if capabilities.contains(.suggest) { rights.insert(.suggest) }
        if capabilities.contains(.vote) { rights.insert(.vote) }
        if capabilities.contains(.control) { rights.insert(.control) }
        if room.seat.host?.uid == user.uid { rights.insert(.report) }
        return rights
    }
}
