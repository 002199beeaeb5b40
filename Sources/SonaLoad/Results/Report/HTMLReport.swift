/// A run as one page that can be kept, sent and printed: it needs no other file and asks no server.
///
/// HTML that is XML as well. Everything a run says of itself is text in it, never markup, and its own policy (CSP) lets
/// nothing be loaded, whatever slipped in.
package struct HTMLReport: Sendable {
    private let runs: [RunRecord]
    private let names: [String]
    private let tables: ReportTables

    /// - Parameters:
    ///   - record: The run that is reported.
    ///   - other: A run to lay beside it, usually an earlier one.
    package init(_ record: RunRecord, comparedTo other: RunRecord? = nil) {
        runs = [record] + (other.map { [$0] } ?? [])
        names = other == nil ? [""] : ["A", "B"]
        tables = ReportTables(runs, names: names)
    }

    /// The page, UTF-8.
    package var html: String {
        let charts = ReportCharts(runs, names: names).all.map(\.html)
        return """
            <!DOCTYPE html>
            <html lang="en" xmlns="http://www.w3.org/1999/xhtml">
            <head>
            <meta charset="utf-8"/>
            <meta name="viewport" content="width=device-width, initial-scale=1"/>
            <meta name="color-scheme" content="light dark"/>
            <meta name="referrer" content="no-referrer"/>
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
            script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"/>
            <title>\(HTMLText.escaped("\(title(runs[0])) – load test"))</title>
            <style>\(ReportStyle.text)</style>
            </head>
            <body>
            <header>\(heading)</header>
            <main>
            \(notices)
            <section class="tiles" aria-label="The figures that matter most">\(tiles)</section>
            \(thresholds)
            <h2>Curves</h2>
            <div class="charts">\(charts.isEmpty ? "<p>Nothing came, so there is nothing to draw.</p>" : charts.joined(separator: "\n"))</div>
            <h2>Figures</h2>
            <div class="tables">\(tables.figures)</div>
            <h2>Environment</h2>
            <section class="card">\(tables.environment)\(plans)</section>
            </main>
            <footer><p>\(HTMLText.escaped(footer))</p></footer>
            <script>\(ReportScript.text)</script>
            </body>
            </html>

            """
    }

    // MARK: Heading

    private func title(_ run: RunRecord) -> String { run.scenario.title ?? run.scenario.words }

    private var heading: String {
        guard runs.count == 2 else {
            let run = runs[0]
            let words = run.scenario.title == nil ? "" : "<p>\(HTMLText.escaped(run.scenario.words))</p>"
            return """
                <p class="kind">Load test \(verdict(run))</p>
                <h1>\(HTMLText.escaped(title(run)))</h1>\(words)
                <p class="facts">\(HTMLText.escaped(facts(run)))</p>
                """
        }
        let lines = zip(runs, names).map { run, name in
            """
            <p class="run"><b class="name \(name == "A" ? "c1" : "c2")">\(name)</b> \
            <strong>\(HTMLText.escaped(title(run)))</strong> \(verdict(run))<br/>\
            <span class="facts">\(HTMLText.escaped(facts(run)))</span></p>
            """
        }
        return "<p class=\"kind\">Load test</p><h1>Two runs compared</h1>\(lines.joined(separator: "\n"))"
    }

    private func facts(_ run: RunRecord) -> String {
        var parts = [run.scenario.server]
        if let server = run.environment.versions.server { parts.append(server) }
        parts += ["\(Figures.fixed(run.seconds, 1)) s measured", run.started, "seed \(run.seed)"]
        return parts.joined(separator: " · ")
    }

    private func verdict(_ run: RunRecord) -> String {
        switch run.end {
        case .failed: return "<span class=\"badge bad\">could not go on</span>"
        case .interrupted: return "<span class=\"badge warn\">interrupted</span>"
        case .completed: break
        }
        if run.thresholds.isEmpty { return "<span class=\"badge\">completed</span>" }
        let missed = run.thresholds.count { !$0.isPassed }
        return missed == 0
            ? "<span class=\"badge good\">✓ passed</span>"
            : "<span class=\"badge bad\">✗ \(missed) of \(run.thresholds.count) thresholds missed</span>"
    }

    // MARK: Notices

    private var notices: String {
        var notices: [(String, String)] = []
        for (run, name) in zip(runs, names) {
            let prefix = name.isEmpty ? "" : "\(name): "
            if run.end == .failed {
                notices.append(("bad", "\(prefix)\(run.failure ?? "The harness could not go on.")"))
            }
            notices += run.harness.warnings.map { ("warn", "\(prefix)\($0.message) (\($0.code))") }
            if run.server == nil {
                notices.append(("", "\(prefix)The server's CPU and memory were not measured: --server-pid does."))
            }
        }
        if !tables.differences.isEmpty {
            notices.append(("warn", "The runs were not alike: " + tables.differences.joined(separator: "; ") + "."))
        }
        if runs.count == 2 {
            notices.append(("", "One run each: only repetitions tell a difference of a few percent from chance."))
        }
        guard !notices.isEmpty else { return "" }
        let items = notices.map { "<li class=\"\($0.0)\">\(HTMLText.escaped($0.1))</li>" }
        return "<ul class=\"notices\">\(items.joined(separator: "\n"))</ul>"
    }

    // MARK: Tiles

    private struct Tile {
        var name: String
        var value: (RunRecord) -> Double?
        var text: (Double) -> String
        /// A further remark about one run.
        var note: (RunRecord) -> String?
    }

    private static var tiles: [Tile] {
        let count: (Double) -> String = { Figures.count(Int(exactly: $0) ?? 0) }
        return [
            Tile(name: "delay, median", value: { $0.totals.delay?.p50 }, text: { Figures.milliseconds($0) }) {
                $0.totals.delay.map { "mean \(Figures.milliseconds($0.mean))" }
            },
            Tile(name: "delay, p99", value: { $0.totals.delay?.p99 }, text: { Figures.milliseconds($0) }) {
                $0.totals.delay.map { "p90 \(Figures.milliseconds($0.p90)), p99.9 \(Figures.milliseconds($0.p999))" }
            },
            Tile(name: "delay, longest", value: { $0.totals.delay?.max }, text: { Figures.milliseconds($0) }) { _ in nil
            },
            Tile(name: "delivered", value: { $0.rate }, text: { Figures.brief($0) + "/s" }) {
                "\(Figures.count($0.totals.received)) packets"
            },
            Tile(name: "lost", value: { Double($0.totals.lost) }, text: count) {
                let skipped = $0.totals.skipped
                return "\(Figures.percent($0.totals.share($0.totals.lost))) of what was expected"
                    + (skipped == 0 ? "" : "; the server skipped \(Figures.count(skipped))")
            },
            Tile(name: "join, p95", value: { $0.totals.join?.p95 }, text: { Figures.milliseconds($0) }) {
                "\(Figures.count($0.totals.joins)) joins"
            },
            Tile(name: "server, per delivery", value: { $0.server?.microsecondsPerDelivery }, text: Figures.time) {
                ($0.server?.cpu).map { "\(Figures.percent($0)) of a core" }
            },
            Tile(name: "server, memory", value: { ($0.server?.residentBytes).map { Double($0) } }, text: Figures.bytes)
            {
                ($0.server?.residentBytesBefore).map { "\(Figures.bytes(Double($0))) before" }
            },
        ]
    }

    private var tiles: String {
        Self.tiles.compactMap { tile in
            let values = runs.map(tile.value)
            guard values.contains(where: { $0 != nil }) else { return nil }
            var note = tile.note(runs[0]) ?? ""
            if runs.count == 2 {
                note = "B \(values[1].map(tile.text) ?? "–"), \(ReportTables.change(values[0], values[1]))"
            }
            let isBad = tile.name == "lost" && runs[0].totals.lost > 0
            return """
                <div class="tile"><span>\(tile.name)</span><b\(isBad ? " class=\"bad\"" : "")>\
                \(HTMLText.escaped(values[0].map(tile.text) ?? "–"))</b><small>\(HTMLText.escaped(note))</small></div>
                """
        }.joined(separator: "\n")
    }

    // MARK: Thresholds

    private var thresholds: String {
        let sections = zip(runs, names).filter { !$0.0.thresholds.isEmpty }.map { run, name -> String in
            let rows = run.thresholds.map { result in
                """
                <tr><th scope="row"><code>\(HTMLText.escaped(result.expression))</code></th>\
                <td class="\(result.isPassed ? "good" : "bad")">\(result.isPassed ? "✓ passed" : "✗ missed")</td>\
                <td>\(HTMLText.escaped(result.measured ?? "not measured"))</td></tr>
                """
            }
            return """
                <section class="card"><div class="scroll" tabindex="0"><table class="facts">
                <caption>Thresholds\(name.isEmpty ? "" : " of \(name)")</caption>
                <thead><tr><th scope="col">the run fails if</th><th scope="col">result</th>\
                <th scope="col">measured</th></tr></thead>
                <tbody>\(rows.joined(separator: "\n"))</tbody></table></div></section>
                """
        }
        return sections.joined(separator: "\n")
    }

    // MARK: The end

    private var plans: String {
        zip(runs, names).compactMap { run, name in
            guard let plan = run.scenario.plan else { return nil }
            let summary = "Scenario to run it again\(name.isEmpty ? "" : ": \(name)")"
            return """
                <details><summary>\(summary)</summary>\
                <pre class="scroll" tabindex="0">\(HTMLText.escaped(plan.json(indent: 0)))</pre></details>
                """
        }.joined(separator: "\n")
    }

    private var footer: String {
        "Delays count from when a packet should have been sent, so that a sender that was held up hides nothing. "
            + "Percentiles are exact to three digits. Made by sonaload \(runs[0].environment.versions.harness)."
    }
}

extension RecordValue {
    /// JSON for people to read: one member per line, keys in order.
    func json(indent: Int) -> String {
        let (inside, outside) = (String(repeating: "  ", count: indent + 1), String(repeating: "  ", count: indent))
        switch self {
        case .bool(let value): return "\(value)"
        case .integer(let value): return "\(value)"
        case .number(let value): return "\(value)"
        case .string(let value): return HTMLText.json(value)
        case .array(let values):
            if values.isEmpty { return "[]" }
            return "[\n" + values.map { inside + $0.json(indent: indent + 1) }.joined(separator: ",\n")
                + "\n\(outside)]"
        case .object(let members):
            if members.isEmpty { return "{}" }
            let lines = members.sorted { $0.key < $1.key }.map { key, value in
                "\(inside)\(HTMLText.json(key)): \(value.json(indent: indent + 1))"
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(outside)}"
        }
    }
}
