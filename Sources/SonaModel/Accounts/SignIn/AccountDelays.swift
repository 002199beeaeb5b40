internal import SonaBase

/// Slows guessing at one account down, from however many addresses it comes, and locks nobody out.
///
/// After `freeFailures` failures an attempt is only looked at when some time has passed since the one before: a second,
/// two, four, at most `delayMillisecondsMax`. A failure is forgotten after `forgetMilliseconds`. So an account takes no
/// more than 70 guesses an hour from strangers, and whoever knows the password waits for a minute at most before it is
/// looked at. Places that the account was signed in from (`KnownPlaces`) do not wait, and count nothing here.
///
/// Accounts are told apart by what was typed as their address: that there is none with that address changes nothing. In
/// memory, for at most `keysMax` of them.
final class AccountDelays: Sendable {
    static let freeFailures = 10
    static let forgetMilliseconds: Int64 = 6 * 60_000
    static let delayMillisecondsMax: Int64 = 60_000
    static let keysMax = 20_000
    /// More failures than these are not counted: they would only be remembered for longer.
    private static let failuresMax: Int64 = 20

    private struct State {
        /// When the last failure is forgotten, ms.
        var clearAt: Int64
        /// When an attempt was looked at last, ms.
        var lastAt: Int64
    }

    private let states = Monitor<[String: State]>([:])

    /// Counts an attempt, before it is looked at.
    ///
    /// - Throws: `rateLimited` with the time until one is looked at again; then nothing is counted.
    func take(_ account: String, now: Int64) throws(Refusal) {
        let wait = states.withLock { states -> Int64? in
            let clearMax = now + Self.failuresMax * Self.forgetMilliseconds
            var state = states[account] ?? State(clearAt: now, lastAt: .min)
            // A clock that was put back makes nobody wait for longer.
            state.clearAt = min(max(state.clearAt, now), clearMax)
            state.lastAt = min(state.lastAt, now)
            let delay = Self.delay(after: Self.failures(state, now: now))
            if state.lastAt > now - delay { return state.lastAt + delay - now }
            state.clearAt = min(state.clearAt + Self.forgetMilliseconds, clearMax)
            state.lastAt = now
            if states[account] == nil, states.count >= Self.keysMax { Self.makeRoom(in: &states, now: now) }
            states[account] = state
            return nil
        }
        if let wait { throw .rateLimited(retryAfterMilliseconds: Int(wait)) }
    }

    /// Takes back an attempt that was no failure.
    func refund(_ account: String, now: Int64) {
        states.withLock { states in
            states[account]?.clearAt -= Self.forgetMilliseconds
            if let state = states[account], state.clearAt <= now { states[account] = nil }
        }
    }

    private static func failures(_ state: State, now: Int64) -> Int {
        Int((state.clearAt - now + forgetMilliseconds - 1) / forgetMilliseconds)
    }

    private static func delay(after failures: Int) -> Int64 {
        failures < freeFailures ? 0 : min(delayMillisecondsMax, 1_000 << Int64(failures - freeFailures))
    }

    private static func makeRoom(in states: inout [String: State], now: Int64) {
        states = states.filter { $0.value.clearAt > now }
        guard states.count >= keysMax else { return }
        // Those nearest to being forgotten go first: who floods this with addresses has one failure each.
        let bound = states.values.map(\.clearAt).sorted()[keysMax / 10]
        states = states.filter { $0.value.clearAt > bound }
    }
}
