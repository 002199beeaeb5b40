import SonaBase
import SonaTestSupport
import Testing

@testable import SonaDatabase

/// Misuse that the compiler can't refuse fails with a sentence, and harms nobody else.
struct MisuseTests {
    private static let nested = DatabaseError.Kind.misuse(
        "an access inside an access of the same database: pass its db on instead")

    // MARK: Accesses inside accesses

    @Test func `an access inside an access of the same database is refused`() async throws {
        let folder = TemporaryFolder()
        let (pool, _) = try await Library.open(folder)
        let (queue, _) = try await Library.inMemory()
        for database in [pool, queue] as [any DatabaseWriter] {
            let reads: @Sendable () throws -> Void = { try database.readNow { db in _ = try db.count(Author.self) } }
            let writes: @Sendable () throws -> Void = {
                try database.writeNow { db in try db.insert(Author(name: "x")) }
            }
            for inner in [reads, writes] {
                await expectFailure(Self.nested) { try await database.read { _ in try inner() } }
                await expectFailure(Self.nested) { try await database.readDetached { _ in try inner() } }
                await expectFailure(Self.nested) { try await database.write { _ in try inner() } }
                await expectFailure(Self.nested) { try await database.writeAlone { _ in try inner() } }
                await expectFailure(Self.nested) { try await onThread { try database.writeNow { _ in try inner() } } }
                await expectFailure(Self.nested) {
                    try await database.write { db in try db.savepoint { _ in try inner() } }
                }
            }
            // The thread that was refused may go on elsewhere.
            try await onThread {
                #expect(throws: DatabaseError.self) { try database.writeNow { _ in try reads() } }
                try writes()
            }
            #expect(try await database.read { db in try db.count(Author.self) } == 1)
        }
        await expectFailure(Self.nested) {
            try await onThread { try pool.readNow { _ in try pool.readNow { db in try db.count(Author.self) } } }
        }
        await expectFailure(Self.nested) {
            try await onThread {
                try pool.readNow { _ in try pool.writeNow { db in try db.insert(Author(name: "y")) } }
            }
        }
        await pool.close()
        await queue.close()
    }

    @Test func `an access inside one of another database is allowed`() async throws {
        let (one, two) = (TemporaryFolder(), TemporaryFolder())
        let (left, right) = (try await Library.open(one).database, try await Library.open(two).database)
        try await Library.fill(left)
        try await right.write { db in
            try db.insert(contentsOf: try left.readNow { db in try db.all(Author.all) })
        }
        #expect(try await right.first(Author.self, key: 1)?.name == "Nina")
        await left.close()
        await right.close()
    }

    @Test func `nested access to a database is refused, even across another database`() async throws {
        let (one, two) = (TemporaryFolder(), TemporaryFolder())
        let (left, right) = (try await Library.open(one).database, try await Library.open(two).database)
        await expectFailure(Self.nested) {
            try await onThread {
                try left.readNow { _ in
                    try right.readNow { _ in try left.readNow { db in try db.count(Author.self) } }
                }
            }
        }
        await left.close()
        await right.close()
    }

    // MARK: Statements where they do not belong

    @Test(
        arguments: [
            "INSERT INTO authors (name) VALUES ('x') RETURNING id", "DELETE FROM authors RETURNING id",
            "UPDATE authors SET name = 'x' RETURNING id", "PRAGMA user_version = 9", "PRAGMA application_id = 9",
            "PRAGMA journal_mode = DELETE", "VACUUM", "DROP TABLE authors", "CREATE TEMP TABLE t (i)",
            "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT x", "ATTACH ':memory:' AS other", "DETACH main",
        ] as [SQL])
    func `a read runs nothing that writes`(sql: SQL) async throws {
        let folder = TemporaryFolder()
        let (pool, _) = try await Library.open(folder)
        try await Library.fill(pool)
        await expectMisuse { try await pool.read { db in try db.first(sql) { _ in } } }
        await expectMisuse { try await pool.read { db in try db.all(sql) { _ in } } }
        await expectMisuse { try await pool.read { db in try db.forEach(sql) { _ in true } } }
        #expect(try await pool.read { db in try db.all(Author.all) } == [Author(id: 1, name: "Nina")])
        #expect(try await pool.read { db in try db.value("PRAGMA user_version", as: Int.self) } == 0)
        await pool.close()
    }

