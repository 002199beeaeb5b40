internal import SonaEventLoop
internal import SonaRooms
internal import SonaWire

/// Tracks that visitors ask for who are not in the room.
extension RoomQueue {
    /// Takes a suggestion, whoever the room's rules let suggest from inside. All other rules hold.
    func take(_ reference: TrackReference, from visitor: UserID, _ completion: @escaping Completion) {
        let now = MonotonicClock.wallMilliseconds()
        var member = PartyMember(uid: visitor, isGuest: true, rights: .suggest, joinedMilliseconds: 0)
        member.isHere = false
        perform(.suggest(reference), nil, as: member, now: now, completion)
    }
}
