internal import CSQLite
internal import Synchronization

/// One open connection to the file.
///
/// Safe to hand between threads, not to share: the writer's thread owns one for ever, the reader pool lends each of the
/// others to one access at a time. SQLite's own mutexes are off for that reason (SQLITE_OPEN_NOMUTEX). Has no public
/// members: accesses are made of it.
///
/// For the same reason exclusive access is not checked at run time: those checks were a twentieth of a look-up by key.
public final class Connection: @unchecked Sendable {
    @usableFromInline enum Role: Sendable { case writer, reader }

    /// Statements that only this layer may run.
    @usableFromInline enum Control: Int, CaseIterable {
        case begin, beginImmediate, commit, rollback
        case savepointJob, rollbackToJob, releaseJob
        case savepointPart, rollbackToPart, releasePart

        var sql: SQL {
            switch self {
            case .begin: "BEGIN"
            case .beginImmediate: "BEGIN IMMEDIATE"
            case .commit: "COMMIT"
            case .rollback: "ROLLBACK"
            case .savepointJob: "SAVEPOINT job"
            case .rollbackToJob: "ROLLBACK TO job"
            case .releaseJob: "RELEASE job"
            case .savepointPart: "SAVEPOINT part"
            case .rollbackToPart: "ROLLBACK TO part"
            case .releasePart: "RELEASE part"
            }
        }
    }

    @usableFromInline let role: Role
    @usableFromInline let handle: OpaquePointer
    let hooks = ConnectionHooks()
    /// Whether the access it is lent to has been cancelled.
    let isCancelled = Atomic(false)
    /// Whether an access that may only read has a connection that could write (that of a `DatabaseQueue`).
    @exclusivity(unchecked) var isReadingOnly = false
    /// Tables read by the access, if it wants to know.
    @exclusivity(unchecked) var tablesRead: Set<String>?

    // Under the lock of the reader pool, and nowhere else:
    /// Counts the accesses it was lent to.
    var lease: UInt64 = 0
    /// When the access it is lent to began, ms of the coarse monotonic clock; 0 if it is lent to nobody.
    var lentAt: Int64 = 0

    private var isClosed = false
    @exclusivity(unchecked) private var cache: StatementCache
    @exclusivity(unchecked)
    private var controls: [Statement?] = Array(repeating: nil, count: Control.allCases.count)
    /// The statements of each table's records, by the table's number.
    @exclusivity(unchecked) private var recordStatements: [RecordStatements?] = []

