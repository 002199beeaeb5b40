package import SonaWire

/// The seat from which a room is played to. At most one connection holds it.
///
/// vacant → held (`take`) → away (the connection was lost) → held again (the connection's session goes on, or the same
/// user returns, within `Limits.hostSeatSeconds`), or vacant (time is up, or the host leaves on purpose). In a room that
/// plays by itself the server takes the vacant seat, until a host takes it from there.
package enum HostSeat: Sendable, Equatable, Codable {
    case vacant
    case held(MemberID, User)
    /// `lost` is the connection that had the seat, if it may come back.
    case away(User, until: Int64, lost: MemberID?)
    /// The server plays the room's queue. Whoever may host takes the seat from it.
    case server

    /// The number by which the server sends packets. Connections count from 1.
    package static let serverMember: MemberID = 0

    package var host: User? {
        switch self {
        case .vacant, .server: nil
        case .held(_, let user), .away(let user, _, _): user
        }
    }

    package var member: MemberID? {
        switch self {
        case .held(let member, _): member
        case .server: Self.serverMember
        case .vacant, .away: nil
        }
    }

    /// The connection that holds the seat, or that had it and is expected back.
    var connection: MemberID? {
        switch self {
        case .vacant, .server: nil
        case .held(let member, _): member
        case .away(_, _, let lost): lost
        }
    }

    /// - Returns: Whether the renamed user is the host.
    mutating func rename(_ user: User) -> Bool {
        guard host?.uid == user.uid else { return false }
        switch self {
        case .vacant, .server: break
        case .held(let member, _): self = .held(member, user)
        case .away(_, let until, let lost): self = .away(user, until: until, lost: lost)
        }
        return true
    }

    package var state: HostState {
        switch self {
        case .vacant: .none
        case .held: .here
        case .away: .away
        case .server: .server
        }
    }
}

/// Somebody's presence in a room: one connection of theirs.
package typealias MemberID = UInt64
