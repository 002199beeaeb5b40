import Glibc
import SonaBase
import SonaDatabase

/// Holds a thread, for reads that are to last.
enum Pause {
    static func milliseconds(_ count: Int) { usleep(UInt32(count) * 1_000) }
}

extension DatabaseWriter {
    /// `writeNow` on a thread of its own, which may do the writer's work itself.
    func writeOnThread<Value: Sendable>(
        _ body: @escaping @Sendable (inout WriteAccess) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let started = WorkerThread.start("blocking") { continuation.resume(with: Result { try writeNow(body) }) }
            precondition(started)
        }
    }
}
