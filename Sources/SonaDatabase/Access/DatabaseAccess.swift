/// The questions that can be asked inside a read or a write.
///
/// Everything asked of one access sees one state of the database. Helpers that only read take
/// `borrowing some DatabaseAccess & ~Copyable` and serve both.
public protocol DatabaseAccess: ~Copyable {
    /// Where statements run. Has no public members; conformances outside this module are of no use.
    var connection: Connection { get }
}

extension DatabaseAccess where Self: ~Copyable {
    /// Decodes every row, in order.
    @inlinable public func all<Value>(_ sql: SQL, _ decode: (inout Row) throws -> Value) throws -> [Value] {
        let statement = try connection.begin(sql)
        defer { statement.end() }
        var values: [Value] = []
        guard try statement.step() else { return values }
        var row = Row(statement.handle)
        repeat {
            row.rewind()
            values.append(try decode(&row))
        } while try statement.step()
        return values
    }

    /// Decodes the first row, if there is one. Also for `INSERT … RETURNING` of one row.
    @inlinable public func first<Value>(_ sql: SQL, _ decode: (inout Row) throws -> Value) throws -> Value? {
        let statement = try connection.begin(sql)
        defer { statement.end() }
        guard try statement.step() else { return nil }
        var row = Row(statement.handle)
        return try decode(&row)
    }

    /// The first column of the first row.
    ///
    /// - Returns: `nil` if there is no row.
    @inlinable public func value<Value: DatabaseValueConvertible>(
        _ sql: SQL, as _: Value.Type = Value.self
    ) throws -> Value? {
        try first(sql) { row in try row[0] }
    }

    /// The first column of every row.
    @inlinable public func values<Value: DatabaseValueConvertible>(
        _ sql: SQL, as _: Value.Type = Value.self
    ) throws -> [Value] {
        try all(sql) { row in try row[0] }
    }

    /// Whether there is a row at all.
    @inlinable public func exists(_ sql: SQL) throws -> Bool {
        try first(sql) { _ in true } ?? false
    }

    /// A cursor: lends the rows one by one, for results too long to keep; ends early when `body` returns false.
    @inlinable public func forEach(_ sql: SQL, _ body: (inout Row) throws -> Bool) throws {
        let statement = try connection.begin(sql)
        defer { statement.end() }
        while try statement.step() {
            var row = Row(statement.handle)
            guard try body(&row) else { return }
        }
    }

    /// Keeps a statement at hand for many runs.
    @inlinable public func withStatement<Value>(
        _ sql: SQL, _ body: (inout PreparedStatement) throws -> Value
    ) throws -> Value {
        let statement = try connection.prepare(sql)
        defer { statement.end() }
        var prepared = PreparedStatement(statement, connection)
        return try body(&prepared)
    }
}

/// A snapshot, lent to the closure given to `read`.
///
/// Cannot be copied or kept: storing it or capturing it in a task does not compile.
public struct ReadAccess: DatabaseAccess, ~Copyable {
    /// The connection this access was lent. Has no public members.
    public let connection: Connection

    @inlinable init(_ connection: Connection) { self.connection = connection }
}
