import Foundation
import SonaBase
import Testing

@testable import SonaLoad

struct RunRecordTests {
    private func object(_ run: RunRecord) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(run.json())) as? [String: Any])
    }

    @Test func `a record is the same after JSON`() throws {
        for run in [
            SampleRuns.run(), SampleRuns.run(seconds: 1, title: "a\u{0}b\u{202E} \"</script>", hasServer: false),
        ] {
            #expect(try RunRecord(json: run.json()) == run)
        }
    }

    @Test func `the totals are members of the record, under the names that are promised`() throws {
        let object = try object(SampleRuns.run())
        for key in [
            "format_version", "seed", "versions", "machine", "limits", "scenario", "expected", "received", "lost",
            "duplicates", "out_of_order", "skipped", "delay_ms", "join_ms", "bytes_received", "reconnects", "errors",
            "server", "harness", "thresholds", "intervals", "delay_histogram", "duration_s", "end", "rate",
        ] { #expect(object[key] != nil, "\(key)") }
        let delay = try #require(object["delay_ms"] as? [String: Any])
        #expect(Set(delay.keys) == ["count", "min", "mean", "p50", "p90", "p95", "p99", "p999", "max"])
        let server = try #require(object["server"] as? [String: Any])
        #expect(Set(["cpu_s", "us_per_delivery", "rss_bytes"]).isSubset(of: server.keys))
        let interval = try #require((object["intervals"] as? [[String: Any]])?.first)
        #expect(
            Set(["at_s", "rate", "p50_ms", "p99_ms", "lost", "listeners", "server_cpu", "server_rss_bytes"])
                .isSubset(of: interval.keys))
    }

    @Test func `figures that were not measured are absent`() throws {
        var run = SampleRuns.run(hasServer: false)
        (run.totals.delay, run.totals.join, run.joins, run.details) = (nil, nil, nil, [:])
        run.intervals = [IntervalRecord(at: 1, seconds: 1, delays: Histogram())]
        let object = try object(run)
        for key in ["delay_ms", "join_ms", "sync_error_us", "server", "failure", "join_histogram", "details"] {
            #expect(object[key] == nil, "\(key)")
        }
        let interval = try #require((object["intervals"] as? [[String: Any]])?.first)
        #expect(Set(interval.keys).isDisjoint(with: ["p50_ms", "p99_ms", "max_ms", "server_cpu", "server_rss_bytes"]))
    }

    @Test func `skipped packets in a file of the first format count as lost, and are judged so`() throws {
        var run = SampleRuns.run()
        run.totals.skipped = 5
        run.intervals[3].skipped = 5
        run.thresholds = ["lost>3", "skipped>9", "of another day>0"].map {
            ThresholdResult(expression: $0, measured: "3", isPassed: true)
        }
        var object = try object(run)
        object["format_version"] = 1
        let old = try RunRecord(json: Array(JSONSerialization.data(withJSONObject: object)))
        #expect(old.totals.expected == run.totals.expected + 5 && old.totals.lost == 8 && old.totals.skipped == 5)
        #expect(old.totals.received + old.totals.lost == old.totals.expected)
        #expect(old.intervals.map(\.lost).reduce(0, +) == 8 && old.intervals[3].lost == 5)
        #expect(old.thresholds.map(\.isPassed) == [false, true, true] && old.thresholds[0].measured == "8")
        // Nothing is added twice.
        #expect(try RunRecord(json: old.json()) == old)
    }

    @Test func `a reader skips keys it does not know`() throws {
        let run = SampleRuns.run()
        var object = try object(run)
        object["of_tomorrow"] = ["x": 1]
        #expect(try RunRecord(json: Array(JSONSerialization.data(withJSONObject: object))).totals == run.totals)
    }

    @Test func `a file that is not a record is refused with the place of its fault`() throws {
        func sentence(_ json: [UInt8]) -> String {
            do {
                _ = try RunRecord(json: json)
                return "taken"
            } catch { return "\(error)" }
        }
        #expect(sentence(Array("nonsense".utf8)) == "The file is not JSON.")
        #expect(sentence([]) == "The file is not JSON.")
        #expect(sentence(Array("{}".utf8)) == "\"format_version\" is missing.")
        #expect(sentence(Array("[1]".utf8)) == "the file is of the wrong type.")
        var object = try object(SampleRuns.run())
        for version in [0, 3] {
            object["format_version"] = version
            let json = Array(try JSONSerialization.data(withJSONObject: object))
            #expect(sentence(json).contains("format version \(version)"))
        }
        object["format_version"] = 2
        object["scenario"] = ["rooms": "two"]
        #expect(sentence(Array(try JSONSerialization.data(withJSONObject: object))).contains("\"scenario."))
    }

    @Test func `no figure in a file, however senseless, breaks a summary, a page or a threshold`() throws {
        var run = SampleRuns.run(seconds: 6)
        (run.seconds, run.scenario.seconds, run.scenario.frameMilliseconds) = (1e300, -1, .nan)
        (run.scenario.rooms, run.scenario.listeners, run.totals.expected) = (.min, .max, .min)
        (run.totals.lost, run.totals.received, run.totals.bytesReceived) = (.max, .max, .max)
        run.totals.errors = ["a": .max, "b": .max]
        run.totals.delay?.p99 = -.infinity
        run.server?.residentBytes = .min
        for (index, value) in [1e300, -1e300, .infinity, .nan, 1e18].enumerated() {
            run.intervals[index].at = value
            run.intervals[5 - index].seconds = value
            (run.intervals[index].p50, run.intervals[index].p99, run.intervals[index].max) = (value, -value, value)
            (run.intervals[index].received, run.intervals[index].listeners) = (.max, .min)
            (run.intervals[index].serverCPU, run.intervals[index].serverResidentBytes) = (value, .max)
        }
        let back = try RunRecord(json: run.json())
        for expression in ["errors>1", "rate>1", "expected>1", "duration>1s", "bytes_received>1"] {
            #expect(try Threshold(parsing: expression).judge(back).measured != nil, "\(expression)")
        }
        var expecting = back
        expecting.totals.expected = 1
        for expression in ["lost%>1", "received>1"] {
            #expect(try Threshold(parsing: expression).judge(back).measured == nil, "\(expression)")
            #expect(try Threshold(parsing: expression).judge(expecting).measured != nil, "\(expression)")
        }
        #expect(!RunSummary(back, style: .plain).text.isEmpty)
        #expect(!HTMLReport(back).html.isEmpty)
        #expect(!HTMLReport(back, comparedTo: SampleRuns.run()).html.isEmpty)
    }

    @Test func `a figure that is not a number does not affect the others`() throws {
        var run = SampleRuns.run()
        run.harness.cpu = .infinity
        run.server?.microsecondsPerDelivery = .nan
        let back = try RunRecord(json: run.json())
        #expect(back.harness.cpu == .infinity)
        #expect(back.server?.microsecondsPerDelivery?.isNaN == true)
        #expect(back.totals == run.totals)
        // It can still be shown.
        #expect(!RunSummary(back, style: .plain).text.isEmpty && !HTMLReport(back).html.isEmpty)
    }
}
