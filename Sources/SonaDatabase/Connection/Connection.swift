internal import CSQLite

/// One open connection to the file.
///
/// Safe to hand between threads, not to share: the writer's thread owns one for ever, the reader pool lends each of the
/// others to one access at a time. SQLite's own mutexes are off for that reason (SQLITE_OPEN_NOMUTEX).
public final class Connection: @unchecked Sendable {
    enum Role { case writer, reader }

    let role: Role
    /// Pages in the write-ahead log after the last commit of this connection.
    var walPages: Int { Int(hooks.pointee.walPages) }
    /// The access the connection is lent to, if it can be cancelled.
    var lease: ReaderLease?

    private let handle: OpaquePointer
    private var cache: StatementCache
    /// Apart from the other cache: a COMMIT that was prepared with permission must not be lent to who has none.
    private var controlCache = StatementCache(capacity: 16)
    /// What the C callbacks see; lives as long as the connection.
    private let hooks: UnsafeMutablePointer<Hooks>

    private struct Hooks {
        var walPages: Int32 = 0
        /// Whether this layer itself is preparing: then transaction control is allowed.
        var isControlling = false
    }

    /// Opens an existing file. Settings are made by `ConnectionSetup`.
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
        hooks = .allocate(capacity: 1)
        hooks.initialize(to: Hooks())
        installHooks()
    }

    deinit {
        cache.removeAll()
        controlCache.removeAll()
        sqlite3_close_v2(handle)
        hooks.deallocate()
    }

    private func installHooks() {
        sqlite3_set_authorizer(
            handle,
            { context, action, _, _, _, _ in
                // BEGIN, COMMIT or a savepoint of somebody's own would end or hide the transaction that a write
                // shares with others; an attached file would be outside of every promise made here.
                let isControl = [SQLITE_TRANSACTION, SQLITE_SAVEPOINT, SQLITE_ATTACH, SQLITE_DETACH].contains(action)
                guard isControl, let hooks = context?.assumingMemoryBound(to: Hooks.self) else { return SQLITE_OK }
                return hooks.pointee.isControlling ? SQLITE_OK : SQLITE_DENY
            }, hooks)
        guard role == .writer else { return }
        // Takes the place of SQLite's automatic checkpoints: the writer decides when.
        sqlite3_wal_hook(
            handle,
            { context, _, _, pages in
                context?.assumingMemoryBound(to: Hooks.self).pointee.walPages = pages
                return SQLITE_OK
            }, hooks)
    }

    // MARK: Running statements

    /// Runs `sql` row by row until `body` returns false.
    ///
    /// - Throws: `interrupted` if the access was cancelled; what SQLite says; what `body` throws.
    func run(_ sql: SQL, _ body: (inout Row) throws -> Bool) throws {
        try check()
        let statement = try cache.statement(sql.text, on: handle)
        defer {
            statement.reset()
            statement.isInUse = false
        }
        try statement.bind(sql.arguments)
        while try statement.step() {
            var row = statement.row
            guard try body(&row) else { return }
        }
    }

    /// Runs `sql` to its end.
    ///
    /// - Returns: Rows it inserted, changed or deleted itself, those of triggers and cascades not counted.
    func execute(_ sql: SQL) throws(DatabaseError) -> Int {
        try check()
        let statement = try cache.statement(sql.text, on: handle)
        defer {
            statement.reset()
            statement.isInUse = false
        }
        try statement.bind(sql.arguments)
        while try statement.step() {}
        // SQLite keeps the number of the statement before if this one writes nothing.
        return statement.isReadOnly ? 0 : Int(sqlite3_changes64(handle))
    }

    /// Runs several statements without values, one after the other.
    func executeScript(_ text: StaticString) throws(DatabaseError) {
        try check()
        try executeText(text.withUTF8Buffer { String(decoding: $0, as: UTF8.self) })
    }

    private func executeText(_ text: String) throws(DatabaseError) {
        let code = sqlite3_exec(handle, text, nil, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: handle, sql: text) }
    }

    /// Transaction control and settings, which only this layer may do.
    func control(_ sql: SQL) throws(DatabaseError) {
        hooks.pointee.isControlling = true
        defer { hooks.pointee.isControlling = false }
        let statement = try controlCache.statement(sql.text, on: handle)
        defer {
            statement.reset()
            statement.isInUse = false
        }
        while try statement.step() {}
    }

    /// The first column of the first row of a setting or another internal question.
    func ask<Value: DatabaseValueConvertible>(_ sql: SQL, as _: Value.Type = Value.self) throws(DatabaseError) -> Value?
    {
        let statement = try Statement(sql.text, on: handle, isKept: false)
        try statement.bind(sql.arguments)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return try statement.row[0]
    }

    /// A number in the header of the file. PRAGMA takes no bound values.
    func setNumber(_ name: StaticString, _ value: Int32) throws(DatabaseError) {
        try executeText("PRAGMA \(name) = \(value)")
    }

    private func check() throws(DatabaseError) {
        if let lease, lease.isCancelled { throw DatabaseError(kind: .interrupted) }
        // After a full disk or a failed read SQLite may have ended the transaction by itself. A statement run now
        // would commit alone, outside of the write it belongs to.
        if role == .writer, !isInTransaction {
            throw DatabaseError(kind: .misuse("the transaction has ended already"))
        }
    }

    // MARK: State

    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Whether rows written in this transaction refer to rows that are not there (yet).
    var hasDeferredForeignKeyViolations: Bool {
        var current: Int32 = 0
        var highest: Int32 = 0
        let code = sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
        return code == SQLITE_OK && current != 0
    }

    var statementCount: Int { cache.count }

    func setFlag(_ flag: Int32, _ on: Bool) throws(DatabaseError) {
        let code = sona_sqlite_set_flag(handle, flag, on ? 1 : 0)
        guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: handle) }
    }

    func setBusyTimeout(milliseconds: Int32) { sqlite3_busy_timeout(handle, milliseconds) }

    /// Ends the statement that runs, from any thread. Does nothing between statements.
    func interrupt() { sqlite3_interrupt(handle) }

    /// Copies the log into the file, as far as readers allow.
    func checkpoint(truncating: Bool) throws(DatabaseError) {
        let mode = truncating ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, nil, nil)
        // Readers in the way are no error: the next time will do.
        guard code == SQLITE_OK || code & 0xFF == SQLITE_BUSY else {
            throw DatabaseError(code: code, connection: handle)
        }
    }
}
