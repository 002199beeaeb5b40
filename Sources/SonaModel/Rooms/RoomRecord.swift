internal import SonaDatabase
internal import SonaWire

/// A room as its owner made it. Changes rarely.
struct RoomRecord: Record, Equatable {
    typealias Key = RoomID

    let id: RoomID
    let owner: UserID
    var title: String
    var visibility: Visibility
    var delivery: Delivery
    var leadMilliseconds: Int
    let createdMilliseconds: Int64
    /// When a host was last heard; `nil` if never.
    var lastLiveMilliseconds: Int64?

    static let id = Column("id", \Self.id, .primaryKey, .check("length(CAST(id AS BLOB)) = \(RoomID.count)"))
    static let owner = Column("owner_uid", \Self.owner, .references(UserRecord.self, onDelete: .cascade))
    static let title = Column("title", \Self.title, .byteCount(...Limits.titleBytes.upperBound))
    static let visibility = Column("visibility", \Self.visibility, .anyCase)
    static let delivery = Column("delivery", \Self.delivery, .anyCase)
    static let lead = Column("lead_ms", \Self.leadMilliseconds, .range(150...10_000))
    static let created = Column("created_ms", \Self.createdMilliseconds)
    static let lastLive = Column("last_live_ms", \Self.lastLiveMilliseconds)

    static let table = Table<Self>(
        "rooms", id, owner, title, visibility, delivery, lead, created, lastLive,
        rules: [
            .index("rooms_by_owner", on: owner.ascending, created.descending, id.descending),
            .index("rooms_by_age", on: created.descending, id.descending),
            .index("public_rooms_by_age", on: created.descending, id.descending, where: isPublic),
        ])

    /// In these words: SQLite uses the index above for a condition that says the same.
    static let isPublic: SQL = "\(visibility) = 'public'"

    func bind(to values: inout Binder) {
        values.next(id)
        values.next(owner)
        values.next(title)
        values.next(visibility)
        values.next(delivery)
        values.next(leadMilliseconds)
        values.next(createdMilliseconds)
        values.next(lastLiveMilliseconds)
    }
}

extension RoomRecord {
    init(row: inout Row) throws(DatabaseError) {
        id = try row.next()
        owner = try row.next()
        title = try row.next()
        visibility = try row.next()
        delivery = try row.next()
        leadMilliseconds = try row.next()
        createdMilliseconds = try row.next()
        lastLiveMilliseconds = try row.next()
    }
}
