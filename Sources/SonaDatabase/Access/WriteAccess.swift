/// One write, lent to the closure given to `write`; reads too, and sees its own changes.
///
/// All of it is kept or nothing: a closure that throws undoes what it did, and nothing of anybody else's.
public struct WriteAccess: DatabaseAccess, ~Copyable {
    /// The writer's connection. Has no public members.
    public let connection: Connection

    @inlinable init(_ connection: Connection) { self.connection = connection }

    /// Runs one statement to its end.
    ///
    /// - Returns: Rows it inserted, changed or deleted itself; those of triggers and cascades are not counted.
    /// - Throws: The constraint that was violated, `misuse` for `BEGIN` and its like, and whatever else SQLite says.
    @discardableResult
    public mutating func execute(_ sql: SQL) throws(DatabaseError) -> Int { try connection.execute(sql) }

    /// Runs several statements, separated by semicolons, as they stand: a schema, usually.
    public mutating func executeScript(_ text: StaticString) throws(DatabaseError) {
        try connection.executeScript(text)
    }

    /// The rowid of the row inserted last on this connection: ask right after inserting.
    public var lastInsertedRowID: Int64 { connection.lastInsertedRowID }

    /// A part that is undone alone when `body` throws. Parts may hold parts.
    @discardableResult
    public mutating func savepoint<Value>(_ body: (inout WriteAccess) throws -> Value) throws -> Value {
        try connection.control(.savepointPart)
        let mark = connection.hooks.recorder?.mark
        do {
            let value = try body(&self)
            try connection.control(.releasePart)
            return value
        } catch {
            // After an error that ended the whole transaction there is no savepoint to go back to.
            if connection.isInTransaction {
                try connection.control(.rollbackToPart)
                try connection.control(.releasePart)
                if let mark { connection.hooks.recorder?.forget(since: mark) }
            }
            throw error
        }
    }
}
