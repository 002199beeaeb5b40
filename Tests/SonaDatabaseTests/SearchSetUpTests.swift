import SonaTestSupport
import Testing

@testable import SonaDatabase

/// Making the index, making it anew, and what other programs can do with the file.
struct SearchSetUpTests {
    @Test func `rows written before the index was declared are found`() async throws {
        let folder = TemporaryFolder()
        let before = try await Songs.open(folder, NoIndex.self)
        try await before.write { db in
            for id in 1...200 { try db.insert(NoIndex(Int64(id), "新東京 word\(id)")) }
        }
        await before.close()
        let after = try await Songs.open(folder, OneIndex.self)
        #expect(try await after.read { db in try db.keys(OneIndex.self, "東京").count } == 200)
        #expect(try await after.read { db in try db.keys(OneIndex.self, "word17 ") } == [17])
        try await after.write { db in try db.insert(OneIndex(201, "word17")) }
        #expect(try await after.read { db in try db.keys(OneIndex.self, "word17 ") }.sorted() == [17, 201])
        await after.close()
    }

    /// Goal: the index is rebuilt if its declaration has changed, and only then. Way: another connection empties it,
    /// and the file is opened again with the same declaration and with others.
    @Test func `another declaration makes the index anew, the same does not`() async throws {
        let folder = TemporaryFolder()
        func openEmptied<Text: TextRecord>(_: Text.Type) async throws -> Int {
            let pool = try await Songs.open(folder, Text.self)
            let found = try await pool.read { db in try db.keys(Text.self, "word").count }
            try await pool.write { db in
                if found == 0 { return }
                try db.execute("INSERT INTO texts_search (texts_search) VALUES ('delete-all')")
            }
            await pool.close()
            return found
        }
        let first = try await Songs.open(folder, OneIndex.self)
        try await first.write { db in for id in 1...3 { try db.insert(OneIndex(Int64(id), "word \(id)")) } }
        await first.close()
        #expect(try await openEmptied(OneIndex.self) == 3)
        #expect(try await openEmptied(OneIndex.self) == 0)
        // Another tokenizer, other prefixes, and back again.
        #expect(try await openEmptied(PlainIndex.self) == 3)
        #expect(try await openEmptied(PlainIndex.self) == 0)
        #expect(try await openEmptied(PrefixIndex.self) == 3)
        #expect(try await openEmptied(OneIndex.self) == 3)
    }

    @Test func `a missing trigger makes the index anew`() async throws {
        for trigger in ["texts_search_insert", "texts_search_update", "texts_search_delete"] {
            let folder = TemporaryFolder()
            let first = try await Songs.open(folder, OneIndex.self)
            try await first.write { db in
                try db.insert(OneIndex(1, "one"))
                try db.execute("DROP TRIGGER \(try SQL.identifier(trigger))")
                try db.execute("UPDATE texts SET text = 'two'")
                try db.execute("INSERT INTO texts VALUES (2, 'two')")
            }
            await first.close()
            let second = try await Songs.open(folder, OneIndex.self)
            #expect(try await second.read { db in try db.keys(OneIndex.self, "two") } == [1, 2])
            #expect(try await second.read { db in try db.keys(OneIndex.self, "one") } == [])
            await second.close()
        }
    }

    /// The number in the declaration changes with what the tokenizer does.
    @Test func `an index of an older tokenizer is made anew`() async throws {
        let folder = TemporaryFolder()
        let first = try await Songs.open(folder, OneIndex.self)
        try await first.write { db in
            try db.insert(OneIndex(1, "東京"))
            try db.execute("DROP TABLE texts_search")
            try db.execute(
                """
                CREATE VIRTUAL TABLE texts_search USING fts5(
                    text, content='texts', content_rowid='id', tokenize='sona_words 0 x')
                """)
        }
        await first.close()
        let second = try await Songs.open(folder, OneIndex.self)
        #expect(try await second.read { db in try db.keys(OneIndex.self, "京") } == [1])
        await second.close()
    }

