import Glibc
import SonaBase
import SonaTestSupport
import Testing

@testable import SonaDatabase

struct SetUpTests {
    // MARK: Tables that refer to each other

    /// Refers to nobody.
    private struct A: TableOnly {
        typealias Key = Int64
        var id: Int64
        static let id = Column("id", \Self.id, .primaryKey)
        static let table = Table<Self>("a", id)
    }

    private struct B: TableOnly {
        typealias Key = Int64
        var id: Int64
        var a: Int64
        static let id = Column("id", \Self.id, .primaryKey)
        static let a = Column("a", \Self.a, .references(A.self))
        static let table = Table<Self>("b", id, a)
    }

    private struct C: TableOnly {
        typealias Key = Int64
        var id: Int64
        var a: Int64?
        var b: Int64?
        static let id = Column("id", \Self.id, .primaryKey, .references(B.self))
        static let a = Column("a", \Self.a, .references(A.self))
        static let b = Column("b", \Self.b, .references(B.self))
        static let table = Table<Self>("c", id, a, b)
    }

    /// Refers to itself, too.
    private struct D: TableOnly {
        typealias Key = Int64
        var id: Int64
        var c: Int64
        var d: Int64?
        static let id = Column("id", \Self.id, .primaryKey)
        static let c = Column("c", \Self.c, .references(C.self))
        static let d = Column("d", \Self.d, .references(D.self))
        static let table = Table<Self>("d", id, c, d)
    }

    private struct X: TableOnly {
        typealias Key = Int64
        var id: Int64
        static let id = Column("id", \Self.id, .primaryKey, .references(Y.self))
        static let table = Table<Self>("x", id)
    }

    private struct Y: TableOnly {
        typealias Key = Int64
        var id: Int64
        static let id = Column("id", \Self.id, .primaryKey, .references(Z.self))
        static let table = Table<Self>("y", id)
    }

    private struct Z: TableOnly {
        typealias Key = Int64
        var id: Int64
        static let id = Column("id", \Self.id, .primaryKey, .references(Y.self))
        static let table = Table<Self>("z", id)
    }

    private struct AllFour: DAO {
        typealias Failure = TableOf<A>.Failure
        /// In which order this DAO names its tables.
        static let order = Monitor([0, 1, 2, 3])
        let database: any DatabaseWriter
        init(_ database: any DatabaseWriter) { self.database = database }
        static func setUpTables(_ setUp: inout TableSetUp) {
            for place in order.withLock({ $0 }) {
                switch place {
                case 0: setUp.createTable(A.self)
                case 1: setUp.createTable(B.self)
                case 2: setUp.createTable(C.self)
                default: setUp.createTable(D.self)
                }
            }
        }
    }

    private struct FourDAOs: DAOs {
        let four: AllFour
        let again: TableOf<B>
        let database: any DatabaseWriter
        init(_ database: any DatabaseWriter) {
            (four, again, self.database) = (AllFour(database), TableOf(database), database)
        }
    }

    @Test func `tables are made after those they refer to, whatever the order they are named in`() async throws {
        func permutations(_ items: [Int]) -> [[Int]] {
            guard items.count > 1 else { return [items] }
            return items.flatMap { first in permutations(items.filter { $0 != first }).map { [first] + $0 } }
        }
        for order in permutations([0, 1, 2, 3]) {
            AllFour.order.withLock { $0 = order }
            let (queue, _) = try await DatabaseQueue.inMemory(daos: FourDAOs.self)
            let tables = try await queue.read { db in
                try db.values("SELECT name FROM sqlite_schema WHERE length(name) = 1 ORDER BY rowid", as: String.self)
            }
            #expect(tables == ["a", "b", "c", "d"], "\(order)")
            await queue.close()
        }
    }

    @Test func `a circle is refused, and named without what leads to it`() async throws {
        await expectFailure(.misuse("foreign keys go in a circle: y → z → y")) {
            try await DatabaseQueue.inMemory(daos: Three<X, Y, Z>.self)
        }
        await expectFailure(.misuse("foreign keys go in a circle: z → y → z")) {
            try await DatabaseQueue.inMemory(daos: Three<Z, X, Y>.self)
        }
    }

