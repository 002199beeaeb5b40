/// The prepared statements of one connection, by the pieces of their text; the least recently used one makes room.
struct StatementCache {
    private let capacity: Int
    private var statements: [UInt64: Statement] = [:]
    private var uses: UInt64 = 0

    init(capacity: Int) { self.capacity = max(1, capacity) }

    /// How many statements are kept.
    var count: Int { statements.count }

    /// A statement for `sql` that nobody else uses, marked as in use.
    ///
    /// O(pieces of the text) for a text seen before; a new one is parsed, and when the cache is full O(capacity) is
    /// spent on finding the statement to drop. A text that is running already (a query inside its own loop), or whose
    /// fingerprint is another's, is prepared once more and not kept.
    mutating func statement(
        _ sql: SQL, on connection: OpaquePointer, hooks: ConnectionHooks
    ) throws(DatabaseError) -> Statement {
        uses &+= 1
        if let kept = statements[sql.fingerprint] {
            guard !kept.isInUse, kept.isMade(of: sql) else {
                return try Statement(sql, on: connection, hooks: hooks, isKept: false)
            }
            kept.lastUse = uses
            kept.isInUse = true
            return kept
        }
        let new = try Statement(sql, on: connection, hooks: hooks, isKept: true)
        if statements.count >= capacity { evict() }
        if statements.count < capacity { statements[sql.fingerprint] = new }
        new.lastUse = uses
        new.isInUse = true
        return new
    }

    mutating func removeAll() { statements = [:] }

    private mutating func evict() {
        let idle = statements.filter { !$0.value.isInUse }
        if let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse }) { statements[oldest.key] = nil }
    }
}
