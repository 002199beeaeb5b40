internal import SonaDatabase
internal import SonaWire

/// An invite to a room. Its code is not kept: it follows from the identifier and the key.
struct InviteRecord: Record, Equatable {
    typealias Key = InviteID

    let id: InviteID
    let room: RoomID
    let role: InviteRole
    let label: String?
    let createdMilliseconds: Int64
    let expiresMilliseconds: Int64
    /// How many people have used it, each counted once.
    var uses = 0
    /// `nil` for as many as like.
    let usesMax: Int?
    var revokedMilliseconds: Int64?
    /// `nil` once that account is gone.
    let createdBy: UserID?

    static let id = Column("id", \Self.id, .primaryKey, .byteCount(InviteKey.idCount...InviteKey.idCount))
    static let room = Column("room_id", \Self.room, .references(RoomRecord.self, onDelete: .cascade))
    static let role = Column("role", \Self.role, .anyCase)
    static let label = Column("label", \Self.label, .byteCount(Limits.inviteLabelBytes))
    static let created = Column("created_ms", \Self.createdMilliseconds)
    static let expires = Column("expires_ms", \Self.expiresMilliseconds, .check("expires_ms > \(created)"))
    static let uses = Column("uses", \Self.uses, .check("uses >= 0"))
    static let usesMax = Column("uses_max", \Self.usesMax, .check("uses_max >= 1 AND uses <= uses_max"))
    static let revoked = Column("revoked_ms", \Self.revokedMilliseconds)
    static let createdBy = Column("created_by", \Self.createdBy)

    static let table = Table<Self>(
        "room_invites", id, room, role, label, created, expires, uses, usesMax, revoked, createdBy,
        rules: [
            .index("room_invites_by_room", on: room.ascending, created.descending, id.descending),
            .index("room_invites_by_end", on: expires.ascending),
            .index("room_invites_by_giver", on: createdBy.ascending, where: "created_by IS NOT NULL"),
        ])

    func bind(to values: inout Binder) {
        values.next(id)
        values.next(room)
        values.next(role)
        values.next(label)
        values.next(createdMilliseconds)
        values.next(expiresMilliseconds)
        values.next(uses)
        values.next(usesMax)
        values.next(revokedMilliseconds)
        values.next(createdBy)
    }
}

extension InviteRecord {
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
        createdBy = try row.next()
    }

    /// Which of them still let somebody new in at a moment.
    static func isLive(at now: Int64) -> SQL {
        "(revoked_ms IS NULL AND expires_ms > \(now) AND (uses_max IS NULL OR uses < uses_max))"
    }
}
