import Foundation

/// The result of a run: the machine and the tables.
struct Report: Codable, Sendable {
    var machine: Machine
    var rounds: Int
    var lines: [LineResult]

    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    var text: String {
        var text = machine.text + "\n\(rounds) rounds; medians; spread is (greatest - least) / median of the rate\n"
        for line in lines { text += "\n\(line.name): \(line.title)\n" + table(line) }
        return text
    }

    private func table(_ line: LineResult) -> String {
        let hasLatencies = line.entrants.contains { $0.p50Nanoseconds != nil }
        let header = ["", "rate", "spread", "x raw cpu", "x raw wall", "vs GRDB", "vs best"]
        var rows = [header + (hasLatencies ? ["p50", "p99"] : [])]
        for entrant in line.entrants {
            rows.append(
                [
                    entrant.name, Self.rate(entrant.rate), "\(Int((entrant.spread * 100).rounded())) %",
                    Self.times(entrant.cpuOverFloor), Self.times(entrant.wallOverFloor),
                    Self.times(entrant.timesGRDB), Self.times(entrant.timesGRDBBest),
                ] + (hasLatencies ? [Self.time(entrant.p50Nanoseconds), Self.time(entrant.p99Nanoseconds)] : []))
        }
        let widths = rows[0].indices.map { column in max(9, rows.map { $0[column].count }.max() ?? 0) }
        return rows.map { row in
            let cells = row.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - row[column].count)
                return column == 0 ? row[column] + padding : padding + row[column]
            }
            return "  " + cells.joined(separator: "  ") + "\n"
        }.joined()
    }

    private static func rate(_ value: Double) -> String {
        switch value {
        case 1e6...: String(format: "%.2f M/s", value / 1e6)
        case 1e5...: String(format: "%.0f k/s", value / 1e3)
        case 1e3...: String(format: "%.1f k/s", value / 1e3)
        default: String(format: "%.0f /s", value)
        }
    }

    private static func times(_ value: Double?) -> String {
        guard let value else { return "-" }
        return String(format: value < 10 ? "%.2f" : "%.1f", value)
    }

    private static func time(_ nanoseconds: Double?) -> String {
        guard let nanoseconds else { return "-" }
        return nanoseconds < 1e6
            ? String(format: "%.1f us", nanoseconds / 1e3) : String(format: "%.2f ms", nanoseconds / 1e6)
    }
}
