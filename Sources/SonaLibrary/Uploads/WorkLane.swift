internal import Glibc
internal import SonaBase

/// A few threads for work that waits for disks and for other programs. They start with the work and end with it.
final class WorkLane: Sendable {
    private struct State {
        var work: [@Sendable () -> Void] = []
        var threads = 0
    }

    private let state = Monitor(State())
    private let name: String
    private let threadsMax: Int
    private let niceness: Int32

    /// - Parameter niceness: See nice(1): work of a high one leaves the audio undisturbed.
    init(_ name: String, threadsMax: Int, niceness: Int32) {
        self.name = name
        self.threadsMax = threadsMax
        self.niceness = niceness
    }

    /// Runs `body` on a thread of the lane. The bound on what waits is the caller's.
    ///
    /// - Throws: The error of `body`; `Gone` if the system has no thread to give.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
            let isTaken = start { continuation.resume(with: Result { try body() }) }
            if !isTaken { continuation.resume(throwing: Gone()) }
        }
    }

    struct Gone: Error {}

    private func start(_ work: @escaping @Sendable () -> Void) -> Bool {
        let needsThread = state.withLock { state in
            state.work.append(work)
            guard state.threads < threadsMax else { return false }
            state.threads += 1
            return true
        }
        guard needsThread, !WorkerThread.start(name, { [self] in serve() }) else { return true }
        return state.withLock { state in
            state.threads -= 1
            // Those that run do it.
            if state.threads > 0 { return true }
            state.work.removeLast()
            return false
        }
    }

    private func serve() {
        // On Linux this sets the priority of the calling thread only.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
        while let work = next() { work() }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard !state.work.isEmpty else {
                state.threads -= 1
                return nil
            }
            return state.work.removeFirst()
        }
    }
}
