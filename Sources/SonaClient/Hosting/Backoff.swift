/// How long to wait before the next attempt to connect: 0.25 s doubled each time, at most 10 s, of which a random part
/// is taken ("full jitter", so that many clients do not return at the same moment).
///
/// Source: Protocol/spec/connection.md, "Coming back".
package struct Backoff: Sendable {
    package private(set) var attempts = 0

    package init() {}

    /// The most the next delay can be, ms.
    var ceilingMilliseconds: Double { min(10_000, 250 * Double(1 << min(attempts, 16))) }

    /// The next delay. Grows with each call.
    package mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        let delay = Double.random(in: 0...ceilingMilliseconds, using: &generator)
        attempts += 1
        return .microseconds(Int64(delay * 1000))
    }
}
