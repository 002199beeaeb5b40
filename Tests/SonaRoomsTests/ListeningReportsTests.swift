import SonaRooms
import SonaWire
import Testing

@Suite struct ListeningReportsTests {
    private var reports = ListeningReports()

    private func measured(_ percentile95: Int32?) -> ListeningMeasurement {
        ListeningMeasurement(
            windowMilliseconds: 10_000,
            syncError: percentile95.map { SyncErrors(median: 0, percentile95: $0, max: $0) })
    }

    @Test mutating func `the newest report of each member is kept, and one too soon is refused`() throws {
        try reports.take(measured(5), from: 1, now: 0)
        for now in [Int64(0), 1, 1_999_999] {
            let error = #expect(throws: WireError.self) { try reports.take(measured(6), from: 1, now: now) }
            #expect(error?.code == .requestRateLimited)
            #expect(error?.retryAfterMilliseconds == Int((2_000_000 - now) / 1_000) + 1)
        }
        // The interval is counted for each member.
        try reports.take(measured(7), from: 2, now: 1)
        #expect(reports[1]?.measured == measured(5))
        try reports.take(measured(6), from: 1, now: 2_000_000)
        #expect(reports[1]?.measured == measured(6))
        #expect(reports[3] == nil)
    }

    @Test mutating func `after thirty seconds a report is stale`() throws {
        try reports.take(measured(5), from: 1, now: -7_000_000)
        try reports.take(measured(nil), from: 2, now: 0)
        var fresh = reports.fresh(at: 0)
        #expect(fresh.count == 2 && fresh.syncErrors == [5])
        fresh = reports.fresh(at: -7_000_000 + 30_000_999)
        #expect(fresh.count == 2)
        fresh = reports.fresh(at: -7_000_000 + 30_001_000)
        #expect(fresh.count == 1 && fresh.syncErrors.isEmpty)
        #expect(reports[1]?.age(at: 24_000_000) == 31_000)
        #expect(reports.fresh(at: 100_000_000).count == 0)
    }

    @Test mutating func `a member who leaves is forgotten, and may report at once on coming back`() throws {
        try reports.take(measured(5), from: 1, now: 0)
        reports.forget(1)
        #expect(reports[1] == nil && reports.fresh(at: 0).count == 0)
        try reports.take(measured(6), from: 1, now: 1)
    }

    @Test func `percentiles are by nearest rank`() throws {
        #expect(SyncErrors(of: []) == nil)
        #expect(SyncErrors(of: [7]) == SyncErrors(median: 7, percentile95: 7, max: 7))
        #expect(SyncErrors(of: [9, 1]) == SyncErrors(median: 1, percentile95: 9, max: 9))
        #expect(SyncErrors(of: Array((1...100).reversed())) == SyncErrors(median: 50, percentile95: 95, max: 100))
        #expect(SyncErrors(of: Array(1...21)) == SyncErrors(median: 11, percentile95: 20, max: 21))
        #expect(SyncErrors(of: [-5, .max]) == SyncErrors(median: 0, percentile95: 60_000_000, max: 60_000_000))
    }
}
