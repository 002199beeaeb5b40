internal import SonaDatabase
internal import SonaModel
internal import SonaWire

/// The content of a file that was taken down, and is refused when it is uploaded.
struct RefusedContentRecord: Record, Equatable {
    typealias Key = Int64

    var number: Int64?
    /// SHA-256.
    let content: [UInt8]
    let title: String
    let reason: String?
    let atMilliseconds: Int64
    /// `nil` for the operator, and for accounts that are gone.
    let by: UserID?

    static let number = Column("number", \Self.number, .primaryKey)
    static let content = Column("content", \Self.content, .unique)
    static let title = Column("title", \Self.title, .byteCount(1...Limits.musicTextBytesMax))
    static let reason = Column("reason", \Self.reason, .byteCount(Limits.takeDownReasonBytes))
    static let at = Column("at_ms", \Self.atMilliseconds)
    static let by = Column("by_uid", \Self.by, .references(UserRecord.self, onDelete: .setNull))

    static let table = Table<Self>(
        "refused_contents", number, content, title, reason, at, by,
        rules: [.index("refused_contents_by_user", on: by.ascending, where: "by_uid IS NOT NULL")])

    func bind(to values: inout Binder) {
        values.next(number)
        values.next(content)
        values.next(title)
        values.next(reason)
        values.next(atMilliseconds)
        values.next(by)
    }
}

extension RefusedContentRecord {
    init(row: inout Row) throws(DatabaseError) {
        number = try row.next()
        content = try row.next()
        title = try row.next()
        reason = try row.next()
        atMilliseconds = try row.next()
        by = try row.next()
    }

    static func isRefused(
        _ content: [UInt8], in db: inout some DatabaseAccess & ~Copyable
    ) throws -> Bool {
        try db.exists("SELECT 1 FROM refused_contents WHERE content = \(content)")
    }
}
