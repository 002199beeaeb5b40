internal import SonaBase

/// Holds at most one thing for one consumer; anything put before it is taken is merged into it.
final class Mailbox<Content: Sendable>: Sendable {
    private struct State {
        var content: Content?
        var consumer: CheckedContinuation<Content?, Never>?
        var isFinished = false
    }

    private let state = Monitor(State())

    /// - Parameter merge: Receives the present content and returns the new one.
    func put(_ merge: (Content?) -> Content?) {
        let delivery = state.withLock { state -> (CheckedContinuation<Content?, Never>, Content)? in
            guard !state.isFinished else { return nil }
            state.content = merge(state.content)
            guard let content = state.content, let consumer = state.consumer else { return nil }
            state.content = nil
            state.consumer = nil
            return (consumer, content)
        }
        if let (consumer, content) = delivery { consumer.resume(returning: content) }
    }

    /// No more comes. What lies there can still be taken.
    func finish() {
        let consumer = state.withLock { state in
            state.isFinished = true
            defer { state.consumer = nil }
            return state.consumer
        }
        consumer?.resume(returning: nil)
    }

    /// - Returns: `nil` when nothing comes any more, or the task is cancelled.
    func take() async -> Content? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Content?? in
                    precondition(state.consumer == nil, "A feed has one consumer.")
                    if Task.isCancelled { return .some(nil) }
                    if let content = state.content {
                        state.content = nil
                        return .some(content)
                    }
                    if state.isFinished { return .some(nil) }
                    state.consumer = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let consumer = state.withLock { state in
                defer { state.consumer = nil }
                return state.consumer
            }
            consumer?.resume(returning: nil)
        }
    }
}
