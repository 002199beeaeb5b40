internal import SonaDatabase
internal import SonaWire

/// Who may not enter a room.
struct RoomBanRecord: Record, Equatable {
    typealias Key = RoomPerson

    let room: RoomID
    let uid: UserID
    let isGuest: Bool
    /// `nil` for good.
    let untilMilliseconds: Int64?
    /// What the person is told.
    let reason: String?
    /// `nil` once that account is gone.
    let by: UserID?
    /// Of a guest: what they came by, and what lets no new guest in while the ban lasts.
    let invite: InviteID?
    let createdMilliseconds: Int64

    static let room = Column("room_id", \Self.room, .references(RoomRecord.self, onDelete: .cascade))
    static let uid = Column("uid", \Self.uid, .byteCount(Limits.userIDBytes))
    static let isGuest = Column("is_guest", \Self.isGuest, .oneOf(false, true))
    static let until = Column("until_ms", \Self.untilMilliseconds)
    static let reason = Column("reason", \Self.reason, .byteCount(1...Limits.banReasonBytes.upperBound))
    static let by = Column("by_uid", \Self.by)
    static let invite = Column("invite_id", \Self.invite)
    static let created = Column("created_ms", \Self.createdMilliseconds)

    static let table = Table<Self>(
        "room_bans", room, uid, isGuest, until, reason, by, invite, created,
        rules: [
            .primaryKey(room, uid),
            .index("room_bans_by_age", on: room.ascending, created.descending, uid.descending),
            .index("room_bans_by_user", on: uid.ascending),
            .index("room_bans_by_giver", on: by.ascending, where: "by_uid IS NOT NULL"),
            .index("room_bans_by_invite", on: invite.ascending, where: "invite_id IS NOT NULL"),
            .index("room_bans_by_end", on: until.ascending, where: "until_ms IS NOT NULL"),
            .index("room_guest_bans_by_age", on: created.ascending, where: "is_guest"),
        ])

    func bind(to values: inout Binder) {
        values.next(room)
        values.next(uid)
        values.next(isGuest)
        values.next(untilMilliseconds)
        values.next(reason)
        values.next(by)
        values.next(invite)
        values.next(createdMilliseconds)
    }
}

extension RoomBanRecord {
    init(row: inout Row) throws(DatabaseError) {
        room = try row.next()
        uid = try row.next()
        isGuest = try row.next()
        untilMilliseconds = try row.next()
        reason = try row.next()
        by = try row.next()
        invite = try row.next()
        createdMilliseconds = try row.next()
    }

    /// Which of them hold at a moment.
    static func holds(at now: Int64) -> SQL { "(until_ms IS NULL OR until_ms > \(now))" }
}
