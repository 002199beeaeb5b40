internal import CSQLite

/// The current row of a running statement, read by the position of its columns.
///
/// Lent to the closure that decodes it. It cannot be copied or kept: the next step of the statement overwrites it.
public struct Row: ~Copyable {
    private let statement: OpaquePointer
    private let count: Int32
    private var position: Int32 = 0

    init(_ statement: OpaquePointer) {
        self.statement = statement
        count = sqlite3_data_count(statement)
    }

    /// Columns of the row.
    public var columnCount: Int { Int(count) }

    /// Column 0, then 1, and so on: the order of the SELECT is the order of the reads.
    ///
    /// - Throws: `badValue` past the last column, and for a value that `Value` does not take.
    public mutating func next<Value: DatabaseValueConvertible>(
        _: Value.Type = Value.self
    ) throws(DatabaseError) -> Value {
        let value: Value = try self[Int(position)]
        position += 1
        return value
    }

    /// The column at `index`, counted from 0.
    ///
    /// - Throws: `badValue` outside the row, and for a value that `Value` does not take.
    public subscript<Value: DatabaseValueConvertible>(_ index: Int) -> Value {
        get throws(DatabaseError) {
            guard let value = Value(databaseValue: try value(at: index)) else {
                throw DatabaseError(
                    kind: .badValue(column: index, wanted: "\(Value.self)"),
                    sql: sqlite3_sql(statement).map { String(cString: $0) })
            }
            return value
        }
    }

    /// Texts and blobs are read with their length; bytes that are no UTF-8 are repaired, never trapped on.
    private func value(at index: Int) throws(DatabaseError) -> DatabaseValue {
        guard index >= 0, index < Int(count) else {
            throw DatabaseError(kind: .badValue(column: index, wanted: "a column of the row"))
        }
        let column = Int32(index)
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            // In this order: sqlite3_column_bytes counts the form that the call before it made.
            let start = sqlite3_column_text(statement, column)
            let bytes = UnsafeBufferPointer(start: start, count: start == nil ? 0 : bytes(at: column))
            return .text(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(statement, column)
            return .blob(Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : bytes(at: column))))
        default: return .null
        }
    }

    private func bytes(at column: Int32) -> Int { Int(sqlite3_column_bytes(statement, column)) }
}
