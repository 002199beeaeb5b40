public import CSQLite

/// The row a statement stands on, read by the position of its columns.
///
/// Lent to the closure that decodes it. It cannot be copied or kept: the next step of the statement overwrites it.
public struct Row: ~Copyable {
    @usableFromInline let statement: OpaquePointer
    @usableFromInline let count: Int32
    @usableFromInline var position: Int32 = 0

    @inlinable init(_ statement: OpaquePointer) {
        self.statement = statement
        count = sqlite3_data_count(statement)
    }

    /// Columns of the row.
    @inlinable public var columnCount: Int { Int(count) }

    /// Column 0, then 1, and so on: the order of the SELECT is the order of the reads.
    ///
    /// - Throws: `badValue` past the last column, and for a value that `Value` does not take.
    @inlinable public mutating func next<Value: DatabaseValueConvertible>(
        _: Value.Type = Value.self
    ) throws(DatabaseError) -> Value {
        let index = position
        position = index &+ 1
        guard index < count, let value = Value(stored: StoredValue(statement, index)) else {
            throw badValue(at: Int(index), wanted: Value.self)
        }
        return value
    }

    /// Leaves columns out.
    @inlinable public mutating func skip(_ columns: Int = 1) { position += Int32(clamping: columns) }

    /// Whether the column that `next` would read is NULL (or past the end).
    @inlinable public var isNextNull: Bool {
        position >= count || sqlite3_column_type(statement, position) == SQLITE_NULL
    }

    /// The column at `index`, counted from 0.
    ///
    /// - Throws: `badValue` outside the row, and for a value that `Value` does not take.
    @inlinable public subscript<Value: DatabaseValueConvertible>(_ index: Int) -> Value {
        get throws(DatabaseError) {
            guard index >= 0, index < Int(count), let value = Value(stored: StoredValue(statement, Int32(index))) else {
                throw badValue(at: index, wanted: Value.self)
            }
            return value
        }
    }

    /// The bytes of a text column, lent without making a `String`.
    ///
    /// - Returns: `nil` if the column holds no text.
    @inlinable public func withText<Result>(
        _ index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) throws -> Result? {
        guard index >= 0, index < Int(count) else { throw badValue(at: index, wanted: String.self) }
        return try StoredValue(statement, Int32(index)).withText(body)
    }

    /// The bytes of a blob column, lent without a copy.
    ///
    /// - Returns: `nil` if the column holds no blob.
    @inlinable public func withBlob<Result>(
        _ index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result? {
        guard index >= 0, index < Int(count) else { throw badValue(at: index, wanted: [UInt8].self) }
        return try StoredValue(statement, Int32(index)).withBlob(body)
    }

    /// The name of a column as the statement gives it; for tools, never on the way of a row.
    public func name(of index: Int) -> String? {
        guard index >= 0, index < Int(count) else { return nil }
        return sqlite3_column_name(statement, Int32(index)).map { String(cString: $0) }
    }

    mutating func move(to column: Int) { position = Int32(clamping: column) }
    @inlinable mutating func rewind() { position = 0 }

    @usableFromInline func badValue(at index: Int, wanted: Any.Type) -> DatabaseError {
        DatabaseError(
            kind: .badValue(column: index, wanted: index < 0 || index >= count ? "a column of the row" : "\(wanted)"),
            sql: sqlite3_sql(statement).map { String(cString: $0) })
    }
}
