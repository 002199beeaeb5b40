/// What can be asked inside a read or a write.
///
/// Everything asked of one access sees one state of the database. Helpers that only read take
/// `borrowing some DatabaseAccess & ~Copyable` and serve both.
public protocol DatabaseAccess: ~Copyable {
    /// Where statements run. Has no public members; conformances outside this module are of no use.
    var connection: Connection { get }
}

extension DatabaseAccess where Self: ~Copyable {
    /// Decodes every row, in order.
    public func all<Value>(_ sql: SQL, _ decode: (inout Row) throws -> Value) throws -> [Value] {
        var values: [Value] = []
        try connection.run(sql) { row in
            values.append(try decode(&row))
            return true
        }
        return values
    }

    /// Decodes the first row, if there is one. Also for `INSERT … RETURNING` of one row.
    public func first<Value>(_ sql: SQL, _ decode: (inout Row) throws -> Value) throws -> Value? {
        var value: Value?
        try connection.run(sql) { row in
            value = try decode(&row)
            return false
        }
        return value
    }

    /// The first column of the first row.
    ///
    /// - Returns: `nil` if there is no row.
    public func value<Value: DatabaseValueConvertible>(_ sql: SQL, as _: Value.Type = Value.self) throws -> Value? {
        try first(sql) { row in try row[0] }
    }

    /// Whether there is a row at all.
    public func exists(_ sql: SQL) throws -> Bool {
        try first(sql) { _ in true } ?? false
    }

    /// Lends the rows one by one, for results too long to keep; ends early when `body` returns false.
    public func forEach(_ sql: SQL, _ body: (inout Row) throws -> Bool) throws {
        try connection.run(sql, body)
    }
}

/// A snapshot, lent to the closure given to `DatabasePool.read`.
///
/// Cannot be copied or kept: storing it or capturing it in a task does not compile.
public struct ReadAccess: DatabaseAccess, ~Copyable {
    public let connection: Connection

    init(_ connection: Connection) { self.connection = connection }
}
