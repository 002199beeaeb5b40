public import CSQLite

/// One column of the row that a statement stands on, where SQLite has it.
///
/// Lent to `DatabaseValueConvertible.init(stored:)`; gone with the next step of the statement.
///
/// Found once by sqlite3_column_value and asked by sqlite3_value_type, _int64 and so on, which cost a third of the
/// sqlite3_column_ functions: those look for the column, and for an error, each time. (Such a value is "unprotected":
/// nobody else may use the connection meanwhile, and nobody can.)
public struct StoredValue: ~Copyable {
    @usableFromInline let value: OpaquePointer?

    @inlinable init(_ statement: OpaquePointer, _ index: Int32) {
        value = sqlite3_column_value(statement, index)
    }

    /// Whether NULL is stored.
    @inlinable public var isNull: Bool { sqlite3_value_type(value) == SQLITE_NULL }

    /// `nil` unless an integer is stored.
    @inlinable public var integer: Int64? {
        guard sqlite3_value_type(value) == SQLITE_INTEGER else { return nil }
        return sqlite3_value_int64(value)
    }

    /// `nil` unless a floating-point number is stored.
    @inlinable public var real: Double? {
        guard sqlite3_value_type(value) == SQLITE_FLOAT else { return nil }
        return sqlite3_value_double(value)
    }

    /// `nil` unless a text is stored. Read with its length, so a NUL survives; invalid UTF-8 is repaired.
    @inlinable public var text: String? {
        withText { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of a text without a `String`: they are gone when `body` returns.
    ///
    /// - Returns: `nil` unless a text is stored.
    @inlinable public func withText<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard sqlite3_value_type(value) == SQLITE_TEXT else { return nil }
        // In this order: sqlite3_value_bytes counts the form that the call before it made.
        let start = sqlite3_value_text(value)
        let count = start == nil ? 0 : Int(sqlite3_value_bytes(value))
        return try body(UnsafeBufferPointer(start: start, count: count))
    }

    /// The bytes of a blob without a copy: they are gone when `body` returns.
    ///
    /// - Returns: `nil` unless a blob is stored.
    @inlinable public func withBlob<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard sqlite3_value_type(value) == SQLITE_BLOB else { return nil }
        let start = sqlite3_value_blob(value)
        let count = start == nil ? 0 : Int(sqlite3_value_bytes(value))
        return try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// A copy of the value, in its storage class.
    public var databaseValue: DatabaseValue {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: .real(sqlite3_value_double(value))
        case SQLITE_TEXT: .text(text ?? "")
        case SQLITE_BLOB: .blob(withBlob { Array($0) } ?? [])
        default: .null
        }
    }
}
