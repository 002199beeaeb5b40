internal import CCurl
internal import Glibc
internal import Synchronization

/// The two ways in which a transfer can end early: the deadline, and the cancelling of the task that waits for it.
final class TransferControl: Sendable {
    private struct State {
        var isCancelled = false
        /// Becomes readable when the transfer is cancelled; there while it runs.
        var event: Int32 = -1
    }

    let deadline: ContinuousClock.Instant
    private let state = Mutex(State())

    init(deadline: ContinuousClock.Instant) { self.deadline = deadline }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Zero or less when the deadline has passed.
    var remaining: Duration { deadline - .now }

    /// - Throws: `cancelled`, `timedOut`.
    func check() throws(TransferError) {
        if isCancelled { throw .cancelled }
        if remaining <= .zero { throw .timedOut }
    }

    /// Any thread. Wakes the thread that polls the event.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            if state.event >= 0 { signal(state.event) }
        }
    }

    /// Runs `body` with a file that becomes readable when the transfer is cancelled, for `poll`.
    ///
    /// - Throws: `system` if there is no file to be had, and what `body` throws.
    func whileWaiting<Value>(_ body: (Int32) throws(TransferError) -> Value) throws(TransferError) -> Value {
        let event = sona_transfer_event()
        guard event >= 0 else {
            throw TransferError(.system, "The system has no file to give", isTemporary: true, errno: errno)
        }
        state.withLock { state in
            state.event = event
            if state.isCancelled { signal(event) }
        }
        defer {
            state.withLock { $0.event = -1 }
            close(event)
        }
        return try body(event)
    }

    private func signal(_ event: Int32) {
        var one: UInt64 = 1
        // It fails only if the counter is full, and then the event is readable already.
        _ = write(event, &one, 8)
    }
}
