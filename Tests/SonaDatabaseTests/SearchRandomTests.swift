import SonaBase
import SonaDatabase
import SonaTestSupport
import Testing

/// Random texts, typed and stored, against the real FTS5.
struct SearchRandomTests {
    /// Letters of many scripts, what FTS5's syntax is made of, and whatever Unicode has that is hard.
    static let alphabet: [[String]] = [
        [
            "a", "b", "z", "É", "ß", "ı", "İ", "ǆ", "ﬁ", "ｶﾞ", "Я", "ё", "λ", "ς", "א", "שׁ", "ل", "ا", "مُ", "क", "षि",
            "த", "한", "ᄒ",
        ],
        [
            "東", "京", "さ", "ば", "は\u{3099}", "ー", "ァ", "𠮷", "葛\u{E0100}", "〆", "ก", "ำ", "้", "ລ", "ក", "្", "မ", "်",
            "ꩻ",
        ],
        [" ", " ", " ", "\t", "\n", "\u{3000}", "\u{00A0}", "\u{2028}", "\u{0085}", "\u{1680}"],
        ["\"", "'", "(", ")", "*", "^", ":", "-", "+", "{", "}", ",", ".", "!", "%", "_", "\\", ";", "--", "/*", "&"],
        [
            " AND ", " OR ", " NOT ", "NEAR(", " NEAR/2 ", "text:", "rank", "rowid", "words_texts_search",
            "; DROP TABLE",
        ],
        [
            "\u{301}", "\u{0308}", "\u{20DD}", "\u{064E}", "\u{0E31}", "\u{FE0F}", "\u{200B}", "\u{200D}", "\u{202E}",
            "\u{2067}", "\u{00AD}",
        ],
        ["🎵", "🤘🏽", "🫠", "👨‍👩‍👧", "🇩🇪", "1️⃣", "⏸", "₿", "⸺", "㋿"],
        ["\u{0}", "\u{1}", "\u{1F}", "\u{7F}", "\u{9F}", "\u{FFFD}", "\u{FFFE}", "\u{FFFF}", "\u{10FFFF}"],
        ["\u{E000}", "\u{F8FF}", "\u{10FFFD}", "\u{0378}", "\u{2FE0}", "\u{E0080}", "\u{3FFFD}", "𖿰", "𞤀", "ﷺ"],
    ]

    static func text(_ length: Int, using dice: inout SeededGenerator) -> String {
        // One kind or all of them: words of one script are as likely as salad.
        let one = alphabet.randomElement(using: &dice)!
        let isSalad = Bool.random(using: &dice)
        var text = ""
        for _ in 0..<length {
            switch Int.random(in: 0..<8, using: &dice) {
            case 0: text += " "
            case 1: text.unicodeScalars.append(scalar(using: &dice))
            default: text += (isSalad ? alphabet.randomElement(using: &dice)! : one).randomElement(using: &dice)!
            }
        }
        return text
    }

    static func scalar(using dice: inout SeededGenerator) -> Unicode.Scalar {
        while true {
            let highest: UInt32 = [0x7F, 0x7FF, 0xFFFF, 0x1FFFF, 0x10FFFF].randomElement(using: &dice)!
            if let scalar = Unicode.Scalar(UInt32.random(in: 0...highest, using: &dice)) { return scalar }
        }
    }

    /// Some of the words in a text, as they stand there.
    static func words(of text: String, using dice: inout SeededGenerator) -> String {
        let words = text.unicodeScalars.split { $0.properties.isWhitespace }
        return words.filter { _ in Int.random(in: 0..<3, using: &dice) == 0 }.map { String($0) }.joined(separator: " ")
    }

    /// A run of words, for a phrase, or the beginning of the text, cut anywhere.
    static func run(of text: String, using dice: inout SeededGenerator) -> String {
        let scalars = Array(text.unicodeScalars)
        var view = String.UnicodeScalarView()
        if Bool.random(using: &dice) {
            view.append(contentsOf: scalars.prefix(Int.random(in: 0...max(1, scalars.count), using: &dice)))
            return String(view)
        }
        let words = text.unicodeScalars.split { $0.properties.isWhitespace }
        guard !words.isEmpty else { return "" }
        let from = Int.random(in: words.indices, using: &dice)
        let upTo = Int.random(in: from...min(from + 10, words.count - 1), using: &dice)
        return words[from...upTo].map { String($0) }.joined(separator: " ")
    }

