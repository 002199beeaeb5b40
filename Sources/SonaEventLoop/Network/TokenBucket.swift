/// A limit on how often something may happen: a bucket that holds a second's worth and refills evenly.
///
/// 12 bytes, since every connection has some: not how full it is and since when, but when it will be full again.
public struct TokenBucket: Sendable {
    /// When it is full if nothing more is taken, µs of `MonotonicClock`.
    private var fullAt = Int64.min
    private let perSecond: Int32

    /// - Parameter perSecond: 1 to 1000, so that a second's worth is not one more by rounding.
    public init(perSecond: Int) {
        precondition(1...1000 ~= perSecond, "A bucket refills 1 to 1000 times a second.")
        self.perSecond = Int32(perSecond)
    }

    /// Whether nothing of it has been taken that has not come back. `now`: µs of `MonotonicClock`.
    public func isFull(now: Int64) -> Bool { fullAt <= now }

    /// Takes one, if there is one.
    ///
    /// - Parameter now: µs of `MonotonicClock`.
    /// - Returns: nil if it may happen, else the milliseconds until it might.
    public mutating func take(now: Int64) -> Int? {
        let fullAfter = max(fullAt, now) + 1_000_000 / Int64(perSecond)
        let missing = fullAfter - now - 1_000_000
        guard missing <= 0 else { return Int(missing / 1000) + 1 }
        fullAt = fullAfter
        return nil
    }
}
