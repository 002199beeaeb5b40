/// The result of a read, again after each commit that may have changed it:
/// ```swift
/// for try await count in pool.values({ db in try db.count(Album.filter(Album.year > 1990)) }) { … }
/// ```
/// The first element comes at once. Which tables matter is learned from the statements the closure runs. An element is one
/// snapshot; commits that come while nobody looks are one element; none is repeated unless a table it reads was written
/// to. Reads go through the readers, so observing costs the writer a note per changed row and no more.
///
/// An error of the closure ends `for await`; calling `next()` again goes on with the observation. Ends with `nil` when the
/// database is closed, and throws `CancellationError` when the task is cancelled.
public struct ValueObservation<Value: Sendable>: AsyncSequence, Sendable {
    /// The value as it was read in one state of the database.
    public typealias Element = Value

    private let database: any DatabaseReader
    private let fetch: @Sendable (inout ReadAccess) throws -> Value

    init(_ database: any DatabaseReader, _ fetch: @escaping @Sendable (inout ReadAccess) throws -> Value) {
        self.database = database
        self.fetch = fetch
    }

    /// A new observation, which reads the value at its first `next()`.
    public func makeAsyncIterator() -> Iterator { Iterator(database, fetch) }

    /// One observation in progress.
    public struct Iterator: AsyncIteratorProtocol {
        private let database: any DatabaseReader
        private let fetch: @Sendable (inout ReadAccess) throws -> Value
        private let mailbox = Mailbox<Void>()
        private var subscription: Subscription?

        init(_ database: any DatabaseReader, _ fetch: @escaping @Sendable (inout ReadAccess) throws -> Value) {
            self.database = database
            self.fetch = fetch
        }

        /// The first value once the writes under way are done; each later one after a change of the tables it was read from.
        ///
        /// - Returns: `nil` once the database is closed.
        /// - Throws: `CancellationError` if the task is cancelled; what the closure throws.
        public mutating func next() async throws -> Value? {
            if let subscription {
                guard await mailbox.take() != nil else {
                    try Task.checkCancellation()
                    return nil
                }
                return try await fetchTracked(subscription)
            }
            let mailbox = mailbox
            let subscription = Subscription(database.engine, tables: nil) { _ in
                mailbox.put { _ in () }
            } finish: {
                mailbox.finish()
            }
            self.subscription = subscription
            // Waits for every write under way, since those are not being recorded.
            try await database.engine.run(.alone) { _ in }
            return try await fetchTracked(subscription)
        }

        private func fetchTracked(_ subscription: Subscription) async throws -> Value {
            let fetch = fetch
            let (value, tables) = try await database.read { db in
                db.connection.tablesRead = []
                defer { db.connection.tablesRead = nil }
                let value = try fetch(&db)
                return (value, db.connection.tablesRead ?? [])
            }
            subscription.narrow(to: tables)
            return value
        }
    }
}

extension DatabaseReader {
    /// See `ValueObservation`.
    public func values<Value: Sendable>(
        _ fetch: @escaping @Sendable (inout ReadAccess) throws -> Value
    ) -> ValueObservation<Value> {
        ValueObservation(self, fetch)
    }
}
