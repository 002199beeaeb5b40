/// The prepared statements of one connection, by their text; the least recently used one makes room.
struct StatementCache {
    private let capacity: Int
    private var statements: [String: Statement] = [:]
    private var uses: UInt64 = 0

    init(capacity: Int) { self.capacity = max(1, capacity) }

    /// How many statements are kept.
    var count: Int { statements.count }

    /// A statement for `sql` that nobody else uses, marked as in use.
    ///
    /// O(1) for a text seen before; a new one is parsed, and when the cache is full O(capacity) is spent on finding
    /// the statement to drop. A text that is running already (a query inside its own loop) is prepared once more and
    /// not kept.
    mutating func statement(_ sql: String, on connection: OpaquePointer) throws(DatabaseError) -> Statement {
        uses &+= 1
        if let kept = statements[sql] {
            guard kept.isInUse else {
                kept.lastUse = uses
                kept.isInUse = true
                return kept
            }
            return try Statement(sql, on: connection, isKept: false)
        }
        let new = try Statement(sql, on: connection, isKept: true)
        if statements.count >= capacity { evict() }
        if statements.count < capacity { statements[sql] = new }
        new.lastUse = uses
        new.isInUse = true
        return new
    }

    mutating func removeAll() { statements = [:] }

    private mutating func evict() {
        let idle = statements.values.filter { !$0.isInUse }
        if let oldest = idle.min(by: { $0.lastUse < $1.lastUse }) { statements[oldest.sql] = nil }
    }
}
