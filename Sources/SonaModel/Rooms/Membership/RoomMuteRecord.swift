internal import SonaDatabase
internal import SonaWire

/// Who may not chat in a room.
struct RoomMuteRecord: Record, Equatable {
    typealias Key = RoomPerson

    let room: RoomID
    let uid: UserID
    let isGuest: Bool
    /// `nil` for good.
    let untilMilliseconds: Int64?
    /// `nil` once that account is gone.
    let by: UserID?
    let createdMilliseconds: Int64

    static let room = Column("room_id", \Self.room, .references(RoomRecord.self, onDelete: .cascade))
    static let uid = Column("uid", \Self.uid, .byteCount(Limits.userIDBytes))
    static let isGuest = Column("is_guest", \Self.isGuest, .oneOf(false, true))
    static let until = Column("until_ms", \Self.untilMilliseconds)
    static let by = Column("by_uid", \Self.by)
    static let created = Column("created_ms", \Self.createdMilliseconds)

    static let table = Table<Self>(
        "room_mutes", room, uid, isGuest, until, by, created,
        rules: [
            .primaryKey(room, uid), .index("room_mutes_by_user", on: uid.ascending),
            .index("room_mutes_by_giver", on: by.ascending, where: "by_uid IS NOT NULL"),
            .index("room_mutes_by_end", on: until.ascending, where: "until_ms IS NOT NULL"),
            .index("room_guest_mutes_by_age", on: created.ascending, where: "is_guest"),
        ])

    func bind(to values: inout Binder) {
        values.next(room)
        values.next(uid)
        values.next(isGuest)
        values.next(untilMilliseconds)
        values.next(by)
        values.next(createdMilliseconds)
    }
}

extension RoomMuteRecord {
    init(row: inout Row) throws(DatabaseError) {
        room = try row.next()
        uid = try row.next()
        isGuest = try row.next()
        untilMilliseconds = try row.next()
        by = try row.next()
        createdMilliseconds = try row.next()
    }
}
