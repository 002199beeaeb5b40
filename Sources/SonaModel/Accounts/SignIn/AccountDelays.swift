internal import SonaBase

/// Slows down password guessing at one account from any number of addresses, without locking its owner out.
///
/// After `freeFailures` failures, attempts must be apart: by a second, two, four, at most `delayMillisecondsMax`.
/// Earlier attempts are refused unchecked. A failure is forgotten after `forgetMilliseconds`. So strangers get at most
/// 70 guesses an hour at an account, and its owner waits at most a minute. Attempts from known networks (`KnownPlaces`)
/// do not wait and are not counted here.
///
/// The key of an account is the e-mail address as typed, so that unknown addresses behave like known ones. In memory,
/// for at most `keysMax` addresses.
final class AccountDelays: Sendable {
    static let freeFailures = 10
    static let forgetMilliseconds: Int64 = 6 * 60_000
    static let delayMillisecondsMax: Int64 = 60_000
    static let keysMax = 20_000
    /// Further failures are not counted: they would only be remembered longer.
    private static let failuresMax: Int64 = 20

    private struct State {
        /// When the last failure is forgotten, milliseconds since 1970.
        var clearAt: Int64
        /// When an attempt was last let through, milliseconds since 1970.
        var lastAt: Int64
    }

    private let states = Monitor<[String: State]>([:])

    /// Counts an attempt before it is checked.
    ///
    /// - Throws: `rateLimited` with the time until the next attempt is let through. Then nothing is counted.
    func take(_ account: String, now: Int64) throws(Refusal) {
        let wait = states.withLock { states -> Int64? in
            let clearMax = now + Self.failuresMax * Self.forgetMilliseconds
            var state = states[account] ?? State(clearAt: now, lastAt: .min)
            // A clock that was set back makes nobody wait longer.
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

    /// Takes back an attempt that did not fail.
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
        // Those that would be forgotten soonest go first: a flood of addresses has one failure each.
        let bound = states.values.map(\.clearAt).sorted()[keysMax / 10]
        states = states.filter { $0.value.clearAt > bound }
    }
}
