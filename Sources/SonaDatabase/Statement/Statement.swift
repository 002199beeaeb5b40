internal import CSQLite

/// A prepared statement, owned by the cache of its connection and used where the connection is used.
final class Statement {
    let sql: String
    /// Ticks of the cache's counter: the smallest is evicted first.
    var lastUse: UInt64 = 0
    /// A statement that is running is not lent a second time: a nested use prepares its own.
    var isInUse = false

    private let handle: OpaquePointer
    private let connection: OpaquePointer

    /// Prepares the one statement in `sql`.
    ///
    /// - Throws: What SQLite says of it; `misuse` if there is none or more than one.
    init(_ sql: String, on connection: OpaquePointer, isKept: Bool) throws(DatabaseError) {
        var handle: OpaquePointer?
        var rest = 0
        var sql = sql
        let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        let code = sql.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) { text in
                var tail: UnsafePointer<CChar>?
                let code = sqlite3_prepare_v3(
                    connection, text.baseAddress, Int32(clamping: text.count), flags, &handle, &tail)
                if let tail, let start = text.baseAddress { rest = text.count - (tail - start) }
                return code
            }
        }
        guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: connection, sql: sql) }
        guard let handle else { throw DatabaseError(kind: .misuse("there is no statement in the text"), sql: sql) }
        guard sql.utf8.suffix(rest).allSatisfy({ $0 <= 0x20 || $0 == UInt8(ascii: ";") }) else {
            sqlite3_finalize(handle)
            throw DatabaseError(kind: .misuse("there is more than one statement in the text"), sql: sql)
        }
        self.handle = handle
        self.connection = connection
        self.sql = sql
    }

    deinit { sqlite3_finalize(handle) }

    var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    func bind(_ arguments: [DatabaseValue]) throws(DatabaseError) {
        guard Int(sqlite3_bind_parameter_count(handle)) == arguments.count else {
            throw DatabaseError(kind: .misuse("the statement and its arguments differ in number"), sql: sql)
        }
        for (offset, argument) in arguments.enumerated() {
            let code = bind(argument, at: Int32(offset + 1))
            guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: connection, sql: sql) }
        }
    }

    private func bind(_ value: DatabaseValue, at index: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let value): return sqlite3_bind_int64(handle, index, value)
        case .real(let value): return sqlite3_bind_double(handle, index, value)
        case .text(var value):
            return value.withUTF8 { text in
                // A NULL pointer would bind NULL in place of the empty text.
                guard let start = text.baseAddress else { return sona_sqlite_bind_text(handle, index, "", 0) }
                return start.withMemoryRebound(to: CChar.self, capacity: text.count) {
                    sona_sqlite_bind_text(handle, index, $0, UInt64(text.count))
                }
            }
        case .blob(let value):
            if value.isEmpty { return sqlite3_bind_zeroblob(handle, index, 0) }
            return sona_sqlite_bind_blob(handle, index, value, UInt64(value.count))
        }
    }

    /// - Returns: Whether there is a row to read.
    func step() throws(DatabaseError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw DatabaseError(code: code, connection: connection, sql: sql)
        }
    }

    var row: Row { Row(handle) }

    /// Ends the run and forgets the arguments, which may be long or secret.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }
}