    /// Opens an existing file, or `:memory:`. Settings are made by `ConnectionSetup`.
    init(path: String, role: Role, statementCacheSize: Int) throws(DatabaseError) {
        let access = role == .writer ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
        let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            let error = DatabaseError(code: code, connection: handle)
            sqlite3_close_v2(handle)
            throw error
        }
        self.handle = handle
        self.role = role
        cache = StatementCache(capacity: statementCacheSize)
        hooks.install(on: handle, role: role)
    }

    deinit { close() }

    /// Closes the file now, not with the last reference: the last connection to close removes the log. A second call
    /// does nothing.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        cache.removeAll()
        controls = []
        recordStatements = []
        hooks.remove(from: handle)
        sqlite3_close_v2(handle)
    }

    // MARK: Running statements

    /// A statement with its arguments bound, marked as in use; give it back with `Statement.end`.
    ///
    /// - Throws: `interrupted` if the access was cancelled; `misuse` for a write in a read; what SQLite says.
    @usableFromInline func begin(_ sql: SQL) throws(DatabaseError) -> Statement {
        let statement = try prepare(sql)
        do throws(DatabaseError) {
            try statement.bind(sql)
        } catch {
            statement.end()
            throw error
        }
        return statement
    }

    /// The same without arguments.
    @usableFromInline func prepare(_ sql: SQL) throws(DatabaseError) -> Statement {
        try check()
        let statement = try cache.statement(sql, on: handle, hooks: hooks)
        do throws(DatabaseError) {
            try admit(statement)
        } catch {
            statement.end()
            throw error
        }
        return statement
    }

    /// The statement for one operation on the records of a table: an array is indexed, no text is hashed.
    @usableFromInline func statement(
        _ operation: RecordOperation, on table: TableDefinition
    ) throws(DatabaseError) -> Statement {
        try check()
        let number = table.number
        while recordStatements.count <= number { recordStatements.append(nil) }
        let statements: RecordStatements
        if let known = recordStatements[number] {
            statements = known
        } else {
            statements = RecordStatements()
            recordStatements[number] = statements
        }
        let statement: Statement
        if let kept = statements[operation], !kept.isInUse {
            statement = kept
        } else {
            let isKept = statements[operation] == nil
            statement = try Statement(table.sql(for: operation), on: handle, hooks: hooks, isKept: isKept)
            if isKept { statements[operation] = statement }
        }
        try admit(statement)
        statement.isInUse = true
        return statement
    }

    private func admit(_ statement: Statement) throws(DatabaseError) {
        if isReadingOnly || role == .reader, !statement.isReadOnly {
            throw DatabaseError(kind: .misuse("a read does not write: ask for write access"), sql: statement.text)
        }
        if tablesRead != nil { tablesRead?.formUnion(statement.tablesRead) }
    }

    /// After values were bound: throws if they did not fit the statement.
    @usableFromInline func finish(
        _ bound: Int32, _ code: Int32, _ statement: Statement
    ) throws(DatabaseError) {
        if code == SQLITE_OK, bound == sqlite3_bind_parameter_count(statement.handle) { return }
        if code == SQLITE_OK || code & 0xFF == SQLITE_RANGE {
            throw DatabaseError(
                kind: .misuse("the statement and its arguments differ in number"), sql: statement.text)
        }
        throw statement.failure(code)
    }

    /// Rows the statement just run inserted, changed or deleted itself.
    @usableFromInline func changes(of statement: Statement) -> Int {
        // SQLite keeps the number of the statement before if this one writes nothing.
        statement.isReadOnly ? 0 : Int(sqlite3_changes64(handle))
    }

    func execute(_ sql: SQL) throws(DatabaseError) -> Int {
        let statement = try begin(sql)
        defer { statement.end() }
        while try statement.step() {}
        return changes(of: statement)
    }

    /// Runs several statements without values, one after the other.
    func executeScript(_ text: StaticString) throws(DatabaseError) {
        try check()
        hooks.beginPreparing()
        try executeText(text.withUTF8Buffer { String(decoding: $0, as: UTF8.self) })
    }

    private func executeText(_ text: String) throws(DatabaseError) {
        let code = sqlite3_exec(handle, text, nil, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: handle, sql: text) }
    }

    /// Transaction control, prepared once.
    @usableFromInline func control(_ control: Control) throws(DatabaseError) {
        hooks.isControlling = true
        defer { hooks.isControlling = false }
        let statement: Statement
        if let kept = controls[control.rawValue] {
            statement = kept
        } else {
            statement = try Statement(control.sql, on: handle, hooks: hooks, isKept: true)
            controls[control.rawValue] = statement
        }
        defer { statement.rewind() }
        while try statement.step() {}
    }

    /// Settings and maintenance, which only this layer may do.
    func set(_ sql: SQL) throws(DatabaseError) {
        hooks.isControlling = true
        defer { hooks.isControlling = false }
        let statement = try Statement(sql, on: handle, hooks: hooks, isKept: false)
        try statement.bind(sql)
        while try statement.step() {}
    }

    /// The first column of the first row of a setting or another internal question.
    func ask<Value: DatabaseValueConvertible>(
        _ sql: SQL, as _: Value.Type = Value.self
    ) throws(DatabaseError) -> Value? {
        hooks.isControlling = true
        defer { hooks.isControlling = false }
        let statement = try Statement(sql, on: handle, hooks: hooks, isKept: false)
        try statement.bind(sql)
        guard try statement.step() else { return nil }
        return try Row(statement.handle)[0]
    }

    /// A number in the header of the file. PRAGMA takes no bound values.
    func setNumber(_ name: StaticString, _ value: Int32) throws(DatabaseError) {
        hooks.isControlling = true
        defer { hooks.isControlling = false }
        try executeText("PRAGMA \(name) = \(value)")
    }

    @usableFromInline func check() throws(DatabaseError) {
        if role == .reader {
            if isCancelled.load(ordering: .relaxed) { throw DatabaseError(kind: .interrupted) }
        } else if sqlite3_get_autocommit(handle) != 0 {
            // After a full disk or a failed read SQLite may have ended the transaction by itself. A statement run now
            // would commit alone, outside of the write it belongs to.
            throw DatabaseError(kind: .misuse("the transaction has ended already"))
        }
    }

    // MARK: State

    @usableFromInline var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    @usableFromInline var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Whether rows written in this transaction refer to rows that are not there (yet).
    var hasDeferredForeignKeyViolations: Bool {
        var current: Int32 = 0
        var highest: Int32 = 0
        let code = sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
        return code == SQLITE_OK && current != 0
    }

    var statementCount: Int { cache.count }

    /// Whether the file can't be written to.
    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    func setFlag(_ flag: Int32, _ on: Bool) throws(DatabaseError) {
        let code = sona_sqlite_set_flag(handle, flag, on ? 1 : 0)
        guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: handle) }
    }

    func setBusyTimeout(milliseconds: Int32) { sqlite3_busy_timeout(handle, milliseconds) }

    /// Ends the statement that runs, from any thread. Does nothing between statements.
    func interrupt() { sqlite3_interrupt(handle) }

    /// Copies the log into the file, as far as readers allow.
    ///
    /// - Returns: Pages in the log, and how many of them have been copied.
    @discardableResult
    func checkpoint(truncating: Bool) throws(DatabaseError) -> (pages: Int, copied: Int) {
        let mode = truncating ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        var pages: Int32 = 0
        var copied: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, &pages, &copied)
        // Readers in the way are not an error: a later attempt will do.
        guard code == SQLITE_OK || code & 0xFF == SQLITE_BUSY else {
            throw DatabaseError(code: code, connection: handle)
        }
        return (Int(max(pages, 0)), Int(max(copied, 0)))
    }
}
