/// One `--fail-if` and what became of it.
package struct ThresholdResult: Codable, Sendable, Equatable {
    /// The expression as it was written.
    package var expression: String
    /// The measured value, in words with its unit. Absent if it was not measured, which fails too.
    package var measured: String?
    package var isPassed: Bool

    package init(expression: String, measured: String?, isPassed: Bool) {
        (self.expression, self.measured, self.isPassed) = (expression, measured, isPassed)
    }

    private enum CodingKeys: String, CodingKey {
        case expression, measured
        case isPassed = "passed"
    }
}
