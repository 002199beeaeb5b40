import Testing

@testable import SonaLoad

/// The harness's report about its own use of the machine.
struct RecorderTests {
    /// A process whose use of its core is known.
    private final class Use {
        var meter = HarnessMeter(processor: 5_000_000_000, waiting: nil, at: LoadClock.now)

        /// Time goes by, of which this share of a core was used.
        func pass(_ share: Double, seconds: Double = 1) {
            meter.at += UInt64(seconds * 1e9)
            meter.processor += UInt64((share * seconds * 1e9).rounded())
        }
    }

    /// Runs of seconds in which the harness used these shares of a core.
    ///
    /// - Returns: Warnings as they were told while it ran, and those of the record.
    private func warnings(_ shares: [Double], seconds: Double = 1) throws -> (
        live: [HarnessRecord.Warning], record: [HarnessRecord.Warning]
    ) {
        let test = try TestEngine()
        let use = Use()
        var live: [HarnessRecord.Warning] = []
        let recorder = Recorder(
            test.engine, test.engine.scenario, LoadOptions(), server: nil, bank: test.bank,
            observer: LoadObserver(warning: { live.append($0) }), meter: { use.meter })
        recorder.begin()
        for share in shares {
            use.pass(share, seconds: seconds)
            if seconds >= 1 { recorder.second() }
        }
        recorder.endMeasurement()
        let record = recorder.finish(isInterrupted: false)
        return (live, record.harness.warnings)
    }

    @Test(arguments: [0.701, 0.75, 0.99, 1.6])
    func `above seven tenths of a core in any second the harness warns of itself, once`(share: Double) throws {
        let (live, record) = try warnings([0.2, share, 0.1, share])
        let busy = live.filter { $0.code == "harness.busy" }
        #expect(busy.count == 1 && record.filter { $0.code == "harness.busy" } == busy)
        #expect(busy.first?.message.contains("used \(Int((share * 100).rounded())) % of a core after 2 s") == true)
    }

    @Test(arguments: [0, 0.5, 0.69, 0.7])
    func `up to seven tenths it does not`(share: Double) throws {
        let (live, record) = try warnings([share, share, share])
        #expect(!(live + record).contains { $0.code == "harness.busy" }, "\(live)")
    }

    @Test func `a run that is shorter than a second warns in its end`() throws {
        #expect(try warnings([0.71], seconds: 0.4).live.contains { $0.code == "harness.busy" })
        #expect(try !warnings([0.7], seconds: 0.4).live.contains { $0.code == "harness.busy" })
    }

    /// Way: a quarter of a second of work that the kernel counts. How much of a core that is, nothing here decides.
    @Test func `the figures are the kernel's own`() {
        let before = HarnessMeter.now
        while HarnessMeter.now.processor < before.processor + 250_000_000 {}
        let after = HarnessMeter.now
        #expect(after.processor - before.processor >= 250_000_000)
        let share = Double(after.processor - before.processor) / Double(after.at - before.at)
        #expect(after.share(since: before) == share && share > 0)
    }
}
