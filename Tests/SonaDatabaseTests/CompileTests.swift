import Glibc
import SonaTestSupport
import Testing

/// Code that must not compile is rejected by the compiler.
///
/// Way: the compiler that built the tests reads snippets against the module that they use, and has to find its error on
/// the line that is marked. Errors of types end the compiler's work before it looks at ownership: there are two runs.
struct CompileTests {
    private static let preamble = #"""
        import SonaDatabase

        struct Note: Record {
            typealias Key = Int64
            var id: Int64?
            var text: String
            var stars: Int
            static let id = Column("id", \Self.id, .primaryKey)
            static let text = Column("text", \Self.text)
            static let stars = Column("stars", \Self.stars)
            static let table = Table<Self>("notes", id, text, stars)
            init(row: inout Row) throws(DatabaseError) {
                id = try row.next()
                text = try row.next()
                stars = try row.next()
            }
            func bind(to values: inout Binder) {
                values.next(id)
                values.next(text)
                values.next(stars)
            }
        }
        struct Other: Record {
            typealias Key = String
            var name: String
            static let name = Column("name", \Self.name, .primaryKey)
            static let table = Table<Self>("others", name)
            init(row: inout Row) throws(DatabaseError) { name = try row.next() }
            func bind(to values: inout Binder) { values.next(name) }
        }
        enum NoteError: RecordError {
            case notFound, alreadyExists, cannotFetch(DatabaseError), cannotSave(DatabaseError)
        }

