internal import SonaBase

/// A database that can be read and written: a `DatabasePool` or a `DatabaseQueue`.
///
/// Code that only reads takes `any DatabaseReader`. Both protocols are made for these two types: other conformances are
/// of no use.
public protocol DatabaseReader: Sendable {
    /// The engine that every access goes through. Has no public members.
    var engine: DatabaseEngine { get }
}

/// See `DatabaseReader`.
public protocol DatabaseWriter: DatabaseReader {}

extension DatabaseReader {
    /// Where the file is; `:memory:` if there is none.
    public var path: String { engine.path }

    /// Reads one state of the database.
    ///
    /// In a pool it runs on a thread of the calling task once a reader is free, beside the writes and never waiting for
    /// one. Keep it short: a scan would hold a thread of the cooperative pool, so scans go by `readDetached`. In a
    /// queue it runs on the queue's thread, in its turn.
    ///
    /// Runs off the caller's actor, so that an actor that lives on an event loop never waits for a disk.
    ///
    /// - Throws: `CancellationError` when the task is cancelled, which also ends a running statement; `interrupted` when
    ///   the read held a log at its limit for too long; `closed`; `busy` when too many wait; what `body` throws.
    @inlinable
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (inout ReadAccess) throws -> Value
    ) async throws -> Value {
        guard let readers = engine.readers else { return try await engine.readQueued(body) }
        return try await readers.read(Reentry.Place(engine), isSnapshot: true, body)
    }

    /// The same for code that is not async: blocks the thread until a reader is free.
    ///
    /// Do not call it from an event loop or a task: a task that waits here could hold the thread that the holder of the
    /// reader needs to go on.
    ///
    /// - Throws: `misuse` inside another access of the same database; otherwise as `read`.
    @available(*, noasync, message: "await read instead")
    @inlinable
    public func readNow<Value>(_ body: (inout ReadAccess) throws -> Value) throws -> Value {
        guard let readers = engine.readers else { return try engine.readQueuedBlocking(body) }
        try Reentry.refuse(engine)
        return try readers.readBlocking(Reentry.Place(engine), body)
    }

    /// One record by its key: one statement, which is its own snapshot, and no transaction around it.
    @inlinable
    public func first<R: Record>(_: R.Type, key: R.Key) async throws -> R? {
        guard let readers = engine.readers else {
            return try await engine.readQueued { db in try db.first(R.self, key: key) }
        }
        return try await readers.read(Reentry.Place(engine), isSnapshot: false) { db in
            try db.first(R.self, key: key)
        }
    }

    /// The same as `read` on a thread of its own: for scans and reports, so that tasks keep their threads.
    public func readDetached<Value: Sendable>(
        _ body: @escaping @Sendable (inout ReadAccess) throws -> Value
    ) async throws -> Value {
        guard let readers = engine.readers else { return try await engine.readQueued(body) }
        let place = Reentry.Place(engine)
        let connection = try await readers.checkOut()
        let lease = connection.lease
        defer { readers.checkIn(connection) }
        return try await cancellable(readers, connection, lease) {
            try await withCheckedThrowingContinuation { continuation in
                let started = WorkerThread.start("database read") {
                    continuation.resume(
                        with: Result { try place.mark { try connection.readSnapshot(body) } })
                }
                if !started {
                    continuation.resume(
                        throwing: DatabaseError(kind: .other, hint: "the system has no thread to give"))
                }
            }
        }
    }

    private func cancellable<Value: Sendable>(
        _ readers: ReaderPool, _ connection: Connection, _ lease: UInt64,
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        do {
            return try await withTaskCancellationHandler(operation: body) {
                readers.cancel(connection, lease: lease)
            }
        } catch let error as DatabaseError where error.kind == .interrupted && Task.isCancelled {
            throw CancellationError()
        }
    }

    /// What the database is doing now: queues, readers, log. Any thread, at any time.
    public var status: DatabaseStatus { engine.status }

    /// The error that ended all writing; `nil` if there was none. A sync failed, and only opening the file again tells
    /// what the disk holds. It is a reason to end the process.
    public var fatalError: DatabaseError? { engine.writer.failure }

    /// Refuses new accesses, finishes those queued, empties the log into the file and closes it. May be called twice.
    public func close() async { await engine.close() }
}

