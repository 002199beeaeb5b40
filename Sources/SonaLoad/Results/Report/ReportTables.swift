internal import SonaBase

/// The tables of a report: every figure of one run, or of two beside each other with the change between them.
struct ReportTables: Sendable {
    private let runs: [RunRecord]
    private let names: [String]

    init(_ runs: [RunRecord], names: [String]) { (self.runs, self.names) = (runs, names) }

    // MARK: Figures

    private struct Figure {
        var name: String
        var values: [Double?]
        var text: (Double) -> String
    }

    /// One table for each subject.
    var figures: String {
        let subjects: [(String, [Figure])] = [
            ("Delay", times(\.totals.delay, unit: 1000)),
            ("Deliveries", deliveries),
            ("Join to first packet", times(\.totals.join, unit: 1000)),
            ("Clocks apart", times(\.totals.syncError, unit: 1)),
            (
                "Server",
                process { $0.server.map { ($0.cpuSeconds, $0.cpu, $0.microsecondsPerDelivery, $0.residentBytes) } }
            ),
            (
                "Harness",
                process {
                    (
                        $0.harness.cpuSeconds, $0.harness.cpu, $0.harness.microsecondsPerDelivery,
                        $0.harness.residentBytes
                    )
                }
                    + times(\.harness.lag, unit: 1000, prefix: "loop lag ", ["p50", "p99", "max"])
                    + times(\.harness.sendLateness, unit: 1000, prefix: "hosts late ", ["p50", "p99", "max"])
            ),
            ("Errors", errors),
        ]
        return (subjects.map { title, figures in table(title, figures) } + [details]).joined(separator: "\n")
    }

    private func table(_ title: String, _ figures: [Figure]) -> String {
        let rows = figures.filter { $0.values.contains { $0 != nil } }.map { figure -> [String] in
            let texts = figure.values.map { $0.map(figure.text) ?? "–" }
            return [figure.name] + texts + (runs.count == 2 ? [Self.change(figure.values[0], figure.values[1])] : [])
        }
        guard !rows.isEmpty else { return "" }
        let columns = runs.count == 2 ? ["figure", names[0], names[1], "change"] : ["figure", "value"]
        return "<section class=\"card\">\(HTMLText.table(caption: title, columns: columns, rows: rows))</section>"
    }

    /// The change from the second run to the first: `+12 %`.
    static func change(_ new: Double?, _ old: Double?) -> String {
        guard let new, let old else { return "–" }
        if new == old { return "=" }
        guard old != 0 else { return "–" }
        let percent = (new - old) / abs(old) * 100
        let size = abs(percent)
        if size < 0.05 { return "≈" }
        return (percent > 0 ? "+" : "−") + Figures.fixed(size, size < 10 ? 1 : 0) + " %"
    }

    private func times(
        _ path: KeyPath<RunRecord, Distribution?>, unit: Double, prefix: String = "",
        _ wanted: [String] = ["min", "p50", "p90", "p95", "p99", "p99.9", "max", "mean"]
    ) -> [Figure] {
        let all: [(String, KeyPath<Distribution, Double>)] = [
            ("min", \.min), ("p50", \.p50), ("p90", \.p90), ("p95", \.p95), ("p99", \.p99), ("p99.9", \.p999),
            ("max", \.max), ("mean", \.mean),
        ]
        return all.filter { wanted.contains($0.0) }.map { name, value in
            Figure(name: prefix + name, values: runs.map { $0[keyPath: path]?[keyPath: value] }) {
                Figures.time($0 * unit)
            }
        }
    }

    private var deliveries: [Figure] {
        func count(_ name: String, _ value: (RunRecord) -> Int) -> Figure {
            Figure(name: name, values: runs.map { Double(value($0)) }) { Figures.count(Int(exactly: $0) ?? 0) }
        }
        func bytes(_ name: String, _ value: (RunRecord) -> Int) -> Figure {
            Figure(name: name, values: runs.map { Double(value($0)) }, text: Figures.bytes)
        }
        return [
            count("expected") { $0.totals.expected }, count("received") { $0.totals.received },
            Figure(name: "received a second", values: runs.map(\.rate)) { Figures.brief($0) },
            count("lost") { $0.totals.lost },
            Figure(name: "lost, share", values: runs.map { $0.totals.share($0.totals.lost) }, text: Figures.percent),
            count("of them skipped by the server") { $0.totals.skipped },
            count("duplicates") { $0.totals.duplicates }, count("out of order") { $0.totals.outOfOrder },
            count("listeners at once") { $0.totals.listenersMax },
            count("joins") { $0.totals.joins },
            Figure(
                name: "listeners who never got in", values: runs.map { $0.totals.listenersMissing.map { Double($0) } }
            ) { Figures.count(Int(exactly: $0) ?? 0) },
            count("reconnects") { $0.totals.reconnects },
            bytes("bytes received") { $0.totals.bytesReceived }, bytes("bytes sent") { $0.totals.bytesSent },
        ]
    }