        """#

    // MARK: What compiles

    /// The snippets below are correct except for the marked lines.
    private static let right = [
        Snippet(
            "all of it",
            #"""
            struct NoteDAO: TableDAO {
                typealias Model = Note
                typealias Failure = NoteError
                let database: any DatabaseWriter
                init(_ database: any DatabaseWriter) { self.database = database }
                static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(Note.self) }
            }
            func count(_ db: borrowing some DatabaseAccess & ~Copyable) throws -> Int { try db.count(Note.self) }
            func use(_ pool: DatabasePool, _ input: String) async throws {
                try await pool.write { db in
                    try db.execute("DELETE FROM notes WHERE text = \(input)")
                    _ = try db.all(Note.filter(Note.text == input && Note.stars > 3 && Note.id != nil))
                    _ = try db.all(Note.self, "WHERE text = \(input)")
                    _ = try db.first(Note.self, key: 1)
                    try db.update(Note.all, Note.stars.set(to: 5))
                    try db.savepoint { db in try db.insert(contentsOf: [Note]()) }
                    _ = try count(db)
                }
                _ = try await pool.read { db in try count(db) }
                _ = try await pool.read { db in
                    try db.withStatement("SELECT ?") { try $0.first(1) { row in try row.next(Int.self) } }
                }
            }
            func useNow(_ pool: DatabasePool) throws {
                var kept = 0
                try pool.readNow { db in kept = try count(db) }
                _ = kept
            }
            """#, "")
    ]

    // MARK: What does not, for its types

    static let wrongTypes: [Snippet] = [
        Snippet(
            "a DAO without set-up",
            """
            struct NoteDAO: TableDAO { // here
                typealias Model = Note
                typealias Failure = NoteError
                let database: any DatabaseWriter
                init(_ database: any DatabaseWriter) { self.database = database }
            }
            """,
            "S.NoteDAO' does not conform to protocol 'DAO'"),
        Snippet(
            "a DAO that throws an error of another domain",
            """
            struct NoteDAO: DAO {
                typealias Failure = NoteError
                let database: any DatabaseWriter
                init(_ database: any DatabaseWriter) { self.database = database }
                static func setUpTables(_ setUp: inout TableSetUp) {}
                func count() async throws(CancellationError) -> Int {
                    try await read(or: NoteError.cannotFetch) { db in try db.count(Note.self) } // here
                }
            }
            """,
            "(aka 'NoteError') cannot be converted to error type 'CancellationError'"),
        Snippet(
            "an await inside a read",
            """
            func use(_ pool: DatabasePool) async throws {
                try await pool.read { db in // here
                    try await Task.sleep(for: .seconds(1))
                }
            }
            """,
            "to parameter expecting synchronous function type"),
        .inside(
            "write", "a run-time text as a statement", "try db.execute(input)",
            "cannot convert value of type 'String' to expected argument type 'SQL'"),
        .inside(
            "write", "a run-time text added to a literal", #"try db.execute("DELETE FROM " + input)"#,
            "cannot convert value of type 'String' to expected argument type 'SQL'"),
        .inside(
            "write", "a run-time text as a script", "try db.executeScript(input)",
            "cannot convert value of type 'String' to expected argument type 'StaticString'"),
        .inside(
            "write", "a run-time text as a literal", "try db.execute(SQL(stringLiteral: input))",
            "cannot convert value of type 'String' to expected argument type 'StaticString'"),
        .inside(
            "write", "a run-time text in the initializer", "try db.execute(SQL(input))",
            "cannot convert value of type 'String' to expected argument type 'StaticString'"),
        .inside(
            "write", "a run-time text that is trusted", "try db.execute(SQL(trusted: input))",
            "cannot convert value of type 'String' to expected argument type 'StaticString'"),
        .inside(
            "write", "a run-time text as a condition", "_ = try db.all(Note.filter(Condition(input)))",
            "cannot convert value of type 'String' to expected argument type 'SQL'"),
        .inside(
            "write", "a run-time text after the columns", "_ = try db.all(Note.self, input)",
            "cannot convert value of type 'String' to expected argument type 'SQL'"),
        .inside(
            "write", "a run-time text as a name", #"_ = Column(input, \Note.text)"#,
            "cannot convert value of type 'String' to expected argument type 'StaticString'"),
        .inside(
            "write", "a run-time text as a table", "_ = Table<Note>(input, Note.id)",
            "cannot convert value of type 'String' to expected argument type 'StaticString'"),
        .inside(
            "read", "a statement that writes in a read", #"try db.execute("DELETE FROM notes")"#,
            "value of type 'ReadAccess' has no member 'execute'"),
        .inside(
            "read", "a script in a read", #"try db.executeScript("DELETE FROM notes")"#,
            "value of type 'ReadAccess' has no member 'executeScript'"),
        .inside(
            "read", "an insert in a read", "try db.insert(contentsOf: [Note]())",
            "value of type 'ReadAccess' has no member 'insert'"),
        .inside(
            "read", "an update in a read", "try db.update(Note.all, Note.stars.set(to: 5))",
            "value of type 'ReadAccess' has no member 'update'"),
        .inside(
            "read", "a delete in a read", "_ = try db.delete(Note.all)",
            "value of type 'ReadAccess' has no member 'delete'"),
        .inside(
            "read", "a savepoint in a read", "try db.savepoint { _ in }",
            "value of type 'ReadAccess' has no member 'savepoint'"),
        .inside(
            "read", "a text compared with a number", "_ = Note.filter(Note.text == 5)",
            "operands of type 'Column<Note, String>' and 'Int'"),
        .inside(
            "read", "a number compared with a text", "_ = Note.filter(Note.stars > input)",
            "'String'"),
        .inside(
            "read", "a key compared with another type", "_ = Note.filter(Note.id == input)",
            "'String'"),
        .inside(
            "read", "a column that is not optional compared with nil", "_ = Note.filter(Note.text == nil)",
            "'Column<Note, String>'"),
        .inside(
            "read", "a condition on another table", "_ = Note.filter(Other.name == input)",
            "'Condition<Other>'"),
        .inside(
            "read", "two conditions on two tables", #"_ = Note.text == "a" && Other.name == "a""#,
            "'Condition<Other>'"),
        .inside(
            "read", "an order by another table", "_ = Note.order(Other.name.ascending)",
            "'Ordering<Other>'"),
        .inside(
            "read", "a key of another type", "_ = try db.first(Note.self, key: input)",
            "cannot convert value of type 'String' to expected argument type 'Note.Key'"),
        .inside(
            "write", "an assignment of another type", "_ = Note.stars.set(to: input)",
            "cannot convert value of type 'String' to expected argument type 'Int'"),
        .inside(
            "read", "the beginning of a number", "_ = Note.stars.hasPrefix(input)",
            "'Int'"),
        .inside(
            "read", "a foreign key to a key of another type", #"_ = Column("id", \Note.id, .references(Other.self))"#,
            "no exact matches in call to static method 'references'"),
        .inside(
            "read", "an array of rows", "var rows: [Row] = []; rows.removeAll()",
            "type 'Row' does not conform to protocol 'Copyable'"),
        .inside(
            "read", "a row that is given away", #"let rows = try db.all("SELECT 1") { row in return row }"#,
            "'Copyable'"),
        .inside(
            "read", "a prepared statement that is given away",
            #"let s = try db.withStatement("SELECT 1") { s in return s }"#,
            "'Copyable'"),
        Snippet(
            "a blocking read where one may await",
            """
            func use(_ pool: DatabasePool) async throws {
                try pool.readNow { _ in } // here
            }
            """,
            "'readNow' is unavailable from asynchronous contexts; await read instead"),
        Snippet(
            "a blocking write where one may await",
            """
            func use(_ pool: DatabasePool) async throws {
                try pool.writeNow { _ in } // here
            }
            """,
            "'writeNow' is unavailable from asynchronous contexts; await write instead"),
        Snippet(
            "a reader that writes",
            """
            func use(_ reader: any DatabaseReader) async throws {
                try await reader.write { _ in } // here
            }
            """,
            "value of type 'any DatabaseReader' has no member 'write'"),
    ]

    // MARK: What does not, since an access ends with its closure

    static let wrongOwnership: [Snippet] = [
        Snippet(
            "a write access kept in a variable",
            """
            nonisolated(unsafe) static var kept: WriteAccess?
            func use(_ pool: DatabasePool) async throws {
                try await pool.write { db in // here
                    S.kept = .some(db)
                }
            }
            """,
            "missing reinitialization of inout parameter 'db' after consume"),
        Snippet(
            "a read access kept in a variable",
            """
            func use(_ pool: DatabasePool) throws {
                var kept: ReadAccess?
                try pool.readNow { db in // here
                    kept = .some(db)
                }
                _ = kept?.connection
            }
            """,
            "missing reinitialization of inout parameter 'db' after consume"),
        .inside(
            "write", "a write access in a task", #"Task { try db.execute("DELETE FROM notes") }"#,
            "escaping closure captures 'inout' parameter 'db'"),
        .inside(
            "read", "a read access in a task", "Task { try db.count(Note.self) }",
            "escaping closure captures 'inout' parameter 'db'"),
        Snippet(
            "a row that is copied",
            """
            func use(_ pool: DatabasePool) throws {
                try pool.readNow { db in
                    try db.forEach("SELECT 1") { row in // here
                        let copy = row
                        return copy.columnCount == 1
                    }
                }
            }
            """,
            "missing reinitialization of inout parameter 'row' after consume"),
        Snippet(
            "a row that is kept",
            """
            func use(_ pool: DatabasePool) throws {
                var kept: Row?
                try pool.readNow { db in
                    try db.forEach("SELECT 1") { row in // here
                        kept = .some(row)
                        return true
                    }
                }
                _ = kept?.columnCount
            }
            """,
            "missing reinitialization of inout parameter 'row' after consume"),
        Snippet(
            "a binder that is kept",
            """
            struct Kept: ~Copyable { var binder: Binder }
            func bind(to values: inout Binder) { // here
                _ = Kept(binder: values)
            }
            """,
            "missing reinitialization of inout parameter 'values' after consume"),
        .inside(
            "write", "a change inside a loop over the same access",
            "try db.forEach(Note.all) { _ in try db.delete(Note.all) > 0 }",
            "overlapping accesses to 'db'"),
    ]

    @Test func `correct code compiles without a warning`() async throws {
        let output = try await Compiler.read(Self.preamble, Self.right)
        #expect(output.status == 0 && output.text.isEmpty, "\(output.text)")
    }

    private static let typesRun = Task { try await Compiler.read(preamble, wrongTypes) }
    private static let ownershipRun = Task { try await Compiler.read(preamble, wrongOwnership) }

    @Test(arguments: wrongTypes)
    func `does not compile for its types`(snippet: Snippet) async throws {
        expect(try await Self.typesRun.value, snippet, of: Self.wrongTypes)
    }

    @Test(arguments: wrongOwnership)
    func `does not compile for its ownership`(snippet: Snippet) async throws {
        expect(try await Self.ownershipRun.value, snippet, of: Self.wrongOwnership)
    }

    private func expect(_ output: (status: Int32, text: String), _ snippet: Snippet, of all: [Snippet]) {
        #expect(output.status != 0)
        guard let lines = Snippet.lines(of: snippet, in: Self.preamble, all) else {
            Issue.record("no line is marked")
            return
        }
        let errors = output.text.split(separator: "\n").filter { $0.contains(": error: ") }
        let right = errors.filter { $0.contains(".swift:\(lines.marked):") }
        #expect(
            right.contains { $0.contains(snippet.error) },
            "wanted \(snippet.error) in line \(lines.marked), found \(right)")
        // It fails for this reason alone.
        let others = errors.filter { error in
            lines.all.contains { $0 != lines.marked && error.contains(".swift:\($0):") }
        }
        #expect(others.isEmpty)
    }
}
