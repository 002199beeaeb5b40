/// Reads LRC line by line: `[01:23.45]words`, several times before one line, tags such as `[ar:…]` and `[offset:±ms]`, and
/// times of single words, `<01:23.45>`, which are dropped.
///
/// A text without any time is a plain text. In one with times, lines without a time are left out: they are titles and
/// notes.
struct LRCReading {
    private var lines: [Lyrics.Line] = []
    private var plain: [String] = []
    /// Milliseconds by which all words come earlier.
    private var offset: Int64 = 0

    /// Tags that tell something of the song or the file, not of a place in it.
    private static let tags: Set<String> = [
        "ar", "al", "ti", "au", "by", "re", "ve", "la", "length", "offset", "tool", "id", "key", "encoding", "t_time",
    ]

    mutating func take(_ line: Substring.UnicodeScalarView) {
        var rest = Substring(line).drop { $0.isWhitespace || $0 == "\u{FEFF}" }[...]
        var times: [Int64] = []
        while let (inner, after) = Self.bracket(rest, "[", "]") {
            if let time = Self.time(inner) {
                times.append(time)
                rest = after.drop { $0 == " " || $0 == "\t" }
                continue
            }
            if times.isEmpty, isTag(inner) { return }
            break
        }
        guard !times.isEmpty else {
            plain.append(LyricsLines.shown(line))
            return
        }
        let text = LyricsLines.shown(Self.withoutWordTimes(rest).unicodeScalars)
        for time in times where lines.count < Lyrics.linesMax { lines.append(Lyrics.Line(time, text)) }
    }

    /// `nil` if there are no words.
    var words: Lyrics.Words? {
        if lines.contains(where: { !$0.text.isEmpty }) {
            var sorted = lines.map { Lyrics.Line(max(0, $0.milliseconds - offset), $0.text) }
            // Lines of the same time stay in their order: a translation often stands below the line.
            sorted = sorted.enumerated().sorted {
                ($0.element.milliseconds, $0.offset) < ($1.element.milliseconds, $1.offset)
            }
            .map(\.element)
            return .synced(sorted)
        }
        guard lines.isEmpty else { return nil }
        var text = plain.prefix(Lyrics.linesMax)[...]
        while text.first?.isEmpty == true { text.removeFirst() }
        while text.last?.isEmpty == true { text.removeLast() }
        return text.isEmpty ? nil : .plain(text.joined(separator: "\n"))
    }

    /// Notes a tag.
    ///
    /// - Returns: Whether it is one. `[Chorus]` is none.
    private mutating func isTag(_ inner: Substring) -> Bool {
        guard let colon = inner.firstIndex(of: ":") else { return false }
        let name = inner[..<colon].lowercased().filter { !$0.isWhitespace }
        guard Self.tags.contains(name) || name == "#" else { return false }
        if name == "offset" {
            let number = inner[inner.index(after: colon)...].filter { !$0.isWhitespace }
            // A minute and a half is more than any song needs.
            if let value = Int64(number), abs(value) <= 90_000 { offset = value }
        }
        return true
    }

    /// What stands in brackets at the beginning, and what follows.
    private static func bracket(
        _ text: Substring, _ open: Character, _ close: Character
    ) -> (inner: Substring, after: Substring)? {
        guard text.first == open, let end = text.firstIndex(of: close) else { return nil }
        return (text[text.index(after: text.startIndex)..<end], text[text.index(after: end)...])
    }

    /// `mm:ss`, `mm:ss.f`, `mm:ss.ff`, `mm:ss.fff`, `mm:ss:ff`, and with hours before.
    private static func time(_ text: Substring) -> Int64? {
        var parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var fraction: Substring = ""
        if let last = parts.last, let dot = last.firstIndex(where: { $0 == "." || $0 == "," }) {
            fraction = last[last.index(after: dot)...]
            parts[parts.count - 1] = last[..<dot]
            guard !fraction.isEmpty, fraction.count <= 6 else { return nil }
        } else if parts.count == 3, parts[2].count == 2 {
            // Some programs write hundredths after a colon. Hours have minutes and seconds after them, and a fraction.
            fraction = parts.removeLast()
        }
        guard (2...3).contains(parts.count), fraction.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        var numbers: [Int64] = []
        for part in parts {
            guard (1...4).contains(part.count), part.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int64(part)
            else { return nil }
            numbers.append(number)
        }
        guard let seconds = numbers.last, seconds < 60, numbers.count == 2 || numbers[1] < 60 else { return nil }
        let whole = numbers.reduce(0) { $0 * 60 + $1 } * 1_000
        let digits = String(fraction.prefix(3))
        let milliseconds = Int64(digits + String(repeating: "0", count: 3 - digits.count)) ?? 0
        let time = whole + milliseconds
        return time <= Lyrics.millisecondsMax ? time : nil
    }

    private static func withoutWordTimes(_ text: Substring) -> String {
        guard text.contains("<") else { return String(text) }
        var kept = ""
        var rest = text
        while let mark = rest.firstIndex(of: "<") {
            kept += rest[..<mark]
            if let (inner, after) = bracket(rest[mark...], "<", ">"), time(inner) != nil {
                // The space between two words stands on either side of a time, or on both.
                rest = kept.last?.isWhitespace == true ? after.drop { $0 == " " } : after
            } else {
                kept.append("<")
                rest = rest[rest.index(after: mark)...]
            }
        }
        return kept + rest
    }
}
