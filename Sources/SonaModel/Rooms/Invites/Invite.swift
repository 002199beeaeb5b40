internal import SonaDatabase
package import SonaWire

extension InviteStore {
    /// What an invite lets people do. Each includes those before.
    package enum Role: String, CaseIterable, Sendable, Comparable {
        case listen
        case suggest
        case vote
        case control
        /// The standing of a co-host.
        case cohost

        private var rank: Int {
            switch self {
            case .listen: 0
            case .suggest: 1
            case .vote: 2
            case .control: 3
            case .cohost: 4
            }
        }

        package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

        var standing: Standing { self == .cohost ? .cohost : .member }
    }

    package struct Invite: Sendable, Equatable {
        package let id: InviteID
        package let room: RoomID
        package let role: Role
        package let label: String?
        package let createdMilliseconds: Int64
        package let expiresMilliseconds: Int64
        package let uses: Int
        /// `nil` for as many as like.
        package let usesMax: Int?
        package let revokedMilliseconds: Int64?
        /// `nil` if that account is gone.
        package let createdBy: User?
    }
}

extension InviteStore.Role: DatabaseValueConvertible {}

extension InviteStore.Invite {
    /// What `init(row:)` reads, of invites `i` and who made them, `u`.
    static let select: SQL = """
        SELECT i.id, i.room_id, i.role, i.label, i.created_ms, i.expires_ms, i.uses, i.uses_max, i.revoked_ms, u.uid,
            u.username
        FROM room_invites i LEFT JOIN users u ON u.uid = i.created_by
        """

    init(row: inout Row) throws(DatabaseError) {
        id = try row.next()
        room = try row.next()
        role = try row.next()
        label = try row.next()
        createdMilliseconds = try row.next()
        expiresMilliseconds = try row.next()
        uses = try row.next()
        usesMax = try row.next()
        revokedMilliseconds = try row.next()
        let creator = try row.next(UserID?.self)
        let name = try row.next(Username?.self)
        createdBy = creator.map { User(uid: $0, username: name, isGuest: false) }
    }
}
