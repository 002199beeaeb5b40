import Foundation
import FoundationXML
import SonaBase
import Testing

@testable import SonaLoad

struct HTMLReportTests {
    /// The elements of a page, as a parser of XML sees them.
    private final class Page: NSObject, XMLParserDelegate {
        private(set) var elements: [(name: String, attributes: [String: String])] = []
        /// By the element that holds them.
        private(set) var texts: [String: [String]] = [:]
        private var open: [String] = []
        private(set) var fault: String?

        init(_ html: String) {
            super.init()
            let parser = XMLParser(data: Data(html.utf8))
            parser.delegate = self
            if !parser.parse() { fault = parser.parserError.map { "\($0), line \(parser.lineNumber)" } ?? "not XML" }
        }

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            elements.append((name, attributes))
            open.append(name)
            texts[name, default: []].append("")
        }

        func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
            open.removeLast()
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) {
            guard let name = open.last, let count = texts[name]?.count else { return }
            texts[name]?[count - 1] += text
        }

        func attribute(_ name: String) -> [String] { elements.compactMap { $0.attributes[name] } }
    }

    private static let hostile =
        "</title><script>alert('x')</script><img src=//evil.example/ onerror=x> & \"'\u{0}\u{202E}]]>"

    private static let runs: [RunRecord] = {
        var plain = SampleRuns.run()
        plain.thresholds = [
            ThresholdResult(expression: "delay.p99>50ms", measured: "3.37 ms", isPassed: true),
            ThresholdResult(expression: "lost>0", measured: "3", isPassed: false),
        ]
        var hostile = SampleRuns.run(seed: 2, seconds: 5, title: Self.hostile, hasServer: false)
        hostile.scenario.server = Self.hostile
        hostile.scenario.delivery = Self.hostile
        hostile.scenario.plan = .object([Self.hostile: .string(Self.hostile)])
        hostile.environment.versions = .init(harness: Self.hostile, server: Self.hostile)
        hostile.environment.machine.processor = Self.hostile
        hostile.environment.limits = [Self.hostile: Self.hostile]
        hostile.startedAt = Self.hostile
        (hostile.end, hostile.failure) = (.failed, Self.hostile)
        hostile.totals.errors = [Self.hostile: 3]
        hostile.details = [Self.hostile: .string(Self.hostile)]
        hostile.harness.warnings = [.init(code: Self.hostile, message: Self.hostile)]
        hostile.thresholds = [ThresholdResult(expression: Self.hostile, measured: Self.hostile, isPassed: false)]
        for index in hostile.intervals.indices { hostile.intervals[index].phase = index < 2 ? Self.hostile : "b" }
        var empty = SampleRuns.run(seconds: 1, hasServer: false)
        (empty.delays, empty.joins, empty.intervals, empty.totals) = (Histogram(), nil, [], Totals())
        // Figures of a file that no run has.
        let least = Double.leastNonzeroMagnitude
        var absurd = SampleRuns.run(seed: 3, seconds: 9)
        for (index, value) in [1.7e308, -1.7e308, least, .infinity, -.infinity, .nan, 0, 1e16, 1].enumerated() {
            absurd.intervals[index].serverCPU = value
            absurd.intervals[index].p50 = value
            absurd.intervals[index].at = index < 6 ? Double(index + 1) : value
        }
        (absurd.seconds, absurd.scenario.seconds, absurd.scenario.frameMilliseconds) = (least, 1.7e308, .nan)
        var tiny = SampleRuns.run(seed: 5, seconds: 3)
        for index in tiny.intervals.indices {
            (tiny.intervals[index].serverCPU, tiny.intervals[index].p50) = (least, least)
            (tiny.intervals[index].p99, tiny.intervals[index].max) = (least, least)
        }
        return [plain, hostile, empty, absurd, tiny, SampleRuns.run(seed: 4, seconds: 2500, rate: 4)]
    }()

    /// Each run alone, and beside the one before.
    private static let pages = zip(runs, runs.suffix(1) + runs).flatMap { run, other in
        [HTMLReport(run).html, HTMLReport(run, comparedTo: other).html]
    }

    @Test func `every page is well formed, and its charts hold JSON`() throws {
        for html in Self.pages {
            let page = Page(html)
            #expect(page.fault == nil)
            let scripts = try #require(page.texts["script"])
            for script in scripts.dropLast() {
                #expect(
                    (try? JSONSerialization.jsonObject(with: Data(script.utf8))) is [String: Any],
                    "\(script.prefix(200))")
            }
        }
    }

    @Test func `no page loads or names anything from elsewhere`() {
        for html in Self.pages {
            let page = Page(html)
            for attribute in ["src", "href", "srcset", "action", "poster", "data", "xlink:href"] {
                #expect(page.attribute(attribute).isEmpty)
            }
            let names = Set(page.elements.map(\.name))
            #expect(names.isDisjoint(with: ["link", "img", "iframe", "object", "embed", "base", "form", "video", "a"]))
            let styles = page.texts["style"]?.joined() ?? ""
            #expect(!styles.contains("url(") && !styles.contains("@import"))
            #expect(page.elements.contains { $0.attributes["content"]?.hasPrefix("default-src 'none'") == true })
        }
    }

    @Test func `texts of a run stay text in the page`() {
        let page = Page(HTMLReport(Self.runs[1]).html)
        #expect(page.fault == nil)
        // The page's own script, and a chart's data each.
        let charts = page.elements.count { $0.name == "figure" }
        #expect(page.elements.count { $0.name == "script" } == charts + 1)
        #expect(page.elements.allSatisfy { element in element.attributes.keys.allSatisfy { !$0.hasPrefix("on") } })
        #expect(page.texts["h1"]?.first?.contains("<script>alert('x')</script>") == true)
        #expect(page.texts["title"]?.first?.hasPrefix("</title><script>") == true)
    }

    @Test func `a chart has axes with units, values to read, and a table`() throws {
        let page = Page(HTMLReport(Self.runs[0]).html)
        let figures = page.elements.filter { $0.name == "figure" }.compactMap { $0.attributes["id"] }
        #expect(figures == ["delay", "percentiles", "rate", "listeners", "losses", "cpu", "memory", "joins"])
        #expect(page.elements.count { $0.name == "details" } == figures.count + 1)
        #expect(
            page.elements.count { $0.attributes["role"] == "img" && $0.attributes["aria-label"] != nil }
                == figures.count)
        let labels = try #require(page.texts["text"])
        for label in ["1 ms", "20 s", "2k/s", "20 %", "90 %", "99.9 %", "20 MiB", "ramp", "steady"] {
            #expect(labels.contains(label), "\(label) in \(labels)")
        }
        let cells = try #require(page.texts["td"])
        for cell in ["3.37 ms", "✓ passed", "✗ missed", "40\u{202F}003", "100 µs"] {
            #expect(cells.contains(cell), "\(cell)")
        }
    }

    @Test func `two runs share each picture, and every figure has its change`() throws {
        var slower = SampleRuns.run(seed: 9)
        slower.server?.microsecondsPerDelivery = 80
        let page = Page(HTMLReport(SampleRuns.run(), comparedTo: slower).html)
        #expect(page.fault == nil)
        let data = try (page.texts["script"] ?? []).dropLast().map { text in
            try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        }
        #expect(data.count == 10)
        for chart in data { #expect((chart["series"] as? [Any])?.count == 2) }
        #expect(page.texts["td"]?.contains("+25 %") == true)
        #expect(page.texts["h1"] == ["Two runs compared"])
    }

    @Test func `the seconds of two runs meet, whatever their milliseconds`() {
        var (first, second) = (SampleRuns.run(seconds: 4), SampleRuns.run(seconds: 3))
        for index in first.intervals.indices { first.intervals[index].at += 0.004 }
        for index in second.intervals.indices { second.intervals[index].at -= 0.003 }
        let moments = ReportMoments([first, second])
        #expect(moments.times == [1, 2, 3, 4])
        #expect(moments.sum(0) { $0.at.rounded() }.prefix(4) == [1, 2, 3, 4])
        #expect(moments.sum(1) { $0.at.rounded() }.prefix(4) == [1, 2, 3, nil])
    }

    @Test func `the fraction of a second in which a run ends gets no place of its own`() throws {
        var run = SampleRuns.run(seconds: 4)
        var rest = run.intervals[3]
        (rest.at, rest.seconds, rest.received, rest.lost, rest.max) = (4.02, 0.02, 4, 1, 99)
        run.intervals.append(rest)
        let moments = ReportMoments([run])
        #expect(moments.times.count == 4)
        // 2004 packets in 1.02 seconds, not the mean of 2000 and 200.
        #expect(abs(try #require(moments.mean(0, \.rate)[3]) - 2004 / 1.02) < 0.01)
        #expect(moments.sum(0) { Double($0.lost) }[3] == 1 && moments.most(0, \.max)[3] == 99)
        #expect(ReportMoments([run, run]).times == [1, 2, 3, 4])
    }

    @Test func `a long run is thinned out without hiding a loss or a slow second`() {
        var run = SampleRuns.run(seconds: 2500, rate: 4)
        run.intervals[1333].max = 77
        let moments = ReportMoments([run])
        #expect(moments.times.count <= ReportMoments.momentsMax)
        #expect(moments.sum(0) { Double($0.lost) }.compactMap { $0 }.reduce(0, +) == 3)
        #expect(moments.most(0, \.max).compactMap { $0 }.max() == 77)
    }

    @Test(arguments: [0.0001, 0.3, 1, 7, 42.5, 99, 100, 1234, 86_400, 5e9, 1e14])
    func `an axis begins at nothing, holds what it must, and has a handful of ticks`(most: Double) {
        for unit in [ChartUnit.milliseconds, .seconds, .perSecond, .count, .cores, .bytes] {
            let scale = ChartScale([0, most], unit: unit)
            #expect(scale.place(0) == 0 && scale.place(most) <= 1.0001)
            #expect((2...10).contains(scale.ticks.count), "\(unit): \(scale.ticks)")
            let logarithmic = ChartScale([most / 1000, most], unit: unit, isLogarithmic: true)
            #expect(logarithmic.place(most / 1000) >= 0 && logarithmic.place(most) <= 1.0001)
            #expect((2...12).contains(logarithmic.ticks.count), "\(unit): \(logarithmic.ticks)")
        }
    }

    @Test(arguments: [0.0001, 0.004, 0.011, 0.023, 0.5, 1, 7.3])
    func `each tick of a share of a core has a label of its own`(most: Double) {
        let labels = ChartScale([0, most], unit: .cores).ticks.map(ChartUnit.cores.tick)
        #expect(Set(labels).count == labels.count, "\(labels)")
    }
}
