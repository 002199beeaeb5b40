import SonaBase
import SonaTestSupport
import Testing

@testable import SonaDatabase

/// The words of texts in several scripts.
struct SearchTokenizerTests {
    /// Goal: results appear from the first character on and stay to the last. Way: every title, typed scalar by scalar
    /// from its beginning and from the beginning of each of its words.
    @Test(arguments: Titles.spaced + Titles.unspaced)
    func `a title is found while it is typed`(title: String) async throws {
        let database = try await Self.library()
        try await database.read { db throws in
            var starts = [title.unicodeScalars.startIndex]
            for place in title.unicodeScalars.indices where title.unicodeScalars[place] == " " {
                starts.append(title.unicodeScalars.index(after: place))
            }
            for start in starts {
                var typed = ""
                for scalar in title.unicodeScalars[start...] {
                    typed.unicodeScalars.append(scalar)
                    guard SearchText(typed) != nil else { continue }
                    #expect(try db.titles(typed).contains(title), "\(typed)")
                    #expect(try db.titles(typed, .phrase).contains(title), "\(typed)")
                }
            }
        }
        await database.close()
    }

    @Test(arguments: Titles.unspaced)
    func `in scripts without spaces every part is found, complete or not`(title: String) async throws {
        let database = try await Self.library()
        try await database.read { db throws in
            let scalars = Array(title.unicodeScalars)
            for start in scalars.indices {
                for end in start..<scalars.endIndex {
                    var part = String.UnicodeScalarView()
                    part.append(contentsOf: scalars[start...end])
                    guard SearchText(String(part)) != nil else { continue }
                    #expect(try db.titles(String(part)).contains(title), "\(part)")
                    #expect(try db.titles(String(part) + " ").contains(title), "\(part)")
                }
            }
            // And what is no part of it is not.
            #expect(try db.titles("京東").isEmpty)
            #expect(try db.titles("心我").isEmpty)
            #expect(try db.titles("さらく").isEmpty)
        }
        await database.close()
    }

    @Test func `unicode61 treats a run of letters as one word and finds only its beginning`() async throws {
        let database = try await Songs.inMemory()
        try await database.write { db throws in
            try db.insert(WordsText(1, "新東京物語"))
            try db.insert(PlainText(1, "新東京物語"))
            #expect(try db.keys(WordsText.self, "東京") == [1])
            #expect(try db.keys(PlainText.self, "東京") == [])
            #expect(try db.keys(PlainText.self, "新東") == [1])
        }
        await database.close()
    }

    @Test(arguments: [
        ("Für Elise", "fur", true), ("Fur Elise", "FÜR", true), ("Fu\u{308}r Elise", "für", true),
        ("ÉCOLE", "école", true), ("Tiếng Việt", "tieng viet", true), ("Nơi này", "noi nay", true),
        ("Zażółć", "zazolc", false),
        ("Zażółć", "zazołc", true),
        ("ŻÓŁĆ", "żółć", true), ("Straße", "strasse", false), ("STRAẞE", "straße", true), ("Straße", "STRAẞE", true),
        // The dotted capital İ is an i; the dotless ı is a letter of its own, and no capital I.
        ("İstanbul", "istanbul", true), ("istanbul", "İSTANBUL", true), ("ılık", "ilik", false),
        ("ılık", "ILIK", false),
        ("ΣΊΣΥΦΟΣ", "σίσυφος", true), ("Σίσυφος", "ΣΊΣΥΦΟΣ", true),
        // Diacritics are left out in Latin script only.
        ("Σίσυφος", "σισυφος", false), ("Ёлка", "ёлка", true), ("Ёлка", "елка", false), ("Ærø", "aero", false),
        ("Ｆｕｌｌ", "ｆｕｌｌ", true), ("Ｆｕｌｌ", "Full", false),
    ])
    func `case and diacritics`(title: String, typed: String, isFound: Bool) async throws {
        let database = try await Songs.inMemory()
        try await database.write { db throws in
            try db.insert(WordsText(1, title))
            try db.insert(PlainText(1, title))
            #expect(try db.keys(WordsText.self, typed) == (isFound ? [1] : []))
            #expect(try db.keys(PlainText.self, typed) == (isFound ? [1] : []))
        }
        await database.close()
    }

    /// SQLite's tables are of Unicode 6.1; what they do not know is a letter to them.
    @Test func `a newer emoji or isolate is not part of the word beside it`() async throws {
        let database = try await Songs.inMemory()
        try await database.write { db throws in
            let texts = ["🎵rock🎵", "🤘rock🤘", "🫠rock", "\u{2067}rock\u{2069}", "\u{061C}rock", "₿rock"]
            for (place, text) in texts.enumerated() {
                try db.insert(WordsText(Int64(place), text))
                try db.insert(PlainText(Int64(place), text))
            }
            #expect(try db.keys(WordsText.self, "rock ").count == texts.count)
            // Those of 2010 are known to it.
            #expect(try db.keys(PlainText.self, "rock ") == [0])
        }
        await database.close()
    }

