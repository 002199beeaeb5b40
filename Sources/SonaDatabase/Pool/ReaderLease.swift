internal import Synchronization

/// One access that has a reader: cancels that access and never the next one on the same connection.
final class ReaderLease: Sendable {
    private let cancelled = Atomic(false)
    private let connection: Monitor<Connection?>

    init(_ connection: Connection) { self.connection = Monitor(connection) }

    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    /// Ends the statement that runs and refuses those to come. From any thread.
    func cancel() {
        cancelled.store(true, ordering: .relaxed)
        // Under the lock: `end` waits here, so the connection is still this access's while it is interrupted.
        connection.withLock { $0?.interrupt() }
    }

    func end() { connection.withLock { $0 = nil } }
}
