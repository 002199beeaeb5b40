internal import SonaDatabase
internal import SonaWire

/// A report of what should not be there.
///
/// The columns for room, message and user are no foreign keys: the report outlives all three.
struct ReportRecord: Record, Equatable {
    typealias Key = Int64

    let id: Int64
    let atMilliseconds: Int64
    /// A word of an open list.
    var kind: String
    let room: RoomID?
    let message: Int64?
    let user: UserID?
    /// The reported text at the time of the report.
    let quote: String?
    var text: String?
    /// An account or a guest.
    let by: UserID?
    var resolvedMilliseconds: Int64?
    var resolvedBy: UserID?
    var note: String?

    static let id = Column("id", \Self.id, .primaryKey, .range(1...Int64.max))
    static let at = Column("at_ms", \Self.atMilliseconds)
    static let kind = Column("kind", \Self.kind, .byteCount(1...64))
    static let room = Column("room_id", \Self.room)
    static let message = Column("message", \Self.message)
    static let user = Column("uid", \Self.user)
    static let quote = Column("quote", \Self.quote, .byteCount(...4_000))
    static let text = Column("text", \Self.text, .byteCount(...1_000))
    static let by = Column("by_uid", \Self.by)
    static let resolved = Column("resolved_ms", \Self.resolvedMilliseconds)
    static let resolvedBy = Column("resolved_by", \Self.resolvedBy)
    static let note = Column("note", \Self.note, .byteCount(...200))

    static let table = Table<Self>(
        "reports", id, at, kind, room, message, user, quote, text, by, resolved, resolvedBy, note,
        rules: [
            .index("open_reports", on: id.ascending, where: "resolved_ms IS NULL"),
            .index("reports_by_reporter", on: by.ascending, id.ascending),
            .index("reports_by_decider", on: resolvedBy.ascending, where: "resolved_by IS NOT NULL"),
        ])

    init(
        id: Int64, atMilliseconds: Int64, kind: String, room: RoomID?, message: Int64?, user: UserID?, quote: String?,
        text: String?, by: UserID?
    ) {
        self.id = id
        self.atMilliseconds = atMilliseconds
        self.kind = kind
        self.room = room
        self.message = message
        self.user = user
        self.quote = quote
        self.text = text
        self.by = by
    }

    func bind(to values: inout Binder) {
        values.next(id)
        values.next(atMilliseconds)
        values.next(kind)
        values.next(room)
        values.next(message)
        values.next(user)
        values.next(quote)
        values.next(text)
        values.next(by)
        values.next(resolvedMilliseconds)
        values.next(resolvedBy)
        values.next(note)
    }
}

extension ReportRecord {
    init(row: inout Row) throws(DatabaseError) {
        id = try row.next()
        atMilliseconds = try row.next()
        kind = try row.next()
        room = try row.next()
        message = try row.next()
        user = try row.next()
        quote = try row.next()
        text = try row.next()
        by = try row.next()
        resolvedMilliseconds = try row.next()
        resolvedBy = try row.next()
        note = try row.next()
    }
}

extension Report {
    init(_ record: ReportRecord) {
        self.init(
            id: record.id, atMilliseconds: record.atMilliseconds, kind: record.kind, room: record.room,
            message: record.message, user: record.user, quote: record.quote, text: record.text, by: record.by,
            resolvedMilliseconds: record.resolvedMilliseconds, resolvedBy: record.resolvedBy, note: record.note)
    }
}
