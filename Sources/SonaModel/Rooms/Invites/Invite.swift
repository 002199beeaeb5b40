internal import SonaDatabase
internal import SonaWire

extension InviteRole {
    var standing: Standing { self == .cohost ? .cohost : .member }
}

extension Invite {
    /// What `init(row:)` reads, of invites `i` and who made them, `u`: the owner, if that account is gone.
    static let select: SQL = """
        SELECT i.id, i.role, i.label, i.created_ms, i.expires_ms, i.uses, i.uses_max, i.revoked_ms IS NOT NULL, u.uid,
            u.username
        FROM room_invites i JOIN rooms r ON r.id = i.room_id
            JOIN users u ON u.uid = coalesce((SELECT uid FROM users WHERE uid = i.created_by), r.owner_uid)
        """

    init(row: inout Row) throws(DatabaseError) {
        self.init(
            id: try row.next(), role: try row.next(), label: try row.next(), createdMilliseconds: try row.next(),
            expiresMilliseconds: try row.next(), useCount: try row.next(), useCountMax: try row.next(),
            isRevoked: try row.next(),
            createdBy: User(uid: try row.next(), username: try row.next(), isGuest: false))
    }
}
