import Foundation

/// Measures how late the machine runs a thread that is due, for tests that hold only if every thread gets its turn.
final class MachineWatch: @unchecked Sendable {
    // Safe to share: mutable state is guarded by `lock`.
    private let lock = NSLock()
    private var isOver = false
    private var worst: Int64 = 0

    private static let step: Int64 = 5_000

    init() {
        Thread.detachNewThread { [self] in
            while !lock.withLock({ isOver }) {
                let begin = ServerTime.now
                usleep(useconds_t(Self.step))
                let late = ServerTime.now - begin - Self.step
                lock.withLock { worst = max(worst, late) }
            }
        }
    }

    /// The longest time that a thread had to wait for its turn since the beginning, µs.
    var lateness: Int64 { lock.withLock { worst } }

    func end() { lock.withLock { isOver = true } }
}
