internal import Glibc

/// How popular a track is: the number of people who heard it, each weighing half as much for every seven days since they
/// last did.
///
/// A person counts once, whatever they play: with the time `t` of their last play of the track, they weigh 2^(t / 7 days).
/// All weights shrink alike as time goes by, so their sum decides the order at every moment, and nothing has to be
/// computed again when nobody plays. The sum outgrows every number type, so it is kept as its binary logarithm:
///
///     score = log2(Σ 2^(tᵢ / 7 days))
///
/// A score of two tracks that differs by 1 means twice as many listeners, or the same number a week later.
enum Popularity {
    static let halfLifeMilliseconds: Double = 7 * 86_400_000

    /// The exponent of somebody who heard the track last at a time, ms since 1970.
    static func exponent(_ milliseconds: Int64) -> Double { Double(milliseconds) / halfLifeMilliseconds }

    /// The score of a track from the times of its listeners' last plays; `nil` if nobody heard it.
    static func score(_ times: some Sequence<Int64>) -> Double? {
        let exponents = times.map(exponent)
        guard let most = exponents.max() else { return nil }
        return most + log2(exponents.reduce(0) { $0 + exp2($1 - most) })
    }

    /// The score after somebody played the track.
    ///
    /// - Parameters:
    ///   - score: The one before; `nil` if nobody had heard the track.
    ///   - last: When this person heard it last before; `nil` for a new listener.
    static func score(_ score: Double?, adding now: Int64, replacing last: Int64?) -> Double {
        let x = exponent(now)
        guard let score else { return x }
        if let last, last >= now { return score }
        // All relative to the greater of the two, so that nothing overflows.
        let base = max(score, x)
        let before = last.map { exp2(exponent($0) - base) } ?? 0
        // Rounding must not take more than there is.
        let rest = max(0, exp2(score - base) - before)
        return base + log2(rest + exp2(x - base))
    }

    /// The score after a person is no longer known to have heard the track.
    ///
    /// - Returns: `nil` if that cannot be told from the sum alone, because the person was most of it: then the score is
    ///   made anew from the plays.
    static func score(_ score: Double, removing last: Int64) -> Double? {
        let share = exp2(exponent(last) - score)
        guard share < 0.5 else { return nil }
        return score + log2(1 - share)
    }
}
