internal import SonaText

/// The beginnings of a text's words, as a set of 256 bits. The set may hold too much and never too little.
///
/// A text whose signature does not contain the query's signature cannot match. Four comparisons decide that, without
/// reading the text. Each word contributes its first one, two and three characters. For rooms of some twenty words,
/// about one text in fifty passes without having a word with the three characters looked for.
struct WordSignature: Sendable, Equatable {
    private static let charactersMax = 3
    private static let space = UInt8(ascii: " ")

    private var bits = SIMD4<UInt64>()

    init() {}

    /// Signature of a text that is searched.
    init(_ key: SearchKey) {
        var text = key.text
        text.withUTF8 { insertWords($0) }
    }

    /// Signature of a query. The signature of every matching text contains it.
    ///
    /// A piece between spaces that consists of several words is left out, because a text may have them joined.
    init(query: String) {
        for piece in query.split(separator: " ") {
            var word = SearchKey(String(piece)).text
            guard !word.utf8.contains(Self.space) else { continue }
            word.withUTF8 { insertBeginnings(of: $0, at: 0) }
        }
    }

    /// O(1).
    func contains(_ other: Self) -> Bool { bits & other.bits == other.bits }

    private mutating func insertWords(_ text: UnsafeBufferPointer<UInt8>) {
        for index in text.indices {
            // In scripts without spaces a word may begin at any letter. Those scripts lie above U+0800, together with
            // others that get more bits than they need.
            guard index == 0 || text[index - 1] == Self.space || text[index] >= 0xE0 else { continue }
            insertBeginnings(of: text, at: index)
        }
    }

    /// Inserts the first one, two and three characters of the word at `start`, as far as it has them.
    private mutating func insertBeginnings(of text: UnsafeBufferPointer<UInt8>, at start: Int) {
        // FNV-1a; its upper bits are well mixed.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var characters = 0
        var index = start
        while index < text.count, text[index] != Self.space, characters < Self.charactersMax {
            repeat {
                hash = (hash ^ UInt64(text[index])) &* 0x100_0000_01B3
                index += 1
            } while index < text.count && text[index] & 0xC0 == 0x80
            characters += 1
            let bit = Int(truncatingIfNeeded: (hash &* 0x9E37_79B9_7F4A_7C15) >> 56)
            bits[bit >> 6] |= 1 << UInt64(bit & 63)
        }
    }
}