    @Test func `a column renamed or a table rebuilt by a migration is searched as before`() async throws {
        let folder = TemporaryFolder()
        let first = try await Songs.open(folder, OneIndex.self)
        try await first.write { db in try db.insert(OneIndex(1, "東京")) }
        await first.close()
        let rename = Migration("rename") { db in try db.execute("ALTER TABLE texts RENAME COLUMN text TO body") }
        let rebuild = Migration("rebuild") { db in
            try db.executeScript(
                """
                CREATE TABLE new_texts (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
                INSERT INTO new_texts SELECT id + 1, body FROM texts;
                DROP TABLE texts;
                ALTER TABLE new_texts RENAME TO texts;
                """)
        }
        for (migrations, key) in [([rename], Int64(1)), ([rename, rebuild], 2)] {
            let pool = try await DatabasePool.open(
                folder.file("songs.sqlite"), applicationID: Songs.applicationID, daos: Songs.One<RenamedIndex>.self,
                migrations: migrations
            ).database
            #expect(try await pool.read { db in try db.keys(RenamedIndex.self, "京") } == [key])
            try await pool.write { db in
                try db.upsert(RenamedIndex(key, "京都"))
                try db.execute("INSERT INTO texts_search (texts_search, rank) VALUES ('integrity-check', 1)")
            }
            #expect(try await pool.read { db in try db.keys(RenamedIndex.self, "京") } == [key])
            await pool.close()
        }
    }

    @Test func `a table without an INTEGER primary key is refused with a sentence`() async throws {
        let folder = TemporaryFolder()
        let error = await #expect(throws: DatabaseError.self) {
            try await DatabasePool.open(
                folder.file("tags.sqlite"), applicationID: Songs.applicationID, daos: TextKeys.self)
        }
        guard case .setUp(table: "tags", let reason) = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("a search index needs an INTEGER primary key"))
    }

    @Test func `every connection of a pool can search, again and again`() async throws {
        let folder = TemporaryFolder()
        for opening in 1...3 {
            let pool = try await Songs.open(folder)
            try await pool.write { db in try db.insert(Song("opening \(opening) 新東京")) }
            let gate = Gate()
            let reads = (0..<4).map { _ in
                Task {
                    try await pool.readDetached { db in
                        gate.pass()
                        return try db.titles("東京").count
                    }
                }
            }
            gate.open()
            for read in reads { #expect(try await read.value == opening) }
            await pool.close()
        }
    }

    /// Goal: to know what a program without the tokenizer can do. Way: a connection as the `sqlite3` shell has it.
    @Test func `another program reads the file, and writes it once the triggers are gone`() async throws {
        let folder = TemporaryFolder()
        let first = try await Songs.open(folder, OneIndex.self)
        try await first.write { db in try db.insert(OneIndex(1, "東京")) }
        await first.close()
        do {
            let other = try Self.foreign(folder)
            let text: String? = try other.ask("SELECT text FROM texts")
            #expect(text == "東京")
            try other.set("VACUUM")
            let finding: String? = try other.ask("PRAGMA integrity_check")
            #expect(finding == "ok")
            try other.control(.begin)
            let error = #expect(throws: DatabaseError.self) { try other.execute("INSERT INTO texts VALUES (2, '京都')") }
            #expect(error?.detail?.contains("no such tokenizer") == true)
            for suffix in ["insert", "update", "delete"] {
                _ = try other.execute("DROP TRIGGER \(try SQL.identifier("texts_search_\(suffix)"))")
            }
            _ = try other.execute("INSERT INTO texts VALUES (2, '京都')")
            _ = try other.execute("UPDATE texts SET text = '大阪' WHERE id = 1")
            try other.control(.commit)
        }
        let second = try await Songs.open(folder, OneIndex.self)
        #expect(try await second.read { db in try db.keys(OneIndex.self, "都") } == [2])
        #expect(try await second.read { db in try db.keys(OneIndex.self, "京") } == [2])
        #expect(try await second.read { db in try db.keys(OneIndex.self, "阪") } == [1])
        await second.close()
    }

    @Test func `with SQLite's own tokenizer another program searches and writes`() async throws {
        let folder = TemporaryFolder()
        let first = try await Songs.open(folder, PlainIndex.self)
        try await first.write { db in try db.insert(PlainIndex(1, "one")) }
        await first.close()
        do {
            let other = try Self.foreign(folder)
            try other.control(.begin)
            _ = try other.execute("INSERT INTO texts VALUES (2, 'two')")
            _ = try other.execute("UPDATE texts SET text = 'three' WHERE id = 1")
            try other.control(.commit)
            let found: Int? = try other.ask("SELECT rowid FROM texts_search WHERE texts_search MATCH 'three'")
            #expect(found == 1)
        }
        let second = try await Songs.open(folder, PlainIndex.self)
        #expect(try await second.read { db in try db.keys(PlainIndex.self, "three") } == [1])
        #expect(try await second.read { db in try db.keys(PlainIndex.self, "two") } == [2])
        #expect(try await second.read { db in try db.keys(PlainIndex.self, "one") } == [])
        await second.close()
    }

    /// Triggers may use a search index although the schema is not trusted; nothing else of a doctored file may.
    @Test func `the schema stays untrusted`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Songs.open(folder)
        try await pool.write { db throws in
            #expect(try db.value("PRAGMA trusted_schema") == false)
            try db.execute("CREATE VIRTUAL TABLE other USING fts5vocab('songs_search', 'row')")
            try db.execute("CREATE VIEW doctored AS SELECT fts5(NULL)")
            #expect(throws: DatabaseError.self) { try db.value("SELECT * FROM doctored", as: DatabaseValue.self) }
        }
        await pool.close()
    }

    /// Without what `ConnectionSetup` does: as another program has the file.
    private static func foreign(_ folder: TemporaryFolder) throws -> Connection {
        try Connection(path: folder.file("songs.sqlite"), role: .writer, statementCacheSize: 8)
    }
}

