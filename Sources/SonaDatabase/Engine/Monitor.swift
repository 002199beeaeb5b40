internal import Glibc

/// A mutex around one value, with a condition to wait for.
///
/// For this package's own targets. A pthread mutex and not `Synchronization.Mutex`: threads can wait on it for a
/// condition, and ThreadSanitizer sees it.
package final class Monitor<State>: @unchecked Sendable {
    // Safe to share: `state` is touched only between lock and unlock of `mutex`.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var state: State

    package init(_ state: State) {
        self.state = state
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }

    /// Changes the state and wakes whoever waits.
    package func notify<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return body(&state)
    }

    /// The same, if `body` says that somebody may wait for it.
    package func notifyIf<Result>(_ body: (inout State) -> (notify: Bool, Result)) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let (isNotified, result) = body(&state)
        if isNotified { pthread_cond_broadcast(condition) }
        return result
    }

    /// Blocks the thread until `body` returns something; it is asked again after each `notify`.
    package func wait<Result>(_ body: (inout State) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            pthread_cond_wait(condition, mutex)
        }
    }
}