    @Test func `a table that refers to one that no DAO sets up is named with it`() async throws {
        await expectFailure(.setUp(table: "c", reason: "it refers to b, which no DAO sets up")) {
            try await DatabaseQueue.inMemory(daos: Two<C, A>.self)
        }
        await expectFailure(.setUp(table: "x", reason: "it refers to y, which no DAO sets up")) {
            try await DatabaseQueue.inMemory(daos: One<X>.self)
        }
    }

    /// The table of `A` again, with another column.
    private struct OtherA: TableOnly {
        typealias Key = Int64
        var id: Int64
        var more: Int?
        static let id = Column("id", \Self.id, .primaryKey)
        static let more = Column("more", \Self.more)
        static let table = Table<Self>("a", id, more)
    }

    @Test func `two records that declare one table are refused, one record twice is not`() async throws {
        await expectFailure(.misuse("two records declare the table a")) {
            try await DatabaseQueue.inMemory(daos: Two<A, OtherA>.self)
        }
        let (queue, _) = try await DatabaseQueue.inMemory(daos: Three<A, B, A>.self)
        await queue.close()
    }

    @Test func `a record that is only referred to does not take the place of the one that is set up`() async throws {
        for daos in [Two<OtherA, B>.self, Two<B, OtherA>.self] as [any DAOs.Type] {
            await expectFailure(.misuse("two records declare the table a")) {
                try await DatabaseQueue.inMemory(daos: daos).database
            }
        }
    }

    // MARK: Registration

    private struct Strange: DAOs {
        let a: TableOf<A>
        let limit = 7
        init(_ database: any DatabaseWriter) { a = TableOf(database) }
    }

    private struct Listed: DAOs {
        let all: [TableOf<A>]
        init(_ database: any DatabaseWriter) { all = [TableOf(database)] }
    }

    private struct Erased: DAOs {
        let a: any DAO
        let b: TableOf<B>?
        init(_ database: any DatabaseWriter) { (a, b) = (TableOf<A>(database), TableOf(database)) }
    }

    private struct None: DAOs { init(_ database: any DatabaseWriter) {} }

    @Test func `a property that is not a DAO is refused, whatever else the value holds`() async throws {
        await expectFailure(.misuse("Strange.limit is no DAO")) {
            try await DatabaseQueue.inMemory(daos: Strange.self)
        }
        await expectFailure(.misuse("Listed.all is no DAO")) {
            try await DatabaseQueue.inMemory(daos: Listed.self)
        }
        let (queue, _) = try await DatabaseQueue.inMemory(daos: Erased.self)
        let tables = try await queue.read { db in
            try db.value("SELECT count(*) FROM sqlite_schema WHERE name IN ('a', 'b')", as: Int.self)
        }
        #expect(tables == 2, "a DAO in an existential or an optional was not set up")
        await queue.close()
        await (try DatabaseQueue.inMemory(daos: None.self)).database.close()
    }

    // MARK: All or nothing

    private struct Broken: TableOnly {
        typealias Key = Int64
        var id: Int64
        static let id = Column("id", \Self.id, .primaryKey, .check("no_such_column > 1"))
        static let table = Table<Self>("broken", id)
    }

    /// Opens a file that fails to.
    private func reason<All: DAOs>(
        _ path: String, _: All.Type, options: DatabaseOptions = DatabaseOptions()
    ) async -> DatabaseError.Kind? {
        await kind {
            await (try DatabasePool.open(path, applicationID: 7, daos: All.self, options: options)).database.close()
        }
    }

    private func isOpen(_ path: String) -> Bool {
        (0..<65_536).contains { number in
            var name = [UInt8](repeating: 0, count: 4_096)
            let count = readlink("/proc/self/fd/\(number)", &name, name.count)
            return count > 0 && String(decoding: name[..<count], as: UTF8.self).hasPrefix(path)
        }
    }

