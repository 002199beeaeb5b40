import DeliveryLoad
import Foundation

/// One line of two servers.
struct PairedResult: Codable {
    struct Round: Codable {
        /// Processor time per delivery, of A and B.
        var microseconds: [Double]
        var p99Milliseconds: [Double]

        var ratio: Double { microseconds[1] / microseconds[0] }
    }

    var name: String
    var a: String
    var b: String
    var listeners: Int
    var packetsPerSecond: Double
    var goal: Double?
    /// Above 1 if packets were gathered: because the room is one for a party, or because there was too much to do.
    var packetsPerWriteOfB: Double?
    /// How long B may hold packets back to gather them; nil if it is to send each at once.
    var heldMillisecondsOfB: Double?
    var rounds: [Round]

    var ratios: [Double] { rounds.map(\.ratio).sorted() }

    /// Whether packets met those of the next period still under way: the core, or the generator's, was too slow, and what a
    /// server does then is something else. What is held back to be gathered is not late.
    var isOverloaded: Bool {
        let allowed = 1000 / packetsPerSecond
        let late = rounds.filter {
            $0.p99Milliseconds[0] > allowed || $0.p99Milliseconds[1] > allowed + (heldMillisecondsOfB ?? 0)
        }
        return late.count * 2 > rounds.count
    }

    var verdict: String {
        if heldMillisecondsOfB == nil, let packetsPerWriteOfB, packetsPerWriteOfB > 1.05 { return "gathered of itself" }
        if isOverloaded { return "overloaded" }
        return goal.map { Report.median(ratios) <= $0 ? "" : "above" } ?? ""
    }
}

/// One number of one server.
struct Figure: Codable {
    var line: String
    var what: String
    var value: Double
    var unit: String
    var goal: Double?
    /// Whether the run fails above its goal.
    var asserted: Bool
}

/// The facts about the machine that a result needs to be meaningful.
struct Machine: Codable {
    var date = ISO8601DateFormatter().string(from: Date())
    var commit: String?
    var processor = "unknown"
    var cores = ProcessInfo.processInfo.processorCount
    var kernel = ""
    /// Over the last minute, before the run.
    var load = 0.0

    init(commit: String?) {
        self.commit = commit
        func read(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
        if let line = read("/proc/cpuinfo").split(separator: "\n").first(where: { $0.hasPrefix("model name") }) {
            processor = String(line.drop { $0 != ":" }.dropFirst(2))
        }
        kernel = read("/proc/sys/kernel/osrelease").trimmingCharacters(in: .whitespacesAndNewlines)
        load = read("/proc/loadavg").split(separator: " ").first.flatMap { Double($0) } ?? 0
    }
}

struct Report: Codable {
    var machine: Machine
    /// Per line, and how long each.
    var rounds: Int
    var seconds: Double
    var paired: [PairedResult] = []
    var figures: [Figure] = []
    var skipped: [String] = []
    /// Counts above their limit, packets lost or doubled, lines that could not be finished.
    var broken: [String] = []

    init(machine: Machine, rounds: Int, seconds: Double) {
        self.machine = machine
        self.rounds = rounds
        self.seconds = seconds
    }

    var holds: Bool { broken.isEmpty }

    mutating func add(_ line: String, _ what: String, _ value: Double, _ unit: String, goal: Double? = nil) {
        figures.append(Figure(line: line, what: what, value: value, unit: unit, goal: goal, asserted: false))
    }

    mutating func assert(_ line: String, _ what: String, _ value: Double, max: Double) {
        figures.append(Figure(line: line, what: what, value: value, unit: "", goal: max, asserted: true))
        // Written so that what is not a number fails too.
        if !(value <= max) { broken.append("\(line): \(what): \(Self.text(value)) is above \(Self.text(max))") }
    }

    mutating func delays(_ line: String, _ when: String, _ delays: Delays) {
        add(line, "a room of 100, \(when): delay p99", delays.percentile(0.99), "ms")
        add(line, "a room of 100, \(when): delay max", delays.maxMilliseconds, "ms")
    }

    /// Every listener has to have got every packet, once and in order. Where the machine was too slow some may come too late
    /// or, with Sona, be passed over; but still none twice.
    mutating func check(_ line: String, _ generator: Generator, _ venues: [Venue], overloaded: Bool = false) {
        for venue in venues {
            let tally = generator.tally(venue.side)
            let missing = generator.missing(side: venue.side)
            let lost = missing != 0 || tally.skipped != 0 || tally.closed != 0
            if tally.disordered != 0 || lost && !overloaded {
                broken.append(
                    "\(line): \(venue.entrant.name): \(missing) packets missing, \(tally.skipped) skipped, "
                        + "\(tally.disordered) doubled or out of order, \(tally.closed) connections lost "
                        + generator.complaints.prefix(1).joined())
            }
        }
    }

    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return try encoder.encode(self)
    }

    var text: String {
        var lines = [
            "\(machine.processor), \(machine.cores) cores, Linux \(machine.kernel), load \(machine.load), "
                + "\(machine.date)" + (machine.commit.map { ", \($0)" } ?? "") + "; \(rounds) rounds of \(seconds) s"
        ]
        if !paired.isEmpty {
            lines += [
                "",
                "| line | A | B | N × packets/s | CPU per delivery, B/A | spread | goal | A | B | p99 of A, B "
                    + "| gathered | |",
            ]
            lines += ["|---|---|---|---|---:|---:|---:|---:|---:|---:|---:|---|"] + paired.map(row)
        }
        if !figures.isEmpty {
            lines += ["", "| line | what | value | goal | |", "|---|---|---:|---:|---|"] + figures.map(row)
        }
        if !skipped.isEmpty { lines += ["", "Left out:"] + skipped.map { "- \($0)" } }
        if !broken.isEmpty { lines += ["", "Broken:"] + broken.map { "- \($0)" } }
        return lines.joined(separator: "\n")
    }

    private func row(_ result: PairedResult) -> String {
        let ratios = result.ratios
        func median(_ values: [Double]) -> Double { Self.median(values) }
        let cells = [
            result.name, result.a, result.b, "\(result.listeners) × \(String(format: "%g", result.packetsPerSecond))",
            Self.text(median(ratios)),
            "\(Self.text(ratios[0]))–\(Self.text(ratios[ratios.count - 1]))",
            result.goal.map { "≤ \(Self.text($0))" } ?? "",
            "\(Self.text(median(result.rounds.map { $0.microseconds[0] }))) µs",
            "\(Self.text(median(result.rounds.map { $0.microseconds[1] }))) µs",
            "\(Self.text(median(result.rounds.map { $0.p99Milliseconds[0] }))), "
                + "\(Self.text(median(result.rounds.map { $0.p99Milliseconds[1] }))) ms",
            result.packetsPerWriteOfB.map { Self.text($0) } ?? "",
            result.verdict,
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }

    private func row(_ figure: Figure) -> String {
        let goal = figure.goal.map { "≤ \(Self.text($0))" } ?? ""
        let verdict = (figure.goal.map { figure.value > $0 } ?? false) ? (figure.asserted ? "broken" : "above") : ""
        let value = Self.text(figure.value) + (figure.unit.isEmpty ? "" : " \(figure.unit)")
        return "| \(figure.line) | \(figure.what) | \(value) | \(goal) | \(verdict) |"
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    static func text(_ value: Double) -> String {
        String(format: abs(value) < 0.1 && value != 0 ? "%.4f" : abs(value) < 100 ? "%.2f" : "%.0f", value)
    }
}
