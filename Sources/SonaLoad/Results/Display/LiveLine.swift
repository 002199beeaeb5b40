internal import SonaBase

/// One line about one second of a run: time, rate, listeners, p50, p99, losses, server, time to go.
struct LiveLine: Sendable {
    /// One figure of the line.
    private struct Part {
        var text: String
        /// If the line is too long, parts with the greatest rank are dropped first.
        var rank: Int
        var tint: TerminalStyle.Tint?
    }

    private var parts: [Part]

    /// - Parameters:
    ///   - lost: Since the run began, and how many of them the server skipped.
    ///   - total: Planned length of the run, seconds; 0 if nobody knows.
    init(_ interval: IntervalRecord, lost: (all: Int, skipped: Int), elapsed: Double, total: Double) {
        func padded(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count)) + text
        }
        let hasEnd = total > 0
        parts = [
            Part(text: padded(Figures.clock(elapsed), 5) + (hasEnd ? "/" + Figures.clock(total) : ""), rank: 0),
            Part(text: padded(Figures.brief(interval.rate), 5) + "/s", rank: 1),
            Part(text: padded("\(interval.listeners)", 5) + " listeners", rank: 6),
            Part(text: "p50 " + padded(Figures.milliseconds(interval.p50), 7), rank: 3),
            Part(text: "p99 " + padded(Figures.milliseconds(interval.p99), 7), rank: 2),
            Part(
                text: "lost \(lost.all)" + (lost.skipped > 0 ? ", \(lost.skipped) skipped" : ""), rank: 4,
                tint: lost.all > 0 ? .red : nil),
        ]
        if let cpu = interval.serverCPU {
            let memory = interval.serverResidentBytes.map { ", " + Figures.bytes(Double($0)) } ?? ""
            parts.append(Part(text: "server \(Figures.fixed(cpu * 100, 0)) %\(memory)", rank: 7))
        }
        if let phase = interval.phase { parts.append(Part(text: ConsoleLine.printable(phase), rank: 8, tint: .dim)) }
        if hasEnd { parts.append(Part(text: "eta " + Figures.clock(total - elapsed), rank: 5)) }
    }

    /// - Parameter columns: What there is room for; parts that do not fit are left out, the least important first.
    func text(columns: Int = .max, style: TerminalStyle) -> String {
        var kept = parts
        while kept.count > 1, Self.width(kept) > columns, let last = kept.map(\.rank).max() {
            kept.removeAll { $0.rank == last }
        }
        if let only = kept.first, kept.count == 1 { return String(only.text.prefix(columns)) }
        return kept.map { part in part.tint.map { style.tinted(part.text, $0) } ?? part.text }.joined(separator: "  ")
    }

    private static func width(_ parts: [Part]) -> Int {
        parts.reduce(0) { $0 + $1.text.count } + 2 * (parts.count - 1)
    }
}
