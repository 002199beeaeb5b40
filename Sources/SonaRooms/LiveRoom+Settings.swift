internal import SonaWire

/// What its owner changes about a room.
extension LiveRoom {
    /// Takes new settings; identifier and owner stay.
    ///
    /// - Returns: Besides what is to be done, those who have to leave: the room has turned private, and that is its
    ///   policy. Owner and host stay.
    package mutating func change(to new: Settings) -> (effects: [RoomEffect], leaving: [MemberID]) {
        var same = new
        same.owner = settings.owner
        guard same != settings else { return ([], []) }
        let turnsPrivate = settings.visibility == .public && new.visibility == .private
        let owner = settings.owner
        settings = new
        settings.owner = owner
        var leaving: [MemberID] = []
        if turnsPrivate, new.privatePolicy == .leave {
            leaving = members.filter { $0.key != seat.connection && $0.value.user.uid != owner.uid }.map(\.key)
        }
        return ([.event(RoomUpdated(room: description()))], leaving)
    }

    /// The room is about to end: so does what plays in it.
    package mutating func end(now: Int64) -> [RoomEffect] {
        seat == .vacant ? [] : vacate(.closed, now: now)
    }
}
