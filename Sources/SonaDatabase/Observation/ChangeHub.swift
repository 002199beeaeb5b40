internal import SonaBase
internal import Synchronization

/// The observers of changes, and the tables each of them observes.
final class ChangeHub: Sendable {
    private struct Subscriber {
        /// `nil`: any table.
        var tables: Set<String>?
        let deliver: @Sendable (CommittedChanges) -> Void
        let finish: @Sendable () -> Void
    }

    private struct State {
        var subscribers: [Int: Subscriber] = [:]
        var nextID = 0
        var isFinished = false
    }

    private let state = Monitor(State())
    /// Counts the changes of the subscribers' wishes; the writer looks at it before each write.
    private let version = Atomic(0)

    // MARK: From any thread

    /// - Parameters:
    ///   - deliver: Called on the writer's thread after each commit that touched one of the tables; must not wait.
    ///   - finish: Called when the database is closed.
    /// - Returns: A number to unsubscribe with.
    func subscribe(
        tables: Set<String>?, deliver: @escaping @Sendable (CommittedChanges) -> Void,
        finish: @escaping @Sendable () -> Void
    ) -> Int {
        let (id, isFinished) = state.withLock { state in
            state.nextID += 1
            if !state.isFinished {
                state.subscribers[state.nextID] = Subscriber(tables: tables, deliver: deliver, finish: finish)
            }
            return (state.nextID, state.isFinished)
        }
        version.wrappingAdd(1, ordering: .releasing)
        if isFinished { finish() }
        return id
    }

    func narrow(_ id: Int, to tables: Set<String>) {
        let hasChanged = state.withLock { state in
            guard let subscriber = state.subscribers[id], subscriber.tables != tables else { return false }
            state.subscribers[id]?.tables = tables
            return true
        }
        if hasChanged { version.wrappingAdd(1, ordering: .releasing) }
    }

    /// Number of observers at present.
    var count: Int { state.withLock { $0.subscribers.count } }

    func unsubscribe(_ id: Int) {
        state.withLock { _ = $0.subscribers.removeValue(forKey: id) }
        version.wrappingAdd(1, ordering: .releasing)
    }

    // MARK: On the writer's thread

    /// Before a write: sees to it that what somebody wants to know is recorded. One atomic load if nothing is new.
    func adopt(on connection: Connection) {
        let version = version.load(ordering: .acquiring)
        guard connection.hooks.recorderVersion != version else { return }
        connection.hooks.recorderVersion = version
        let wishes = state.withLock { $0.subscribers.values.map(\.tables) }
        connection.record(wishes.isEmpty ? nil : (wishes.contains(nil), Set(wishes.compactMap { $0 }.joined())))
    }

    /// After a commit.
    func publish(from connection: Connection) {
        guard let changes = connection.hooks.recorder?.take(), !changes.tables.isEmpty else { return }
        let subscribers = state.withLock { Array($0.subscribers.values) }
        for subscriber in subscribers {
            guard let tables = subscriber.tables else {
                subscriber.deliver(changes)
                continue
            }
            if !tables.isDisjoint(with: changes.tables.keys) { subscriber.deliver(changes) }
        }
    }

    func finish() {
        let subscribers = state.withLock { state in
            state.isFinished = true
            defer { state.subscribers = [:] }
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.finish() }
    }
}
