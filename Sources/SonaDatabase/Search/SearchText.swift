/// A person's typed text, as a query for a search index.
///
/// ```swift
/// guard let text = SearchText(typed) else { return [] }
/// return try db.search(Album.self, text, limit: 20)
/// ```
/// Everything typed counts as words: quotes, `AND`, `NEAR(`, `*` and `:` have no meaning, and no text is an error.
/// White space separates words; a word without a letter or a digit is left out. The last word counts as a prefix unless
/// white space follows it, so that results appear during typing.
///
/// The Unicode tables of Swift and SQLite may differ, which does no harm. FTS5 itself leaves out a word that SQLite
/// does not take for one. A word that only Swift does not take for one (an emoji younger than SQLite's tables) is not
/// looked for.
///
/// Source: sqlite.org/fts5.html, "Full-text Query Syntax".
public struct SearchText: Sendable, Hashable {
    /// How the words have to be found.
    public enum Matching: Sendable {
        /// Every word, anywhere in the columns.
        case allWords
        /// At least one; rows with more of them, and with rarer ones, come first.
        case anyWord
        /// One after the other, in one column.
        case phrase
    }

    /// Words looked for; what follows them is not. People type fewer, and each costs a look-up.
    public static let wordsMax = 8
    /// Unicode scalars of the typed text that are looked at.
    public static let scalarsMax = 256

    /// The query in FTS5's syntax; to be bound, as in `WHERE albums_search MATCH \(text.pattern)`.
    public let pattern: String

    /// No more than a few microseconds: one pass over the typed text, no parser.
    ///
    /// - Returns: `nil` if there is no letter and no digit in it: nothing to look for.
    public init?(_ typed: String, matching: Matching = .allWords) {
        var pattern = Pattern(matching)
        for scalar in typed.unicodeScalars.prefix(Self.scalarsMax) where !pattern.isFull {
            pattern.append(scalar)
        }
        guard let pattern = pattern.finish() else { return nil }
        self.pattern = pattern
    }
}

/// The query as it grows.
private struct Pattern {
    private var bytes: [UInt8] = []
    private let matching: SearchText.Matching
    private var words = 0
    /// The start of the word that is being read; `nil` between words.
    private var start: Int?
    private var hasLetter = false
    /// Whether the text read so far ends with the last word of the query.
    private var endsInWord = false

    init(_ matching: SearchText.Matching) {
        self.matching = matching
        bytes.reserveCapacity(128)
    }

    var isFull: Bool { words == SearchText.wordsMax && start == nil }

    mutating func append(_ scalar: Unicode.Scalar) {
        if scalar.separatesWords { return endWord() }
        if start == nil { beginWord() }
        if !hasLetter { hasLetter = scalar.isLetterOrDigit }
        // A quote would end the string. Tokenizers take both for the end of a token.
        if scalar == "\"" { return bytes.append(UInt8(ascii: " ")) }
        if scalar.isASCII { return bytes.append(UInt8(truncatingIfNeeded: scalar.value)) }
        bytes.append(contentsOf: scalar.utf8)
    }

    mutating func finish() -> String? {
        let isOpen = start != nil
        endWord()
        guard words > 0 else { return nil }
        if matching == .phrase { bytes.append(UInt8(ascii: "\"")) }
        // A phrase keeps pieces that are not words here: one may be the beginning of a word for SQLite.
        if isOpen, endsInWord || matching == .phrase { bytes.append(UInt8(ascii: "*")) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func beginWord() {
        start = bytes.count
        hasLetter = false
        switch matching {
        case .phrase: bytes.append(UInt8(ascii: bytes.isEmpty ? "\"" : " "))
        case .allWords: bytes.append(contentsOf: words == 0 ? "\"".utf8 : " \"".utf8)
        case .anyWord: bytes.append(contentsOf: words == 0 ? "\"".utf8 : " OR \"".utf8)
        }
    }

    private mutating func endWord() {
        guard let start else { return }
        self.start = nil
        endsInWord = hasLetter
        if hasLetter { words += 1 }
        if matching == .phrase { return }
        if hasLetter { bytes.append(UInt8(ascii: "\"")) } else { bytes.removeSubrange(start...) }
    }
}

extension Unicode.Scalar {
    /// Unicode's White_Space, which does not change any more, and control characters, which no tokenizer takes for part
    /// of a word: a NUL would end the query.
    fileprivate var separatesWords: Bool {
        switch value {
        case 0...0x20, 0x7F...0xA0, 0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }

    /// The characters that `unicode61` makes words of, by Swift's tables: letters, numbers, and what is for private
    /// use.
    fileprivate var isLetterOrDigit: Bool {
        switch value {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: return true
        case 0...0x7F: return false
        default: break
        }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .privateUse:
            return true
        default: return false
        }
    }
}
