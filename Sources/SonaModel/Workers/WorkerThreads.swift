internal import Glibc
internal import SonaBase
internal import SonaCrypto

/// A few threads of low priority with a short queue, for work that occupies a core, such as hashing passwords.
///
/// Any amount of work leaves the audio undisturbed. Work that does not fit is refused at once, with a time to try
/// again.
package final class WorkerThreads: Sendable {
    /// The queue is full, or the threads have ended.
    package struct Busy: Error {
        package let retryAfterMilliseconds: Int
    }

    private struct State {
        var queue: [@Sendable () -> Void] = []
        /// Work of known users. It comes first, except for every fourth job.
        var preferred: [@Sendable () -> Void] = []
        var preferredInARow = 0
        var isClosing = false
        /// How long the last job took: the estimate for the next one.
        var lastMilliseconds = 100

        mutating func next() -> (@Sendable () -> Void)? {
            let isPreferredNext = queue.isEmpty || preferredInARow < 3
            if isPreferredNext, !preferred.isEmpty {
                preferredInARow += 1
                return preferred.removeFirst()
            }
            preferredInARow = 0
            return queue.isEmpty ? nil : queue.removeFirst()
        }
    }

    /// Work that would have to wait longer is refused, because its client would have given up.
    private static let waitMillisecondsMax = 10_000

    private let state = Monitor(State())
    private let threads: Int
    private let queueMax: Int

    /// The number of threads that hash passwords: all cores but one, fewer if their memory would exceed `hashBytesMax`.
    ///
    /// One core is always left to the audio. Priorities alone are not enough: with every core at work a packet waits
    /// for the scheduler's next time slice. Measured with 20 listeners: 1 % of the packets took 2.8 ms and more, and
    /// 0.6 ms with a core left (two cores, Linux 6.18, nice 10; `SCHED_IDLE` helped now and then).
    ///
    /// - Parameter cost: The cost of one hash, which determines its memory.
    static func hashingThreads(cores: Int = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), cost: PasswordHash.Cost) -> Int {
        max(1, min(cores - 1, hashBytesMax / ((128 << cost.logN) * cost.r)))
    }

    /// The most memory of all concurrent hashes: 512 MiB, which is 16 hashes of the standard cost.
    static let hashBytesMax = 512 << 20

    /// - Parameters:
    ///   - queueMax: The most jobs that wait for a thread. A quarter of the places is kept for preferred jobs.
    package init(_ name: String, threads: Int, queueMax: Int) {
        self.threads = threads
        self.queueMax = queueMax
        let state = state
        for _ in 0..<threads {
            let started = WorkerThread.start(name) { Self.work(state) }
            precondition(started, "The system has no thread to give.")
        }
    }

    deinit { close() }

    /// Runs `body` on one of the threads.
    ///
    /// - Parameter isPreferred: Whether it runs before other jobs and may use the places kept for preferred ones.
    /// - Throws: `Busy` if the queue is full, the wait would be too long, or the threads are closing.
    package func run<Value: Sendable>(
        isPreferred: Bool = false, _ body: @escaping @Sendable () -> Value
    ) async throws(Busy) -> Value {
        let value = await withCheckedContinuation { (continuation: CheckedContinuation<Value?, Never>) in
            let isQueued = state.notify { state in
                let count = state.queue.count + state.preferred.count
                let before = isPreferred ? state.preferred.count : count
                let max = isPreferred ? queueMax : queueMax - queueMax / 4
                let wait = state.lastMilliseconds * before / threads
                guard !state.isClosing, count < max, wait < Self.waitMillisecondsMax else { return false }
                let work = { @Sendable in continuation.resume(returning: body()) }
                if isPreferred { state.preferred.append(work) } else { state.queue.append(work) }
                return true
            }
            if !isQueued { continuation.resume(returning: nil) }
        }
        guard let value else {
            let wait = state.withLock { $0.lastMilliseconds * ($0.queue.count + $0.preferred.count) / threads }
            throw Busy(retryAfterMilliseconds: min(60_000, max(250, wait)))
        }
        return value
    }

    /// Ends the threads once the queue is empty.
    package func close() { state.notify { $0.isClosing = true } }

    private static func work(_ state: Monitor<State>) {
        // On Linux this sets the priority of the calling thread only.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
        while true {
            let next = state.wait { state -> (@Sendable () -> Void)?? in
                if let work = state.next() { return .some(work) }
                return state.isClosing ? .some(nil) : nil
            }
            guard let work = next else { return }
            let start = ContinuousClock.now
            work()
            let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
            state.withLock { $0.lastMilliseconds = max(1, milliseconds) }
        }
    }
}
