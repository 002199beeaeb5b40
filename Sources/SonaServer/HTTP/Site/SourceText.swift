/// Modules and styles without what only their authors read.
enum SourceText {
    /// The text without indentation, empty lines, and comments that have their lines to themselves.
    ///
    /// Nothing is parsed. Only whole lines are taken out: one that begins with `//`, and those from one that begins with
    /// `/*` to the first that ends with `*/`. Where that could be wrong the text is left as it is: where a line has an
    /// odd number of backticks, and so may begin a template literal of several lines, and where something stands behind
    /// the end of such a comment.
    static func lean(_ text: String) -> String {
        var lines: [Substring] = []
        var isComment = false
        for line in text.split(separator: "\n") {
            let bare = line.drop { $0 == " " || $0 == "\t" }
            if isComment || bare.hasPrefix("/*") {
                // Searched behind the opening, so that `/*/` does not end what it begins.
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
