package import SonaWire

/// What a member may do with the queue whatever the room's rules open to everybody.
package struct PartyRights: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let suggest = PartyRights(rawValue: 1)
    package static let vote = PartyRights(rawValue: 2)
    /// To add, order, approve, skip and set the rules: owner, co-host, and who came by a link that says so.
    package static let control = PartyRights(rawValue: 4)
    /// To say what plays: whoever sits in the host's seat.
    package static let report = PartyRights(rawValue: 8)

    package static let host: PartyRights = [.suggest, .vote, .control, .report]
}

/// Who gives a command: a user, however many sessions they have here.
package struct PartyMember: Sendable, Equatable {
    package var uid: UserID
    package var isGuest: Bool
    package var rights: PartyRights
    /// Since when they have been here without a break, by whichever session came first; ms.
    package var joinedMilliseconds: Int64

    package init(uid: UserID, isGuest: Bool, rights: PartyRights, joinedMilliseconds: Int64) {
        self.uid = uid
        self.isGuest = isGuest
        self.rights = rights
        self.joinedMilliseconds = joinedMilliseconds
    }

    var mayControl: Bool { rights.contains(.control) }

    /// Who controls the queue may do what others may, but not speak for the host.
    func may(_ right: PartyRights) -> Bool { rights.contains(right) || (mayControl && right != .report) }
}
