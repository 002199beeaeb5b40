internal import SonaDatabase

/// One line of the journal.
///
/// No foreign keys, because lines outlive accounts and rooms. No CHECK lists the words of `kind`: to change a CHECK,
/// SQLite needs a copy of the whole table.
struct JournalRecord: Record, Equatable {
    typealias Key = Int64

    let id: Int64
    let atMilliseconds: Int64
    let kind: String
    let actor: String?
    let subject: String?
    let detail: String
    /// A keyed hash of the line's fields and of the previous line: see `JournalKey.mac`.
    let mac: [UInt8]

    static let id = Column("id", \Self.id, .primaryKey, .check("id >= 1"))
    static let at = Column("at_ms", \Self.atMilliseconds)
    static let kind = Column("kind", \Self.kind, .byteCount(1...64), .indexed)
    static let actor = Column("actor", \Self.actor, .byteCount(1...128))
    static let subject = Column("subject", \Self.subject, .byteCount(1...128))
    static let detail = Column("detail", \Self.detail, .byteCount(2...JournalDetail.bytesMax))
    static let mac = Column("mac", \Self.mac, .check("length(mac) = 32"))

    /// Every index entry ends with the rowid, which is the id. So each index has its lines in order.
    static let table = Table<Self>(
        "journal", id, at, kind, actor, subject, detail, mac,
        rules: [
            .index("journal_by_actor", on: actor.ascending, where: "actor IS NOT NULL"),
            .index("journal_by_subject", on: subject.ascending, where: "subject IS NOT NULL"),
        ])

    func bind(to values: inout Binder) {
        values.next(id)
        values.next(atMilliseconds)
        values.next(kind)
        values.next(actor)
        values.next(subject)
        values.next(detail)
        values.next(mac)
    }
}

extension JournalRecord {
    init(row: inout Row) throws(DatabaseError) {
        id = try row.next()
        atMilliseconds = try row.next()
        kind = try row.next()
        actor = try row.next()
        subject = try row.next()
        detail = try row.next()
        mac = try row.next()
    }

    var line: JournalLine {
        JournalLine(
            id: id, atMilliseconds: atMilliseconds, kind: kind, actor: actor, subject: subject, detail: detail)
    }
}

/// The end of the journal: a single row that is updated with each line, in the same transaction.
struct JournalHeadRecord: Record, Equatable {
    typealias Key = Int64

    /// The only id.
    static let only: Int64 = 1

    let id: Int64
    /// The number of lines, which is the id of the last one.
    let count: Int64
    /// The mac of the last line. Zeros if there is none.
    let mac: [UInt8]
    /// The id of the key that sealed it.
    let keyID: String
    /// The first line under this seal.
    let since: Int64
    /// A keyed hash of the row: see `JournalKey.head`.
    let seal: [UInt8]

    static let id = Column("id", \Self.id, .primaryKey, .check("id = 1"))
    static let count = Column("count", \Self.count, .check("count >= 0"))
    static let mac = Column("mac", \Self.mac, .check("length(mac) = 32"))
    static let keyID = Column("key_id", \Self.keyID, .byteCount(16...16))
    static let since = Column("since_id", \Self.since, .check("since_id >= 1"))
    static let seal = Column("seal", \Self.seal, .check("length(seal) = 32"))

    static let table = Table<Self>("journal_head", id, count, mac, keyID, since, seal)

    func bind(to values: inout Binder) {
        values.next(id)
        values.next(count)
        values.next(mac)
        values.next(keyID)
        values.next(since)
        values.next(seal)
    }
}

extension JournalHeadRecord {
    init(row: inout Row) throws(DatabaseError) {
        id = try row.next()
        count = try row.next()
        mac = try row.next()
        keyID = try row.next()
        since = try row.next()
        seal = try row.next()
    }
}
