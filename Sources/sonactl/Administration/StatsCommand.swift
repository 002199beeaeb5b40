internal import ArgumentParser
internal import SonaBase
internal import SonaClient
internal import SonaEventLoop
internal import SonaWire

/// `sonactl stats`.
struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Shows how busy the server is just now. For the operator.",
        discussion: """
            Reads the server's metrics twice and shows what changed in a second: at the operator's socket (--server \
            unix:DATA), or where sona serve --metrics says (--metrics). With --watch it goes on until Ctrl-C: a table that \
            is redrawn on a terminal, a line a second elsewhere. The last hour: sonactl server history.
            """)

    @OptionGroup var global: GlobalOptions
    @Option(help: ArgumentHelp("Where the server's metrics are, such as http://127.0.0.1:9337.", valueName: "url"))
    var metrics: String?
    @Flag(help: "Go on, a reading a second.") var watch = false
    @Option(help: ArgumentHelp("Seconds between readings.", valueName: "seconds")) var every = 1.0
    @Option(help: ArgumentHelp("With --watch, end after so many.", valueName: "n")) var count: Int?
    @Flag(help: "Print one JSON object for each reading.") var json = false

    func validate() throws {
        guard every >= 0.1, every <= 3_600 else { throw ValidationError("--every takes 0.1 to 3600 seconds.") }
        guard count.map({ $0 > 0 }) ?? true else { throw ValidationError("--count takes a number above 0.") }
    }

    func run() async throws {
        let read = try place()
        var before = MetricsReading(try await read())
        var drawing = StatsDrawing()
        var left = watch ? count ?? .max : 1
        while left > 0 {
            try await Task.sleep(for: .milliseconds(Int64(every * 1_000)))
            let now = MetricsReading(try await read())
            let figures = StatsFigures(now, since: before)
            if json {
                Console.out(json: figures.json.encoded())
            } else if !watch {
                drawing.table(figures)
            } else {
                drawing.next(figures)
            }
            before = now
            left -= 1
        }
    }

    /// What reads the metrics.
    private func place() throws -> () async throws -> String {
        if let metrics {
            let address: ServerAddress
            do {
                address = try ServerAddress(metrics.hasSuffix("/metrics") ? String(metrics.dropLast(8)) : metrics)
            } catch {
                throw Failure(64, error.description)
            }
            return { try await address.metrics() }
        }
        guard let socket = try global.operatorSocket() else {
            throw Failure(
                64, "Name where the server's metrics are: --server unix:DATA, its data folder, or --metrics URL.")
        }
        return { try await socket.metrics() }
    }
}

/// The figures of one line.
struct StatsFigures {
    struct Figure {
        /// The name in JSON, with its unit.
        var name: String
        /// The name for people.
        var title: String
        var value: Double
        var text: String
    }

    let atMilliseconds: Int64
    let figures: [Figure]

    init(_ now: MetricsReading, since before: MetricsReading) {
        atMilliseconds = MonotonicClock.wallMilliseconds()
        func rate(_ names: String...) -> Double { names.reduce(0) { $0 + (now.rate($1, since: before) ?? 0) } }
        func value(_ name: String) -> Double { now[name] ?? 0 }
        func count(_ name: String, _ title: String, _ value: Double) -> Figure {
            Figure(name: name, title: title, value: value.rounded(), text: "\(Int64(value.rounded()))")
        }
        func each(_ name: String, _ title: String, _ value: Double) -> Figure {
            Figure(name: name + "_per_second", title: title, value: value, text: Self.short(value) + "/s")
        }
        var figures = [
            count("listeners", "listeners", value("sona_listeners")),
            count("rooms_live", "rooms live", value("sona_rooms_live")),
            count("sockets", "sockets", value("sona_sockets")),
            each(
                "packets", "packets",
                rate("sona_audio_packets_delivered_total", "sona_radio_packets_delivered_total")),
            each("skipped_packets", "skipped", rate("sona_audio_packets_skipped_total")),
        ]
        let sent = rate("sona_sent_bytes_total")
        figures.append(
            Figure(
                name: "sent_bytes_per_second", title: "sent", value: sent, text: ByteText.of(Int64(sent)) + "/s"))
        figures += [
            each("requests", "requests", rate("sona_requests_total")),
            each("request_errors", "errors", rate("sona_request_errors_total")),
        ]
        let lag = now.quantile(0.99, of: "sona_loop_lag_seconds", since: before) ?? 0
        figures.append(
            Figure(name: "loop_lag_p99_seconds", title: "lag p99", value: lag, text: Self.short(lag * 1_000) + " ms"))
        if let processor = now.rate("process_cpu_seconds_total", since: before) {
            figures.append(
                Figure(
                    name: "processor_share", title: "processor", value: processor,
                    text: Self.short(processor * 100) + " %"))
        }
        if let memory = now["process_resident_memory_bytes"] {
            figures.append(
                Figure(name: "resident_bytes", title: "memory", value: memory, text: ByteText.of(Int64(memory))))
        }
        self.figures = figures
    }

    /// One digit after the point below a hundred.
    private static func short(_ value: Double) -> String {
        value >= 100 ? "\(Int64(value.rounded()))" : "\((value * 10).rounded() / 10)"
    }

    /// For programs: names with their units, values with three digits after the point.
    var json: JSON {
        let members = figures.map { figure in
            let isWhole = figure.value == figure.value.rounded()
            let value = isWhole ? JSON.integer(Int64(figure.value)) : .number((figure.value * 1_000).rounded() / 1_000)
            return JSON.Member(key: figure.name, value: value)
        }
        return .object([JSON.Member(key: "at_ms", value: .integer(atMilliseconds))] + members)
    }
}

/// Draws figures: one table in place on a terminal, a line each elsewhere.
struct StatsDrawing {
    private var drawnLines = 0
    private let isTerminal = ConsoleLine.isInteractive(1)

    func table(_ figures: StatsFigures) {
        for line in Self.lines(figures) { Console.out(line) }
    }

    mutating func next(_ figures: StatsFigures) {
        guard isTerminal else {
            let words = figures.figures.map { "\($0.title) \($0.text)" }.joined(separator: "  ")
            return Console.out("\(UTC.text(milliseconds: figures.atMilliseconds))  \(words)")
        }
        let lines = Self.lines(figures)
        // Up to the first line drawn before, and each line anew to its end.
        let up = drawnLines > 0 ? "\u{1B}[\(drawnLines)A" : ""
        Console.out(up + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\n"))
        drawnLines = lines.count
    }

    private static func lines(_ figures: StatsFigures) -> [String] {
        var table = Table()
        for figure in figures.figures { table.add(figure.title, figure.text) }
        return table.lines
    }
}
