package import SonaWire

/// The members' reports of their own listening: the newest of each member who reports.
///
/// Source: Protocol/spec/meter.md.
package struct ListeningReports: Sendable {
    package struct Entry: Sendable, Equatable {
        package var measured: ListeningMeasurement
        /// Arrival of the report, µs of server time.
        package var atMicroseconds: Int64

        /// Age of the report, whole ms.
        package func age(at now: Int64) -> Int64 { max(0, now - atMicroseconds) / 1_000 }
    }

    private var entries: [MemberID: Entry] = [:]

    package init() {}

    package subscript(member: MemberID) -> Entry? { entries[member] }

    /// Takes a report, which replaces the member's last one.
    ///
    /// - Throws: `request.rate_limited` for a report that comes less than `Limits.meterIntervalSecondsMin` after the
    ///   last one.
    package mutating func take(
        _ measured: ListeningMeasurement, from member: MemberID, now: Int64
    ) throws(WireError) {
        if let last = entries[member] {
            let wait = last.atMicroseconds + Int64(Limits.meterIntervalSecondsMin) * 1_000_000 - now
            if wait > 0 { throw WireError(.requestRateLimited, retryAfterMilliseconds: Int(wait / 1_000) + 1) }
        }
        entries[member] = Entry(measured: measured, atMicroseconds: now)
    }

    /// Removes the report of a member who has left.
    package mutating func forget(_ member: MemberID) { entries[member] = nil }

    /// The reports that are recent enough to count.
    package struct Fresh: Sendable, Equatable {
        package var count = 0
        /// The p95 of the sync error, µs, of those reports that have one, in no order.
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
