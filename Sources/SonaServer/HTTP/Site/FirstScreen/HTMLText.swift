/// Text that people typed, as text in a document.
enum HTMLText {
    /// Source: HTML Living Standard, "Serializing HTML fragments"; quotation marks, which would end an attribute, as
    /// well.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            // Line breaks of a description, and characters that no page may hold.
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: escaped += " "
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
