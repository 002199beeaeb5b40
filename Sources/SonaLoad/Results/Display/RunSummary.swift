internal import SonaBase

/// The results of a run, for a terminal: the figures first that decide, warnings and thresholds last, where the eye is.
package struct RunSummary: Sendable {
    private let record: RunRecord
    private let style: TerminalStyle

    package init(_ record: RunRecord, style: TerminalStyle) { (self.record, self.style) = (record, style) }

    /// Lines, the last without its end.
    package var text: String {
        let blocks = [heading, times, deliveries, costs, details, troubles, verdicts].filter { !$0.isEmpty }
        return blocks.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    // MARK: Blocks

    private var heading: [String] {
        let scenario = record.scenario
        let title = ConsoleLine.printable(scenario.title ?? scenario.words)
        var facts = [ConsoleLine.printable(scenario.server)]
        if let server = record.environment.versions.server { facts.append(ConsoleLine.printable(server)) }
        facts += ["\(Figures.fixed(record.seconds, 1)) s measured", "seed \(record.seed)"]
        var lines = [style.tinted(title, .bold)]
        if scenario.title != nil { lines.append(scenario.words) }
        lines.append(facts.joined(separator: " · "))
        let totals = record.totals
        if let missing = totals.listenersMissing, missing > 0, let wanted = totals.listenersWanted {
            lines.append(
                style.tinted(
                    "Only \(Figures.count(totals.joins)) of \(Figures.count(wanted)) listeners got in: all figures are "
                        + "theirs alone.", .red))
        }
        switch record.end {
        case .completed: break
        case .interrupted: lines.append(style.tinted("Interrupted: this is what was measured until then.", .yellow))
        case .failed: lines.append(style.tinted("Failed: \(ConsoleLine.printable(record.failure ?? "unknown"))", .red))
        }
        return lines
    }

    private var times: [String] {
        let rows: [(String, Distribution?, Double)] = [
            ("delay", record.totals.delay, 1000), ("join", record.totals.join, 1000),
            ("sync error", record.totals.syncError, 1), ("harness lag", record.harness.lag, 1000),
        ]
        let measured = rows.compactMap { name, distribution, unit in distribution.map { (name, $0, unit) } }
        guard !measured.isEmpty else { return ["  No packet was received."] }
        let columns = ["p50", "p90", "p99", "p99.9", "max", "mean"]
        let head = String(repeating: " ", count: 14) + columns.map { Self.right($0, 10) }.joined()
        return [style.tinted(head, .dim)]
            + measured.map { name, distribution, unit in
                let values = [
                    distribution.p50, distribution.p90, distribution.p99, distribution.p999, distribution.max,
                    distribution.mean,
                ]
                return Self.label(name) + values.map { Self.right(Figures.time($0 * unit), 10) }.joined()
            } + curve
    }

    /// How p99 went over time, in as many blocks as a line has room for.
    private var curve: [String] {
        let values = record.intervals.compactMap(\.p99).filter { $0.isFinite && $0 >= 0 }
        guard values.count >= 4, let most = values.max(), most > 0 else { return [] }
        let width = min(values.count, 60)
        let blocks = Array("▁▂▃▄▅▆▇█")
        let drawn = (0..<width).map { place -> Character in
            let part = values[(place * values.count / width)..<((place + 1) * values.count / width)]
            return blocks[Int((part.max() ?? 0) / most * Double(blocks.count - 1))]
        }
        return [Self.label("p99 in time") + "  " + String(drawn) + " up to " + Figures.milliseconds(most)]
    }

    private var deliveries: [String] {
        let totals = record.totals
        func row(_ name: String, _ number: Int, _ rest: String = "", isBad: Bool = false) -> String {
            row(name, Figures.count(number), rest, isBad: isBad)
        }
        func row(_ name: String, _ words: String, _ rest: String, isBad: Bool) -> String {
            let figure = Self.right(words, 16)
            return Self.label(name) + (isBad ? style.tinted(figure, .red) : figure) + (rest.isEmpty ? "" : "  " + rest)
        }
        var lines = [
            row("expected", totals.expected),
            row("received", totals.received, "\(Figures.brief(record.rate)) a second"),
            row("lost", totals.lost, Figures.percent(totals.share(totals.lost)), isBad: totals.lost > 0),
        ]
        for (name, number, rest) in [
            ("skipped", totals.skipped, "of the lost, by the server, which said so"),
            ("duplicates", totals.duplicates, ""), ("out of order", totals.outOfOrder, ""),
            ("reconnects", totals.reconnects, ""),
        ] where number > 0 || name == "duplicates" { lines.append(row(name, number, rest)) }
        let wanted = totals.listenersWanted.map { " of \(Figures.count($0))" } ?? ""
        lines.append(
            row(
                "listeners", Figures.count(totals.joins) + wanted,
                "got in, \(Figures.count(totals.listenersMax)) at once, "
                    + "\(Figures.bytes(Double(totals.bytesReceived))) received",
                isBad: totals.listenersMissing ?? 0 > 0))
        return lines
    }

    private var costs: [String] {
        func row(_ name: String, _ seconds: Double, _ cpu: Double?, _ each: Double?, _ memory: Int?) -> String {
            var parts = ["\(Figures.fixed(seconds, 2)) s CPU"]
            if let cpu { parts.append("\(Figures.fixed(cpu * 100, 0)) % of a core") }
            if let each { parts.append("\(Figures.time(each)) per delivery") }
            if let memory { parts.append("\(Figures.bytes(Double(memory))) resident") }
            return Self.label(name) + "  " + parts.joined(separator: ", ")
        }
        var lines: [String] = []
        if let server = record.server {
            lines.append(
                row("server", server.cpuSeconds, server.cpu, server.microsecondsPerDelivery, server.residentBytes))
        }
        let harness = record.harness
        lines.append(
            row("harness", harness.cpuSeconds, harness.cpu, harness.microsecondsPerDelivery, harness.residentBytes))
        return lines
    }

    private var details: [String] {
        record.details.sorted { $0.key < $1.key }.compactMap { name, value in
            // Counts of zero are only in the JSON.
            if value == .integer(0) || value == .number(0) { return nil }
            return value.words.map { "  \(ConsoleLine.printable(name)): \($0)" }
        }
    }

    private var troubles: [String] {
        let errors = record.totals.errors.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return errors.map { code, count in
            style.tinted(Self.label("error"), .red) + "  \(ConsoleLine.printable(code)) × \(Figures.count(count))"
        }
            + record.harness.warnings.map { warning in
                style.tinted(Self.label("warning"), .yellow)
                    + "  \(ConsoleLine.printable(warning.message)) (\(ConsoleLine.printable(warning.code)))"
            }
    }

    private var verdicts: [String] {
        record.thresholds.map { result in
            let word = result.isPassed ? "ok" : "FAILED"
            let verdict = style.tinted(Self.label(word), result.isPassed ? .green : .red)
            let measured = result.measured.map(ConsoleLine.printable) ?? "not measured"
            return "\(verdict)  \(ConsoleLine.printable(result.expression)): \(measured)"
        }
    }

    // MARK: Columns

    private static func label(_ name: String) -> String {
        "  " + name + String(repeating: " ", count: max(1, 12 - name.count))
    }
    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(1, width - text.count)) + text
    }
}

extension ScenarioRecord {
    /// `20 rooms, 4000 listeners, 80 ms packets, party`.
    var words: String {
        func counted(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
        var parts = [counted(rooms, "room"), counted(listeners, "listener")]
        let duration = frameMilliseconds == frameMilliseconds.rounded() ? 0 : 1
        parts.append("\(Figures.fixed(frameMilliseconds, duration)) ms packets")
        if let bitrate { parts.append("\(bitrate) kbit/s") }
        if let delivery { parts.append(ConsoleLine.printable(delivery)) }
        return parts.joined(separator: ", ")
    }
}
