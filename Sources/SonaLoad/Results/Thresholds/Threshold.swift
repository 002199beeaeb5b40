internal import SonaBase

/// A condition under which a run has failed: `delay.p99>50ms`, `lost%>0.1`, `errors.room.full != 0`.
///
/// ```
///   threshold = field [ "%" ] comparison number [ unit ]        spaces anywhere between
/// ```
///
/// A time needs a unit, unless it is 0. `lost>0.1%` and `lost%>0.1` are the same: a share of the expected packets.
package struct Threshold: Sendable {
    enum Comparison: String, Sendable {
        case above = ">"
        case atLeast = ">="
        case below = "<"
        case atMost = "<="
        case equal = "=="
        case different = "!="

        func holds(_ value: Double, _ limit: Double) -> Bool {
            switch self {
            case .above: value > limit
            case .atLeast: value >= limit
            case .below: value < limit
            case .atMost: value <= limit
            case .equal: value == limit
            case .different: value != limit
            }
        }
    }

    /// The expression as it was written.
    package let expression: String
    let field: ThresholdField
    let comparison: Comparison
    /// µs, bytes, a count, or a share.
    let limit: Double
    /// Whether deliveries are compared as a share of those expected.
    let isShare: Bool

    /// - Throws: `ThresholdError`, with the place and the correct form: exit code 64.
    package init(parsing expression: String) throws(ThresholdError) {
        var scanner = ThresholdScanner(expression)
        let (field, hasPercent) = try scanner.field()
        let comparison = try scanner.comparison()
        let (limit, isShare) = try scanner.limit(of: field, hasPercent: hasPercent)
        self.expression = expression
        (self.field, self.comparison, self.limit, self.isShare) = (field, comparison, limit, isShare)
    }

    /// Judges a run. A threshold whose field was not measured has failed: it is not known to be kept.
    package func judge(_ record: RunRecord) -> ThresholdResult {
        guard let measured = field.value(record), measured.isFinite else {
            return ThresholdResult(expression: expression, measured: nil, isPassed: false)
        }
        let value = isShare ? measured / Double(record.totals.expected) : measured
        return ThresholdResult(
            expression: expression, measured: words(measured, in: record), isPassed: !comparison.holds(value, limit))
    }

    private func words(_ value: Double, in record: RunRecord) -> String {
        switch field.kind {
        case .time: return Figures.time(value)
        case .bytes: return Figures.bytes(value)
        case .cores: return Figures.percent(value)
        case .count: return Int(exactly: value).map(Figures.count) ?? Figures.fixed(value, 1)
        case .deliveries:
            let count = Int(exactly: value).map(Figures.count) ?? Figures.brief(value)
            return isShare ? "\(Figures.percent(value / Double(record.totals.expected))) (\(count))" : count
        }
    }
}

/// The fault in a threshold as it was written, and its place.
package struct ThresholdError: Error, CustomStringConvertible {
    var expression: String
    /// Characters of it.
    var place: Range<Int>
    var sentence: String

    /// The sentence, the expression with the place marked below it, and the fields there are.
    package var description: String {
        """
        \(sentence)
          \(ConsoleLine.printable(expression))
          \(String(repeating: " ", count: place.lowerBound))\(String(repeating: "^", count: max(1, place.count)))
        \(ThresholdField.list)
        """
    }
}
