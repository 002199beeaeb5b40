public import CSQLite

/// A prepared statement, owned by the cache of its connection and used where the connection is used.
@usableFromInline final class Statement {
    /// The pieces it was made from, by which it is found again.
    private let pieces: [SQL.Piece]
    private let made: [String]
    /// Ticks of the cache's counter: the smallest is evicted first.
    @exclusivity(unchecked) var lastUse: UInt64 = 0
    /// A statement that is running is not lent a second time: a nested use prepares its own.
    @exclusivity(unchecked) @usableFromInline var isInUse = false
    /// Whether it writes nothing; transaction control counts as writing nothing.
    @usableFromInline let isReadOnly: Bool
    /// Whether a record was held against the declaration of its table.
    @exclusivity(unchecked) @usableFromInline var isVerified = false
    /// Tables it reads, as SQLite's compiler told; for observation.
    let tablesRead: Set<String>

    @usableFromInline let handle: OpaquePointer
    @usableFromInline let connection: OpaquePointer
    /// Memory for short texts while they are bound, `scratchBytes` long; allocated with the first of them. Debian's
    /// SQLite has no lookaside memory: a text it copies itself costs it a malloc.
    @exclusivity(unchecked) @usableFromInline var scratch: UnsafeMutablePointer<UInt8>?
    @usableFromInline static var scratchBytes: Int { 512 }

    /// Prepares the one statement in `sql`.
    ///
    /// - Throws: The error of SQLite; `misuse` if the text holds no statement or more than one.
    init(
        _ sql: SQL, on connection: OpaquePointer, hooks: ConnectionHooks, isKept: Bool
    ) throws(DatabaseError) {
        var handle: OpaquePointer?
        var rest = 0
        var text = sql.text
        let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        hooks.beginPreparing()
        let code = text.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) { text in
                var tail: UnsafePointer<CChar>?
                let code = sqlite3_prepare_v3(
                    connection, text.baseAddress, Int32(clamping: text.count), flags, &handle, &tail)
                if let tail, let start = text.baseAddress { rest = text.count - (tail - start) }
                return code
            }
        }
        guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: connection, sql: text) }
        guard let handle else { throw DatabaseError(kind: .misuse("there is no statement in the text"), sql: text) }
        guard text.utf8.suffix(rest).allSatisfy({ $0 <= 0x20 || $0 == UInt8(ascii: ";") }) else {
            sqlite3_finalize(handle)
            throw DatabaseError(kind: .misuse("there is more than one statement in the text"), sql: text)
        }
        self.handle = handle
        self.connection = connection
        pieces = sql.pieces
        made = sql.made
        isReadOnly = sqlite3_stmt_readonly(handle) != 0
        tablesRead = hooks.tablesRead
    }

    /// Whether it is the statement of that SQL, whatever the values.
    func isMade(of sql: SQL) -> Bool { pieces == sql.pieces && made == sql.made }

    deinit {
        sqlite3_finalize(handle)
        scratch?.deallocate()
    }

    /// Takes the values of a new run. The last run must have ended, since its bound values are overwritten.
    @inlinable func binder() -> Binder { Binder(handle, scratch: scratch ?? makeScratch(), room: Self.scratchBytes) }

    @usableFromInline func makeScratch() -> UnsafeMutablePointer<UInt8> {
        let made = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.scratchBytes)
        scratch = made
        return made
    }

    var text: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }

    /// - Throws: `misuse` if arguments are missing or too many.
    func bind(_ sql: SQL) throws(DatabaseError) {
        if !sql.names.isEmpty { return try bindNamed(sql) }
        guard Int(sqlite3_bind_parameter_count(handle)) == sql.arguments.count else {
            throw DatabaseError(kind: .misuse("the statement and its arguments differ in number"), sql: text)
        }
        var binder = binder()
        for argument in sql.arguments { binder.value(argument) }
        try finishBinding(binder.code)
    }

    private func bindNamed(_ sql: SQL) throws(DatabaseError) {
        let count = sqlite3_bind_parameter_count(handle)
        guard sql.names.count == sql.arguments.count, Int(count) == sql.names.count,
            Set(sql.names).count == sql.names.count
        else {
            throw DatabaseError(kind: .misuse("the statement and its arguments differ in number"), sql: text)
        }
        for (name, argument) in zip(sql.names, sql.arguments) {
            let place = sqlite3_bind_parameter_index(handle, name)
            guard place > 0 else { throw DatabaseError(kind: .misuse("the statement has no \(name)"), sql: text) }
            var binder = Binder(handle)
            binder.position = place - 1
            binder.value(argument)
            try finishBinding(binder.code)
        }
    }

    @inlinable func finishBinding(_ code: Int32) throws(DatabaseError) {
        if code != SQLITE_OK { throw failure(code) }
    }

    /// - Returns: Whether there is a row to read.
    @inlinable func step() throws(DatabaseError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw failure(code)
    }

    @usableFromInline func failure(_ code: Int32) -> DatabaseError {
        DatabaseError(code: code, connection: connection, sql: text)
    }

    /// Ends the run and forgets the arguments, which may be long or secret.
    @inlinable func end() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        isInUse = false
    }

    /// Begins the run anew, with the arguments it has.
    @inlinable func rewind() { sqlite3_reset(handle) }
}