extension DatabaseWriter {
    /// Writes, all of `body` or nothing, and returns when it is on the disk (see `DatabaseOptions.durability`).
    ///
    /// On the writer's thread, after the writes queued before. `body` must not wait for anything: everybody else's
    /// writes wait for it.
    ///
    /// - Throws: The error of `body`, after undoing it alone; `closed`; `busy` when too many wait, or another process
    ///   holds the file; `full`, `io` and their like if the commit failed, and then nothing of it was kept (after a failed
    ///   sync, `fatalError`, that is known once the file is opened again);
    ///   `CancellationError` if the task was cancelled before the write began. One that has begun is finished.
    @discardableResult
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (inout WriteAccess) throws -> Value
    ) async throws -> Value {
        try await engine.run(.write, Self.writing(body))
    }

    /// The same in a transaction that no other write shares. Use it for bulk loads, which would delay the answers of
    /// others, and for writes that must not be undone together with others.
    @discardableResult
    public func writeAlone<Value: Sendable>(
        _ body: @escaping @Sendable (inout WriteAccess) throws -> Value
    ) async throws -> Value {
        try await engine.run(.alone, Self.writing(body))
    }

    /// The same as `write` for code that is not async: blocks the thread until the write is on the disk.
    ///
    /// - Throws: `misuse` inside another access of the same database; otherwise as `write`.
    @available(*, noasync, message: "await write instead")
    @discardableResult
    public func writeNow<Value: Sendable>(
        _ body: @escaping @Sendable (inout WriteAccess) throws -> Value
    ) throws -> Value {
        try engine.runBlocking(.write, Self.writing(body))
    }

    /// The same for an event loop: returns at once.
    ///
    /// - Parameter completion: Called after the commit on the writer's thread; should do no more than wake the loop.
    public func submit<Value: Sendable>(
        _ body: @escaping @Sendable (inout WriteAccess) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        engine.submit(.write, Self.writing(body), completion: completion)
    }

    /// Writes one page of the file again, unchanged. If that succeeds, other writes can succeed, too.
    ///
    /// - Throws: As `write`.
    public func probe() async throws {
        try await engine.run(.write) { connection in
            let id = try connection.ask("PRAGMA application_id", as: Int64.self) ?? 0
            // SQLite marks the first page as changed even if the number is the same.
            try connection.setNumber("application_id", Int32(truncatingIfNeeded: id))
        }
    }

    private static func writing<Value>(
        _ body: @escaping @Sendable (inout WriteAccess) throws -> Value
    ) -> @Sendable (Connection) throws -> Value {
        { connection in
            var access = WriteAccess(connection)
            return try body(&access)
        }
    }
}

extension DatabaseEngine {
    @usableFromInline func readQueued<Value: Sendable>(
        _ body: @escaping @Sendable (inout ReadAccess) throws -> Value
    ) async throws -> Value {
        try await run(.write) { connection in try Self.reading(connection, body) }
    }

    @usableFromInline func readQueuedBlocking<Value>(_ body: (inout ReadAccess) throws -> Value) throws -> Value {
        // The closure does not outlive this call, and its result crosses threads once, behind the monitor of
        // `runBlocking`. The job does outlive it by a moment: the writer's thread lets go of it after the answer.
        try withoutActuallyEscaping(body) { body in
            let lent = Lent(body)
            defer { lent.body = nil }
            try runBlocking(.write) { connection in
                guard let body = lent.body else { throw DatabaseError(kind: .closed) }
                lent.value = try Self.reading(connection, body)
            }
            guard let value = lent.value else { preconditionFailure("A read ended without a value or an error.") }
            return value
        }
    }
}

/// A read lent to the writer's thread, and what comes back.
private final class Lent<Value>: @unchecked Sendable {
    // Safe to share: the waiting thread touches it before the job is queued and after it was answered, and the writer's
    // thread in between. The monitor of `runBlocking` orders the two.
    var body: ((inout ReadAccess) throws -> Value)?
    var value: Value?

    init(_ body: @escaping (inout ReadAccess) throws -> Value) { self.body = body }
}

extension ReaderPool {
    @inlinable func read<Value: Sendable>(
        _ place: Reentry.Place, isSnapshot: Bool, _ body: @Sendable (inout ReadAccess) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let connection: Connection
        if let idle = try tryCheckOut() { connection = idle } else { connection = try await checkOut() }
        let lease = connection.currentLease
        defer { checkIn(connection) }
        do {
            return try await withTaskCancellationHandler {
                try place.mark {
                    guard isSnapshot else {
                        var access = ReadAccess(connection)
                        return try body(&access)
                    }
                    return try connection.readSnapshot(body)
                }
            } onCancel: {
                cancel(connection, lease: lease)
            }
        } catch let error as DatabaseError where error.kind == .interrupted && Task.isCancelled {
            throw CancellationError()
        }
    }

    @inlinable func readBlocking<Value>(
        _ place: Reentry.Place, _ body: (inout ReadAccess) throws -> Value
    ) throws -> Value {
        let connection = try checkOutBlocking()
        defer { checkIn(connection) }
        return try place.mark { try connection.readSnapshot(body) }
    }
}

extension Connection {
    /// The number of the access it is lent to, for that access itself.
    @usableFromInline var currentLease: UInt64 { lease }

    @inlinable func readSnapshot<Value>(_ body: (inout ReadAccess) throws -> Value) throws -> Value {
        try beginReading()
        var access = ReadAccess(self)
        let value: Value
        do {
            value = try body(&access)
        } catch {
            abandonReading()
            throw error
        }
        try endReading()
        return value
    }

    @usableFromInline func beginReading() throws(DatabaseError) { try control(.begin) }
    @usableFromInline func endReading() throws(DatabaseError) { try control(.commit) }
    @usableFromInline func abandonReading() {
        if isInTransaction { try? control(.rollback) }
    }
}
