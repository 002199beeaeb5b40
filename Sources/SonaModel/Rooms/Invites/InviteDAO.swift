internal import SonaDatabase
internal import SonaWire

/// Invites, and who has used them.
struct InviteDAO: RoomRefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) {
        setUp.createTable(InviteRecord.self)
        setUp.createTable(InviteUseRecord.self)
    }

    /// The invite with that identifier, if it is one to that room.
    ///
    /// - Throws: `inviteInvalid`.
    static func find(
        _ id: InviteID, to room: RoomID, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> InviteRecord {
        guard let invite = try db.first(InviteRecord.self, key: id), invite.room == room else {
            throw Refusal.inviteInvalid
        }
        return invite
    }

    /// `i` are invites, `u` who made them.
    static func invites(_ rest: SQL, in db: inout some DatabaseAccess & ~Copyable) throws -> [Invite] {
        try db.all("\(Invite.select) \(rest)") { row in try Invite(row: &row) }
    }

    /// Room for one more live invite. Of those that let nobody in any more, the oldest beyond `keptMax` go, unless
    /// somebody is here by them.
    ///
    /// - Throws: `limitReached`.
    static func makeRoom(in room: RoomID, now: Int64, _ db: inout WriteAccess) throws {
        let live = try db.value(
            "SELECT count(*) FROM room_invites WHERE room_id = \(room) AND \(InviteRecord.isLive(at: now))",
            as: Int.self)
        guard live ?? 0 < Limits.invitesPerRoomMax else { throw Refusal.limitReached }
        try db.execute(
            """
            DELETE FROM room_invites WHERE id IN (SELECT id FROM room_invites i
                WHERE room_id = \(room) AND NOT \(InviteRecord.isLive(at: now))
                    AND NOT EXISTS (SELECT 1 FROM room_members m WHERE m.invite_id = i.id)
                ORDER BY created_ms DESC, id DESC LIMIT -1 OFFSET \(InviteStore.keptMax))
            """)
    }

    /// Those who are here by an invite that was revoked, and by nothing else.
    static func removeMembers(restingOn id: InviteID, of room: RoomID, in db: inout WriteAccess) throws {
        try db.execute(
            """
            DELETE FROM room_members WHERE invite_id = \(id) AND room_id = \(room) AND given IS NULL
                AND NOT EXISTS (SELECT 1 FROM room_invite_uses s JOIN room_invites i ON i.id = s.invite_id
                    WHERE s.uid = room_members.uid AND i.room_id = \(room) AND i.revoked_ms IS NULL)
            """)
    }

    /// The best invite to a room that somebody has used and that has not been revoked.
    static func best(
        of uid: UserID, to room: RoomID, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> (id: InviteID, role: InviteRole)? {
        try db.all(
            """
            SELECT i.id, i.role FROM room_invite_uses s JOIN room_invites i ON i.id = s.invite_id
            WHERE s.uid = \(uid) AND i.room_id = \(room) AND i.revoked_ms IS NULL
            """
        ) { row in (id: try row.next(InviteID.self), role: try row.next(InviteRole.self)) }
        .max { $0.role < $1.role }
    }
}
