internal import SonaDatabase
internal import SonaWire

/// A room as its owner made it. Changes rarely.
struct RoomRecord: Record, Equatable {
    typealias Key = RoomID

    let id: RoomID
    var owner: UserID
    var settings: RoomSettings
    let createdMilliseconds: Int64
    /// When a host was last heard; `nil` if never.
    var lastLiveMilliseconds: Int64?
    /// When its owner ended it for good; `nil` while it lasts.
    var closedMilliseconds: Int64?

    private var tags: SonaDatabase.JSON<[String]> { SonaDatabase.JSON(settings.tags) }

    static let id = Column("id", \Self.id, .primaryKey, .check("length(CAST(id AS BLOB)) = \(RoomID.count)"))
    static let owner = Column("owner_uid", \Self.owner, .references(UserRecord.self, onDelete: .cascade))
    static let title = Column("title", \Self.settings.title, .byteCount(...Limits.titleBytes.upperBound))
    static let visibility = Column("visibility", \Self.settings.visibility, .anyCase)
    static let delivery = Column("delivery", \Self.settings.delivery, .anyCase)
    static let lead = Column("lead_ms", \Self.settings.leadMilliseconds, .range(150...10_000))
    static let created = Column("created_ms", \Self.createdMilliseconds)
    static let lastLive = Column("last_live_ms", \Self.lastLiveMilliseconds)
    static let about = Column("description", \Self.settings.about, .byteCount(Limits.roomDescriptionBytes))
    static let tags = Column("tags", \Self.tags, .defaults(to: SonaDatabase.JSON([])))
    static let acceptsGuests = Column(
        "accepts_guests", \Self.settings.allowsGuests, .defaults(to: true), .oneOf(false, true))
    static let onPrivate = Column("on_private", \Self.settings.privatePolicy, .defaults(to: .stay), .anyCase)
    static let closed = Column("closed_ms", \Self.closedMilliseconds)
    static let hasWaitingRoom = Column(
        "waiting_room", \Self.settings.hasWaitingRoom, .defaults(to: false), .oneOf(false, true))
    static let chatRule = Column("chat", \Self.settings.chatRule, .defaults(to: .everyone), .anyCase)
    static let slowMode = Column("slow_mode_s", \Self.settings.slowModeSeconds, .defaults(to: 0), .range(0...3_600))
    static let keepsReplays = Column(
        "keeps_replays", \Self.settings.keepsReplays, .defaults(to: false), .oneOf(false, true))
    static let offersDataSaver = Column(
        "offers_data_saver", \Self.settings.offersDataSaver, .defaults(to: false), .oneOf(false, true))

    static let table = Table<Self>(
        "rooms", id, owner, title, visibility, delivery, lead, created, lastLive, about, tags, acceptsGuests,
        onPrivate, closed, hasWaitingRoom, chatRule, slowMode, keepsReplays, offersDataSaver,
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
        values.next(settings.title)
        values.next(settings.visibility)
        values.next(settings.delivery)
        values.next(settings.leadMilliseconds)
        values.next(createdMilliseconds)
        values.next(lastLiveMilliseconds)
        values.next(settings.about)
        values.next(tags)
        values.next(settings.allowsGuests)
        values.next(settings.privatePolicy)
        values.next(closedMilliseconds)
        values.next(settings.hasWaitingRoom)
        values.next(settings.chatRule)
        values.next(settings.slowModeSeconds)
        values.next(settings.keepsReplays)
        values.next(settings.offersDataSaver)
    }
}

extension RoomRecord {
    init(row: inout Row) throws(DatabaseError) {
        id = try row.next()
        owner = try row.next()
        settings = RoomSettings(
            title: try row.next(), visibility: try row.next(), delivery: try row.next(),
            leadMilliseconds: try row.next())
        createdMilliseconds = try row.next()
        lastLiveMilliseconds = try row.next()
        settings.about = try row.next()
        settings.tags = try row.next(SonaDatabase.JSON<[String]>.self).value
        settings.allowsGuests = try row.next()
        settings.privatePolicy = try row.next()
        closedMilliseconds = try row.next()
        settings.hasWaitingRoom = try row.next()
        settings.chatRule = try row.next()
        settings.slowModeSeconds = try row.next()
        settings.keepsReplays = try row.next()
        settings.offersDataSaver = try row.next()
    }
}
