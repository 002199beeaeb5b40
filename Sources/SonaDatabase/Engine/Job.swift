internal import Synchronization

/// One access queued for the writer's thread, and the caller that waits for its outcome.
///
/// States: *new* → `arm` → *queued* → `claim` → *running* → `finish` → *done*; or *new*/*queued* → `cancel` → *done*.
/// A write that was claimed runs to its end whatever becomes of its task: interrupting the writer would roll back the
/// writes of everybody in the same commit.
class Job: @unchecked Sendable {
    // Safe to share: `progress` is atomic, and the subclass's outcome is touched by one side at a time: by the writer's thread
    // after it won `claim`, by the caller if it won `cancel`.
    enum Kind: Sendable {
        /// Shares its transaction with others.
        case write
        /// Has a transaction to itself.
        case alone
        /// Outside of any transaction: maintenance.
        case outside
    }

    private enum Progress {
        static let new = 0
        static let queued = 1
        static let running = 2
        static let done = 3
    }

    let kind: Kind
    private let progress = Atomic(Progress.new)

    init(_ kind: Kind) { self.kind = kind }

    /// Runs the body and keeps its outcome. On the writer's thread.
    func perform(_ connection: Connection) throws { fatalError("A job is a JobOf.") }
    /// Replaces the outcome: the write was undone for a reason that is not its own.
    func fail(_ error: any Error) { fatalError("A job is a JobOf.") }
    /// Gives the outcome to the caller that waits.
    fileprivate func answer() { fatalError("A job is a JobOf.") }

    /// - Returns: False if the task was cancelled before the job could be queued.
    fileprivate func arm() -> Bool { advance(from: Progress.new, to: Progress.queued) }

    /// - Returns: False if the job was cancelled while it was queued.
    func claim() -> Bool { advance(from: Progress.queued, to: Progress.running) }

    func finish() {
        progress.store(Progress.done, ordering: .releasing)
        answer()
    }

    /// Ends the job with `error` unless it runs already.
    func drop(_ error: any Error) {
        guard claim() else { return }
        fail(error)
        finish()
    }

    fileprivate func cancel() {
        if advance(from: Progress.new, to: Progress.done) { return }
        guard advance(from: Progress.queued, to: Progress.done) else { return }
        fail(CancellationError())
        answer()
    }

    private func advance(from old: Int, to new: Int) -> Bool {
        progress.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
    }
}

final class JobOf<Value: Sendable>: Job, @unchecked Sendable {
    // Safe to share: see `Job`.
    private let body: @Sendable (Connection) throws -> Value
    private var outcome: Result<Value, any Error>?
    private var completion: (@Sendable (Result<Value, any Error>) -> Void)?

    init(_ kind: Kind, _ body: @escaping @Sendable (Connection) throws -> Value) {
        self.body = body
        super.init(kind)
    }

    /// Hands the job to `enqueue` and awaits its outcome.
    func run(enqueue: (Job) -> Void) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                completion = { continuation.resume(with: $0) }
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

    /// Hands the job over; `completion` gets its outcome on the writer's thread, or here if it is refused.
    func submit(enqueue: (Job) -> Void, completion: @escaping @Sendable (Result<Value, any Error>) -> Void) {
        self.completion = completion
        if arm() { enqueue(self) }
    }

    override func perform(_ connection: Connection) throws {
        do {
            outcome = .success(try body(connection))
        } catch {
            outcome = .failure(error)
            throw error
        }
    }

    override func fail(_ error: any Error) { outcome = .failure(error) }

    override fileprivate func answer() {
        guard let completion, let outcome else { preconditionFailure("A job ended without an outcome.") }
        self.completion = nil
        completion(outcome)
    }
}
