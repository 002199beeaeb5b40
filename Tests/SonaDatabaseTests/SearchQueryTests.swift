import SonaTestSupport
import Testing

@testable import SonaDatabase

/// Asking: which records, in which order, and what is marked in them.
struct SearchQueryTests {
    @Test func `all words, any word, a phrase`() async throws {
        let database = try await Self.library()
        try await database.read { db throws in
            #expect(try Set(db.titles("love me")) == ["Love Me Do", "Me and Love"])
            #expect(try Set(db.titles("me love")) == ["Love Me Do", "Me and Love"])
            #expect(try Set(db.titles("love me", .phrase)) == ["Love Me Do"])
            #expect(try Set(db.titles("do blue", .anyWord)) == ["Love Me Do", "Blue", "Blue Monday"])
            // Across columns, too; a phrase stands in one.
            #expect(try db.titles("blue joni") == ["Blue"])
            #expect(try db.titles("blue joni", .phrase) == [])
            #expect(try db.titles("lov") == db.titles("love"))
            #expect(try db.titles("lov ") == [])
            #expect(try db.titles("nothing of the kind") == [])
        }
        await database.close()
    }

    @Test func `the best come first, and equally good ones in the order of their keys`() async throws {
        let database = try await Songs.inMemory()
        try await database.write { db throws in
            for id in 1...20 { try db.insert(Song(id: Int64(21 - id), "common word")) }
            try db.insert(Song(id: 30, "rare rare rare"))
            try db.insert(Song(id: 31, "rare common word and many more words that make it longer"))
        }
        try await database.read { db throws in
            let text = try #require(SearchText("rare"))
            #expect(try db.search(Song.self, text, limit: 5).map(\.id) == [30, 31])
            let common = try #require(SearchText("common"))
            let all = try db.search(Song.self, common, limit: 100).map(\.id)
            #expect(all == (1...20).map { Optional($0) } + [31])
            // Pages of seven, and one past the last.
            let pages = try (0...3).map { page in
                try db.search(Song.self, common, limit: 7, offset: page * 7).map(\.id)
            }
            #expect(pages.map(\.count) == [7, 7, 7, 0])
            #expect(Array(pages.joined()) == all)
            #expect(try db.search(Song.self, common, limit: 0).isEmpty)
            #expect(try db.search(Song.self, common, limit: -1).isEmpty)
            #expect(try db.search(Song.self, common, limit: 1, offset: -5).map(\.id) == [1])
        }
        await database.close()
    }

    @Test func `some columns only, and columns that count more`() async throws {
        let database = try await Songs.inMemory()
        try await database.write { db throws in
            try db.insert(Song(id: 1, "Blue", artist: "Joni"))
            try db.insert(Song(id: 2, "Joni", artist: "Blue"))
        }
        try await database.read { db throws in
            let text = try #require(SearchText("blue"))
            func ids(_ columns: [any TableColumn<Song>], _ weights: [SearchWeight<Song>] = []) throws -> [Int64?] {
                try db.search(Song.self, text, in: columns, weights: weights, limit: 9).map(\.id)
            }
            #expect(try ids([]) == [1, 2])
            #expect(try ids([Song.title]) == [1])
            #expect(try ids([Song.artist]) == [2])
            #expect(try ids([Song.artist, Song.title]) == [1, 2])
            #expect(try ids([], [Song.artist.weight(5)]) == [2, 1])
            #expect(try ids([], [Song.title.weight(5)]) == [1, 2])
            #expect(try ids([], [Song.title.weight(5), Song.artist.weight(10)]) == [2, 1])
            #expect(try ids([Song.title], [Song.artist.weight(10)]) == [1])
            #expect(try db.searchCount(Song.self, text, in: [Song.title]) == 1)
            // Every way of matching within some columns.
            for matching in [SearchText.Matching.allWords, .anyWord, .phrase] {
                #expect(try db.titles("blue", matching, in: [Song.artist]) == ["Joni"])
            }
            #expect(try db.titles("blue joni", in: [Song.artist]) == [])
            #expect(try db.titles("blue joni", .anyWord, in: [Song.artist]) == ["Blue", "Joni"])
        }
        await database.close()
    }

