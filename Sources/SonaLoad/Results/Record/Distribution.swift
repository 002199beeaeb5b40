package import SonaBase

/// A histogram summarised in a few numbers, all in one unit:
/// `{"count","min","mean","p50","p90","p95","p99","p999","max"}`.
///
/// The unit is in the name of the key under which it stands: `delay_ms`, `sync_error_us`.
package struct Distribution: Codable, Sendable, Equatable {
    package enum Unit: Double, Sendable {
        case microseconds = 1
        case milliseconds = 1000
    }

    package var count: Int
    package var min: Double
    package var mean: Double
    package var p50: Double
    package var p90: Double
    package var p95: Double
    package var p99: Double
    /// 99.9 %.
    package var p999: Double
    package var max: Double

    /// Nil if nothing was recorded: a figure that was not measured is absent.
    package init?(_ histogram: Histogram, in unit: Unit) {
        guard let min = histogram.min, let mean = histogram.mean, let max = histogram.max else { return nil }
        let percentiles = histogram.percentiles([0.5, 0.9, 0.95, 0.99, 0.999]).map { Double($0) / unit.rawValue }
        count = histogram.count
        self.min = Double(min) / unit.rawValue
        // Rounded to a nanosecond: further digits carry no information.
        self.mean = (mean / unit.rawValue * 1e6).rounded() / 1e6
        p50 = percentiles[0]
        p90 = percentiles[1]
        p95 = percentiles[2]
        p99 = percentiles[3]
        p999 = percentiles[4]
        self.max = Double(max) / unit.rawValue
    }
}