    @Test(
        arguments: [
            "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT x", "RELEASE part", "ROLLBACK TO part",
            "ATTACH ':memory:' AS other", "DETACH main", "INSERT INTO authors (name) VALUES ('x'); COMMIT; BEGIN",
        ] as [StaticString])
    func `a write can't end its transaction, by a script neither`(script: StaticString) async throws {
        let (queue, _) = try await Library.inMemory()
        try await queue.write { db in
            try db.insert(Author(id: 1, name: "kept"))
            // Refused where it stands; what came before in the same script is undone with its part.
            let problem = #expect(throws: DatabaseError.self) {
                try db.savepoint { db in try db.executeScript(script) }
            }
            #expect(problem.map(\.kind).isMisuse)
            try db.insert(Author(id: 2, name: "kept too"))
        }
        #expect(try await queue.read { db in try db.all(Author.order(Author.id.ascending)) }.map(\.id) == [1, 2])
        await queue.close()
    }

    /// Goal: a write whose transaction SQLite has ended runs nothing more, since it would be committed alone. Way: a
    /// file that may not grow, which ends the transaction at the statement that does not fit.
    @Test func `an access is refused after its transaction has ended`() async throws {
        let folder = TemporaryFolder()
        let (pool, _) = try await Library.open(folder)
        try await Library.fill(pool)
        let kinds = Monitor([DatabaseError.Kind?]())
        await expectFailure(.full) {
            try await pool.write { db in
                _ = try db.value("PRAGMA max_page_count = 40", as: Int.self)
                try db.execute("CREATE TABLE large (data BLOB)")
                let full = #expect(throws: DatabaseError.self) {
                    try db.execute("INSERT INTO large VALUES (zeroblob(1000000))")
                }
                let uses: [DatabaseError?] = [
                    #expect(throws: DatabaseError.self) { try db.insert(Author(name: "x")) },
                    #expect(throws: DatabaseError.self) { try db.first(Author.self, key: 1) },
                    #expect(throws: DatabaseError.self) { try db.all(Book.all) },
                    #expect(throws: DatabaseError.self) { try db.execute("DELETE FROM authors") },
                    #expect(throws: DatabaseError.self) { try db.executeScript("DELETE FROM authors") },
                    #expect(throws: DatabaseError.self) { try db.count(Author.self) },
                ]
                kinds.withLock { $0 = uses.map { $0?.kind } }
                throw try #require(full)
            }
        }
        let ended = DatabaseError.Kind.misuse("the transaction has ended already")
        #expect(kinds.withLock { $0 } == Array(repeating: ended, count: 6))
        #expect(try await pool.read { db in try db.count(Author.self) } == 1)
        try await pool.write { db in try db.insert(Author(name: "after")) }
        await pool.close()
    }

    // MARK: Declarations that can't be

    private struct Keyless: TableOnly {
        typealias Key = Int
        var id: Int
        static let id = Column("id", \Self.id)
        static let table = Table<Self>("keyless", id)
    }

    private struct KeyOfTwo: TableOnly {
        typealias Key = Int
        var a: Int
        var b: Int
        static let a = Column("a", \Self.a)
        static let b = Column("b", \Self.b)
        static let table = Table<Self>("two", a, b, rules: [.primaryKey(a, b)])
    }

    private struct Twice: TableOnly {
        typealias Key = Int
        var a: Int
        static let a = Column("a", \Self.a, .primaryKey)
        static let table = Table<Self>("twice", a, Column("A", \Self.a))
    }

    private struct Foreign: TableOnly {
        typealias Key = Int
        var a: Int
        var b: Int
        static let a = Column("a", \Self.a, .primaryKey)
        static let b = Column("b", \Self.b)
        static let table = Table<Self>("foreign", b, rules: [.primaryKey(a)])
    }

    @Test func `a table that can't be stops the program with a sentence`() async throws {
        func sentence(_ result: ExitTest.Result?) -> String {
            String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        }
        let keyless = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Keyless.table
        }
        #expect(sentence(keyless).contains("The table keyless has no primary key."))
        let two = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { _ = KeyOfTwo.table }
        #expect(sentence(two).contains("The key of KeyOfTwo has 1 columns, the primary key of its table 2."))
        let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { _ = Twice.table }
        #expect(sentence(twice).contains("twice has a column twice."))
        let foreign = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Foreign.table
        }
        #expect(sentence(foreign).contains("The key column a is no column of foreign."))
        let zero = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let folder = TemporaryFolder()
            _ = try await DatabasePool.open(folder.file("zero"), applicationID: 0, migrations: [])
        }
        #expect(sentence(zero).contains("0 is the application_id of every file"))
    }
}
