internal import Synchronization

/// Lets a signal handler reach a broadcast wherever it is: in its connection, or waiting for another one.
final class HostInterruption: Sendable {
    private struct State {
        var isRaised = false
        var client: Client?
        var sleeper: Task<Void, Never>?
    }
    private let state = Mutex(State())

    func raise() {
        let (client, sleeper) = state.withLock { state in
            state.isRaised = true
            return (state.client, state.sleeper)
        }
        client?.interrupt()
        sleeper?.cancel()
    }

    /// From now on `client` is the one to tell.
    func follow(_ client: Client) {
        let isRaised = state.withLock { state in
            state.client = client
            return state.isRaised
        }
        if isRaised { client.interrupt() }
    }

    /// Waits; true if it was, or is now, interrupted.
    func sleep(_ duration: Duration) async -> Bool {
        let sleeper = Task { _ = try? await Task.sleep(for: duration) }
        let isRaised = state.withLock { state in
            state.sleeper = sleeper
            return state.isRaised
        }
        if isRaised { sleeper.cancel() }
        await sleeper.value
        return state.withLock { $0.isRaised }
    }
}