// One table, declared in several ways.

private struct NoIndex: TextRecord {
    var id: Int64 = 0
    var text = ""
    static let id = Column("id", \Self.id, .primaryKey)
    static let text = Column("text", \Self.text)
    static let table = Table<Self>("texts", id, text)
}

private struct OneIndex: TextRecord {
    var id: Int64 = 0
    var text = ""
    static let id = Column("id", \Self.id, .primaryKey)
    static let text = Column("text", \Self.text)
    static let table = Table<Self>("texts", id, text, search: SearchIndex(text))
}

private struct RenamedIndex: TextRecord {
    var id: Int64 = 0
    var text = ""
    static let id = Column("id", \Self.id, .primaryKey)
    static let text = Column("body", \Self.text)
    static let table = Table<Self>("texts", id, text, search: SearchIndex(text))
}

private struct PlainIndex: TextRecord {
    var id: Int64 = 0
    var text = ""
    static let id = Column("id", \Self.id, .primaryKey)
    static let text = Column("text", \Self.text)
    static let table = Table<Self>("texts", id, text, search: SearchIndex(text, tokenizer: .unicode61))
}

private struct PrefixIndex: TextRecord {
    var id: Int64 = 0
    var text = ""
    static let id = Column("id", \Self.id, .primaryKey)
    static let text = Column("text", \Self.text)
    static let table = Table<Self>("texts", id, text, search: SearchIndex(text, prefixes: [1, 2, 3, 4]))
}

private struct TextKey: Record {
    typealias Key = String
    var name: String
    static let name = Column("name", \Self.name, .primaryKey)
    static let table = Table<Self>("tags", name, search: SearchIndex(name))
    init(row: inout Row) throws(DatabaseError) { name = try row.next() }
    func bind(to values: inout Binder) { values.next(name) }
}

private struct TextKeyDAO: TableDAO {
    typealias Model = TextKey
    typealias Failure = SongError
    let database: any DatabaseWriter
    init(_ database: any DatabaseWriter) { self.database = database }
    static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(TextKey.self) }
}

private struct TextKeys: DAOs {
    let tags: TextKeyDAO
    init(_ database: any DatabaseWriter) { tags = TextKeyDAO(database) }
}
