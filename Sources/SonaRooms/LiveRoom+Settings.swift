package import SonaWire

/// The owner's changes to a room.
extension LiveRoom {
    /// Takes new settings, and the picture that the room has now.
    ///
    /// - Returns: Besides the effects, the members who have to leave because the room turned private with that policy.
    ///   Owner and host stay.
    package mutating func change(
        to new: RoomSettings, picture: Photo?
    ) -> (effects: [RoomEffect], leaving: [MemberID]) {
        guard new != settings || picture != self.picture else { return ([], []) }
        let turnsPrivate = settings.visibility == .public && new.visibility == .private
        settings = new
        self.picture = picture
        // Whoever agreed to be recorded is asked again when replays are turned on again.
        let ending = settings.keepsReplays ? [] : endRecording()
        var leaving: [MemberID] = []
        if turnsPrivate, new.privatePolicy == .leave {
            leaving = members.filter { $0.key != seat.connection && $0.value.user.uid != owner.uid }.map(\.key)
        }
        return ([.event(RoomUpdated(room: description()))] + ending, leaving)
    }

    /// Gives the room to another owner. The entry of the former one in the roster says what they are from now on.
    package mutating func transfer(to new: User) -> [RoomEffect] {
        let former = owner
        owner = new
        roster.entries[new.uid] = nil
        return [.event(RoomUpdated(room: description()))]
            + [former, new].map { user in
                .event(
                    RoomStandingChanged(
                        user: user, standing: standing(of: user), may: Capability.words(capabilities(of: user))))
            }
    }

    /// The room is about to end, and what plays in it ends too.
    package mutating func end(now: Int64) -> [RoomEffect] {
        seat == .vacant ? [] : vacate(.closed, now: now)
    }
}
