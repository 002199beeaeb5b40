/// One `--fail-if` and what became of it.
package struct ThresholdResult: Codable, Sendable, Equatable {
    /// As it was written.
    package var expression: String
    /// What was measured, in words with its unit; absent if it was not measured, which fails too.
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
