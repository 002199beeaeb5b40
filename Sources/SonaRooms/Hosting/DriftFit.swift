/// How much longer than 1/48 000 s a host's sample lasts, by the server's clock.
package struct DriftEstimate: Sendable, Equatable {
    /// Millionths; negative for a sound card that runs fast.
    package var ppm: Double
    /// Standard deviation of `ppm`.
    package var sigmaPPM: Double

    package init(ppm: Double, sigmaPPM: Double) {
        self.ppm = ppm
        self.sigmaPPM = sigmaPPM
    }
}

/// Fits a line through points of which some may lie anywhere: the slope that most of them agree on.
///
/// The fit begins with the median of the slopes between points far from each other (Theil and Sen), which holds
/// although 29 of 100 points are wild. Least squares then refine it; a point weighs less the further off it lies
/// (Tukey's biweight). O(n² log n); n is at most a few dozen.
enum DriftFit {
    struct Point: Sendable, Equatable {
        /// Time by the host's samples, µs.
        var x: Double
        /// Delay against that many samples of 1/48 000 s, µs.
        var y: Double
        /// Largest error of `y`, µs.
        var error: Double
    }

    /// A fit needs at least this many points; fewer, or points too close together, say nothing useful.
    static let pointsMin = 5
    static let spanMin = 4_000_000.0
    /// Nothing is measured better than this, µs.
    private static let scaleMin = 20.0
    private static let passes = 4
    /// Distance at which a point counts for nothing, in units of the scatter (the usual constant of the biweight).
    private static let tuning = 4.685

    /// The slope, in millionths; nil if there are too few points.
    static func slope(_ points: [Point]) -> DriftEstimate? {
        fit(points)?.estimate
    }

    /// The line's height at `x`, with its scatter, µs.
    static func height(_ points: [Point], at x: Double) -> (y: Double, scatter: Double)? {
        fit(points).map { ($0.level + $0.estimate.ppm * 1e-6 * (x - $0.middle), $0.scatter) }
    }

    private struct Fit {
        var estimate: DriftEstimate
        var level: Double
        var middle: Double
        var scatter: Double
    }

    private static func fit(_ points: [Point]) -> Fit? {
        guard points.count >= pointsMin, let low = points.map(\.x).min(), let high = points.map(\.x).max(),
            high - low >= spanMin
        else { return nil }
        var slope = medianSlope(points, apart: (high - low) / 3)
        var middle = (low + high) / 2
        var level = median(points.map { $0.y - slope * ($0.x - middle) })
        var (scatter, sigma) = (0.0, 0.0)
        for _ in 0..<passes {
            let residuals = points.map { $0.y - level - slope * ($0.x - middle) }
            scatter = max(scaleMin, 1.4826 * median(residuals.map { abs($0) }))
            var (sum, sumX, sumY) = (0.0, 0.0, 0.0)
            var weights: [Double] = []
            for (point, residual) in zip(points, residuals) {
                let reach = tuning * max(scatter, point.error)
                let off = residual / reach
                let trust = abs(off) < 1 ? (1 - off * off) * (1 - off * off) : 0
                let weight = trust / (scatter * scatter + point.error * point.error)
                weights.append(weight)
                sum += weight
                sumX += weight * point.x
                sumY += weight * point.y
            }
            guard sum > 0 else { return nil }
            middle = sumX / sum
            level = sumY / sum
            var (spread, joint, loss) = (0.0, 0.0, 0.0)
            for (point, weight) in zip(points, weights) {
                let (dx, dy) = (point.x - middle, point.y - level)
                spread += weight * dx * dx
                joint += weight * dx * dy
                loss += weight * pow2(dy - slope * dx)
            }
            guard spread > 0 else { return nil }
            slope = joint / spread
            // Points that scatter more than their stated errors make the slope less certain.
            let excess = max(1, loss / Double(max(1, points.count - 2)))
            sigma = (excess / spread).squareRoot()
        }
        return Fit(
            estimate: DriftEstimate(ppm: slope * 1e6, sigmaPPM: sigma * 1e6), level: level, middle: middle,
            scatter: scatter)
    }

    private static func medianSlope(_ points: [Point], apart: Double) -> Double {
        var slopes: [Double] = []
        for (index, one) in points.enumerated() {
            for other in points[(index + 1)...] where abs(other.x - one.x) >= apart {
                slopes.append((other.y - one.y) / (other.x - one.x))
            }
        }
        return median(slopes)
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return 0 }
        let half = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[half]
    }

    private static func pow2(_ value: Double) -> Double { value * value }
}
