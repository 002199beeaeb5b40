/// Text on its way into a page, which is XML as well as HTML, so that any parser can check it.
enum HTMLText {
    /// Escapes for text and for attributes in double quotes. Control characters other than newline and tab, characters
    /// that XML can't hold, and characters that change the direction of writing become U+FFFD.
    static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "'": out += "&#39;"
            case "\n", "\t": out.unicodeScalars.append(scalar)
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": out += "\u{FFFD}"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": out += "\u{FFFD}"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }

    /// A text in a script's JSON, between its quotes: nothing in it can end the script or be taken for markup.
    static func json(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<", ">", "&", "\"", "\\", "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }

    /// A table with its columns named; the first cell of a row names the row.
    ///
    /// - Parameters:
    ///   - rows: Cells as text, not yet escaped.
    ///   - isNumeric: Whether all but the first column are figures, to be lined up at the right.
    static func table(caption: String, columns: [String], rows: [[String]], isNumeric: Bool = true) -> String {
        let head = columns.map { "<th scope=\"col\">\(escaped($0))</th>" }.joined()
        let body = rows.map { row in
            let cells = row.dropFirst().map { "<td>\(escaped($0))</td>" }.joined()
            return "<tr><th scope=\"row\">\(escaped(row.first ?? ""))</th>\(cells)</tr>"
        }
        return """
            <div class="scroll" tabindex="0"><table class="\(isNumeric ? "figures" : "facts")">
            <caption>\(escaped(caption))</caption>
            <thead><tr>\(head)</tr></thead>
            <tbody>\(body.joined(separator: "\n"))</tbody>
            </table></div>
            """
    }
}
