import SonaBase
import SonaTestSupport
import Testing

@testable import SonaDatabase

/// A database with one page of a table overwritten: it opens, and can't be read to its end.
enum DamagedDatabase {
    static func make(_ folder: TemporaryFolder, _ name: String, page: Int? = nil) async throws {
        let pool = try await Notes.open(folder, name)
        try await Notes.fill(pool, 200)
        await pool.close()
        var bytes = try #require(TemporaryFolder.bytes(ofFile: folder.file(name)))
        let start = (page.map { $0 - 1 } ?? bytes.count / 4_096 / 2) * 4_096
        for index in start..<start + 64 { bytes[index] ^= 0xA5 }
        TemporaryFolder.write(bytes, toFile: folder.file(name))
    }

    static func open(_ folder: TemporaryFolder, _ name: String) async throws -> DatabasePool {
        var options = DatabasePool.Options()
        options.alwaysCheckedBytesMax = 0
        return try await Notes.open(folder, name, options: options)
    }
}

struct IntegrityTests {
    private let folder = TemporaryFolder()

    /// Writes to the file as a program would that does not care for foreign keys.
    private func writeCarelessly(_ statements: SQL...) throws {
        let connection = try Connection(path: folder.file("notes.sqlite"), role: .writer, statementCacheSize: 1)
        try connection.set("PRAGMA foreign_keys = OFF")
        for statement in statements { try connection.set(statement) }
    }

    @Test func `a sound database is found sound while it is written to`() async throws {
        let pool = try await Notes.open(folder)
        try await Notes.fill(pool, 100)
        let isDone = Monitor(false)
        async let writing: Void = {
            while !isDone.withLock({ $0 }) {
                try await pool.write { db in try db.execute("INSERT INTO notes (text) VALUES ('x')") }
            }
        }()
        for _ in 0..<10 {
            let report = try await pool.integrityCheck()
            #expect(report.isSound && report.findings.isEmpty && report.danglingReferences.isEmpty)
            #expect(report.checkedBytes >= 100 * 4_096 && report.checkedBytes % 4_096 == 0)
            #expect(report.duration > .zero)
        }
        isDone.withLock { $0 = true }
        try await writing
        await pool.close()
        #expect(await failure { try await pool.integrityCheck() } == .closed)
    }

    @Test func `a damaged page is a finding, not an error`() async throws {
        try await DamagedDatabase.make(folder, "notes.sqlite")
        let pool = try await DamagedDatabase.open(folder, "notes.sqlite")
        let report = try await pool.integrityCheck()
        #expect(!report.isSound && !report.findings.isEmpty && report.findings != ["ok"])
        await pool.close()
    }

    @Test func `a schema that can't be read is a finding, too`() async throws {
        let pool = try await Notes.open(folder)
        try await Notes.fill(pool, 1)
        await pool.close()
        try writeCarelessly(
            "PRAGMA writable_schema = ON", "UPDATE sqlite_schema SET sql = 'nonsense' WHERE name = 'stars'")
        let report = try IntegrityReport(path: folder.file("notes.sqlite"), Cancellation())
        #expect(!report.isSound && report.findings.count == 1)
    }

    @Test func `no more than a hundred findings are reported`() async throws {
        let pool = try await Notes.open(folder)
        try await pool.write { db in
            try db.executeScript("CREATE TABLE a (i INTEGER) STRICT; CREATE TABLE b (i INTEGER) STRICT")
            for id in 1...300 { try db.execute("INSERT INTO a VALUES (\(id))") }
        }
        await pool.close()
        // The index of one table is told to be that of another: it has no entry for any row.
        try writeCarelessly(
            "CREATE INDEX a_i ON a (i)", "CREATE INDEX b_i ON b (i)", "PRAGMA writable_schema = ON",
            """
            UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'b_i')
            WHERE name = 'a_i'
            """)
        let again = try await DamagedDatabase.open(folder, "notes.sqlite")
        // SQLite counts one that it does not show.
        #expect(try await 99...100 ~= again.integrityCheck().findings.count)
        await again.close()
    }

