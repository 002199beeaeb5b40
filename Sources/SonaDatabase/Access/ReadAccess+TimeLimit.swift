internal import CSQLite

extension ReadAccess {
    /// Runs `body` for as long as `limit` and no longer, measured where SQLite works: for questions whose cost a stranger
    /// decides, such as a search.
    ///
    /// Costs nothing beside a look at the clock every 1 000 steps of SQLite's machine.
    ///
    /// - Throws: `timedOut` once the limit has passed; the access goes on.
    public mutating func withTimeLimit<Value>(
        _ limit: Duration, _ body: (inout ReadAccess) throws -> Value
    ) throws -> Value {
        let deadline = Deadline(ContinuousClock.now + limit)
        let handle = connection.handle
        sqlite3_progress_handler(
            handle, 1_000,
            { context in
                guard let context else { return 0 }
                return Unmanaged<Deadline>.fromOpaque(context).takeUnretainedValue().hasPassed() ? 1 : 0
            }, Unmanaged.passUnretained(deadline).toOpaque())
        defer { sqlite3_progress_handler(handle, 0, nil, nil) }
        do {
            return try withExtendedLifetime(deadline) { try body(&self) }
        } catch let error as DatabaseError where error.kind == .interrupted && deadline.isOver {
            throw DatabaseError(kind: .timedOut, sql: error.sql)
        }
    }

    private final class Deadline {
        private let time: ContinuousClock.Instant
        private(set) var isOver = false

        init(_ time: ContinuousClock.Instant) { self.time = time }

        func hasPassed() -> Bool {
            isOver = ContinuousClock.now >= time
            return isOver
        }
    }
}

extension DatabaseReader {
    /// The same as `read`, for as long as `timeLimit` and no longer.
    ///
    /// - Throws: `timedOut`, and as `read`.
    public func read<Value: Sendable>(
        timeLimit: Duration, _ body: @escaping @Sendable (inout ReadAccess) throws -> Value
    ) async throws -> Value {
        try await read { db in try db.withTimeLimit(timeLimit, body) }
    }
}
