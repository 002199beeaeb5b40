internal import Glibc
internal import SonaBase
internal import Synchronization

/// The connections that read, lent to one access at a time, first come first served.
@usableFromInline final class ReaderPool: Sendable {
    private enum Waiter {
        case task(id: UInt64, CheckedContinuation<Connection, any Error>)
        case thread(id: UInt64)
    }

    private struct State {
        var idle: [Connection] = []
        var lent: [Connection] = []
        var waiters: [Waiter] = []
        /// Readers set aside for threads that wait, by the waiter's id.
        var reserved: [UInt64: Connection] = [:]
        var nextID: UInt64 = 0
        /// Waits that were cancelled before they began.
        var cancelledEarly: Set<UInt64> = []
        var isOpen = false
        var isClosing = false
        var closers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Monitor(State())
    private let waitersMax: Int

    init(waitersMax: Int) { self.waitersMax = waitersMax }

    func open(_ connections: [Connection]) {
        state.withLock { state in
            state.idle = connections
            state.lent.reserveCapacity(connections.count)
            state.isOpen = true
        }
    }

    /// A reader, at once or when one comes back. A task cancelled meanwhile leaves the queue.
    @usableFromInline func checkOut() async throws -> Connection {
        if let connection = try tryCheckOut() { return connection }
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

    /// A reader if one is idle. About 30 ns.
    @usableFromInline func tryCheckOut() throws(DatabaseError) -> Connection? {
        try state.withLock { state throws(DatabaseError) in try Self.takeIdle(&state, waitersMax) }
    }

    /// The same for a thread, which is blocked until a reader comes back.
    @usableFromInline func checkOutBlocking() throws(DatabaseError) -> Connection {
        let first = try state.withLock { state throws(DatabaseError) -> (Connection?, UInt64) in
            if let connection = try Self.takeIdle(&state, waitersMax) { return (connection, 0) }
            state.nextID += 1
            state.waiters.append(.thread(id: state.nextID))
            return (nil, state.nextID)
        }
        if let connection = first.0 { return connection }
        return state.wait { $0.reserved.removeValue(forKey: first.1) }
    }

    @usableFromInline func checkIn(_ connection: Connection) {
        let resume = state.notifyIf { state -> (notify: Bool, (() -> Void)?) in
            // Waiters go first even when closing: they came before it.
            if !state.waiters.isEmpty {
                Self.lend(connection)
                switch state.waiters.removeFirst() {
                case .task(_, let continuation): return (false, { continuation.resume(returning: connection) })
                case .thread(let id):
                    state.reserved[id] = connection
                    return (true, nil)
                }
            }
            connection.lentAt = 0
            if let place = state.lent.firstIndex(where: { $0 === connection }) { state.lent.remove(at: place) }
            guard state.isClosing else {
                state.idle.append(connection)
                return (false, nil)
            }
            // Closes before anybody is told that the readers have gone.
            connection.close()
            guard state.lent.isEmpty else { return (false, nil) }
            let closers = state.closers
            state.closers = []
            return (false, { for closer in closers { closer.resume() } })
        }
        resume?()
    }

    /// Ends the access that has `connection` on the lease of that number: its statement, and those to come. An access
    /// after it is left alone.
    @usableFromInline func cancel(_ connection: Connection, lease: UInt64) {
        // Under the lock, so that the connection is still that access's while it is interrupted.
        state.withLock { _ in
            guard connection.lease == lease, connection.lentAt != 0 else { return }
            Self.interrupt(connection)
        }
    }

    /// Ends accesses that have had their reader for longer than `age`.
    ///
    /// - Returns: How many.
    func cancelOlder(than age: Duration) -> Int {
        state.withLock { state in
            let now = Self.now()
            let old = state.lent.filter { connection in
                now - connection.lentAt > Int64(age / .milliseconds(1))
                    && !connection.isCancelled.load(ordering: .relaxed)
            }
            for connection in old { Self.interrupt(connection) }
            return old.count
        }
    }

    /// Readers lent, accesses waiting, and the age of the oldest access.
    var counts: (lent: Int, waiting: Int, oldest: Duration?) {
        state.withLock { state in
            let oldest = state.lent.map(\.lentAt).min()
            return (state.lent.count, state.waiters.count, oldest.map { .milliseconds(Self.now() - $0) })
        }
    }

    /// Refuses new accesses, waits for those that run or wait, and closes every reader.
    func close() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                state.isClosing = true
                for connection in state.idle { connection.close() }
                state.idle = []
                if !state.lent.isEmpty { state.closers.append(continuation) }
                return state.lent.isEmpty
            }
            if isDone { continuation.resume() }
        }
    }

    // MARK: Steps

    /// The last reader returned goes out first: its page cache is the warmest.
    private static func takeIdle(_ state: inout State, _ waitersMax: Int) throws(DatabaseError) -> Connection? {
        if state.isClosing { throw DatabaseError(kind: .closed) }
        if let connection = state.idle.popLast() {
            lend(connection)
            state.lent.append(connection)
            return connection
        }
        if !state.isOpen { throw DatabaseError(kind: .misuse("the database is not open yet")) }
        if state.waiters.count >= waitersMax {
            throw DatabaseError(kind: .busy, hint: "\(waitersMax) reads wait already")
        }
        return nil
    }

    private static func lend(_ connection: Connection) {
        connection.lease &+= 1
        connection.lentAt = now()
        connection.isCancelled.store(false, ordering: .relaxed)
    }

    private static func interrupt(_ connection: Connection) {
        connection.isCancelled.store(true, ordering: .relaxed)
        connection.interrupt()
    }

    /// Milliseconds that never go back, to a few of them, in 5 ns.
    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
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
