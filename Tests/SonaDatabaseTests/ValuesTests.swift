import SonaDatabase
import SonaTestSupport
import Testing

struct ValuesTests {
    enum Colour: String, DatabaseValueConvertible { case red, green }

    @Test func `every value comes back as it was written`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        try await pool.write { db in
            try db.execute("CREATE TABLE everything (i INTEGER, r REAL, t TEXT, b BLOB, a ANY) STRICT")
        }
        for text in ["", "a", "before\0after", "\0", "é🎵", String(repeating: "x", count: 100_000)] {
            let blob = Array(text.utf8)
            let found = try await pool.write { db in
                try db.execute("DELETE FROM everything")
                try db.execute(
                    "INSERT INTO everything VALUES (\(Int64.min), \(-0.5), \(text), \(blob), \(nil as String?))")
                return try db.first("SELECT i, r, t, b, a FROM everything") { row in
                    (
                        try row.next(Int64.self), try row.next(Double.self), try row.next(String.self),
                        try row.next([UInt8].self), try row.next(Bool?.self)
                    )
                }
            }
            let row = try #require(found)
            #expect(row.0 == .min && row.1 == -0.5 && row.2 == text && row.3 == blob && row.4 == nil)
            // Not only told so: the length in the file is the length given.
            let bytes = try await pool.read { db in
                try db.value("SELECT length(CAST(t AS BLOB)) FROM everything", as: Int.self)
            }
            #expect(bytes == blob.count)
        }
        await pool.close()
    }

    @Test func `a value that the type does not take is an error, not a crash`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        func read<V: DatabaseValueConvertible>(_ sql: SQL, as type: V.Type) async -> DatabaseError.Kind? {
            do {
                _ = try await pool.read { db in try db.value(sql, as: V.self) }
                return nil
            } catch {
                return (error as? DatabaseError)?.kind
            }
        }
        #expect(await read("SELECT 1", as: Colour.self) == .badValue(column: 0, wanted: "Colour"))
        #expect(await read("SELECT 'blue'", as: Colour.self) == .badValue(column: 0, wanted: "Colour"))
        #expect(await read("SELECT 'green'", as: Colour.self) == nil)
        #expect(await read("SELECT NULL", as: Int.self) == .badValue(column: 0, wanted: "Int"))
        #expect(await read("SELECT NULL", as: Int?.self) == nil)
        #expect(await read("SELECT 2", as: Bool.self) == .badValue(column: 0, wanted: "Bool"))
        #expect(await read("SELECT 4294967296", as: UInt32.self) == .badValue(column: 0, wanted: "UInt32"))
        #expect(await read("SELECT -1", as: UInt32.self) == .badValue(column: 0, wanted: "UInt32"))
        #expect(await read("SELECT 1.5", as: Int.self) == .badValue(column: 0, wanted: "Int"))
        #expect(await read("SELECT 3", as: Double.self) == nil)
        await #expect(throws: DatabaseError.self) {
            try await pool.read { db in try db.first("SELECT 1") { row in try row[1] as Int } }
        }
        await #expect(throws: DatabaseError.self) {
            try await pool.read { db in try db.first("SELECT 1") { row in try row[-1] as Int } }
        }
        await pool.close()
    }

    @Test func `invalid UTF-8 in a text is repaired`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        let text = try await pool.read { db in try db.value("SELECT CAST(x'61FF62' AS TEXT)", as: String.self) }
        #expect(text == "a\u{FFFD}b")
        await pool.close()
    }

    @Test func `interpolation binds and never becomes text of the statement`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        let evil = "x'); DROP TABLE notes; --"
        let query: SQL = "SELECT count(*) FROM notes WHERE text = \(evil)"
        #expect(query.text == "SELECT count(*) FROM notes WHERE text = ?")
        #expect(query.arguments == [.text(evil)])
        try await pool.write { db in try db.execute("INSERT INTO notes (text) VALUES (\(evil))") }
        let condition: SQL = "text = \(evil) AND id > \(0)"
        let found = try await pool.read { db in
            try db.all("SELECT text FROM notes WHERE \(condition) LIMIT \(5)") { row in try row[0] as String }
        }
        #expect(found == [evil])
        await pool.close()
    }

    @Test func `double quotes are for columns, so a typing error is an error`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        await #expect(throws: DatabaseError.self) {
            try await pool.read { db in try db.exists(#"SELECT 1 FROM notes WHERE text = "hello""#) }
        }
        await pool.close()
    }
}
