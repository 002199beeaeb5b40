internal import Glibc

/// A mutex around one value.
///
/// A pthread mutex and not `Synchronization.Mutex`: ThreadSanitizer does not see the futex inside the latter and
/// reports races that are none.
final class LoopLock<State>: @unchecked Sendable {
    // Safe to share: `state` is only ever touched between lock and unlock of `mutex`.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var state: State

    init(_ state: State) {
        self.state = state
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }
}
