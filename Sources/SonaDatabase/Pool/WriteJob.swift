/// One queued write and whoever awaits it.
///
/// States: *new* → `arm` → *queued* → `claim` → *running* → `finish` → *done*; or *new*/*queued* → `cancel` → *done*.
/// A write that was claimed runs to its end whatever becomes of its task: interrupting the writer would roll back the
/// writes of everybody in the same commit.
class WriteJob: @unchecked Sendable {
    // Safe to share: `progress` sits behind its monitor, and the subclass's outcome is touched by the writer's thread only,
    // after `claim` and before `finish`.
    private enum Progress { case new, queued, running, done }
    private let progress = Monitor(Progress.new)

    /// Runs the body and keeps its outcome. On the writer's thread, inside the write's savepoint.
    func perform(_ access: inout WriteAccess) throws { fatalError("A write is a WriteJobOf.") }
    /// Replaces the outcome: the write was undone for a reason that is not its own.
    func fail(_ error: any Error) { fatalError("A write is a WriteJobOf.") }
    /// Gives the outcome to whoever awaits it.
    fileprivate func answer() { fatalError("A write is a WriteJobOf.") }

    /// - Returns: False if the task was cancelled before the write could be queued.
    fileprivate func arm() -> Bool {
        progress.withLock { progress in
            guard case .new = progress else { return false }
            progress = .queued
            return true
        }
    }

    /// - Returns: False if the write was cancelled while it was queued.
    func claim() -> Bool {
        progress.withLock { progress in
            guard case .queued = progress else { return false }
            progress = .running
            return true
        }
    }

    func finish() {
        progress.withLock { $0 = .done }
        answer()
    }

    /// Ends the write with `error` unless it runs already.
    func drop(_ error: any Error) {
        guard claim() else { return }
        fail(error)
        finish()
    }

    fileprivate func cancel() {
        let wasQueued = progress.withLock { progress in
            switch progress {
            case .new:
                progress = .done
                return false
            case .queued:
                progress = .done
                return true
            case .running, .done: return false
            }
        }
        if wasQueued {
            fail(CancellationError())
            answer()
        }
    }
}

final class WriteJobOf<Value: Sendable>: WriteJob, @unchecked Sendable {
    private let body: @Sendable (inout WriteAccess) throws -> Value
    private var outcome: Result<Value, any Error>?
    private var continuation: CheckedContinuation<Value, any Error>?

    init(_ body: @escaping @Sendable (inout WriteAccess) throws -> Value) { self.body = body }

    /// Hands the write to `enqueue` and awaits its outcome.
    func run(enqueue: (WriteJob) -> Void) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                self.continuation = continuation
                if arm() {
                    enqueue(self)
                } else {
                    continuation.resume(throwing: CancellationError())
                }
            }
        } onCancel: {
            cancel()
        }
    }

    override func perform(_ access: inout WriteAccess) throws {
        do {
            outcome = .success(try body(&access))
        } catch {
            outcome = .failure(error)
            throw error
        }
    }

    override func fail(_ error: any Error) { outcome = .failure(error) }

    override fileprivate func answer() {
        guard let continuation, let outcome else { preconditionFailure("A write ended without an outcome.") }
        self.continuation = nil
        continuation.resume(with: outcome)
    }
}
