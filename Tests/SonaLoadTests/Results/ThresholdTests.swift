import SonaBase
import Testing

@testable import SonaLoad

struct ThresholdTests {
    private static let run: RunRecord = {
        var run = SampleRuns.run()
        var delays = Histogram()
        for value in 1...1000 { delays.record(microseconds: UInt64(value)) }
        run.delays = delays
        run.totals.delay = Distribution(delays, in: .milliseconds)
        (run.totals.expected, run.totals.received, run.totals.lost) = (1000, 998, 2)
        run.totals.errors = ["close.4408": 3, "room.full": 1]
        run.totals.syncError = Distribution(delays, in: .microseconds)
        return run
    }()

    @Test(
        arguments: [
            ("delay.p99>990us", true), ("delay.p99>=990us", false), ("delay.p99>989us", false),
            ("delay.p99<0.99ms", true), ("delay.p99<=0.99ms", false), ("delay.p99 == 990 us", false),
            ("delay.p99 != 990 us", true), ("delay.p999>999us", true), ("delay.p99.9>999us", true),
            ("delay.p99.95>999us", false), ("delay.p9995>999us", false), ("delay.p0.1<1us", true),
            ("delay.min<1us", true), ("delay.max>0.001s", true),
            ("delay.mean>501us", true),
            ("delay.p50>500000ns", true), ("delay.p99>0", false), ("sync_error.p95>950µs", true),
            ("join.max>1min", true),
            ("lost>2", true), ("lost>1", false), ("lost%>0.2", true), ("lost%>0.1", false), ("lost>0.2%", true),
            ("lost > 0.1 %", false), ("lost % > 0.1%", false), ("received%<99.8", true), ("duplicates>0", true),
            ("errors>4", true), ("errors>3", false), ("errors.close.4408>2", false), ("errors.never.seen>0", true),
            ("server.cpu>20%", true), ("server.cpu%>19", false), ("server.us_per_delivery>100us", true),
            ("server.rss_bytes>20020000", true), ("server.rss_bytes>19MiB", false), ("server.rss_bytes>20.02MB", true),
            ("server.cpu_s>4s", true), ("harness.warnings>0", false), ("rate<1", true), ("duration<20s", true),
            ("expected<1000", true), ("listeners_max<40", true), ("listeners_missing>0", true),
            ("listeners_missing<1", false),
        ])
    func `a threshold is missed exactly when its condition holds`(expression: String, isPassed: Bool) throws {
        let result = try Threshold(parsing: expression).judge(Self.run)
        #expect(result.isPassed == isPassed, "measured \(result.measured ?? "nothing")")
        #expect(result.expression == expression)
        #expect(result.measured != nil)
    }

    @Test func `a threshold whose field was not measured has failed`() throws {
        var run = SampleRuns.run(hasServer: false)
        run.totals.listenersMissing = nil
        for expression in [
            "server.cpu>99%", "server.rss_bytes<0", "sync_error.p99>1s", "harness.lag.max>1s", "listeners_missing>0",
        ] {
            let result = try Threshold(parsing: expression).judge(run)
            #expect(!result.isPassed && result.measured == nil, "\(expression)")
        }
    }

    @Test(arguments: ["lost>0", "lost%>0.1", "received<0", "duplicates>0", "out_of_order>0", "skipped>0"])
    func `where nothing was expected, no condition on deliveries is kept`(expression: String) throws {
        var run = SampleRuns.run()
        run.totals = Totals()
        let result = try Threshold(parsing: expression).judge(run)
        #expect(!result.isPassed && result.measured == nil)
    }

    @Test func `the measured value is shown with its unit`() throws {
        func measured(_ expression: String) throws -> String? {
            try Threshold(parsing: expression).judge(Self.run).measured
        }
        #expect(try measured("delay.p99>1s") == "990 µs")
        #expect(try measured("lost%>1") == "0.20 % (2)")
        #expect(try measured("server.cpu>1%") == "20.0 %")
        #expect(try measured("errors>9") == "4")
    }

    /// The expression, and the characters that are marked.
    @Test(
        arguments: [
            ("", 0..<0), ("delay.p9x>5ms", 0..<9), ("  latency>5ms", 2..<9), ("delay>5ms", 0..<5),
            ("delay.p0>5ms", 0..<8),
            ("delay.p100.0>5ms", 0..<12), ("delay.p100>5ms", 0..<10), ("delay.p101>5ms", 0..<10),
            ("delay.p001>5ms", 0..<10),
            ("delay.>5ms", 0..<6), ("sync_error.p97>5ms", 0..<14), (">5ms", 0..<0),
            ("delay.p99", 9..<9), ("delay.p99 50ms", 10..<10), ("delay.p99=50ms", 9..<10), ("delay.p99=>50ms", 9..<11),
            ("delay.p99>", 10..<10), ("delay.p99>ms", 10..<10), ("delay.p99>5", 10..<11), ("delay.p99>5m", 11..<12),
            ("delay.p99>5%", 11..<12), ("delay.p99>5ms!", 11..<14), ("delay.p99>-5ms", 10..<10),
            ("delay.p99>1.2.3s", 10..<15),
            ("delay%>5", 0..<5), ("delay.p99%>5", 9..<10), ("lost>5ms", 6..<8), ("errors>5%", 8..<9),
            ("errors.>5", 0..<7),
            ("server.cpu>5", 11..<12), ("server.rss_bytes>5mb", 18..<20), ("lost>1e3", 6..<8), ("lost>٣", 5..<5),
        ])
    func `one that makes no sense is refused with the place and the fields there are`(
        expression: String, place: Range<Int>
    ) throws {
        let error = try #require(throws: ThresholdError.self) { try Threshold(parsing: expression) }
        #expect(error.place == place)
        let lines = error.description.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0].hasSuffix("."))
        #expect(lines[2].drop { $0 == " " }.allSatisfy { $0 == "^" })
        #expect(error.description.contains("out_of_order") && error.description.contains("delay.…"))
    }

    @Test func `control characters of an expression do not reach the terminal`() throws {
        let error = try #require(throws: ThresholdError.self) { try Threshold(parsing: "de\u{1B}[2Jlay>5\u{202E}ms") }
        #expect(error.description.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
        #expect(!error.description.contains("\u{202E}"))
    }
}
