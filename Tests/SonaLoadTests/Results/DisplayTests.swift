import Foundation
import SonaBase
import Testing

@testable import SonaLoad

struct DisplayTests {
    private static let interval: IntervalRecord = {
        var interval = SampleRuns.run().intervals[6]
        (interval.serverCPU, interval.serverResidentBytes) = (0.42, 50 << 20)
        return interval
    }()

    /// The output of a display, read from the other end of a pipe.
    private func written(style: TerminalStyle?, _ body: (LiveDisplay) -> Void) -> String {
        let pipe = Pipe()
        let display = LiveDisplay(descriptor: pipe.fileHandleForWriting.fileDescriptor, style: style)
        body(display)
        display.finish()
        try? pipe.fileHandleForWriting.close()
        return String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    @Test func `in a pipe each second is a line of its own, without control characters`() {
        let text = written(style: nil) { display in
            for second in 1...3 { display.show(Self.interval, totalSeconds: 60, elapsed: Double(second)) }
            display.note("a \u{1B}[31mnote")
        }
        let lines = text.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(!text.contains("\u{1B}") && !text.contains("\r"))
        for part in ["0:02/1:00", "2.00k/s", "40 listeners", "p50 ", "p99 ", "lost 6", "42 %", "eta 0:58"] {
            #expect(lines[1].contains(part), "\(part) in \(lines[1])")
        }
    }

    @Test func `skipped packets are shown beside the losses that they are part of`() {
        var interval = Self.interval
        interval.skipped = 2
        let text = written(style: nil) { display in
            for second in [1.0, 2, 1] { display.show(interval, totalSeconds: 60, elapsed: second) }
        }
        let lines = text.split(separator: "\n")
        #expect(lines[1].contains("lost 6, 4 skipped") && lines[2].contains("lost 3, 2 skipped"), "\(lines)")
        var run = SampleRuns.run()
        #expect(!RunSummary(run, style: .plain).text.contains("skipped"))
        run.totals.skipped = 2
        #expect(RunSummary(run, style: .plain).text.contains("2  of the lost, by the server, which said so"))
    }

    @Test func `a run after another begins with no losses`() {
        let text = written(style: nil) { display in
            for second in [1.0, 2, 1] { display.show(Self.interval, totalSeconds: 60, elapsed: second) }
        }
        let lines = text.split(separator: "\n")
        #expect(lines.count == 3 && lines[1].contains("lost 6") && lines[2].contains("lost 3"))
    }

    @Test func `on a terminal the line is drawn over itself, and is gone at the end`() {
        let text = written(style: TerminalStyle(isInteractive: true, hasColor: false)) { display in
            display.show(Self.interval, totalSeconds: 0, elapsed: 1)
            display.note("said once")
            display.show(Self.interval, totalSeconds: 0, elapsed: 2)
        }
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
        #expect(text.contains("\r\u{1B}[Ksaid once\n"))
        #expect(text.hasSuffix("\r\u{1B}[K"))
        #expect(!text.contains("eta"))
    }

    @Test(arguments: 0...140)
    func `a line never takes more columns than there are, and drops what matters least`(columns: Int) {
        let line = LiveLine(Self.interval, lost: (12, 0), elapsed: 7, total: 20)
        let text = line.text(columns: columns, style: TerminalStyle(isInteractive: true, hasColor: false))
        #expect(text.count <= columns)
        if columns >= 60 { #expect(text.contains("p99") && text.contains("lost 12")) }
        if columns >= 40 { #expect(text.contains("/s")) }
    }

    @Test func `colour marks losses, where there is colour`() {
        let line = LiveLine(Self.interval, lost: (12, 0), elapsed: 7, total: 20)
        #expect(
            line.text(style: TerminalStyle(isInteractive: true, hasColor: true)).contains("\u{1B}[31mlost 12\u{1B}[0m"))
        #expect(!line.text(style: .plain).contains("\u{1B}"))
    }

    @Test func `a reader that has stopped does not hold up the run`() {
        let pipe = Pipe()
        let display = LiveDisplay(descriptor: pipe.fileHandleForWriting.fileDescriptor, style: .plain)
        // Far more than a pipe takes: every call returns nevertheless.
        for second in 0..<20_000 { display.show(Self.interval, totalSeconds: 60, elapsed: Double(second)) }
        // And the display ends once somebody reads again.
        let reader = Thread { _ = try? pipe.fileHandleForReading.readToEnd() }
        reader.start()
        display.finish()
        try? pipe.fileHandleForWriting.close()
    }

    @Test func `a summary says everything that decides`() {
        var run = SampleRuns.run(title: "Nightly\u{1B}[2J")
        run.thresholds = [
            ThresholdResult(expression: "delay.p99>50ms", measured: "3.37 ms", isPassed: true),
            ThresholdResult(expression: "lost>0", measured: "3\u{1B}[2J\u{202E}", isPassed: false),
            ThresholdResult(expression: "sync_error.p99>1ms", measured: nil, isPassed: false),
        ]
        let text = RunSummary(run, style: .plain).text
        for part in [
            "Nightly", "2 rooms, 40 listeners, 20 ms packets, 128 kbit/s, party", "seed 1", "p99.9", "40\u{202F}003",
            "100 µs per delivery", "room.full × 2", "The harness was busy. (harness.busy)",
            "ok            delay.p99>50ms: 3.37 ms",
            "FAILED        lost>0: 3", "FAILED        sync_error.p99>1ms: not measured", "p99 in time",
        ] { #expect(text.contains(part), "\(part)") }
        #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}"))
        #expect(RunSummary(run, style: TerminalStyle(isInteractive: true, hasColor: true)).text.contains("\u{1B}[31m"))
    }

    @Test func `a summary says how many listeners got in, and first of all if some did not`() {
        var run = SampleRuns.run()
        #expect(RunSummary(run, style: .plain).text.contains(" 40 of 40  got in, 40 at once"))
        run.totals.listenersMissing = 2
        let text = RunSummary(run, style: .plain).text
        #expect(text.contains(" 40 of 42  got in"))
        #expect(text.components(separatedBy: "\n\n").first?.contains("Only 40 of 42 listeners got in") == true)
        run.totals.listenersMissing = nil
        #expect(RunSummary(run, style: .plain).text.contains(" 40  got in"))
    }

    @Test func `a run in which nothing came has a summary too`() {
        var run = SampleRuns.run(hasServer: false)
        (run.delays, run.joins, run.intervals, run.totals) = (Histogram(), nil, [], Totals())
        (run.end, run.failure) = (.failed, "The server is gone.")
        let text = RunSummary(run, style: .plain).text
        #expect(text.contains("No packet was received.") && text.contains("Failed: The server is gone."))
    }

    @Test(
        arguments: [
            (0, "0 µs"), (0.25, "0.25 µs"), (812, "812 µs"), (999.4, "999 µs"), (999.6, "1.00 ms"),
            (12_345, "12.3 ms"),
            (999_499, "999 ms"), (999_600, "1.00 s"), (73_000_000, "73.0 s"), (.infinity, "– s"),
        ])
    func `times have three digits and the unit that fits`(microseconds: Double, text: String) {
        #expect(Figures.time(microseconds) == text)
    }

    @Test func `a share that is not nothing never reads as nothing, nor as everything`() {
        #expect(Figures.percent(0) == "0 %" && Figures.percent(1) == "100 %")
        #expect(Figures.percent(1e-9) == "< 0.0001 %" && Figures.percent(0.999_999) == "99.99 %")
    }

    @Test func `counts are in groups of three`() {
        #expect(
            [0, 999, 1000, 1_234_567, -12_345].map(Figures.count)
                == ["0", "999", "1\u{202F}000", "1\u{202F}234\u{202F}567", "-12\u{202F}345"])
    }
}