    @Test func `words in the order of the text`() async throws {
        // Four bytes, three, two and one; a tone mark; a variation selector, which is left out, and an emoji.
        #expect(
            try await Self.words(of: "Ab𠮷é 東 京x🤘ก้ \u{E0100}葛\u{E0100}z。") == [
                "ab", "𠮷", "e", "東", "京", "x", "ก", "้", "葛", "z",
            ])
        #expect(try await Self.words(of: "") == [])
        #expect(try await Self.words(of: "東") == ["東"])
        #expect(try await Self.words(of: "one two") == ["one", "two"])
        #expect(try await Self.words(of: "a\0東\0b") == ["a", "東", "b"])
        #expect(try await Self.words(of: "カラー・ﾊﾟ、〇") == ["カ", "ラ", "ー", "ﾊ", "ﾟ", "〇"])
        #expect(try await Self.words(of: "฿๑๐ ក្ដី៛ ၁။ ຊ່ຽ") == ["๑", "๐", "ក", "្", "ដ", "ី", "၁", "ຊ", "່", "ຽ"])
        #expect(try await Self.words(of: "한국어 हिन्दी") == ["한국어", "ह", "न", "द"])
    }

    /// Goal: no bytes, whatever a foreign program wrote, lead outside of the text or out of step with the index. Way:
    /// texts cut in the middle of a character and random bytes are stored, looked for, marked, changed and deleted.
    @Test func `texts that are not UTF-8 do no harm`() async throws {
        var dice = SeededGenerator(seed: 7)
        let whole = Array("a東京🤘éก".utf8)
        var texts = (0...whole.count).flatMap { end in (0...end).map { Array(whole[$0..<end]) } }
        for _ in 0..<500 {
            texts.append(
                (0..<Int.random(in: 0...24, using: &dice)).map { _ -> UInt8 in
                    Bool.random(using: &dice)
                        ? [0xE3, 0x81, 0x82, 0xF0, 0x9F, 0xA4, 0xFF, 0x80, 0xC0, 0xD8, 0x61]
                            .randomElement(using: &dice)!
                        : UInt8.random(in: 0...255, using: &dice)
                })
        }
        let database = try await Songs.inMemory()
        try await database.write { [texts] db throws in
            for (place, text) in texts.enumerated() {
                try db.execute(
                    "INSERT INTO songs (id, title, plays, is_public) VALUES (\(place), CAST(\(text) AS TEXT), 0, 1)")
            }
            try db.checkSongIndex()
            for typed in ["a", "東", "東京", "é", "ก", "�", "あ"] {
                guard let text = SearchText(typed) else { continue }
                _ = try db.search(Song.self, text, marking: Song.title, limit: 1_000)
            }
            try db.execute("UPDATE songs SET title = 'x' || title WHERE id % 2 = 0")
            try db.checkSongIndex()
            try db.execute("DELETE FROM songs")
            try db.checkSongIndex()
            let left: Int? = try db.value("SELECT count(*) FROM songs_search WHERE songs_search MATCH 'a* OR 東 OR x*'")
            #expect(left == 0)
        }
        await database.close()
    }

    @Test func `registering again changes nothing`() async throws {
        let connection = try Connection(path: DatabaseQueue.memoryPath, role: .writer, statementCacheSize: 1)
        for _ in 0..<3 { try WordTokenizer.register(on: connection) }
        try connection.control(.begin)
        _ = try connection.execute("CREATE VIRTUAL TABLE t USING fts5(text, tokenize='sona_words 1')")
        _ = try connection.execute("INSERT INTO t VALUES ('新東京')")
        let count: Int? = try connection.ask("SELECT count(*) FROM t WHERE t MATCH '東京'")
        #expect(count == 1)
    }

    /// Titles of all scripts, in memory.
    private static func library() async throws -> DatabaseQueue {
        let database = try await Songs.inMemory()
        try await database.write { db throws in
            try db.insert(contentsOf: (Titles.spaced + Titles.unspaced).map { Song($0) })
        }
        return database
    }

    private static func words(of text: String) async throws -> [String] {
        let database = try await Songs.inMemory()
        let words = try await database.write { db throws in
            try db.execute("CREATE VIRTUAL TABLE words USING fts5vocab('words_texts_search', 'instance')")
            try db.insert(WordsText(1, text))
            return try db.values("SELECT term FROM words ORDER BY \"offset\"", as: String.self)
        }
        await database.close()
        return words
    }
}
