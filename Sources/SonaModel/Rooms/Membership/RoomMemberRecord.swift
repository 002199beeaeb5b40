internal import SonaDatabase
internal import SonaWire

/// Who belongs to a room.
///
/// `standing` is the higher of what was given by hand (`given`) and what came with the invite (`role`). A guest is in
/// no table of users, hence no foreign key.
struct RoomMemberRecord: Record, Equatable {
    typealias Key = RoomPerson

    let room: RoomID
    let uid: UserID
    var standing: Standing
    /// What somebody gave them by hand; `nil` for who is here by an invite only.
    var given: Standing?
    var invite: InviteID?
    /// What the invite lets them do.
    var role: InviteRole?
    var isGuest: Bool
    let sinceMilliseconds: Int64

    static let room = Column("room_id", \Self.room, .references(RoomRecord.self, onDelete: .cascade))
    static let uid = Column("uid", \Self.uid, .byteCount(Limits.userIDBytes))
    static let standing = Column("standing", \Self.standing, .oneOf(.member, .moderator, .cohost))
    static let given = Column("given", \Self.given, .oneOf(.member, .moderator, .cohost, nil))
    static let invite = Column("invite_id", \Self.invite)
    static let role = Column("role", \Self.role, .oneOf(.listen, .suggest, .vote, .control, .cohost, nil))
    static let isGuest = Column("is_guest", \Self.isGuest, .oneOf(false, true))
    static let since = Column("since_ms", \Self.sinceMilliseconds)

    static let table = Table<Self>(
        "room_members", room, uid, standing, given, invite, role, isGuest, since,
        rules: [
            .primaryKey(room, uid), .check("\(given) IS NOT NULL OR \(invite) IS NOT NULL"),
            .check("(\(invite) IS NULL) = (\(role) IS NULL)"),
            .index("room_members_by_age", on: room.ascending, since.descending, uid.descending),
            .index("room_members_by_user", on: uid.ascending),
            .index("room_members_by_invite", on: invite.ascending, where: "invite_id IS NOT NULL"),
            .index("room_guests_by_age", on: since.ascending, where: "is_guest"),
        ])

    func bind(to values: inout Binder) {
        values.next(room)
        values.next(uid)
        values.next(standing)
        values.next(given)
        values.next(invite)
        values.next(role)
        values.next(isGuest)
        values.next(sinceMilliseconds)
    }
}

extension RoomMemberRecord {
    init(row: inout Row) throws(DatabaseError) {
        room = try row.next()
        uid = try row.next()
        standing = try row.next()
        given = try row.next()
        invite = try row.next()
        role = try row.next()
        isGuest = try row.next()
        sinceMilliseconds = try row.next()
    }

    /// The same person here by an invite, beside what they were given by hand.
    mutating func rest(on invite: InviteID, as role: InviteRole) {
        self.invite = invite
        self.role = role
        standing = max(given ?? .member, role.standing)
    }
}
