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
    var description: String?
    var tags = JSON<[String]>([])
    /// Whether guests may enter.
    var acceptsGuests = true
    /// What becomes of those inside when it turns private.
    var onPrivate = PrivatePolicy.stay
    /// When its owner ended it for good; `nil` while it lasts.
    var closedMilliseconds: Int64?
    var hasWaitingRoom = false
    var chatRule = ChatRule.everyone
    var slowModeSeconds = 0

    static let id = Column("id", \Self.id, .primaryKey, .check("length(CAST(id AS BLOB)) = \(RoomID.count)"))
    static let owner = Column("owner_uid", \Self.owner, .references(UserRecord.self, onDelete: .cascade))
    static let title = Column("title", \Self.title, .byteCount(...Limits.titleBytes.upperBound))
    static let visibility = Column("visibility", \Self.visibility, .anyCase)
    static let delivery = Column("delivery", \Self.delivery, .anyCase)
    static let lead = Column("lead_ms", \Self.leadMilliseconds, .range(150...10_000))
    static let created = Column("created_ms", \Self.createdMilliseconds)
    static let lastLive = Column("last_live_ms", \Self.lastLiveMilliseconds)
    static let about = Column("description", \Self.description, .byteCount(Limits.roomDescriptionBytes))
    static let tags = Column("tags", \Self.tags, .defaults(to: JSON([])))
    static let acceptsGuests = Column(
        "accepts_guests", \Self.acceptsGuests, .defaults(to: true), .oneOf(false, true))
    static let onPrivate = Column("on_private", \Self.onPrivate, .defaults(to: .stay), .anyCase)
    static let closed = Column("closed_ms", \Self.closedMilliseconds)
    static let hasWaitingRoom = Column(
        "waiting_room", \Self.hasWaitingRoom, .defaults(to: false), .oneOf(false, true))
    static let chatRule = Column("chat", \Self.chatRule, .defaults(to: .everyone), .anyCase)
    static let slowMode = Column("slow_mode_s", \Self.slowModeSeconds, .defaults(to: 0), .range(0...3_600))

    static let table = Table<Self>(
        "rooms", id, owner, title, visibility, delivery, lead, created, lastLive, about, tags, acceptsGuests,
        onPrivate, closed, hasWaitingRoom, chatRule, slowMode,
        rules: [
            .index("rooms_by_owner", on: owner.ascending, created.descending, id.descending),
            .index("rooms_by_age", on: created.descending, id.descending),
            .index("public_rooms_by_age", on: created.descending, id.descending, where: isPublic),
            .index("rooms_by_closing", on: closed.ascending, where: "closed_ms IS NOT NULL"),
            .index(
                "closed_rooms_by_owner", on: owner.ascending, closed.descending, id.descending,
                where: "closed_ms IS NOT NULL"),
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
        values.next(description)
        values.next(tags)
        values.next(acceptsGuests)
        values.next(onPrivate)
        values.next(closedMilliseconds)
        values.next(hasWaitingRoom)
        values.next(chatRule)
        values.next(slowModeSeconds)
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
        description = try row.next()
        tags = try row.next()
        acceptsGuests = try row.next()
        onPrivate = try row.next()
        closedMilliseconds = try row.next()
        hasWaitingRoom = try row.next()
        chatRule = try row.next()
        slowModeSeconds = try row.next()
    }
}
