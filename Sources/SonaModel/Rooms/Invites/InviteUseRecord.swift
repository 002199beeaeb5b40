internal import SonaDatabase
internal import SonaWire

/// That somebody has used an invite: the second time is free, and does not count.
struct InviteUseRecord: Record, Equatable {
    typealias Key = InviteUse

    let invite: InviteID
    let uid: UserID
    let isGuest: Bool
    let atMilliseconds: Int64

    static let invite = Column("invite_id", \Self.invite, .references(InviteRecord.self, onDelete: .cascade))
    static let uid = Column("uid", \Self.uid, .byteCount(Limits.userIDBytes))
    static let isGuest = Column("is_guest", \Self.isGuest, .oneOf(false, true))
    static let at = Column("at_ms", \Self.atMilliseconds)

    static let table = Table<Self>(
        "room_invite_uses", invite, uid, isGuest, at,
        rules: [
            .primaryKey(invite, uid), .index("room_invite_uses_by_user", on: uid.ascending, at.descending),
            .index("room_invite_guests_by_age", on: at.ascending, where: "is_guest"),
        ])

    func bind(to values: inout Binder) {
        values.next(invite)
        values.next(uid)
        values.next(isGuest)
        values.next(atMilliseconds)
    }
}

extension InviteUseRecord {
    init(row: inout Row) throws(DatabaseError) {
        invite = try row.next()
        uid = try row.next()
        isGuest = try row.next()
        atMilliseconds = try row.next()
    }
}

/// The key of a use: which invite, by whom.
struct InviteUse: RecordKey, Hashable {
    static let columnCount = 2

    let invite: InviteID
    let uid: UserID

    init(_ invite: InviteID, _ uid: UserID) {
        self.invite = invite
        self.uid = uid
    }

    init(row: inout Row) throws(DatabaseError) {
        invite = try row.next()
        uid = try row.next()
    }

    func bind(to values: inout Binder) {
        values.next(invite)
        values.next(uid)
    }
}
