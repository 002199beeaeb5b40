/// A text with the places where a search found something.
///
/// It comes in parts and without marks inside, so that the caller can escape each part by itself:
/// ```swift
/// let html = marked.parts.map { $0.isMatch ? "<b>\(escape($0.text))</b>" : escape($0.text) }.joined()
/// ```
public struct MarkedText: Sendable, Hashable {
    /// A stretch of the text that matches as a whole, or does not.
    public struct Part: Sendable, Hashable {
        /// The text of the part, as stored; not escaped for HTML.
        public let text: String
        /// Whether this part matches the search.
        public let isMatch: Bool
    }

    /// The parts in the order of the text, none of them empty.
    public let parts: [Part]

    /// All of it, unmarked.
    public var text: String { parts.map(\.text).joined() }
}

/// A record that was found, and where.
public struct SearchHit<R: Record>: Sendable {
    /// The record found.
    public let record: R
    /// The column asked for, or an excerpt of it. Empty if the column is NULL.
    public let text: MarkedText

    @usableFromInline init(record: R, text: MarkedText) {
        self.record = record
        self.text = text
    }
}

/// The texts that SQLite puts before and after a match.
///
/// Random, so that no text holds them: neither by chance nor because somebody wrote them into a title.
struct SearchMarks {
    let begin: String
    let end: String

    init() {
        let key = String(UInt64.random(in: .min ... .max), radix: 36)
        begin = "\u{1}\(key)\u{1}"
        end = "\u{1}\(key)\u{2}"
    }

    /// Reads a text as SQLite returned it.
    func parts(of bytes: UnsafeBufferPointer<UInt8>) -> [MarkedText.Part] {
        var parts: [MarkedText.Part] = []
        var isMatch = false
        var start = 0
        func close(at end: Int) {
            guard start < end else { return }
            parts.append(.init(text: String(decoding: bytes[start..<end], as: UTF8.self), isMatch: isMatch))
        }
        var place = 0
        while place < bytes.count {
            let mark = (isMatch ? end : begin).utf8
            if bytes[place] == 1, bytes[place...].starts(with: mark) {
                close(at: place)
                isMatch.toggle()
                place += mark.count
                start = place
            } else {
                place += 1
            }
        }
        close(at: bytes.count)
        return parts
    }
}
