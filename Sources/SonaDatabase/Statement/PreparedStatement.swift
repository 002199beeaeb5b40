/// A statement kept at hand for many runs: nothing is looked up between them.
///
/// Lent by `withStatement`:
/// ```swift
/// try db.withStatement("SELECT name FROM albums WHERE id = ?") { statement in
///     for id in ids { names.append(try statement.first(id) { row in try row.next(String.self) }) }
/// }
/// ```
/// Each run takes one value for each `?`, in order. It cannot be copied or kept.
public struct PreparedStatement: ~Copyable {
    @usableFromInline let statement: Statement
    @usableFromInline let connection: Connection

    @inlinable init(_ statement: Statement, _ connection: Connection) {
        self.statement = statement
        self.connection = connection
    }

    /// Decodes the first row, if there is one.
    @inlinable public mutating func first<each Argument: DatabaseValueConvertible, Value>(
        _ arguments: repeat each Argument, decode: (inout Row) throws -> Value
    ) throws -> Value? {
        try begin(repeat each arguments)
        defer { statement.rewind() }
        guard try statement.step() else { return nil }
        var row = Row(statement.handle)
        return try decode(&row)
    }

    /// Decodes every row, in order.
    @inlinable public mutating func all<each Argument: DatabaseValueConvertible, Value>(
        _ arguments: repeat each Argument, decode: (inout Row) throws -> Value
    ) throws -> [Value] {
        try begin(repeat each arguments)
        defer { statement.rewind() }
        var values: [Value] = []
        while try statement.step() {
            var row = Row(statement.handle)
            values.append(try decode(&row))
        }
        return values
    }

    /// Lends the rows one by one; ends early when `body` returns false.
    @inlinable public mutating func forEach<each Argument: DatabaseValueConvertible>(
        _ arguments: repeat each Argument, body: (inout Row) throws -> Bool
    ) throws {
        try begin(repeat each arguments)
        defer { statement.rewind() }
        while try statement.step() {
            var row = Row(statement.handle)
            guard try body(&row) else { return }
        }
    }

    /// Runs to the end. In a write only.
    ///
    /// - Returns: Rows it inserted, changed or deleted itself; those of triggers and cascades are not counted.
    @discardableResult
    @inlinable public mutating func execute<each Argument: DatabaseValueConvertible>(
        _ arguments: repeat each Argument
    ) throws(DatabaseError) -> Int {
        try begin(repeat each arguments)
        defer { statement.rewind() }
        while try statement.step() {}
        return connection.changes(of: statement)
    }

    @inlinable func begin<each Argument: DatabaseValueConvertible>(
        _ arguments: repeat each Argument
    ) throws(DatabaseError) {
        try connection.check()
        var binder = statement.binder()
        repeat (each arguments).bind(to: &binder)
        try connection.finish(binder.position, binder.code, statement)
    }
}
