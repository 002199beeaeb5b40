/// Places where a programmer, and not the compiler, promises that threads do not meet.
enum UncheckedSharing {
    static let marks = ["@unchecked Sendable", "nonisolated(unsafe)"]

    struct Place: CustomStringConvertible {
        var mark: String
        /// From 1.
        var line: Int
        var file: String
        /// Whether a comment there says why it is safe.
        var hasReason: Bool

        var description: String { "\(file):\(line): \(mark)" }
    }

    static func places(_ text: String, file: String) -> [Place] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { Line($0) }
        return lines.indices.flatMap { index in
            marks.flatMap { mark in
                lines[index].code.ranges(of: mark).map { _ in
                    Place(mark: mark, line: index + 1, file: file, hasReason: hasReason(lines, index))
                }
            }
        }
    }

    /// The reason stands on the same line, directly above, or as the first words of the body. It has the word "safe" in
    /// it, so that a comment about something else is not taken for one.
    private static func hasReason(_ lines: [Line], _ index: Int) -> Bool {
        let above = lines[..<index].reversed().drop { $0.isAttribute }.prefix { $0.isComment }
        let below = lines[(index + 1)...].prefix { $0.isComment }
        return ([lines[index]] + above + below).contains { $0.comment.contains(/\b[Ss]afe\b/) }
    }

    private struct Line {
        var code: Substring
        var comment: Substring

        init(_ line: Substring) {
            let start = line.firstRange(of: "//")?.lowerBound ?? line.endIndex
            (code, comment) = (line[..<start], line[start...])
        }

        var isComment: Bool { !comment.isEmpty && code.allSatisfy(\.isWhitespace) }
        var isAttribute: Bool { code.drop { $0 == " " }.hasPrefix("@") && !code.contains("{") }
    }
}
