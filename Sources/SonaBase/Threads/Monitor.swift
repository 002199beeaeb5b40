public import Glibc

/// A mutex around one value, with a condition to wait for.
///
/// A pthread mutex and not `Synchronization.Mutex`, for two reasons. Threads can wait on it for a condition. And
/// ThreadSanitizer sees it, while it does not see the futex inside the other and reports races that are none.
///
/// Any thread. An uncontended lock and unlock take about 20 ns; all of it is inlined where it is used, since event loops
/// take one of these for each job. The lock is not recursive: a second `withLock` inside `body` waits for ever.
///
/// ```swift
/// let finished = Monitor(0)
/// // On each worker:
/// finished.notify { $0 += 1 }
/// // On the thread that waits for four of them:
/// finished.wait { $0 == 4 ? () : nil }
/// ```
///
/// Source: pthread_mutex_lock(3), pthread_cond_wait(3).
public final class Monitor<State>: @unchecked Sendable {
    // Safe to share: `state` is touched only between lock and unlock of `mutex`.
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let condition: UnsafeMutablePointer<pthread_cond_t>
    /// Two accesses at once are impossible: the second would wait for the mutex. So no access is checked for it.
    @exclusivity(unchecked) @usableFromInline var state: State

    /// Allocates and prepares the mutex and the condition.
    @inlinable public init(_ state: State) {
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

    /// Runs `body` with the state, while no other thread has it.
    ///
    /// - Throws: The error of `body`. Changes that `body` made before it stay.
    @inlinable public func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }

    /// Changes the state and wakes every thread that waits.
    @inlinable public func notify<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return body(&state)
    }

    /// The same, but wakes the others only if `body` asks for it: waking costs a system call.
    @inlinable public func notifyIf<Result>(_ body: (inout State) -> (notify: Bool, Result)) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let (isNotified, result) = body(&state)
        if isNotified { pthread_cond_broadcast(condition) }
        return result
    }

    /// Blocks the thread until `body` returns something; `body` is asked again after each `notify`.
    ///
    /// Do not call it on the threads that run Swift's tasks: those must never be blocked for long.
    @inlinable public func wait<Result>(_ body: (inout State) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            pthread_cond_wait(condition, mutex)
        }
    }
}
