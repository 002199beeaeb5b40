/// A limit on how often something may happen: a bucket that holds a second's worth and refills evenly.
public struct TokenBucket: Sendable {
    private let perSecond: Double
    private var tokens: Double
    private var filledAt: Int64?

    public init(perSecond: Int) {
        self.perSecond = Double(perSecond)
        tokens = self.perSecond
    }

    /// Takes one, if there is one.
    ///
    /// - Parameter now: µs of `MonotonicClock`.
    /// - Returns: nil if it may happen, else the milliseconds until it might.
    public mutating func take(now: Int64) -> Int? {
        if let filledAt { tokens = min(perSecond, tokens + Double(now - filledAt) * perSecond / 1_000_000) }
        filledAt = now
        guard tokens < 1 else {
            tokens -= 1
            return nil
        }
        return Int((1 - tokens) / perSecond * 1000) + 1
    }
}