    @Test func `a set-up that fails at the third table leaves none, and no lock`() async throws {
        let folder = TemporaryFolder()
        let path = folder.file("new.sqlite")
        let problem = await reason(path, Three<A, B, Broken>.self)
        guard case .setUp(table: "broken", let reason) = problem else {
            Issue.record("\(String(describing: problem))")
            return
        }
        #expect(reason.contains("no_such_column"))
        #expect(!isOpen(path))
        // The file is nobody's yet: another application may have it.
        let pool = try await DatabasePool.open(path, applicationID: 8, daos: Two<A, B>.self).database
        #expect(isOpen(path))
        let tables = try await pool.read { db in
            try db.values("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name", as: String.self)
        }
        #expect(tables == ["a", "b", "schema_migrations"])
        await pool.close()
        #expect(!isOpen(path))
    }

    @Test func `a set-up that fails in a file with rows changes nothing in it`() async throws {
        let folder = TemporaryFolder()
        let path = folder.file("old.sqlite")
        let first = try await DatabasePool.open(path, applicationID: 7, daos: One<A>.self).database
        try await first.write { db in try db.execute("INSERT INTO a VALUES (1)") }
        await first.close()
        let before = TemporaryFolder.bytes(ofFile: path)
        // A column is added to the first table and the second is made before the third fails.
        let events = Monitor([String]())
        var options = DatabaseOptions()
        options.log = { event in events.withLock { $0.append("\(event)") } }
        let problem = await reason(path, Three<OtherA, X0, Broken>.self, options: options)
        guard case .setUp(table: "broken", _) = problem else {
            Issue.record("\(String(describing: problem))")
            return
        }
        #expect(TemporaryFolder.bytes(ofFile: path) == before)
        #expect(events.withLock { $0 } == [], "a rolled back change was reported")
        #expect(!isOpen(path))
        let again = try await DatabasePool.open(path, applicationID: 7, daos: Two<OtherA, X0>.self).database
        #expect(try await again.read { db in try db.value("SELECT more FROM a", as: Int?.self) } == .some(nil))
        await again.close()
    }

    private struct X0: TableOnly {
        typealias Key = Int64
        var id: Int64
        static let id = Column("id", \Self.id, .primaryKey)
        static let table = Table<Self>("x0", id)
    }

    @Test func `a second boot changes nothing and says nothing`() async throws {
        let folder = TemporaryFolder()
        let events = Monitor([String]())
        var options = DatabaseOptions()
        options.log = { event in events.withLock { $0.append("\(event)") } }
        var schemas: [[String]] = []
        for boot in 0..<3 {
            let (pool, daos) = try await Library.open(folder, options: options)
            if boot == 0 { try await Library.fill(pool) }
            #expect(try await daos.books.count() == 4)
            schemas.append(
                try await pool.read { db in try db.values("SELECT name || sql FROM sqlite_schema WHERE sql > ''") })
            await pool.close()
        }
        #expect(schemas[0] == schemas[1] && schemas[1] == schemas[2])
        #expect(events.withLock { $0 } == [])
    }

    @Test func `a new file is made from the declaration, and its timeline counts as applied`() async throws {
        let folder = TemporaryFolder()
        let path = folder.file("new.sqlite")
        let migrations = ["first", "second"].map { Migration($0) { _ in throw Refusal() } }
        for _ in 0..<2 {
            let pool = try await DatabasePool.open(
                path, applicationID: 7, daos: One<A>.self, migrations: migrations
            ).database
            let names = try await pool.read { db in
                try db.values("SELECT name FROM schema_migrations ORDER BY position", as: String.self)
            }
            #expect(names == ["first", "second"])
            await pool.close()
        }
        // The next one is run.
        let more = migrations + [Migration("third") { db in try db.execute("INSERT INTO a VALUES (3)") }]
        let pool = try await DatabasePool.open(path, applicationID: 7, daos: One<A>.self, migrations: more).database
        #expect(try await pool.read { db in try db.values("SELECT id FROM a", as: Int.self) } == [3])
        await pool.close()
    }

    /// Goal: a server and a tool that start together on a new installation both start. Way: many new files, each opened
    /// twice at once.
    @Test func `two that open a new file at the same moment both get it`() async throws {
        // Application and version of the file are read before the transaction that acts on them.
        for _ in 0..<20 {
            let folder = TemporaryFolder()
            async let one = Library.open(folder).database
            async let two = Library.open(folder).database
            let pools = try await [one, two]
            for pool in pools {
                #expect(try await pool.read { db in try db.count(Book.self) } == 0)
                await pool.close()
            }
        }
    }
}
