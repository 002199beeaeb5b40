/// Work that is looked for when somebody says that there may be some, and after a while anyway.
final class WakingLoop: Sendable {
    /// How long it waits at most before it looks again, ms.
    static let patience: Int64 = 60_000

    private let wakes: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation

    init() { (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Has it look soon. Any thread.
    func wake() { waker.yield() }

    /// Looks until the task is cancelled. One task alone may run it.
    ///
    /// - Parameter round: Does what there is to do, and returns ms until the next look at the latest.
    func run(isolation: isolated (any Actor)? = #isolation, _ round: () async -> Int64) async {
        var timer: Task<Void, Never>?
        waker.yield()
        for await _ in wakes {
            timer?.cancel()
            let wait = min(Self.patience, await round())
            timer = Task { [waker] in
                try? await Task.sleep(for: .milliseconds(wait))
                if !Task.isCancelled { waker.yield() }
            }
        }
        timer?.cancel()
    }
}
