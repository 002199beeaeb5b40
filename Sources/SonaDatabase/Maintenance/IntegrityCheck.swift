/// The result of checking a whole database.
public struct IntegrityReport: Sendable, Equatable {
    /// A row that refers to a row that is not there.
    public struct DanglingReference: Sendable, Equatable {
        /// The table of the row that refers.
        public let table: String
        /// `nil` in a table without rowid.
        public let rowID: Int64?
        /// The table referred to.
        public let parent: String
    }

    /// Sentences of SQLite's, 100 at most. May name tables and indexes, never values.
    public let findings: [String]
    /// 100 at most.
    public let danglingReferences: [DanglingReference]
    /// The size of the database, without its log.
    public let checkedBytes: Int
    /// How long the check took.
    public let duration: Duration

    /// Whether neither damage nor a dangling reference was found.
    public var isSound: Bool { findings.isEmpty && danglingReferences.isEmpty }
}

extension DatabaseReader {
    /// Holds every page, every index entry, every constraint and every foreign key against the rest of the database.
    ///
    /// On a thread of its own with a connection of its own, beside reads and writes, in one state of the database; a
    /// database in memory is checked on the queue's thread, and its other accesses wait. Reads the whole file: 2 s per
    /// GiB out of the system's memory, more with many indexes, and as long as the disk takes otherwise. The log can't
    /// start anew meanwhile, and `longReadMax` does not end it.
    ///
    /// Full-text indexes are checked as far as they are tables; `searchIndexFindings` holds them against the texts.
    ///
    /// - Returns: Also for a database so damaged that it can't be read to its end.
    /// - Throws: `io`, `cannotOpen`, `closed`; `interrupted` if the task was cancelled.
    public func integrityCheck() async throws(DatabaseError) -> IntegrityReport {
        let engine = engine
        do {
            // An access like others, in that a closed database refuses it.
            try await read { _ in }
            guard path == DatabaseQueue.memoryPath else {
                return try await MaintenanceThread.run { cancellation in
                    try IntegrityReport(path: engine.path, cancellation)
                }
            }
            return try await Cancellation.whileRunning { cancellation in
                try await engine.run(.outside) { try IntegrityReport(of: $0, cancellation) }
            }
        } catch {
            throw DatabaseError(error)
        }
    }
}

extension IntegrityReport {
    private static let findingsMax = 100

    init(path: String, _ cancellation: Cancellation) throws {
        let connection = try Connection(path: path, role: .reader, statementCacheSize: 1)
        try self.init(of: connection, cancellation) {
            try ConnectionSetup.prepareReader(connection, options: DatabaseOptions())
            try connection.control(.begin)
        }
    }

    /// - Parameter begin: Run first; it may find out already that the database can't be read.
    fileprivate init(
        of connection: Connection, _ cancellation: Cancellation, begin: () throws -> Void = {}
    ) throws {
        let start = ContinuousClock.now
        var findings: [String] = []
        var dangling: [DanglingReference] = []
        var bytes = 0
        try cancellation.whileUsing(connection) { connection in
            do {
                try begin()
                bytes = try Self.bytes(of: connection)
                findings = try Self.findings(in: connection)
                try cancellation.check()
                dangling = try Self.danglingReferences(in: connection)
            } catch let error as DatabaseError where error.kind == .corrupt || error.kind == .notADatabase {
                findings.append(error.detail ?? error.description)
            }
        }
        self.init(
            findings: findings, danglingReferences: dangling, checkedBytes: bytes,
            duration: ContinuousClock.now - start)
    }

    private static func bytes(of connection: Connection) throws(DatabaseError) -> Int {
        let pages = try connection.ask("PRAGMA page_count", as: Int.self) ?? 0
        return pages * (try connection.ask("PRAGMA page_size", as: Int.self) ?? 0)
    }

    private static func findings(in connection: Connection) throws(DatabaseError) -> [String] {
        var findings: [String] = []
        try connection.eachRow("PRAGMA integrity_check(100)") { row throws(DatabaseError) in
            findings.append(try row.next())
        }
        return findings == ["ok"] ? [] : findings
    }

    private static func danglingReferences(in connection: Connection) throws(DatabaseError) -> [DanglingReference] {
        var dangling: [DanglingReference] = []
        try connection.eachRow(
            "SELECT \"table\", rowid, parent FROM pragma_foreign_key_check LIMIT \(findingsMax)"
        ) { row throws(DatabaseError) in
            dangling.append(
                DanglingReference(table: try row.next(), rowID: try row.next(), parent: try row.next()))
        }
        return dangling
    }
}

extension DatabaseWriter {
    /// Full-text indexes that do not say what their tables hold.
    ///
    /// FTS5 does this only as an INSERT, though it writes nothing: each index is a write of its own, in its turn among
    /// the others, which wait while it reads the texts of the table.
    ///
    /// - Returns: The names of the indexes, in no order. One of them is repaired by `INSERT INTO name (name) VALUES
    ///   ('rebuild')`.
    /// - Throws: `closed`, `busy`, `io` and their like; `interrupted` if the task was cancelled.
    ///
    /// Source: sqlite.org/fts5.html, "The 'integrity-check' Command".
    public func searchIndexFindings() async throws(DatabaseError) -> [String] {
        do {
            let names = try await read { db in
                try db.values(
                    """
                    SELECT name FROM sqlite_schema
                    WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%' AND sql LIKE '%USING fts5%'
                    """, as: String.self)
            }
            var findings: [String] = []
            for name in names where try await !isSound(SQL(trusted: SQL.quoted(name))) { findings.append(name) }
            return findings
        } catch {
            throw DatabaseError(error)
        }
    }

    private func isSound(_ index: SQL) async throws -> Bool {
        do {
            // 1: hold it against the table, too, and not only against itself.
            try await writeAlone { db in
                try db.execute("INSERT INTO \(index) (\(index), rank) VALUES ('integrity-check', 1)")
            }
            return true
        } catch let error as DatabaseError where error.kind == .corrupt {
            return false
        }
    }
}