    /// Letters for Swift that SQLite takes for none: its tables are of Unicode 6.1. A word of nothing else finds
    /// nothing.
    static func isLost(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x19B0...0x19C0, 0x19C8...0x19C9, 0x1CF2...0x1CF3: true
        default: false
        }
    }

    /// Goal: no typed text is an error, and what stands in a text is found by it. Way: random texts are stored under
    /// both tokenizers; each is looked for by its own words, by a run of them and by its beginning, in all three ways
    /// of matching, and by texts that have nothing to do with it.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `any typed text is a valid search and finds the rows that contain it`(seed: UInt64) async throws {
        let database = try await Songs.inMemory()
        try await database.write { db throws in
            var dice = SeededGenerator(seed: seed)
            var texts: [String] = (0..<150).map { _ in Self.text(Int.random(in: 0...40, using: &dice), using: &dice) }
            texts += (0..<2).map { _ in Self.text(10_000, using: &dice) }
            texts.append(String(repeating: "𞤀", count: 10_000))
            for (place, text) in texts.enumerated() {
                try db.insert(WordsText(Int64(place), text))
                try db.insert(PlainText(Int64(place), text))
            }
            for (place, text) in texts.enumerated() {
                let stranger = Self.text(Int.random(in: 0...300, using: &dice), using: &dice)
                for matching in [SearchText.Matching.allWords, .anyWord, .phrase] {
                    _ = try db.keys(WordsText.self, stranger, matching)
                    _ = try db.keys(PlainText.self, stranger, matching)
                    var typed = Self.run(of: text, using: &dice)
                    if matching != .phrase, Bool.random(using: &dice) { typed = Self.words(of: text, using: &dice) }
                    guard SearchText(typed, matching: matching) != nil else { continue }
                    if typed.unicodeScalars.contains(where: Self.isLost) { continue }
                    let comment: Comment =
                        "seed \(seed), \(matching): \(typed.debugDescription) in \(text.debugDescription)"
                    #expect(try db.keys(WordsText.self, typed, matching).contains(Int64(place)), comment)
                    #expect(try db.keys(PlainText.self, typed, matching).contains(Int64(place)), comment)
                }
            }
        }
        await database.close()
    }

    /// Goal: to know where the tables of Unicode in Swift and in SQLite differ so that it matters. Way: every letter,
    /// digit and private character outside of the large ideographic blocks is stored alone; those without a token are
    /// listed.
    @Test func `every letter Swift knows is a word for SQLite, but for a few vowel signs`() async throws {
        let database = try await Songs.inMemory()
        let letters = (1...0x1FFFF).compactMap(Unicode.Scalar.init).filter { scalar in
            !(0x4E00...0x9FFF).contains(scalar.value) && !(0xAC00...0xD7A3).contains(scalar.value)
                && !(0xE100...0xF8FE).contains(scalar.value) && !(0x17000...0x18CFF).contains(scalar.value)
                && SearchText(String(scalar)) != nil
        }
        #expect(letters.count > 30_000)
        let lost = try await database.write { db throws in
            for letter in letters {
                try db.insert(WordsText(Int64(letter.value), String(letter)))
                try db.insert(PlainText(Int64(letter.value), String(letter)))
            }
            try db.execute("CREATE VIRTUAL TABLE words_tokens USING fts5vocab('words_texts_search', 'instance')")
            try db.execute("CREATE VIRTUAL TABLE plain_tokens USING fts5vocab('plain_texts_search', 'instance')")
            let words: SQL = "SELECT id FROM words_texts EXCEPT SELECT doc FROM words_tokens"
            let plain: SQL = "SELECT id FROM plain_texts EXCEPT SELECT doc FROM plain_tokens"
            return try db.values(words, as: UInt32.self) + db.values(plain, as: UInt32.self)
        }
        for value in lost {
            let scalar = try #require(Unicode.Scalar(value))
            #expect(Self.isLost(scalar), "U+\(String(value, radix: 16, uppercase: true))")
        }
        await database.close()
    }
}
