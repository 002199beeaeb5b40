import CSQLiteFloor

/// The C interface with the least that Swift needs around it: the floor every library stands on.
///
/// What a careful C programmer writes: each statement prepared once, every result code looked at, text taken and given
/// with its length. Text is bound as SQLITE_STATIC inside `withUTF8`, since it outlives the step; nothing is copied that
/// need not be.
final class RawConnection: @unchecked Sendable {
    // Safe to share: opened without SQLite's own mutex and used by one thread at a time; who that is, is the business of
    // whoever holds the connection.
    let handle: OpaquePointer
    private var statements: [OpaquePointer] = []

    enum Synchronous: String { case full = "FULL", normal = "NORMAL" }

    init(_ path: String, synchronous: Synchronous = .full) throws {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else { throw RawError(code: code, message: "cannot open \(path)") }
        self.handle = handle
        try execute("PRAGMA journal_mode = WAL")
        try execute("PRAGMA synchronous = \(synchronous.rawValue)")
        try execute("PRAGMA foreign_keys = ON")
        sqlite3_busy_timeout(handle, 5_000)
    }

    func execute(_ sql: String) throws {
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// The statement lives as long as the connection.
    func prepare(_ sql: String) throws -> RawStatement {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        guard let statement else { preconditionFailure("Only a comment compiles to nothing.") }
        statements.append(statement)
        return RawStatement(pointer: statement)
    }

    func close() throws {
        for statement in statements { sqlite3_finalize(statement) }
        statements = []
        let code = sqlite3_close(handle)
        guard code == SQLITE_OK else { throw RawError(code: code, message: "cannot close") }
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw RawError(code: code, message: String(cString: sqlite3_errmsg(handle))) }
    }
}

struct RawError: Error {
    let code: Int32
    let message: String
}

/// A prepared statement, and the calls on it that take more than one line.
struct RawStatement: @unchecked Sendable {
    // Safe to share: as its connection is.
    let pointer: OpaquePointer

    /// Whether there is a row.
    @inline(__always)
    func step() throws -> Bool {
        let code = sqlite3_step(pointer)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw failure(code)
    }

    /// Without looking at the code: it repeats that of the last step.
    @inline(__always)
    func reset() { sqlite3_reset(pointer) }

    @inline(__always)
    func bind(_ index: Int32, _ value: Int64) throws { try check(sqlite3_bind_int64(pointer, index, value)) }

    @inline(__always)
    func bind(_ index: Int32, _ value: Double) throws { try check(sqlite3_bind_double(pointer, index, value)) }

    @inline(__always)
    func bind(_ index: Int32, optional value: Int64?) throws {
        if let value { try bind(index, value) } else { try check(sqlite3_bind_null(pointer, index)) }
    }

    /// The bytes must stay until the statement was stepped.
    @inline(__always)
    func bind(_ index: Int32, lent bytes: UnsafeBufferPointer<UInt8>) throws {
        try check(floor_bind_text_lent(pointer, index, bytes.baseAddress, UInt64(bytes.count)))
    }

    @inline(__always)
    func bind(_ index: Int32, copied text: String) throws {
        var text = text
        let code = text.withUTF8 { floor_bind_text_copied(pointer, index, $0.baseAddress, UInt64($0.count)) }
        try check(code)
    }

    @inline(__always)
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(pointer, column) }

    @inline(__always)
    func real(_ column: Int32) -> Double { sqlite3_column_double(pointer, column) }

    @inline(__always)
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(pointer, column) == SQLITE_NULL }

    @inline(__always)
    func text(_ column: Int32) -> String {
        let bytes = sqlite3_column_text(pointer, column)
        let count = sqlite3_column_bytes(pointer, column)
        return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
    }

    @inline(__always)
    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private func failure(_ code: Int32) -> RawError {
        RawError(code: code, message: String(cString: sqlite3_errmsg(sqlite3_db_handle(pointer))))
    }
}