    private func process(_ values: (RunRecord) -> (Double, Double?, Double?, Int?)?) -> [Figure] {
        let read = runs.map(values)
        return [
            Figure(name: "per delivery", values: read.map { $0?.2 }, text: Figures.time),
            Figure(name: "of a core", values: read.map { $0?.1 }, text: Figures.percent),
            Figure(name: "CPU time", values: read.map { $0.map(\.0) }) { Figures.time($0 * 1e6) },
            Figure(name: "resident, most", values: read.map { $0?.3.map(Double.init) }, text: Figures.bytes),
        ]
    }

    private var errors: [Figure] {
        Set(runs.flatMap(\.totals.errors.keys)).sorted().map { code in
            Figure(name: code, values: runs.map { Double($0.totals.errors[code] ?? 0) }) {
                Figures.count(Int(exactly: $0) ?? 0)
            }
        }
    }

    private var details: String {
        let rows = Set(runs.flatMap(\.details.keys)).sorted().compactMap { name -> [String]? in
            let texts = runs.map { $0.details[name]?.words }
            return texts.contains { $0 != nil } ? [name] + texts.map { $0 ?? "–" } : nil
        }
        guard !rows.isEmpty else { return "" }
        let columns = ["figure"] + (runs.count == 2 ? names : ["value"])
        return
            "<section class=\"card\">\(HTMLText.table(caption: "Also noted", columns: columns, rows: rows))</section>"
    }

    // MARK: Environment

    /// Where and how the runs took place.
    var environment: String {
        var rows: [[String]] = []
        func add(_ name: String, _ value: (RunRecord) -> String?) {
            let texts = runs.map(value)
            if texts.contains(where: { $0 != nil }) { rows.append([name] + texts.map { $0 ?? "–" }) }
        }
        for (name, value) in Self.facts { add(name, value) }
        for name in Set(runs.flatMap(\.environment.limits.keys)).sorted() { add(name) { $0.environment.limits[name] } }
        return HTMLText.table(
            caption: "Scenario, machine of the harness, limits in force",
            columns: ["what"] + (runs.count == 2 ? names : ["value"]), rows: rows, isNumeric: false)
    }

    /// Differences between the two runs that matter for comparing them.
    var differences: [String] {
        guard runs.count == 2 else { return [] }
        let names = [
            "rooms", "listeners", "packets", "bit rate", "delivery", "planned length", "processor", "cores", "kernel",
        ]
        return Self.facts.filter { names.contains($0.0) && $0.1(runs[0]) != $0.1(runs[1]) }.map { name, value in
            "\(name) \(value(runs[0]) ?? "not known") against \(value(runs[1]) ?? "not known")"
        }
    }

    private static let facts: [(String, @Sendable (RunRecord) -> String?)] = [
        ("started", { $0.started }),
        ("measured", { "\(Figures.fixed($0.seconds, 1)) s" }),
        ("ended", { $0.end.rawValue }),
        ("seed", { "\($0.seed)" }),
        ("server's address", { $0.scenario.server }),
        ("server", { $0.environment.versions.server }),
        ("sonaload", { $0.environment.versions.harness }),
        ("rooms", { "\($0.scenario.rooms)" }),
        ("hosts", { "\($0.scenario.hosts)" }),
        ("listeners", { "\($0.scenario.listeners)" }),
        ("planned length", { "\(Figures.fixed($0.scenario.seconds, 0)) s" }),
        ("packets", { "\(Figures.trimmed(Figures.fixed($0.scenario.frameMilliseconds, 1))) ms" }),
        ("bit rate", { $0.scenario.bitrate.map { "\($0) kbit/s" } }),
        ("delivery", { $0.scenario.delivery }),
        ("processor", { $0.environment.machine.processor }),
        ("cores", { $0.environment.machine.cores.map { "\($0)" } }),
        ("memory", { $0.environment.machine.memoryBytes.map { Figures.bytes(Double($0)) } }),
        ("system", { $0.environment.machine.system }),
        ("kernel", { $0.environment.machine.kernel }),
        ("load before", { $0.environment.machine.loadBefore.map { Figures.fixed($0, 2) } }),
    ]
}

extension RunRecord {
    /// When it began, for people: `2026-11-22 08:00:00 UTC`.
    var started: String {
        guard startedAt.hasSuffix("Z") else { return startedAt }
        return startedAt.dropLast().split(separator: "T").joined(separator: " ") + " UTC"
    }
}
