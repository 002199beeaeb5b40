internal import SonaDatabase
internal import SonaWire

/// Who belongs to rooms, who may not enter and who may not chat.
struct MembershipDAO: RoomRefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) {
        setUp.createTable(RoomMemberRecord.self)
        setUp.createTable(RoomBanRecord.self)
        setUp.createTable(RoomMuteRecord.self)
    }

    // MARK: Members

    /// `m` are members, `u` the accounts among them.
    static func members(
        _ rest: SQL, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [MembershipStore.Member] {
        try db.all("SELECT \(MembershipStore.Member.columns) FROM \(memberJoin) \(rest)") { row in
            try MembershipStore.Member(row: &row)
        }
    }

    static let memberJoin: SQL = "room_members m LEFT JOIN users u ON u.uid = m.uid"

    static func member(
        _ uid: UserID, of room: RoomID, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> MembershipStore.Member? {
        try members("WHERE m.room_id = \(room) AND m.uid = \(uid)", in: &db).first
    }

    /// - Throws: `limitReached`.
    static func insert(_ record: RoomMemberRecord, in db: inout WriteAccess) throws {
        guard try db.count(RoomMemberRecord.filter(RoomMemberRecord.room == record.room)) < MembershipStore.membersMax
        else { throw Refusal.limitReached }
        try db.insert(record)
    }

    /// Whether the database knows no account of that UID: what is told of somebody may be older than their account.
    ///
    /// - Parameter saysGuest: What their token says.
    /// - Throws: `userUnknown` for an account that is no more.
    static func isGuest(
        _ uid: UserID, saysGuest: Bool, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> Bool {
        if try db.exists(UserRecord.self, key: uid) { return false }
        guard saysGuest else { throw Refusal.userUnknown }
        return true
    }

    /// - Throws: `roomUnknown`; `invalid` for the owner, who is above all this.
    static func refuseOwner(
        _ uid: UserID, of room: RoomID, in db: inout some DatabaseAccess & ~Copyable
    ) throws {
        guard let room = try db.first(RoomRecord.self, key: room) else { throw Refusal.roomUnknown }
        guard room.owner != uid else { throw Refusal.invalid }
    }

    // MARK: Bans

    /// The ban that keeps somebody out now, of their own.
    static func ban(
        of uid: UserID, in room: RoomID, now: Int64, _ db: inout some DatabaseAccess & ~Copyable
    ) throws(DatabaseError) -> RoomBanRecord? {
        guard let ban = try db.first(RoomBanRecord.self, key: RoomPerson(room, uid)) else { return nil }
        if let until = ban.untilMilliseconds, until <= now { return nil }
        return ban
    }

    /// The ban that lasts longest of those that keep new guests from coming by an invite now.
    static func ban(
        ofInvite invite: InviteID, in room: RoomID, now: Int64, _ db: inout some DatabaseAccess & ~Copyable
    ) throws(DatabaseError) -> RoomBanRecord? {
        try db.first(
            RoomBanRecord.self,
            """
            WHERE invite_id = \(invite) AND room_id = \(room) AND \(RoomBanRecord.holds(at: now))
            ORDER BY until_ms IS NULL DESC, until_ms DESC LIMIT 1
            """)
    }

    /// - Throws: `banned`.
    static func refuseIfBanned(
        _ uid: UserID, in room: RoomID, now: Int64, _ db: inout some DatabaseAccess & ~Copyable
    ) throws {
        if let ban = try ban(of: uid, in: room, now: now, &db) { throw Refusal(ban) }
    }

    /// What a guest came to a room by last.
    static func invite(
        of uid: UserID, to room: RoomID, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> InviteID? {
        try db.value(
            """
            SELECT s.invite_id FROM room_invite_uses s JOIN room_invites i ON i.id = s.invite_id
            WHERE s.uid = \(uid) AND i.room_id = \(room) ORDER BY s.at_ms DESC LIMIT 1
            """)
    }

    /// Room for one more: what has ended goes first.
    ///
    /// - Throws: `limitReached`.
    static func makeRoomForBan(in room: RoomID, now: Int64, _ db: inout WriteAccess) throws {
        let bans = RoomBanRecord.filter(RoomBanRecord.room == room)
        guard try db.count(bans) >= MembershipStore.bansMax else { return }
        try db.execute("DELETE FROM room_bans WHERE room_id = \(room) AND until_ms <= \(now)")
        guard try db.count(bans) < MembershipStore.bansMax else { throw Refusal.limitReached }
    }

    /// - Throws: `limitReached`.
    static func makeRoomForMute(in room: RoomID, now: Int64, _ db: inout WriteAccess) throws {
        let mutes = RoomMuteRecord.filter(RoomMuteRecord.room == room)
        guard try db.count(mutes) >= MembershipStore.bansMax else { return }
        try db.execute("DELETE FROM room_mutes WHERE room_id = \(room) AND until_ms <= \(now)")
        guard try db.count(mutes) < MembershipStore.bansMax else { throw Refusal.limitReached }
    }
}

extension Refusal {
    init(_ ban: RoomBanRecord) { self = .banned(untilMilliseconds: ban.untilMilliseconds, reason: ban.reason) }
}
