/// A text as it is searched: its words, folded so that how they were typed makes no difference.
///
/// ```swift
/// SearchKey("Beyoncé – Déjà Vu").text  // beyonce deja vu
/// SearchKey("Łódź, Straße").text  // lodz strasse
/// SearchKey("AC/DC").text  // ac dc acdc
/// ```
///
/// | typed | searched |
/// |---|---|
/// | capitals, full width, ligatures, ﬁ, ①, ㎞ | NFKC_Casefold: small, plain, fi, 1, km; ß is ss |
/// | é ç ñ ő ё й ά; Arabic and Hebrew vowel signs | the letter without its marks |
/// | ł ø đ ħ ı æ œ þ | l o d h i ae oe th |
/// | ひらがな, ｶﾅ | カタカナ |
/// | vowel signs, viramas and tones of Indic scripts, Thai and Lao; dakuten | kept: they are letters there |
/// | punctuation, currency and mathematical signs | a space |
/// | ★ and other symbols, emoji | words of their own |
///
/// Words that punctuation joins count as one word too: `AC/DC` is found as `ac dc`, `ac/dc` and `acdc`, `Don't` as
/// `dont`. Where a script without spaces meets another, a word ends.
///
/// Any thread. About 1.5 µs for a name in ASCII and 2 µs for another; 13 ms and 3 MB once, when the first letter like ł
/// comes. Keys change with the tables they are made from: see `KeyVersion`.
///
/// Source: UAX #15 and UAX #31 for NFKC_Casefold; UAX #44, "Canonical_Combining_Class", for which marks are letters.
public struct SearchKey: Hashable, Sendable, CustomStringConvertible {
    /// The words with one space between them, in NFD: so 하 is a prefix of 한, as it is while one types.
    ///
    /// Can be kept, and can be fed to a full-text index that splits at spaces.
    public let text: String

    /// O(n). The key of a key is itself.
    public init(_ text: String) {
        var words: [String] = []
        for word in SearchWord.words(of: text) {
            words += word.parts.map(String.init(units:))
            if let joined = word.joined { words.append(String(units: joined)) }
        }
        self.text = words.joined(separator: " ")
    }

    /// A key that was made by this version before and kept.
    public init(stored text: String) { self.text = text }

    /// Whether there is nothing to be found: no letter, digit or symbol.
    public var isEmpty: Bool { text.isEmpty }

    /// `text`, as it is.
    public var description: String { text }

    /// Whether every word of the query is the beginning of a word of this text.
    ///
    /// The order of words does not matter, and two words of the query may match the same word of the text. In scripts
    /// without spaces a word may begin at any letter. A query without words matches everything.
    ///
    /// O(length); about 30 ns for a name.
    public func prefixMatches(_ query: SearchQuery) -> Bool { query.matches(text.utf8) }
}