    @Test func `rows that do not fulfil a condition are left out before they are counted`() async throws {
        let database = try await Songs.inMemory()
        try await database.write { db throws in
            for id in 1...40 {
                try db.insert(Song(id: Int64(id), "song \(id)", artist: "x", plays: id, isPublic: id % 4 == 0))
            }
        }
        try await database.read { db throws in
            let text = try #require(SearchText("song"))
            // The columns of the condition are those of the table, though the index has some of the same names.
            let isShown = Song.isPublic == true && Song.plays > 8 && Song.title.hasPrefix("song")
            let found = try db.search(Song.self, text, where: isShown, limit: 3, offset: 1)
            #expect(found.map(\.plays) == [16, 20, 24])
            #expect(try db.searchCount(Song.self, text, where: isShown) == 8)
            #expect(try db.searchCount(Song.self, text) == 40)
            let either: Condition<Song> = Song.plays == 1 || Song.artist.isNull || Condition("id IN (\(2), \(3))")
            #expect(try db.search(Song.self, text, where: either, limit: 9).map(\.plays) == [1, 2, 3])
            #expect(try db.search(Song.self, text, where: Song.id.isIn([]), limit: 9).isEmpty)
            let hits = try db.search(
                Song.self, text, marking: Song.title, in: [Song.title], where: isShown,
                weights: [Song.artist.weight(2)], limit: 1)
            #expect(hits.map(\.record.plays) == [12])
            #expect(hits.map(\.text.text) == ["song 12"])
        }
        await database.close()
    }

