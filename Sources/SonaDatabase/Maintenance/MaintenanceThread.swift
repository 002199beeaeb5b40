internal import SonaBase

/// Work on a whole database, which takes seconds or minutes: on a thread of its own, for a task that waits.
enum MaintenanceThread {
    /// - Throws: The error of `body`; `other` if the system has no thread to give.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable (Cancellation) throws -> Value
    ) async throws -> Value {
        try await Cancellation.whileRunning { cancellation in
            try await withCheckedThrowingContinuation { continuation in
                let started = WorkerThread.start("database upkeep") {
                    continuation.resume(with: Result { try body(cancellation) })
                }
                if !started {
                    continuation.resume(
                        throwing: DatabaseError(kind: .other, hint: "the system has no thread to give"))
                }
            }
        }
    }
}

/// Whether the task that waits for a thread was cancelled. Also ends the statement that the thread runs.
final class Cancellation: Sendable {
    private struct State {
        var isCancelled = false
        var connection: Connection?
    }

    private let state = Monitor(State())

    static func whileRunning<Value: Sendable>(
        _ body: @Sendable (Cancellation) async throws -> Value
    ) async throws -> Value {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await body(cancellation)
        } onCancel: {
            cancellation.cancel()
        }
    }

    private func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.connection?.interrupt()
        }
    }

    func check() throws {
        if state.withLock({ $0.isCancelled }) { throw CancellationError() }
    }

    /// Runs statements that end when the task is cancelled.
    ///
    /// One that begins in the moment of the cancelling is missed; whatever comes after it is not.
    ///
    /// - Throws: `CancellationError`, and what `body` throws.
    func whileUsing<Value>(_ connection: Connection, _ body: (Connection) throws -> Value) throws -> Value {
        try check()
        // While it stands here it is open: the thread that closes it takes it out first.
        state.withLock { $0.connection = connection }
        defer { state.withLock { $0.connection = nil } }
        do {
            let value = try body(connection)
            try check()
            return value
        } catch let error as DatabaseError where error.kind == .interrupted {
            throw CancellationError()
        }
    }
}

extension DatabaseError {
    /// Any error as the error of an access whose type promises nothing else.
    init(_ error: any Error) {
        switch error {
        case let error as DatabaseError: self = error
        case is CancellationError: self.init(kind: .interrupted, hint: "the task was cancelled")
        default: self.init(kind: .other, detail: "\(error)")
        }
    }
}
