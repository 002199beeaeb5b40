import Foundation

/// How late the machine lets a thread run that is due, for tests of what holds only where there is a turn for everybody.
final class MachineWatch: @unchecked Sendable {
    // Safe to share: what changes is guarded by `lock`.
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

    /// The longest that a thread had to wait for its turn since the beginning, µs.
    var lateness: Int64 { lock.withLock { worst } }

    func end() { lock.withLock { isOver = true } }
}
