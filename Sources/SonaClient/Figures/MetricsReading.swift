internal import SonaEventLoop

/// The figures of `/metrics` at one moment.
///
/// Source: Prometheus, "Exposition formats", text format 0.0.4.
package struct MetricsReading: Sendable {
    /// When it was read, microseconds of this machine's monotonic clock.
    package var atMicroseconds: Int64
    /// By name; over all labels but `le` they are summed.
    private var values: [String: Double] = [:]
    /// The counts of a histogram up to each bound, by its name.
    private var buckets: [String: [Double: Double]] = [:]

    package init(_ text: String, atMicroseconds: Int64 = MonotonicClock.nowMicroseconds()) {
        self.atMicroseconds = atMicroseconds
        for line in text.split(separator: "\n") where !line.hasPrefix("#") { take(line) }
    }

    private mutating func take(_ line: Substring) {
        // Values of our labels have neither spaces nor quotes.
        guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else { return }
        let series = line[..<space]
        let name = String(series.prefix { $0 != "{" })
        if let mark = series.firstRange(of: "le=\"") {
            let bound = series[mark.upperBound...].prefix { $0 != "\"" }
            let number = bound == "+Inf" ? Double.infinity : Double(bound)
            if let number { buckets[name, default: [:]][number, default: 0] += value }
        } else {
            values[name, default: 0] += value
        }
    }

    /// The sum of a figure over its labels; nil if the server has none of that name.
    package subscript(name: String) -> Double? { values[name] }

    /// How much a counter grew in a second since an earlier reading. A counter that is lower than before began anew with
    /// its server.
    package func rate(_ name: String, since before: MetricsReading) -> Double? {
        guard let now = values[name], atMicroseconds > before.atMicroseconds else { return nil }
        let then = before.values[name] ?? 0
        return (now >= then ? now - then : now) * 1e6 / Double(atMicroseconds - before.atMicroseconds)
    }

    /// The bound below which so much (0…1) of what came to a histogram since an earlier reading lies; 0 if nothing came,
    /// the greatest finite bound if it lies above that.
    package func quantile(_ part: Double, of name: String, since before: MetricsReading) -> Double? {
        guard let now = buckets[name + "_bucket"] else { return nil }
        let then = before.buckets[name + "_bucket"] ?? [:]
        let bounds = now.keys.sorted()
        let isRestarted = bounds.contains { (now[$0] ?? 0) < (then[$0] ?? 0) }
        let counts = bounds.map { (now[$0] ?? 0) - (isRestarted ? 0 : then[$0] ?? 0) }
        guard let all = counts.last, all > 0 else { return 0 }
        let index = counts.firstIndex { $0 >= all * part } ?? counts.count - 1
        return bounds[index].isFinite ? bounds[index] : bounds.dropLast().last ?? 0
    }
}
