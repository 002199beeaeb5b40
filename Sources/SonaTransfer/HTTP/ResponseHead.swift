/// The header fields of an HTTP answer, as libcurl hands them over line by line.
///
/// libcurl also hands over the heads of interim answers (1xx) and the trailers after a chunked body. A status line
/// therefore starts anew, and lines after the empty line are not part of the head.
struct ResponseHead {
    private var fields: [(name: String, value: String)] = []
    private var isComplete = false

    mutating func take(line: String) {
        let line = line.last?.isNewline == true ? line.dropLast() : line[...]
        if line.hasPrefix("HTTP/"), isComplete || fields.isEmpty {
            fields = []
            isComplete = false
        } else if line.isEmpty {
            isComplete = true
        } else if !isComplete, let colon = line.firstIndex(of: ":") {
            fields.append((line[..<colon].lowercased(), Self.trimmed(line[line.index(after: colon)...])))
        }
    }

    /// All values of the field `name`, which is in lower case, in their order.
    func values(of name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    private static func trimmed(_ text: Substring) -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let first = text.firstIndex(where: { !isBlank($0) }), let last = text.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(text[first...last])
    }
}
