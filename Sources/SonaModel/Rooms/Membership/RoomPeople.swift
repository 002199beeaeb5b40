internal import SonaDatabase
package import SonaWire

extension MembershipStore {
    package struct Member: Sendable, Equatable {
        package let user: User
        /// Member, moderator or co-host.
        package let standing: Standing
        /// What their invite lets them do; `nil` for who came otherwise.
        package let role: InviteRole?
        package let invite: InviteID?
        /// Whether nobody but an invite let them in: they leave with it.
        package let restsOnInvite: Bool
        package let sinceMilliseconds: Int64
    }

    /// Members as they are shown in a list.
    package struct MemberPage: Sendable, Equatable {
        package let members: [(member: Member, card: UserCard)]
        /// `nil` after the last.
        package let next: PageCursor?

        package static func == (left: Self, right: Self) -> Bool {
            left.next == right.next && left.members.elementsEqual(right.members) { $0 == $1 }
        }
    }

    package struct Mute: Sendable, Equatable {
        package let uid: UserID
        /// `nil` for good.
        package let untilMilliseconds: Int64?
    }
}

extension User {
    /// An account, by its UID and name; `nil` for NULL.
    init?(accountIn row: inout Row) throws(DatabaseError) {
        let (uid, name) = (try row.next(UserID?.self), try row.next(Username?.self))
        guard let uid else { return nil }
        self.init(uid: uid, username: name, isGuest: false)
    }
}

extension MembershipStore.Member {
    /// What `init(row:)` reads, of members `m` and users `u`.
    static let columns: SQL = """
        m.uid, u.username, m.is_guest AND u.uid IS NULL, m.standing, m.role, m.invite_id, m.given IS NULL, m.since_ms
        """

    init(row: inout Row) throws(DatabaseError) {
        user = User(uid: try row.next(), username: try row.next(), isGuest: try row.next())
        standing = try row.next()
        role = try row.next()
        invite = try row.next()
        restsOnInvite = try row.next()
        sinceMilliseconds = try row.next()
    }
}

extension RoomBanned {
    /// What `init(row:)` reads, of bans `b`, the users banned `u`, and those who did it, `g`.
    static let select: SQL = """
        SELECT b.uid, u.username, b.is_guest AND u.uid IS NULL, b.until_ms, b.reason, g.uid, g.username, b.created_ms
        FROM room_bans b LEFT JOIN users u ON u.uid = b.uid LEFT JOIN users g ON g.uid = b.by_uid
        """

    init(row: inout Row) throws(DatabaseError) {
        self.init(
            user: User(uid: try row.next(), username: try row.next(), isGuest: try row.next()),
            untilMilliseconds: try row.next(), reason: try row.next(), by: try User(accountIn: &row),
            createdMilliseconds: try row.next())
    }
}
