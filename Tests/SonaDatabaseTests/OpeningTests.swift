import Glibc
import SonaTestSupport
import Testing

@testable import SonaDatabase

struct OpeningTests {
    private func kind(_ body: () async throws(DatabaseError) -> DatabasePool) async -> DatabaseError.Kind? {
        do throws(DatabaseError) {
            let pool = try await body()
            await pool.close()
            return nil
        } catch {
            return error.kind
        }
    }

    @Test func `connections of a pool have the documented settings`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        let settings = try await pool.write { db in
            [
                try db.value("PRAGMA journal_mode", as: String.self) ?? "",
                "\(try db.value("PRAGMA synchronous", as: Int.self) ?? -1)",
                "\(try db.value("PRAGMA foreign_keys", as: Int.self) ?? -1)",
                "\(try db.value("PRAGMA trusted_schema", as: Int.self) ?? -1)",
                "\(try db.value("PRAGMA cell_size_check", as: Int.self) ?? -1)",
                "\(try db.value("PRAGMA busy_timeout", as: Int.self) ?? -1)",
                "\(try db.value("PRAGMA application_id", as: Int.self) ?? -1)",
                "\(try db.value("PRAGMA user_version", as: Int.self) ?? -1)",
            ]
        }
        #expect(settings == ["wal", "2", "1", "0", "1", "5000", "\(Notes.applicationID)", "1"])
        #expect(TemporaryFolder.mode(ofFile: pool.path) == 0o600)
        #expect(TemporaryFolder.mode(ofFile: pool.path + "-wal") == 0o600)
        await pool.close()
    }

    @Test func `migrations are applied once, in order, and added ones on top`() async throws {
        let folder = TemporaryFolder()
        await (try Notes.open(folder)).close()
        await (try Notes.open(folder)).close()
        let more =
            Notes.timeline + [
                Migration("colours") { db in
                    try db.executeScript("ALTER TABLE notes ADD COLUMN colour TEXT")
                },
                // A table rebuilt under a foreign key from another: cascades must not run.
                Migration("folders again") { db in
                    try db.executeScript(
                        """
                        CREATE TABLE new (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, icon TEXT) STRICT;
                        INSERT INTO new SELECT id, name, NULL FROM folders;
                        DROP TABLE folders;
                        ALTER TABLE new RENAME TO folders;
                        """)
                },
            ]
        let pool = try await Notes.open(folder, migrations: more)
        try await pool.write { db in
            try db.execute("INSERT INTO folders VALUES (1, 'a', 'b')")
            try db.execute("INSERT INTO notes (text, colour, folder) VALUES ('x', 'red', 1)")
        }
        let names = try await pool.read { db in
            try db.all("SELECT name FROM schema_migrations ORDER BY position") { try $0[0] as String }
        }
        #expect(names == ["folders and notes", "colours", "folders again"])
        // Foreign keys are on again after migrating.
        await #expect(throws: DatabaseError.self) {
            try await pool.write { db in try db.execute("DELETE FROM folders") }
        }
        await pool.close()
    }

    @Test func `an opening of which a migration fails leaves the file as it was`() async throws {
        let folder = TemporaryFolder()
        await (try Notes.open(folder)).close()
        let before = TemporaryFolder.bytes(ofFile: folder.file("notes.sqlite"))
        let failing =
            Notes.timeline + [
                Migration("fine") { db in try db.executeScript("CREATE TABLE fine (i INTEGER) STRICT") },
                Migration("broken") { db in
                    try db.executeScript("CREATE TABLE half (i INTEGER) STRICT; INSERT INTO nowhere VALUES (1)")
                },
            ]
        #expect(await kind { () throws(DatabaseError) in try await Notes.open(folder, migrations: failing) } == .other)
        let dangling =
            Array(failing.prefix(2)) + [
                Migration("dangling") { db in try db.executeScript("INSERT INTO notes (text, folder) VALUES ('x', 9)") }
            ]
        #expect(
            await kind { () throws(DatabaseError) in try await Notes.open(folder, migrations: dangling) } == .foreignKey
        )
        #expect(TemporaryFolder.bytes(ofFile: folder.file("notes.sqlite")) == before, "not even the migration before")
        let pool = try await Notes.open(folder, migrations: Array(failing.prefix(2)))
        let tables = try await pool.read { db in
            try db.all("SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN ('fine', 'half')") {
                try $0[0] as String
            }
        }
        #expect(tables == ["fine"])
        await pool.close()
    }

    @Test func `a newer, a foreign and a rewritten database are refused untouched`() async throws {
        let folder = TemporaryFolder()
        let more = Notes.timeline + [Migration("later") { _ in }]
        await (try Notes.open(folder, migrations: more)).close()
        let before = TemporaryFolder.bytes(ofFile: folder.file("notes.sqlite"))
        #expect(
            await kind { () throws(DatabaseError) in try await Notes.open(folder) } == .newerVersion(found: 2, known: 1)
        )
        let renamed = Notes.timeline + [Migration("renamed") { _ in }]
        #expect(
            await kind { () throws(DatabaseError) in try await Notes.open(folder, migrations: renamed) }
                == .schemaMismatch("migration 2 of the file is \"later\", here \"renamed\""))
        let foreign = await kind { () throws(DatabaseError) in
            try await DatabasePool.open(folder.file("notes.sqlite"), applicationID: 7, migrations: more)
        }
        #expect(foreign == .foreignApplication(id: Notes.applicationID))
        #expect(TemporaryFolder.bytes(ofFile: folder.file("notes.sqlite")) == before)
        // A database of somebody who gave it no id.
        let path = folder.file("plain.sqlite")
        try ConnectionSetup.createFile(atPath: path)
        do {
            let connection = try Connection(path: path, role: .writer, statementCacheSize: 4)
            try connection.set("CREATE TABLE t (i)")
        }
        #expect(
            await kind { () throws(DatabaseError) in try await Notes.open(folder, "plain.sqlite") }
                == .foreignApplication(id: 0))
    }

    /// A file with a few hundred pages, closed.
    private func filledFile(_ folder: TemporaryFolder) async throws -> [UInt8] {
        let pool = try await Notes.open(folder)
        try await pool.write { db in
            for _ in 0..<200 {
                try db.execute("INSERT INTO notes (text, data) VALUES ('x', \([UInt8](repeating: 1, count: 3_000)))")
                try db.execute("INSERT INTO folders (name) VALUES (\(String(describing: Int.random(in: 0 ... .max))))")
            }
        }
        await pool.close()
        return try #require(TemporaryFolder.bytes(ofFile: folder.file("notes.sqlite")))
    }

    @Test func `an overwritten header and a file that is something else are found when opening`() async throws {
        let folder = TemporaryFolder()
        let good = try await filledFile(folder)
        let path = folder.file("notes.sqlite")
        var bad = good
        for index in 0..<16 { bad[index] = 0x55 }
        for content in [bad, Array("This is a letter to my landlord, and it is quite long.".utf8)] {
            TemporaryFolder.write(content, toFile: path)
            #expect(await kind { () throws(DatabaseError) in try await Notes.open(folder) } == .notADatabase)
            #expect(TemporaryFolder.bytes(ofFile: path) == content, "a refused file was changed")
        }
        TemporaryFolder.write(good, toFile: path)
        #expect(await kind { () throws(DatabaseError) in try await Notes.open(folder) } == nil)
    }

    /// Goal: damage is found at the opening and not by a user. Way: in each of many copies the header of one page that
    /// holds a tree is overwritten, or the file is cut.
    @Test func `damaged pages and a cut file are found when opening`() async throws {
        let folder = TemporaryFolder()
        let good = try await filledFile(folder)
        let path = folder.file("notes.sqlite")
        for page in [1, 2, 3, 5, good.count / 4096 / 2] {
            var bad = good
            for index in page * 4096..<page * 4096 + 100 { bad[index] ^= 0xA5 }
            TemporaryFolder.write(bad, toFile: path)
            #expect(
                await kind { () throws(DatabaseError) in try await Notes.open(folder) } == .corrupt, "page \(page + 1)")
        }
        TemporaryFolder.write(Array(good.prefix(good.count / 2)), toFile: path)
        #expect(await kind { () throws(DatabaseError) in try await Notes.open(folder) } == .corrupt)
    }

    /// Goal: what was acknowledged survives a process that just stops. Way: the file and its log are copied while the
    /// database is open, which is what a process killed at that moment leaves; then the copy is opened.
    @Test func `the file of a killed process holds every acknowledged write`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        for round in 1...5 {
            for step in 0..<20 {
                try await pool.write { db in
                    try db.execute("INSERT INTO notes (id, text) VALUES (\(round * 100 + step), 'x')")
                }
            }
            for suffix in ["", "-wal"] {
                let bytes = try #require(TemporaryFolder.bytes(ofFile: pool.path + suffix))
                TemporaryFolder.write(bytes, toFile: folder.file("copy.sqlite" + suffix))
            }
            #expect(ConnectionSetup.wasLeftOpen(folder.file("copy.sqlite")))
            let copy = try await Notes.open(folder, "copy.sqlite")
            #expect(try await Notes.count(copy) == round * 20)
            await copy.close()
            #expect(!ConnectionSetup.wasLeftOpen(folder.file("copy.sqlite")))
        }
        await pool.close()
    }

    @Test func `paths that lead nowhere are errors`() async throws {
        let folder = TemporaryFolder()
        TemporaryFolder.write([1], toFile: folder.file("file"))
        for name in ["none/notes.sqlite", "file/notes.sqlite"] {
            #expect(await kind { () throws(DatabaseError) in try await Notes.open(folder, name) } == .cannotOpen)
        }
        mkdir(folder.file("folder"), 0o700)
        #expect(await kind { () throws(DatabaseError) in try await Notes.open(folder, "folder") } == .cannotOpen)
    }

    @Test func `a file that another process is writing to is busy, and then free again`() async throws {
        let folder = TemporaryFolder()
        var options = DatabasePool.Options()
        options.busyTimeoutMilliseconds = 20
        let pool = try await Notes.open(folder, options: options)
        let other = try Connection(path: pool.path, role: .writer, statementCacheSize: 4)
        try other.control(.beginImmediate)
        let kinds = await withTaskGroup(of: DatabaseError.Kind?.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    do {
                        try await pool.write { db in try db.execute("INSERT INTO notes (text) VALUES ('x')") }
                        return nil
                    } catch {
                        return (error as? DatabaseError)?.kind
                    }
                }
            }
            return await group.reduce(into: [DatabaseError.Kind?]()) { $0.append($1) }
        }
        #expect(kinds == [DatabaseError.Kind?](repeating: .busy, count: 10))
        #expect(try await Notes.count(pool) == 0, "reading goes on")
        try other.control(.rollback)
        try await pool.write { db in try db.execute("INSERT INTO notes (text) VALUES ('x')") }
        #expect(try await Notes.count(pool) == 1)
        await pool.close()
    }

    @Test func `dropping a pool closes its file`() async throws {
        let folder = TemporaryFolder()
        do {
            let pool = try await Notes.open(folder)
            try await pool.write { db in try db.execute("INSERT INTO notes (text) VALUES ('x')") }
        }
        let end = ContinuousClock.now + .seconds(5)
        while ConnectionSetup.wasLeftOpen(folder.file("notes.sqlite")), ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(!ConnectionSetup.wasLeftOpen(folder.file("notes.sqlite")))
    }
}
