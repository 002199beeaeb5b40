/// A text that people wrote and others are shown: a name, a title, a few lines about oneself.
///
/// ```swift
/// let title = try DisplayText(" Lagos nights ", .title)
/// title.text  // Lagos nights
/// ```
///
/// Any language, emoji included. Trimmed of white space, in NFC, with U+000A for every line break; otherwise as typed.
/// Markup is not removed: the code that shows the text has to escape it.
///
/// Any thread; O(n), about 4 µs for a name and 0.2 µs for each byte of a longer text. A text with far too many bytes is
/// refused at once.
public struct DisplayText: Hashable, Sendable, CustomStringConvertible {
    /// The accepted text: trimmed, in NFC, with U+000A for every line break.
    public let text: String
    /// Characters as a reader counts them: grapheme clusters.
    public let characterCount: Int

    /// `text`, as it is.
    public var description: String { text }

    /// - Throws: The first fault found, in this order: the size in bytes, then forbidden characters, then the other
    ///   sizes.
    public init(_ typed: String, _ rules: Rules) throws(DisplayTextError) {
        // NFC makes no text shorter than a third of its length; the rest of the factor allows for trimming.
        guard typed.utf8.count <= rules.bytesMax * 4 else { throw .tooManyBytes(maximum: rules.bytesMax) }
        let lines = Lines.unified(typed)
        let start = lines.firstIndex { !$0.isWhitespace } ?? lines.endIndex
        let end = lines.lastIndex { !$0.isWhitespace }.map(lines.index(after:)) ?? start
        let trimmed = lines[start..<end]
        guard trimmed.unicodeScalars.contains(where: Invisible.shows) else {
            guard rules.characters.contains(0) else { throw .empty }
            text = ""
            characterCount = 0
            return
        }
        let text = String(units: ICU.nfc(Array(trimmed.utf16)))
        guard text.utf8.count <= rules.bytesMax else { throw .tooManyBytes(maximum: rules.bytesMax) }

        if let problem = rules.problem(in: text, from: lines.distance(from: lines.startIndex, to: start)) {
            throw problem
        }
        let count = text.count
        guard count >= rules.characters.lowerBound else { throw .tooShort(minimum: rules.characters.lowerBound) }
        guard count <= rules.characters.upperBound else { throw .tooLong(maximum: rules.characters.upperBound) }
        self.text = text
        characterCount = count
    }
}

/// Line breaks of all systems, and those of Unicode.
enum Lines {
    /// `text` with U+000A for each. CR LF is one, and one character to Swift too.
    static func unified(_ text: String) -> String {
        guard text.contains(where: { $0.isNewline && $0 != "\n" }) else { return text }
        return String(text.map { $0.isNewline ? "\n" : $0 })
    }
}
