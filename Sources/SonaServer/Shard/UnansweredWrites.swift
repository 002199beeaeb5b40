internal import Synchronization

/// Writes that no request waits for: a room's position, its history and its queue. The end of the server waits for
/// them.
///
/// Safe to share: the count is behind a lock.
final class UnansweredWrites: Sendable {
    private let count = Mutex(0)
    private let isOver = Atomic(false)

    /// Has `body` run off the loop.
    func run(_ body: @escaping @Sendable () async -> Void) {
        guard !isOver.load(ordering: .relaxed) else { return }
        count.withLock { $0 += 1 }
        Task {
            await body()
            count.withLock { $0 -= 1 }
        }
    }

    /// Begins no more: the data folder goes to another process.
    func stop() { isOver.store(true, ordering: .relaxed) }

    /// Waits until no write is under way, at most for `patience`.
    ///
    /// - Returns: Number of writes still under way.
    func end(within patience: Duration) async -> Int {
        let deadline = ContinuousClock.now + patience
        while case let left = count.withLock({ $0 }), left > 0 {
            guard ContinuousClock.now < deadline else { return left }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return 0
    }
}
