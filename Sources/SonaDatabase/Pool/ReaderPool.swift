/// The connections that read, lent to one access at a time, first come first served.
final class ReaderPool: Sendable {
    private enum Waiter {
        case task(id: UInt64, CheckedContinuation<Connection, any Error>)
        case thread(id: UInt64)
    }

    private struct State {
        var idle: [Connection]
        var lent = 0
        var waiters: [Waiter] = []
        /// Readers set aside for threads that wait, by the waiter's id.
        var reserved: [UInt64: Connection] = [:]
        var nextID: UInt64 = 0
        /// Waits that were cancelled before they began.
        var cancelledEarly: Set<UInt64> = []
        var isClosing = false
        var closers: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Monitor<State>
    private let waitersMax: Int

    init(_ connections: [Connection], waitersMax: Int) {
        state = Monitor(State(idle: connections))
        self.waitersMax = waitersMax
    }

    /// A reader, at once or when one comes back. A task cancelled meanwhile leaves the queue.
    func checkOut() async throws -> Connection {
        if let connection = try state.withLock({ state in try Self.takeIdle(&state, waitersMax) }) { return connection }
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        // The handler may run after the wait was over; by the time this does, it has ended.
        defer { state.withLock { _ = $0.cancelledEarly.remove(id) } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let answer = state.withLock { state -> Result<Connection, any Error>? in
                    if state.cancelledEarly.contains(id) { return .failure(CancellationError()) }
                    do {
                        if let connection = try Self.takeIdle(&state, waitersMax) { return .success(connection) }
                    } catch {
                        return .failure(error)
                    }
                    state.waiters.append(.task(id: id, continuation))
                    return nil
                }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            cancelWait(id)
        }
    }

    /// The same for a thread, which is blocked until a reader comes back.
    func checkOutBlocking() throws(DatabaseError) -> Connection {
        let first = try state.withLock { state throws(DatabaseError) -> (Connection?, UInt64) in
            if let connection = try Self.takeIdle(&state, waitersMax) { return (connection, 0) }
            state.nextID += 1
            state.waiters.append(.thread(id: state.nextID))
            return (nil, state.nextID)
        }
        if let connection = first.0 { return connection }
        return state.wait { $0.reserved.removeValue(forKey: first.1) }
    }

    func checkIn(_ connection: Connection) {
        let resume = state.notify { state -> (() -> Void)? in
            // Waiters go first even when closing: they came before it.
            guard !state.waiters.isEmpty else {
                state.lent -= 1
                if state.isClosing {
                    guard state.lent == 0 else { return nil }
                    let closers = state.closers
                    state.closers = []
                    return { for closer in closers { closer.resume() } }
                }
                state.idle.append(connection)
                return nil
            }
            switch state.waiters.removeFirst() {
            case .task(_, let continuation): return { continuation.resume(returning: connection) }
            case .thread(let id):
                state.reserved[id] = connection
                return nil
            }
        }
        resume?()
    }

    /// Refuses new accesses, waits for those that run or wait, and closes every reader.
    func close() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                state.isClosing = true
                state.idle = []
                if state.lent > 0 { state.closers.append(continuation) }
                return state.lent == 0
            }
            if isDone { continuation.resume() }
        }
    }

    /// The last reader returned goes out first: its page cache is the warmest.
    private static func takeIdle(_ state: inout State, _ waitersMax: Int) throws(DatabaseError) -> Connection? {
        if state.isClosing { throw DatabaseError(kind: .closed) }
        if let connection = state.idle.popLast() {
            state.lent += 1
            return connection
        }
        if state.waiters.count >= waitersMax { throw DatabaseError(kind: .busy) }
        return nil
    }

    private func cancelWait(_ id: UInt64) {
        let waiting = state.withLock { state -> CheckedContinuation<Connection, any Error>? in
            let index = state.waiters.firstIndex { waiter in
                if case .task(id, _) = waiter { true } else { false }
            }
            guard let index, case .task(_, let continuation) = state.waiters[index] else {
                state.cancelledEarly.insert(id)
                return nil
            }
            state.waiters.remove(at: index)
            return continuation
        }
        waiting?.resume(throwing: CancellationError())
    }
}