    @Test func `a column that is not in the index, and a table without one, are misuse`() async throws {
        let database = try await Songs.inMemory()
        let text = try #require(SearchText("x"))
        await Self.expectMisuse("the column plays is not in the search index", in: database) { db in
            try db.search(Song.self, text, in: [Song.plays], limit: 1)
        }
        await Self.expectMisuse("the column id is not in the search index", in: database) { db in
            try db.searchCount(Song.self, text, in: [Song.title, Song.id])
        }
        await Self.expectMisuse("the column plays is not in the search index", in: database) { db in
            try db.search(Song.self, text, weights: [Song.plays.weight(2)], limit: 1)
        }
        await Self.expectMisuse("the column plays is not in the search index", in: database) { db in
            try db.search(Song.self, text, marking: Song.plays, limit: 1)
        }
        await Self.expectMisuse("takes its values by position", in: database) { db in
            try db.search(Song.self, text, where: Condition(SQL("id = :id", named: ["id": 1])), limit: 1)
        }
        await Self.expectMisuse("the table unsearchable has no search index", in: database) { db in
            try db.search(Unsearchable.self, text, limit: 1)
        }
        // The statement was given back each time.
        for _ in 0..<3 { #expect(try await database.read { db in try db.titles("x") } == []) }
        await database.close()
    }

    @Test func `matches are marked, to the character`() async throws {
        let database = try await Songs.inMemory()
        try await database.write { db throws in
            try db.insert(Song("Live in 新東京物語 – déjà vu, Deja Vu!", artist: "東京"))
            func marked(_ typed: String, _ matching: SearchText.Matching = .allWords) throws -> String? {
                let text = try #require(SearchText(typed, matching: matching))
                return try db.search(Song.self, text, marking: Song.title, limit: 1).first?.text.brackets
            }
            #expect(try marked("東京") == "Live in 新[東京]物語 – déjà vu, Deja Vu!")
            #expect(try marked("live 物語") == "[Live] in 新東京[物語] – déjà vu, Deja Vu!")
            #expect(try marked("DEJA ") == "Live in 新東京物語 – [déjà] vu, [Deja] Vu!")
            #expect(try marked("dej") == "Live in 新東京物語 – [déjà] vu, [Deja] Vu!")
            #expect(try marked("deja vu", .phrase) == "Live in 新東京物語 – [déjà vu], [Deja Vu]!")
            #expect(try marked("語") == "Live in 新東京物[語] – déjà vu, Deja Vu!")
            // Each word by itself, in both columns; only one is marked.
            let both = try #require(SearchText("東京 vu"))
            let hit = try #require(try db.search(Song.self, both, marking: Song.artist, limit: 1).first)
            #expect(hit.text.parts == [.init(text: "東京", isMatch: true)])
            #expect(hit.record.title.hasPrefix("Live"))
            let titlesOnly = try db.search(Song.self, both, marking: Song.artist, in: [Song.title], limit: 1)
            #expect(titlesOnly.first?.text.brackets == "東京")
        }
        await database.close()
    }

    @Test func `a text with marks and markup of its own is marked all the same`() async throws {
        let database = try await Songs.inMemory()
        try await database.write { db throws in
            let title = "\u{1}a\u{2} <b>rock</b> \u{1}\u{1}\u{2}rock\u{1} rock"
            try db.insert(Song(title))
            let text = try #require(SearchText("rock"))
            let hit = try #require(try db.search(Song.self, text, marking: Song.title, limit: 1).first)
            #expect(hit.text.text == title)
            #expect(hit.text.brackets == "\u{1}a\u{2} <b>[rock]</b> \u{1}\u{1}\u{2}[rock]\u{1} [rock]")
            #expect(hit.text.parts.allSatisfy { !$0.text.isEmpty })
            // SQLite's highlight() leaves out what stands between a NUL and the next match; the record has it.
            try db.insert(Song("before\0between after"))
            let after = try #require(SearchText("after"))
            let cut = try #require(try db.search(Song.self, after, marking: Song.title, limit: 1).first)
            #expect(cut.record.title == "before\0between after")
            #expect(cut.text.brackets == "before[after]")
            // NULL is no text, and an empty text has no parts.
            try db.insert(Song("roll"))
            try db.insert(Song("roll", artist: ""))
            let roll = try #require(SearchText("roll"))
            let hits = try db.search(Song.self, roll, marking: Song.artist, limit: 2)
            #expect(hits.map(\.text.parts) == [[], []])
        }
        await database.close()
    }

    @Test func `an excerpt has the match in it and says where it was cut`() async throws {
        let database = try await Songs.inMemory()
        try await database.write { db throws in
            let words = (1...200).map { "w\($0)" }
            try db.insert(Song(words.joined(separator: " ")))
            let text = try #require(SearchText("w100 "))
            func excerpt(_ count: Int) throws -> String? {
                try db.search(Song.self, text, marking: Song.title, words: count, limit: 1).first?.text.brackets
            }
            #expect(try excerpt(5) == "…w98 w99 [w100] w101 w102…")
            #expect(try excerpt(1) == "…[w100]…")
            #expect(try excerpt(0) == "…[w100]…")
            #expect(try excerpt(64)?.split(separator: " ").count == 64)
            #expect(try excerpt(65) == excerpt(64))
            try db.insert(Song(String(repeating: "夜に駆ける", count: 20) + "東京" + String(repeating: "夜に駆ける", count: 20)))
            let tokyo = try #require(SearchText("東京"))
            let hit = try db.search(Song.self, tokyo, marking: Song.title, words: 6, limit: 1).first
            #expect(hit?.text.brackets == "…ける[東京]夜に…")
        }
        await database.close()
    }

    @Test func `a search in a write sees what the write did`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Songs.open(folder)
        try await pool.write { db throws in
            try db.insert(Song(id: 1, "first"))
            #expect(try db.titles("first") == ["first"])
            #expect(throws: Refusal.self) {
                try db.savepoint { db in
                    try db.insert(Song(id: 2, "first second"))
                    #expect(try db.titles("first").count == 2)
                    throw Refusal()
                }
            }
            #expect(try db.titles("first") == ["first"])
        }
        #expect(try await pool.read { db in try db.titles("first") } == ["first"])
        await pool.close()
    }

    @Test func `a search inside its own loop works`() async throws {
        let database = try await Self.library()
        let pairs = try await database.read { db throws in
            let text = try #require(SearchText("love"))
            return try db.search(Song.self, text, limit: 9).flatMap { outer in
                try db.search(Song.self, text, limit: 9).map { "\(outer.title) \($0.title)" }
            }
        }
        #expect(pairs.count == 4)
        await database.close()
    }

    /// An observer that repeats a search after changes must know which tables it depends on.
    @Test func `a search and its count depend on the table`() async throws {
        let folder = TemporaryFolder()
        await (try await Songs.open(folder)).close()
        let connection = try Connection(path: folder.file("songs.sqlite"), role: .reader, statementCacheSize: 9)
        try ConnectionSetup.prepareReader(connection, options: DatabaseOptions())
        let text = try #require(SearchText("x"))
        let access = ReadAccess(connection)
        connection.tablesRead = []
        _ = try access.searchCount(Song.self, text)
        #expect(connection.tablesRead?.contains("songs") == true)
        connection.tablesRead = []
        _ = try access.search(Song.self, text, limit: 1)
        #expect(connection.tablesRead?.contains("songs") == true)
    }

    /// Goal: typed text neither runs as SQL or as FTS5's own language, nor brings SQLite's words to whoever reads an
    /// error.
    @Test(arguments: [
        "'; DROP TABLE songs; --", "\"; DELETE FROM songs; --", "songs_search", "rank", "rebuild", "delete-all",
        "') OR 1=1 --", "x\" OR title:y", "{title artist}: z", "NOT love", "love NOT me", "love AND", "OR OR OR",
        "NEAR(",
        "NEAR(love me, 1)", "love*", "*love", "^love", "lo*ve", "+ + +", "(love", "love)", "\"love", "love\"",
        "\"\"love\"\"",
        "\\", "%00", "\0love", "love\0 DROP", "\u{202E}love", "title : love", "-title : love", "a.b.c.d.e.f.g",
        "<script>",
    ])
    func `hostile input is words`(typed: String) async throws {
        let database = try await Self.library()
        try await database.read { db throws in
            for matching in [SearchText.Matching.allWords, .anyWord, .phrase] {
                guard let text = SearchText(typed, matching: matching) else { continue }
                _ = try db.search(Song.self, text, limit: 10)
                _ = try db.search(Song.self, text, marking: Song.title, words: 3, in: [Song.title], limit: 10)
                _ = try db.searchCount(Song.self, text, in: [Song.artist])
            }
            #expect(try db.count(Song.self) == 5)
        }
        // The word itself is found, whatever stands around it, unless other words do.
        if ["love*", "*love", "^love", "(love", "love)", "\"love", "love\"", "\"\"love\"\"", "\0love"].contains(typed) {
            #expect(try await database.read { db in try db.titles(typed).count } == 2)
        }
        if ["NOT love", "title : love", "love NOT me", "lo*ve"].contains(typed) {
            #expect(try await database.read { db in try db.titles(typed) } == [])
        }
        await database.close()
    }

    private static func library() async throws -> DatabaseQueue {
        let database = try await Songs.inMemory()
        try await database.write { db throws in
            try db.insert(contentsOf: [
                Song("Love Me Do", artist: "Four"), Song("Me and Love"), Song("Blue", artist: "Joni"),
                Song("Blue Monday", artist: "Order"), Song("Something else"),
            ])
        }
        return database
    }

    private static func expectMisuse<Value: Sendable>(
        _ words: String, in database: DatabaseQueue, location: SourceLocation = #_sourceLocation,
        _ body: @escaping @Sendable (inout ReadAccess) throws -> Value
    ) async {
        do {
            _ = try await database.read(body)
            Issue.record("Nothing was thrown.", sourceLocation: location)
        } catch let error as DatabaseError {
            guard case .misuse(let text) = error.kind, text.contains(words) else {
                Issue.record(error, sourceLocation: location)
                return
            }
        } catch {
            Issue.record(error, sourceLocation: location)
        }
    }
}

extension MarkedText {
    fileprivate var brackets: String { parts.map { $0.isMatch ? "[\($0.text)]" : $0.text }.joined() }
}

private struct Unsearchable: TextRecord {
    var id: Int64 = 0
    var text = ""
    static let id = Column("id", \Self.id, .primaryKey)
    static let text = Column("text", \Self.text)
    static let table = Table<Self>("unsearchable", id, text)
}
