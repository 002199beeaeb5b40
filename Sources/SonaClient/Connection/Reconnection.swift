package import SonaWire

/// The knowledge that a client reconnects with after its connection was lost.
package struct Reconnection: Sendable {
    /// The filter that knows the server's clock.
    package var clock: ClockFilter
    /// The session to go on with.
    package var resume: SessionResume?
    /// The token of the guest it was; nil for accounts.
    package var guestToken: String?
    /// How long each step of connecting may take.
    package var timeout: Duration

    package init(
        clock: ClockFilter = ClockFilter(), resume: SessionResume? = nil, guestToken: String? = nil,
        timeout: Duration = .seconds(10)
    ) {
        self.clock = clock
        self.resume = resume
        self.guestToken = guestToken
        self.timeout = timeout
    }
}

/// When to try next for a server that was lost.
///
/// If the connection was cut, the first attempt is immediate. Others follow about every 100 ms for a second, since the
/// received sound will soon have been played, and at least once a second for ten seconds. Afterwards, and in all other
/// cases, attempts follow after random and growing delays, of which `server.draining` names the first.
///
/// Source: Protocol/spec/errors.md, "Close codes".
package struct ReconnectPlan: Sendable {
    private var backoff = Backoff()
    private var draining: Duration?
    private var isCut = false
    private var attempts = 0

    /// For how long, and with what waits, ms.
    private static let haste: [(until: Duration, waits: ClosedRange<Double>)] = [
        (.seconds(1), 50...150), (.seconds(10), 250...1000),
    ]

    package init() {}

    /// Begins to look for the server.
    ///
    /// - Parameters:
    ///   - error: Why the connection ended.
    ///   - lasted: How long after its welcome.
    ///   - draining: The delay that `server.draining` named; nil if it did not come.
    package mutating func begin(after error: ClientError, lasted: Duration, draining: Duration?) {
        if lasted >= .seconds(60) { backoff = Backoff() }
        attempts = 0
        self.draining = draining
        isCut = false
        if draining == nil, case .closed(nil, _) = error.kind, lasted >= .seconds(1) { isCut = true }
    }

    /// How long to wait before the next attempt, and how long that may take for each of its steps.
    ///
    /// - Parameter sought: For how long the server has been looked for.
    package mutating func next(
        sought: Duration, using generator: inout some RandomNumberGenerator
    ) -> (delay: Duration, timeout: Duration) {
        // Where packets vanish, another attempt is answered sooner than TCP repeats the first.
        let timeout = Duration.seconds(min(10, 2 << min(attempts, 8)))
        attempts += 1
        if let draining {
            self.draining = nil
            return (draining, timeout)
        }
        if isCut, let waits = Self.haste.first(where: { sought < $0.until })?.waits {
            guard attempts > 1 else { return (.zero, timeout) }
            return (.milliseconds(Double.random(in: waits, using: &generator)), timeout)
        }
        return (backoff.next(using: &generator), timeout)
    }
}

extension ClientError {
    /// Whether a client that has lost a server for this reason looks for it again by itself.
    package var isWorthReturning: Bool {
        switch kind {
        // The token may have run out in the meantime: signing in again renews it.
        case .closed(CloseCode.signInAgain.rawValue, _): true
        default: isTemporary
        }
    }
}
