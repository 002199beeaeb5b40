internal import SonaBase
internal import Synchronization

/// Threads that run transfers: few, with a short queue.
///
/// A thread begins with a transfer and ends when none waits, so a program that fetches nothing has none. Starting one
/// takes some ten microseconds, next to nothing beside a transfer.
///
/// A transfer is *queued* → *running* → *done*; cancelling or the deadline ends it from *queued* at once. Whoever takes
/// it out of the queue, under the lock, is the one that answers.
final class TransferWorkers: Sendable {
    /// Threads for fetching, separate from mail: a mail server that hangs must not delay the fetching of keys.
    static let documents = TransferWorkers("transfers")
    static let mails = TransferWorkers("mails")
    /// Threads for what accounts have sent to services of others: one that hangs must delay neither keys nor mail.
    static let services = TransferWorkers("services", threadsMax: 4, queueMax: 64)

    private struct Transfer: Sendable {
        let control: TransferControl
        let run: @Sendable () -> Void
        let drop: @Sendable (TransferError) -> Void
    }

    private struct State {
        var queue: [Transfer] = []
        var threads = 0
    }

    private let name: String
    private let threadsMax: Int
    private let queueMax: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - threadsMax: Transfers that run side by side.
    ///   - queueMax: Transfers that wait for a thread; one more is refused.
    init(_ name: String, threadsMax: Int = 2, queueMax: Int = 16) {
        self.name = name
        self.threadsMax = threadsMax
        self.queueMax = queueMax
    }

    /// Transfers without a thread as yet.
    var waiting: Int { state.withLock { $0.queue.count } }

    /// Runs `body` on a thread and gives its outcome.
    ///
    /// - Throws: `busy` when the queue is full, `cancelled`, `timedOut` after `limit`, `system` if there is no thread,
    ///   and what `body` throws.
    func run<Value: Sendable>(
        within limit: Duration, _ body: @escaping @Sendable (TransferControl) throws(TransferError) -> Value
    ) async throws(TransferError) -> Value {
        let control = TransferControl(deadline: .now + limit)
        let expiry = Task {
            guard (try? await Task.sleep(until: control.deadline, clock: .continuous)) != nil else { return }
            drop(control, .timedOut)
        }
        defer { expiry.cancel() }
        let result: Result<Value, TransferError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let transfer = Transfer(
                    control: control,
                    run: { continuation.resume(returning: Self.outcome(of: body, control)) },
                    drop: { continuation.resume(returning: .failure($0)) })
                enqueue(transfer)
            }
        } onCancel: {
            control.cancel()
            drop(control, .cancelled)
        }
        return try result.get()
    }

    private static func outcome<Value>(
        of body: (TransferControl) throws(TransferError) -> Value, _ control: TransferControl
    ) -> Result<Value, TransferError> {
        do throws(TransferError) {
            try control.check()
            return .success(try body(control))
        } catch {
            return .failure(error)
        }
    }

    private func enqueue(_ transfer: Transfer) {
        var needsThread = false
        let refusal = state.withLock { state -> TransferError? in
            // Read under the lock: who cancels later finds the transfer in the queue.
            if transfer.control.isCancelled { return .cancelled }
            needsThread = state.threads < threadsMax
            guard needsThread || state.queue.count < queueMax else {
                return TransferError(.busy, "Too many transfers wait already", isTemporary: true)
            }
            state.queue.append(transfer)
            if needsThread { state.threads += 1 }
            return nil
        }
        if let refusal { return transfer.drop(refusal) }
        guard needsThread, !WorkerThread.start(name, { [self] in work() }) else { return }
        state.withLock { $0.threads -= 1 }
        drop(transfer.control, TransferError(.system, "The system has no thread to give", isTemporary: true))
    }

    private func drop(_ control: TransferControl, _ error: TransferError) {
        let dropped = state.withLock { state -> Transfer? in
            guard let index = state.queue.firstIndex(where: { $0.control === control }) else { return nil }
            return state.queue.remove(at: index)
        }
        dropped?.drop(error)
    }

    private func work() {
        while let next = next() { next.run() }
    }

    private func next() -> Transfer? {
        state.withLock { state in
            if !state.queue.isEmpty { return state.queue.removeFirst() }
            state.threads -= 1
            return nil
        }
    }
}
