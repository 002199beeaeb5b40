import SonaDatabase
import SonaTestSupport
import Testing

struct ErrorsTests {
    private func failure(_ pool: DatabasePool, _ sql: SQL) async -> DatabaseError? {
        do {
            try await pool.write { db in try db.execute(sql) }
            return nil
        } catch {
            return error as? DatabaseError
        }
    }

    @Test func `the error of a constraint has its kind, table and columns`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        try await pool.write { db in
            try db.execute("INSERT INTO folders VALUES (1, 'a')")
            try db.execute("INSERT INTO notes (id, text) VALUES (1, 'a')")
            try db.execute("INSERT INTO stars VALUES (1, 1)")
            try db.execute("CREATE UNIQUE INDEX by_lower ON folders (lower(name))")
        }
        #expect(
            await failure(pool, "INSERT INTO folders VALUES (2, 'a')")?.kind
                == .unique(table: "", columns: ["by_lower"]))
        try await pool.write { db in try db.execute("DROP INDEX by_lower") }
        #expect(
            await failure(pool, "INSERT INTO folders VALUES (2, 'a')")?.kind
                == .unique(table: "folders", columns: ["name"]))
        #expect(
            await failure(pool, "INSERT INTO folders VALUES (1, 'b')")?.kind
                == .unique(table: "folders", columns: ["id"]))
        #expect(
            await failure(pool, "INSERT INTO stars VALUES (1, 1)")?.kind
                == .unique(table: "stars", columns: ["note", "place"]))
        #expect(await failure(pool, "INSERT INTO stars VALUES (99, 1)")?.kind == .foreignKey)
        #expect(await failure(pool, "INSERT INTO notes (text) VALUES ('')")?.kind == .check("not_empty"))
        #expect(
            await failure(pool, "INSERT INTO notes (text) VALUES (NULL)")?.kind
                == .notNull(table: "notes", column: "text"))
        #expect(await failure(pool, "INSERT INTO notes (text, flag) VALUES ('a', 'x')")?.kind == .other)
        #expect(await failure(pool, "INSERT INTO nothing VALUES (1)")?.kind == .other)
        await pool.close()
    }

    @Test func `descriptions hold no values`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        let secret = "top-secret-value"
        let error = await failure(pool, "INSERT INTO notes (text, flag) VALUES (\(secret), \(secret))")
        let description = try #require(error).description
        #expect(!description.contains(secret))
        #expect(description.contains("VALUES (?, ?)"))
        await pool.close()
    }

    @Test(
        arguments: [
            "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT mine", "RELEASE job", "ROLLBACK TO job",
            "ATTACH '/tmp/other.sqlite' AS other", "", "-- nothing", "SELECT 1; SELECT 2", "SELECT ?",
        ] as [SQL])
    func `transaction control, no statement and two statements are refused`(sql: SQL) async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        try await pool.write { db in try db.execute("INSERT INTO notes (text) VALUES ('kept')") }
        let error = await failure(pool, sql)
        guard case .misuse = error?.kind else {
            Issue.record("\(sql.text) was not refused as misuse: \(String(describing: error))")
            return
        }
        #expect(try await Notes.count(pool) == 1)
        await pool.close()
    }

    @Test func `a read can't write`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        await #expect(throws: DatabaseError.self) {
            try await pool.read { db in try db.first("INSERT INTO notes (text) VALUES ('x') RETURNING id") { _ in } }
        }
        #expect(try await Notes.count(pool) == 0)
        await pool.close()
    }
}
