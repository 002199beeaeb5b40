/// Modules and styles without the parts that only their authors read.
enum SourceText {
    /// The text without indentation, empty lines, and comments that have their lines to themselves.
    ///
    /// Nothing is parsed. Only whole lines are removed: a line that begins with `//`, and the lines from one that
    /// begins with `/*` to the first that ends with `*/`. In two cases that could be wrong, and the text is left as it
    /// is: if a line has an odd number of backticks, and so may begin a template literal of several lines, and if
    /// something follows the end of such a comment.
    static func lean(_ text: String) -> String {
        var lines: [Substring] = []
        var isComment = false
        for line in text.split(separator: "\n") {
            let bare = line.drop { $0 == " " || $0 == "\t" }
            if isComment || bare.hasPrefix("/*") {
                // Searched after the opening, so that `/*/` does not end the comment it begins.
                let rest = isComment ? bare : bare.dropFirst(2)
                isComment = !rest.contains("*/")
                if !isComment, !rest.hasSuffix("*/") { return text }
                continue
            }
            if line.utf8.count(where: { $0 == UInt8(ascii: "`") }) % 2 == 1 { return text }
            if !bare.isEmpty, !bare.hasPrefix("//") { lines.append(bare) }
        }
        return isComment ? text : lines.joined(separator: "\n") + "\n"
    }
}
