package import SonaWire

/// A member's rights on the queue, beyond what the room's rules open to everybody.
package struct PartyRights: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let suggest = PartyRights(rawValue: 1)
    package static let vote = PartyRights(rawValue: 2)
    /// To add, order, approve, skip and set the rules: for owner, co-host, and members who came by a link that grants
    /// it.
    package static let control = PartyRights(rawValue: 4)
    /// To report what plays: for the member in the host seat.
    package static let report = PartyRights(rawValue: 8)

    package static let host: PartyRights = [.suggest, .vote, .control, .report]
}

/// The member who gives a command: a user, however many sessions they have here.
package struct PartyMember: Sendable, Equatable {
    package var uid: UserID
    package var isGuest: Bool
    package var rights: PartyRights
    /// Time since which they have been here without a break, by their earliest session; ms.
    package var joinedMilliseconds: Int64
    /// False for the server, which acts in the owner's name while the owner may be away.
    package var isHere = true

    package init(uid: UserID, isGuest: Bool, rights: PartyRights, joinedMilliseconds: Int64) {
        self.uid = uid
        self.isGuest = isGuest
        self.rights = rights
        self.joinedMilliseconds = joinedMilliseconds
    }

    /// The server, which plays the queue of a room by itself.
    package static func server(for owner: UserID) -> PartyMember {
        var member = PartyMember(uid: owner, isGuest: false, rights: [.control, .report], joinedMilliseconds: 0)
        member.isHere = false
        return member
    }

    var mayControl: Bool { rights.contains(.control) }

    /// A member who controls the queue may do what others may, but may not report for the host.
    func may(_ right: PartyRights) -> Bool { rights.contains(right) || (mayControl && right != .report) }
}
