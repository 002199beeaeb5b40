/// The rows of a table that changed. There is one element for each commit that changed any, or for several commits
/// together if the consumer was slower.
public struct RowChanges<Key: Hashable & Sendable>: Sendable, Equatable {
    /// Keys of new rows. Each key is in at most one of the three sets: a row that came and went in between is in none.
    public private(set) var inserted: Set<Key> = []
    /// Keys of rows that were there before and have other values now.
    public private(set) var updated: Set<Key> = []
    /// Keys of rows that were there before and are gone.
    public private(set) var deleted: Set<Key> = []
    /// False if there were too many to name: then anything may have changed, and the three are empty.
    public private(set) var isComplete = true

    /// Whether nothing changed. False if there were too many changes to name.
    public var isEmpty: Bool { isComplete && inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
    private var count: Int { inserted.count + updated.count + deleted.count }

    mutating func forgetRows() {
        self = RowChanges()
        isComplete = false
    }

    /// - Parameter limit: Keys named at most.
    mutating func add(_ kind: CommittedChanges.Row.Kind, _ key: Key, limit: Int) {
        guard isComplete else { return }
        switch kind {
        case .inserted:
            if deleted.remove(key) != nil { updated.insert(key) } else { inserted.insert(key) }
        case .updated:
            if !inserted.contains(key) { updated.insert(key) }
        case .deleted:
            updated.remove(key)
            if inserted.remove(key) == nil { deleted.insert(key) }
        }
        if count > limit { forgetRows() }
    }
}

/// The changes of one table, as they are committed: `for await changes in pool.changes(in: Album.self)`.
///
/// Transaction-consistent (an element holds whole commits), coalescing (a slow consumer gets one element for all it
/// missed) and bounded (`keysMax` keys, then `isComplete` is false). Ends when the database is closed or the task is
/// cancelled. Begins when it is made: a write that begins later is told. Changes by other processes are not seen.
///
/// For one consumer. Drop it, and its iterator, to end the observation.
public struct ChangeFeed<Key: Hashable & Sendable>: AsyncSequence, Sendable {
    /// The changes since the element before.
    public typealias Element = RowChanges<Key>
    /// A feed does not fail; it ends when the database is closed.
    public typealias Failure = Never

    private let mailbox: Mailbox<RowChanges<Key>>
    private let subscription: Subscription

    init(
        engine: DatabaseEngine, table: String, keysMax: Int, key: @escaping @Sendable ([DatabaseValue]) -> Key?
    ) {
        let mailbox = Mailbox<RowChanges<Key>>()
        self.mailbox = mailbox
        subscription = Subscription(engine, tables: [table]) { committed in
            guard let rows = committed.tables[table] else { return }
            mailbox.put { pending in
                var changes = pending ?? RowChanges()
                guard let rows else {
                    changes.forgetRows()
                    return changes
                }
                for row in rows {
                    guard let key = key(row.key) else {
                        changes.forgetRows()
                        break
                    }
                    changes.add(row.kind, key, limit: keysMax)
                }
                return changes.isEmpty ? nil : changes
            }
        } finish: {
            mailbox.finish()
        }
    }

    /// For the one consumer of the feed. Iterators share one mailbox: each change goes to one of them.
    public func makeAsyncIterator() -> Iterator { Iterator(mailbox: mailbox, subscription: subscription) }

    /// Waits for changes and gives all that have gathered as one element.
    public struct Iterator: AsyncIteratorProtocol {
        let mailbox: Mailbox<RowChanges<Key>>
        let subscription: Subscription

        /// - Returns: `nil` once the database is closed or the task is cancelled.
        public mutating func next() async -> RowChanges<Key>? { await mailbox.take() }
    }
}

extension DatabaseReader {
    /// The changes in the table of `R`, by primary key.
    ///
    /// - Parameter keysMax: Keys an element names at most.
    public func changes<R: Record>(in _: R.Type, keysMax: Int = 1_024) -> ChangeFeed<R.Key>
    where R.Key: DatabaseValueConvertible & Hashable {
        ChangeFeed(engine: engine, table: R.table.definition.name, keysMax: keysMax) { values in
            values.count == 1 ? R.Key(databaseValue: values[0]) : nil
        }
    }

    /// The same for a primary key of several columns, whose values come in the order of the key.
    public func changes<R: Record>(inRowsOf _: R.Type, keysMax: Int = 1_024) -> ChangeFeed<[DatabaseValue]> {
        ChangeFeed(engine: engine, table: R.table.definition.name, keysMax: keysMax) { $0 }
    }
}

/// A place in the list of those who are told; gone when nobody holds it any more.
final class Subscription: Sendable {
    private let changes: ChangeHub
    private let id: Int

    init(
        _ engine: DatabaseEngine, tables: Set<String>?, deliver: @escaping @Sendable (CommittedChanges) -> Void,
        finish: @escaping @Sendable () -> Void
    ) {
        changes = engine.changes
        id = engine.changes.subscribe(tables: tables, deliver: deliver, finish: finish)
    }

    deinit { changes.unsubscribe(id) }

    func narrow(to tables: Set<String>) { changes.narrow(id, to: tables) }
}
