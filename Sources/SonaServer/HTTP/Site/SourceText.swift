/// Modules and styles without the parts that only their authors read.
enum SourceText {
    /// The text without indentation, empty lines, and comments that have their lines to themselves. A text that is not
    /// understood stays as it is.
    static func lean(_ text: String) -> String {
        guard let lines = lines(text) else { return text }
        return lines.map { $0.isInTemplate ? $0.text : bare($0.text) }.joined(separator: "\n") + "\n"
    }

    /// The lines of a text that are not comments and not empty, and whether they begin inside of a template literal, of
    /// which every character counts.
    ///
    /// Nothing is parsed. Comments are a line that begins with `//`, and the lines from one that begins with `/*` to the
    /// first that ends with `*/`. A template literal of several lines begins and ends in lines with an odd number of
    /// backticks.
    /// - Returns: `nil` if something follows the end of such a comment, or if a comment or a template does not end.
    static func lines(_ text: String) -> [(text: Substring, isInTemplate: Bool)]? {
        var lines: [(Substring, Bool)] = []
        var isComment = false, isTemplate = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let bare = bare(line)
            if !isTemplate, isComment || bare.hasPrefix("/*") {
                // Searched after the opening, so that `/*/` does not end the comment it begins.
                let rest = isComment ? bare : bare.dropFirst(2)
                isComment = !rest.contains("*/")
                if !isComment, !rest.hasSuffix("*/") { return nil }
                continue
            }
            guard isTemplate || !bare.isEmpty && !bare.hasPrefix("//") else { continue }
            lines.append((line, isTemplate))
            if hasOddBackticks(line) { isTemplate.toggle() }
        }
        return isComment || isTemplate ? nil : lines
    }

    private static func bare(_ line: Substring) -> Substring { line.drop { $0 == " " || $0 == "\t" } }

    private static func hasOddBackticks(_ line: Substring) -> Bool {
        var count = 0, isEscaped = false
        for byte in line.utf8 {
            if byte == UInt8(ascii: "`"), !isEscaped { count += 1 }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return count % 2 == 1
    }
}
