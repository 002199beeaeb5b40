internal import Glibc
internal import SonaDatabase

/// Threads that hash passwords: few, of low priority, with a short queue.
///
/// A hash takes a tenth of a second of one core. Here a flood of sign-ins costs the audio nothing, and whoever does not
/// fit is told at once when to come again.
final class PasswordWorkers: Sendable {
    private struct State {
        var queue: [@Sendable () -> Void] = []
        var isClosing = false
        /// Of the hash before, as the best guess at the next.
        var lastMilliseconds = 100
    }

    private let state = Monitor(State())
    private let threads: Int
    private let queueMax: Int

    /// - Parameters:
    ///   - threads: As many as cores, but two at most: the rest of the machine is for the audio.
    ///   - queueMax: Hashes waiting for a thread; one more is refused.
    init(threads: Int = min(2, max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))), queueMax: Int = 64) {
        self.threads = threads
        self.queueMax = queueMax
        let state = state
        for _ in 0..<threads {
            let started = WorkerThread.start("passwords") { Self.work(state) }
            precondition(started, "The system has no thread to give.")
        }
    }

    deinit { close() }

    /// Runs `body` on a worker.
    ///
    /// - Throws: `busy` when the queue is full or the workers are closed.
    func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async throws(AccountError) -> Value {
        let value = await withCheckedContinuation { (continuation: CheckedContinuation<Value?, Never>) in
            let isQueued = state.notify { state in
                guard !state.isClosing, state.queue.count < queueMax else { return false }
                state.queue.append { continuation.resume(returning: body()) }
                return true
            }
            if !isQueued { continuation.resume(returning: nil) }
        }
        guard let value else {
            let wait = state.withLock { $0.lastMilliseconds * $0.queue.count / threads }
            throw .busy(retryAfterMilliseconds: min(60_000, max(250, wait)))
        }
        return value
    }

    /// Ends the threads once the queue is empty.
    func close() { state.notify { $0.isClosing = true } }

    private static func work(_ state: Monitor<State>) {
        // On Linux this is the priority of the calling thread alone.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
        while true {
            let next = state.wait { state -> (@Sendable () -> Void)?? in
                if !state.queue.isEmpty { return .some(state.queue.removeFirst()) }
                return state.isClosing ? .some(nil) : nil
            }
            guard let hash = next else { return }
            let start = ContinuousClock.now
            hash()
            let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
            state.withLock { $0.lastMilliseconds = max(1, milliseconds) }
        }
    }
}
