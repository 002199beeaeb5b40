internal import SonaDatabase
internal import SonaWire

/// Storage of the journal, in two tables. Lines are written by `Journal.append`, inside the transaction of what they
/// record.
struct JournalDAO: AccountRefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) {
        setUp.createTable(JournalRecord.self)
        setUp.createTable(JournalHeadRecord.self)
    }

    // MARK: Opening

    /// Makes the triggers and the head row if they are missing or different. Begins a new seal if the old one can't be
    /// continued.
    ///
    /// This is not a migration, because a new file runs none, and not a declaration, because those have no triggers. So
    /// each start also restores dropped triggers.
    ///
    /// - Returns: Why a new seal was begun; `nil` if none was.
    /// - Throws: `busy`, `storage`.
    func prepare(_ key: JournalKey, now: Int64) async throws(Refusal) -> JournalReset? {
        try await write { db in
            try Self.makeTriggers(&db)
            let last = try db.first(JournalRecord.order(JournalRecord.id.descending).limit(1))
            let head = try db.first(JournalHeadRecord.self, key: JournalHeadRecord.only)
            let zeros = [UInt8](repeating: 0, count: JournalKey.bytes)
            guard head != nil || last != nil else {
                try db.insert(key.head(count: 0, mac: zeros, since: 1))
                return nil
            }
            guard let cause = JournalReset(head, last: last?.id ?? 0, key: key) else { return nil }
            let next = (last?.id ?? 0) + 1
            try db.upsert(key.head(count: next - 1, mac: last?.mac ?? zeros, since: next))
            var detail: [(StaticString, JournalDetail.Value)] = [
                ("cause", .text(cause.rawValue)), ("lines", .integer(next - 1)),
            ]
            if let head { detail += [("head", .integer(head.count)), ("key", .text(head.keyID))] }
            try Self.append(JournalEntry(.journalReset, JournalDetail(detail)), key: key, now: now, in: &db)
            return cause
        }
    }

    private static func makeTriggers(_ db: inout WriteAccess) throws {
        for (name, sql) in triggers {
            let found = try db.value(
                "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = \(name)", as: String.self)
            if found == sql.text { continue }
            if found != nil { try db.execute("DROP TRIGGER \(try SQL.identifier(name))") }
            try db.execute(sql)
        }
    }

    /// In the exact text that SQLite stores. They protect lines from accidental changes.
    private static let triggers: [(name: String, sql: SQL)] = [
        (
            "journal_refuses_update",
            """
            CREATE TRIGGER journal_refuses_update BEFORE UPDATE ON journal
            BEGIN SELECT RAISE(ABORT, 'the journal is only added to'); END
            """
        ),
        (
            "journal_refuses_delete",
            """
            CREATE TRIGGER journal_refuses_delete BEFORE DELETE ON journal
            BEGIN SELECT RAISE(ABORT, 'the journal is only added to'); END
            """
        ),
        (
            "journal_head_refuses_delete",
            """
            CREATE TRIGGER journal_head_refuses_delete BEFORE DELETE ON journal_head
            BEGIN SELECT RAISE(ABORT, 'the journal has one head'); END
            """
        ),
    ]

    // MARK: Writing

    /// Adds a line and updates the head row, both by their keys.
    ///
    /// - Returns: The id of the line.
    /// - Throws: `corrupt` if the seal of the head is invalid: going on would seal a manipulated journal.
    @discardableResult
    static func append(
        _ entry: JournalEntry, key: JournalKey, now: Int64, in db: inout WriteAccess
    ) throws(DatabaseError) -> Int64 {
        guard let head = try db.first(JournalHeadRecord.self, key: JournalHeadRecord.only), key.seals(head) else {
            throw DatabaseError(kind: .corrupt, hint: "the head of the journal is not as it was sealed")
        }
        let line = JournalLine(entry, id: head.count + 1, atMilliseconds: now)
        let record = JournalRecord(line, mac: key.mac(line, after: head.mac))
        try db.insert(record)
        let next = key.head(count: record.id, mac: record.mac, since: head.since)
        guard try db.update(next) else { throw DatabaseError(kind: .notFound, hint: "the head of the journal") }
        return record.id
    }

    // MARK: Reading

    /// - Throws: `busy`, `storage`.
    func page(
        before id: Int64?, limit: Int, kind: JournalEntry.Kind?, actor: String?, subject: String?
    ) async throws(Refusal) -> [JournalLine] {
        try await read { db in
            let rest = Self.page(before: id, limit: limit, kind: kind, actor: actor, subject: subject)
            return try db.all(JournalRecord.self, rest).map(\.line)
        }
    }

    /// Makes the query of a page. Each form of it reads the table or an index backwards and sorts nothing. It is SQL
    /// because a query object would compare nullable columns by `IS`, and SQLite uses no partial index without NULLs
    /// for that.
    static func page(
        before id: Int64?, limit: Int, kind: JournalEntry.Kind?, actor: String?, subject: String?
    ) -> SQL {
        var condition: SQL = "TRUE"
        if let id { condition = "\(condition) AND \(JournalRecord.id) < \(id)" }
        if let kind { condition = "\(condition) AND \(JournalRecord.kind) = \(kind.rawValue)" }
        if let actor { condition = "\(condition) AND \(JournalRecord.actor) = \(actor)" }
        if let subject { condition = "\(condition) AND \(JournalRecord.subject) = \(subject)" }
        // SQLite takes a negative limit as unlimited.
        return "WHERE \(condition) ORDER BY \(JournalRecord.id) DESC LIMIT \(max(0, limit))"
    }

    /// - Throws: `busy`, `storage`.
    func head() async throws(Refusal) -> JournalHeadRecord? {
        try await read { db in
            try db.first(JournalHeadRecord.self, key: JournalHeadRecord.only)
        }
    }

    /// Returns the head and the mac of line `id`, from one snapshot.
    ///
    /// - Throws: `busy`, `storage`.
    func head(
        andLine id: Int64
    ) async throws(Refusal) -> (head: JournalHeadRecord?, mac: [UInt8]?) {
        try await read { db in
            (
                try db.first(JournalHeadRecord.self, key: JournalHeadRecord.only),
                try db.first(JournalRecord.self, key: id)?.mac
            )
        }
    }
}

extension JournalLine {
    init(_ entry: JournalEntry, id: Int64, atMilliseconds: Int64) {
        self.init(
            id: id, atMilliseconds: atMilliseconds, kind: entry.kind.rawValue, actor: entry.actor?.rawValue,
            subject: entry.subject, detail: entry.detail.json)
    }
}

extension JournalRecord {
    init(_ line: JournalLine, mac: [UInt8]) {
        self.init(
            id: line.id, atMilliseconds: line.atMilliseconds, kind: line.kind, actor: line.actor,
            subject: line.subject, detail: line.detail, mac: mac)
    }
}
