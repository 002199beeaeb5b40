internal import SonaBase

/// Counts of rows, for figures. Counting reads every row, so that counts are kept for twenty times what it took, and for
/// five seconds at least.
///
/// Any thread.
package struct KeptCounts<Counts: Sendable>: Sendable {
    private struct Kept: Sendable {
        var counts: Counts
        var until: ContinuousClock.Instant?
    }

    private let kept: Monitor<Kept>

    /// - Parameter counts: What is told until something was counted.
    package init(_ counts: Counts) { kept = Monitor(Kept(counts: counts)) }

    /// The counts; those of before if they can't be read now.
    package func counts(_ read: () async throws -> Counts) async -> Counts {
        let start = ContinuousClock.now
        let known = kept.withLock { $0 }
        if let until = known.until, until > start { return known.counts }
        guard let counts = try? await read() else { return known.counts }
        let now = ContinuousClock.now
        kept.withLock { $0 = Kept(counts: counts, until: now + max((now - start) * 20, .seconds(5))) }
        return counts
    }
}