    @Test(arguments: [99, 100, 101])
    func `no more than a hundred dangling references are reported`(rows: Int) async throws {
        await (try Notes.open(folder)).close()
        try writeCarelessly(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
            INSERT INTO notes (id, folder, text) SELECT i, i, 'x' FROM n
            """)
        let pool = try await Notes.open(folder)
        let report = try await pool.integrityCheck()
        #expect(report.danglingReferences.count == min(rows, 100))
        #expect(report.danglingReferences.first == .init(table: "notes", rowID: 1, parent: "folders"))
        await pool.close()
    }

    @Test func `rows that refer to nothing are named with their table and parent`() async throws {
        let pool = try await Notes.open(folder)
        try await pool.write { db in
            try db.executeScript(
                """
                CREATE TABLE marks (name TEXT PRIMARY KEY, note INTEGER REFERENCES notes (id)) STRICT, WITHOUT ROWID;
                INSERT INTO folders (id, name) VALUES (1, 'a');
                INSERT INTO notes (id, folder, text) VALUES (1, 1, 'x');
                """)
        }
        await pool.close()
        try writeCarelessly(
            "INSERT INTO notes (id, folder, text) VALUES (7, 99, 'x')", "INSERT INTO marks VALUES ('m', 55)")
        let again = try await Notes.open(folder)
        let report = try await again.integrityCheck()
        #expect(report.findings.isEmpty && !report.isSound)
        #expect(
            Set(report.danglingReferences.map { "\($0.table) \($0.rowID.map(String.init) ?? "-") \($0.parent)" })
                == ["notes 7 folders", "marks - notes"])
        await again.close()
    }

    @Test func `a database in memory is checked on its own thread`() async throws {
        let queue = try await DatabaseQueue.inMemory(migrations: Notes.timeline)
        try await Notes.fill(queue, 20)
        let report = try await queue.integrityCheck()
        #expect(report.isSound && report.checkedBytes > 20 * 4_096)
        try await queue.write { db in try db.execute("INSERT INTO notes (text) VALUES ('x')") }
        await queue.close()
    }

    /// Goal: cancelling ends a statement that would run for minutes, and spares one that ended before. Way: a recursive
    /// query that counts to a billion.
    @Test func `cancelling ends the statement that runs`() async throws {
        let pool = try await Notes.open(folder)
        let started = Gate()
        let path = pool.path
        let check = Task {
            try await MaintenanceThread.run { cancellation in
                let connection = try Connection(path: path, role: .reader, statementCacheSize: 1)
                try cancellation.whileUsing(connection) { connection in
                    started.open()
                    _ = try connection.ask(
                        """
                        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000)
                        SELECT max(i) FROM n
                        """, as: Int.self)
                }
            }
        }
        try await started.opened()
        try await Task.sleep(for: .milliseconds(50))
        let start = ContinuousClock.now
        check.cancel()
        await #expect(throws: CancellationError.self) { try await check.value }
        #expect(ContinuousClock.now - start < .seconds(2))
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await pool.integrityCheck()
        }
        #expect(await failure { try await early.value } == .interrupted)
        #expect(try await pool.integrityCheck().isSound)
        await pool.close()
    }

    @Test func `a search index that differs from its table is found`() async throws {
        let pool = try await Notes.open(folder)
        try await pool.write { db in
            try db.executeScript(
                """
                INSERT INTO notes (id, text) VALUES (1, 'hello'), (2, 'world');
                CREATE VIRTUAL TABLE good USING fts5 (text, content = 'notes', content_rowid = 'id');
                CREATE VIRTUAL TABLE bad USING fts5 (text, content = 'notes', content_rowid = 'id');
                INSERT INTO good (good) VALUES ('rebuild');
                INSERT INTO bad (rowid, text) VALUES (1, 'hello'), (2, 'moon');
                """)
        }
        #expect(try await pool.searchIndexFindings() == ["bad"])
        #expect(try await pool.integrityCheck().isSound, "as tables both are sound")
        try await pool.write { db in try db.execute("INSERT INTO bad (bad) VALUES ('rebuild')") }
        #expect(try await pool.searchIndexFindings() == [])
        await pool.close()
        #expect(await failure { try await pool.searchIndexFindings() } == .closed)
    }
}
