import SonaClient
import SonaWire
import Testing

@Suite struct MeterReporterTests {
    private func welcome(_ features: [String] = [Limits.meterFeature]) throws -> Welcome {
        Welcome(
            session: try #require(SessionID("q3Zk8LmN1pRs5TuVw7Xy2A")), user: nil,
            server: Program(name: "sona", version: "1"), clockID: 1, serverMicroseconds: 0, features: features)
    }

    /// What is reported; it must be time for it.
    private func next(
        _ reporter: inout MeterReporter, _ totals: ListeningTotals, _ clock: ClockFilter? = nil, now: Int64
    ) throws -> ListeningMeasurement {
        let report = reporter.report(totals, clock, now: now)
        return try #require(report).measured
    }

    @Test func `a report comes every ten seconds, about the time since the one before`() throws {
        var reporter = MeterReporter(try welcome(), now: 1_000_000)
        #expect(reporter.dueMicroseconds == 11_000_000)
        var totals = ListeningTotals(
            underruns: 2, resyncs: 1, lost: 30, syncErrorsMicroseconds: [-100, 50, 20], bufferMilliseconds: 480,
            outputLatencyMicroseconds: 20_000)
        let early = reporter.report(totals, nil, now: 10_999_999)
        #expect(early == nil)
        let first = try next(&reporter, totals, now: 11_500_000)
        #expect(
            first
                == ListeningMeasurement(
                    windowMilliseconds: 10_500, syncError: SyncErrors(median: 50, percentile95: 100, max: 100),
                    bufferMilliseconds: 480, underruns: 2, resyncs: 1, lost: 30, outputLatencyMicroseconds: 20_000))
        let again = reporter.report(totals, nil, now: 12_000_000)
        #expect(again == nil)
        totals.lost = 37
        totals.syncErrorsMicroseconds = []
        let second = try next(&reporter, totals, now: 21_500_000)
        #expect(second.windowMilliseconds == 10_000 && second.lost == 7 && second.underruns == 0)
        #expect(second.syncError == nil)
    }

    @Test func `figures that are not measured are left out, and those out of range are clamped`() throws {
        var reporter = MeterReporter(try welcome(), now: 0)
        let none = try next(&reporter, ListeningTotals(), ClockFilter(), now: 10_000_000)
        #expect(none == ListeningMeasurement(windowMilliseconds: 10_000))
        let wild = ListeningTotals(
            underruns: .max, resyncs: -5, lost: 2_000_000, syncErrorsMicroseconds: [.min, .max],
            bufferMilliseconds: -3, outputLatencyMicroseconds: 70_000_000)
        let held = try next(&reporter, wild, now: 10_000_000_000_000)
        #expect(
            held
                == ListeningMeasurement(
                    windowMilliseconds: 600_000,
                    syncError: SyncErrors(median: 60_000_000, percentile95: 60_000_000, max: 60_000_000),
                    bufferMilliseconds: 0, underruns: 1_000_000, resyncs: 0, lost: 1_000_000,
                    outputLatencyMicroseconds: 60_000_000))
        // What it says is taken.
        #expect(try ListeningReport(try JSON.parse(ListeningReport(held).encoded())).measured == held)
    }

    @Test func `the reported clock quality comes from the filter`() throws {
        var clock = ClockFilter()
        for second in Int64(1)...30 {
            let now = second * 1_000_000
            clock.add(
                .init(
                    clientSend: now - 101, serverReceive: now + second * 20, serverSend: now + second * 20,
                    clientReceive: now))
        }
        let quality = try #require(ClockQuality(clock))
        #expect(quality.roundTripMicroseconds == 101)
        #expect(51...80 ~= quality.errorMicroseconds ?? 0)
        #expect(19_500...20_500 ~= quality.driftPPB ?? 0)
    }

    @Test func `a server without a meter gets no reports`() throws {
        var reporter = MeterReporter(try welcome(["people"]), now: 0)
        #expect(reporter.dueMicroseconds == nil)
        let report = reporter.report(ListeningTotals(lost: 1), nil, now: 1_000_000_000)
        #expect(report == nil)
    }
}
