package import SonaWire

/// What the members of a room have said of their own listening: the newest of each, kept for those who say anything.
///
/// Source: Protocol/spec/meter.md.
package struct ListeningReports: Sendable {
    package struct Entry: Sendable, Equatable {
        package var measured: ListeningMeasurement
        /// When it came, µs of server time.
        package var atMicroseconds: Int64

        /// How old it is, whole ms.
        package func age(at now: Int64) -> Int64 { max(0, now - atMicroseconds) / 1_000 }
    }

    private var entries: [MemberID: Entry] = [:]

    package init() {}

    package subscript(member: MemberID) -> Entry? { entries[member] }

    /// Takes in a report; it replaces the one before.
    ///
    /// - Throws: `request.rate_limited` for one that comes less than `Limits.meterIntervalSecondsMin` after the one before.
    package mutating func take(
        _ measured: ListeningMeasurement, from member: MemberID, now: Int64
    ) throws(WireError) {
        if let last = entries[member] {
            let wait = last.atMicroseconds + Int64(Limits.meterIntervalSecondsMin) * 1_000_000 - now
            if wait > 0 { throw WireError(.requestRateLimited, retryAfterMilliseconds: Int(wait / 1_000) + 1) }
        }
        entries[member] = Entry(measured: measured, atMicroseconds: now)
    }

    /// A member has gone.
    package mutating func forget(_ member: MemberID) { entries[member] = nil }

    /// The reports that say something about now.
    package struct Fresh: Sendable, Equatable {
        package var count = 0
        /// Of those that have one, the p95 of the sync error, µs, in no order.
        package var syncErrors: [Int32] = []

        package init() {}
    }

    /// O(reports).
    package func fresh(at now: Int64) -> Fresh {
        var fresh = Fresh()
        for entry in entries.values where entry.age(at: now) <= Limits.meterStaleMilliseconds {
            fresh.count += 1
            if let error = entry.measured.syncError { fresh.syncErrors.append(error.percentile95) }
        }
        return fresh
    }
}
