internal import SonaBase

/// Something a threshold can be set on, and how it is read from a record.
struct ThresholdField: Sendable {
    /// The quantity it measures, which decides the units that fit.
    enum Kind: Sendable {
        /// µs.
        case time
        case count
        /// Deliveries: a count, or a share of those expected.
        case deliveries
        case bytes
        /// 1 is a whole core.
        case cores
    }

    var name: String
    var kind: Kind
    /// Nil if it was not measured.
    var value: @Sendable (RunRecord) -> Double?

    init(_ name: String, _ kind: Kind, _ value: @escaping @Sendable (RunRecord) -> Double?) {
        (self.name, self.kind, self.value) = (name, kind, value)
    }

    /// If nothing was expected, losses are unknown: such a run measured none of these fields.
    private static func deliveries(
        _ name: String, _ value: @escaping @Sendable (Totals) -> Int
    ) -> ThresholdField {
        ThresholdField(name, .deliveries) { $0.totals.expected > 0 ? Double(value($0.totals)) : nil }
    }

    /// - Returns: Nil if there is no field of this name.
    static func named(_ name: String) -> ThresholdField? {
        if let field = plain.first(where: { $0.name == name }) { return field }
        if name.hasPrefix("errors."), name.utf8.count > "errors.".utf8.count {
            let code = String(name.dropFirst("errors.".count))
            return ThresholdField(name, .count) { Double($0.totals.errors[code] ?? 0) }
        }
        for group in groups where name.hasPrefix(group.name + ".") {
            guard let statistic = Statistic(name.dropFirst(group.name.count + 1)) else { return nil }
            if group.histogram == nil && !statistic.isKept { return nil }
            return ThresholdField(name, .time) { record in
                if let histogram = group.histogram?(record), let value = statistic.value(in: histogram) { return value }
                return group.distribution(record).flatMap { statistic.value(in: $0) }.map { $0 * group.unit.rawValue }
            }
        }
        return nil
    }

    /// The list of names, for the message about an unknown one.
    static var list: String {
        let rows = stride(from: 0, to: plain.count, by: 8).map { first in
            plain[first..<min(first + 8, plain.count)].map(\.name).joined(separator: ", ")
        }
        return """
            Fields: \(rows.joined(separator: ",\n")), errors.CODE;
            \(groups.map { $0.name + ".…" }.joined(separator: ", ")) with min, mean, p50, p90, p95, p99, p999, max;
            of delay and join any percentile, as delay.p99.95.
            Units: ns, us, ms, s, min for times; % for deliveries (of those expected) and cpu (of a core);
            B, kB, MB, GB, KiB, MiB, GiB for bytes. Comparisons: > >= < <= == !=
            """
    }

    private static let plain: [ThresholdField] = [
        ThresholdField("expected", .count) { Double($0.totals.expected) },
        .deliveries("received") { $0.received },
        .deliveries("lost") { $0.lost },
        .deliveries("duplicates") { $0.duplicates },
        .deliveries("out_of_order") { $0.outOfOrder },
        .deliveries("skipped") { $0.skipped },
        ThresholdField("rate", .count) { $0.rate },
        ThresholdField("duration", .time) { $0.seconds * 1e6 },
        ThresholdField("listeners_max", .count) { Double($0.totals.listenersMax) },
        ThresholdField("listeners_missing", .count) { $0.totals.listenersMissing.map { Double($0) } },
        ThresholdField("joins", .count) { Double($0.totals.joins) },
        ThresholdField("reconnects", .count) { Double($0.totals.reconnects) },
        ThresholdField("errors", .count) { Double($0.totals.errorCount) },
        ThresholdField("bytes_received", .bytes) { Double($0.totals.bytesReceived) },
        ThresholdField("bytes_sent", .bytes) { Double($0.totals.bytesSent) },
        ThresholdField("server.cpu", .cores) { $0.server?.cpu },
        ThresholdField("server.cpu_s", .time) { ($0.server?.cpuSeconds).map { $0 * 1e6 } },
        ThresholdField("server.us_per_delivery", .time) { $0.server?.microsecondsPerDelivery },
        ThresholdField("server.rss_bytes", .bytes) { ($0.server?.residentBytes).map { Double($0) } },
        ThresholdField("harness.cpu", .cores) { $0.harness.cpu },
        ThresholdField("harness.cpu_s", .time) { $0.harness.cpuSeconds * 1e6 },
        ThresholdField("harness.us_per_delivery", .time) { $0.harness.microsecondsPerDelivery },
        ThresholdField("harness.rss_bytes", .bytes) { ($0.harness.residentBytes).map { Double($0) } },
        ThresholdField("harness.warnings", .count) { Double($0.harness.warnings.count) },
    ]

    private struct Group: Sendable {
        var name: String
        var unit = Distribution.Unit.milliseconds
        var histogram: (@Sendable (RunRecord) -> Histogram?)?
        var distribution: @Sendable (RunRecord) -> Distribution?
    }

    private static let groups = [
        Group(name: "delay", histogram: { $0.delays }, distribution: { $0.totals.delay }),
        Group(name: "join", histogram: { $0.joins }, distribution: { $0.totals.join }),
        Group(name: "sync_error", unit: .microseconds, distribution: { $0.totals.syncError }),
        Group(name: "harness.lag", distribution: { $0.harness.lag }),
        Group(name: "harness.send_lateness", distribution: { $0.harness.sendLateness }),
    ]
}

/// One number of a distribution: `min`, `mean`, `max`, or a percentile: `p50`, `p99.9`; `p999` is 99.9 too. Only what
/// begins with a 9 is written without its point: `p100` is no percentile, and not the tenth either.
enum Statistic: Sendable, Equatable {
    case min, mean, max
    /// Above 0, below 1.
    case percentile(Double)

    init?(_ text: Substring) {
        switch text {
        case "min": self = .min
        case "mean": self = .mean
        case "max": self = .max
        default:
            let digits = text.dropFirst()
            guard text.first == "p", let first = digits.first, first.isASCII, first.isNumber, digits.utf8.count <= 12,
                digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") })
            else { return nil }
            let isCompact = first == "9" && digits.count > 2 && !digits.contains(".")
            let written = isCompact ? digits.prefix(2) + "." + digits.dropFirst(2) : digits
            // A 0 in front of others may stand for a fraction or for nothing.
            guard first != "0" || digits.dropFirst().first == ".", let percent = Double(written), percent > 0,
                percent < 100
            else { return nil }
            self = .percentile(percent / 100)
        }
    }

    /// Whether a `Distribution` has it.
    var isKept: Bool {
        guard case .percentile(let share) = self else { return true }
        return [0.5, 0.9, 0.95, 0.99, 0.999].contains { abs($0 - share) < 1e-9 }
    }

    /// µs.
    func value(in histogram: Histogram) -> Double? {
        switch self {
        case .min: histogram.min.map { Double($0) }
        case .mean: histogram.mean
        case .max: histogram.max.map { Double($0) }
        case .percentile(let share): histogram.percentile(share).map { Double($0) }
        }
    }

    /// The value in the distribution's unit.
    func value(in distribution: Distribution) -> Double? {
        switch self {
        case .min: distribution.min
        case .mean: distribution.mean
        case .max: distribution.max
        case .percentile(let share):
            [
                (0.5, distribution.p50), (0.9, distribution.p90), (0.95, distribution.p95), (0.99, distribution.p99),
                (0.999, distribution.p999),
            ].first { abs($0.0 - share) < 1e-9 }?.1
        }
    }
}
