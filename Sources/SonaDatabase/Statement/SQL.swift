/// One SQL statement together with its values.
///
/// Interpolation binds; it never writes a value into the text, and no run-time `String` can become text:
/// ```swift
/// try db.first("SELECT name FROM albums WHERE id = \(id) AND year > \(year)") { row in try row[0] as String }
/// ```
/// Text without values, a list of columns for instance, is kept in an `SQL` constant and spliced by the same
/// interpolation.
public struct SQL: Sendable, ExpressibleByStringInterpolation {
    /// What SQLite parses: a `?` for each value.
    public let text: String
    public let arguments: [DatabaseValue]

    public init(stringLiteral text: String) {
        self.text = text
        arguments = []
    }

    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
        arguments = stringInterpolation.arguments
    }

    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text: String
        fileprivate var arguments: [DatabaseValue]

        public init(literalCapacity: Int, interpolationCount: Int) {
            text = ""
            text.reserveCapacity(literalCapacity + interpolationCount)
            arguments = []
            arguments.reserveCapacity(interpolationCount)
        }

        public mutating func appendLiteral(_ literal: String) { text += literal }

        public mutating func appendInterpolation(_ value: some DatabaseValueConvertible) {
            text += "?"
            arguments.append(value.databaseValue)
        }

        /// NULL if there is no value. (Apart, so that the compiler does not take it for a debug description.)
        public mutating func appendInterpolation<Value: DatabaseValueConvertible>(_ value: Value?) {
            text += "?"
            arguments.append(value?.databaseValue ?? .null)
        }

        public mutating func appendInterpolation(_ sql: SQL) {
            text += sql.text
            arguments += sql.arguments
        }
    }
}
