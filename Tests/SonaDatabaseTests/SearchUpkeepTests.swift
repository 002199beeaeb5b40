import SonaBase
import SonaDatabase
import SonaTestSupport
import Testing

/// The index follows the table, whatever is written, undone or refused.
struct SearchUpkeepTests {
    /// Goal: no way of writing leaves the index out of step. Way: random writes of all kinds, some of which fail or are
    /// undone in part, on one side a dictionary that takes the same turns; after each, SQLite holds the index against
    /// the table, and a word only one row has is looked for.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `the index stays in step with random writes`(seed: UInt64) async throws {
        let folder = TemporaryFolder()
        let pool = try await Songs.open(folder)
        var dice = SeededGenerator(seed: seed)
        var rows: [Int64: Song] = [:]
        for step in 0..<150 {
            let song = Song(
                id: Int64.random(in: 1...30, using: &dice), "word\(step) 東京 \(rows.count)",
                artist: Bool.random(using: &dice) ? nil : "artist\(step)")
            let kind = Int.random(in: 0..<12, using: &dice)
            let before = rows
            let fails = Int.random(in: 0..<5, using: &dice) == 0
            do {
                rows = try await pool.write { db in
                    let after = try Self.write(kind, song, before, &db)
                    if fails { throw Refusal() }
                    return after
                }
            } catch is Refusal {
                rows = before
            } catch let error as DatabaseError {
                guard case .unique = error.kind else { throw error }
            }
            try await pool.write { db in try db.checkSongIndex() }
            let found = try await pool.read { db in
                (try db.titles("word\(step) "), try db.all(Song.self, "ORDER BY id"))
            }
            #expect(found.0 == rows.values.map(\.title).filter { $0.hasPrefix("word\(step) ") }, "seed \(seed)")
            #expect(found.1 == rows.sorted { $0.key < $1.key }.map(\.value), "seed \(seed)")
        }
        #expect(rows.count > 5)
        await pool.close()
    }

    /// One write; what the table holds after it.
    private static func write(
        _ kind: Int, _ song: Song, _ before: [Int64: Song], _ db: inout WriteAccess
    ) throws -> [Int64: Song] {
        var rows = before
        let id = try #require(song.id)
        switch kind {
        case 0...2:
            try db.insert(song)
            rows[id] = song
        case 3:
            let new = try db.insertReturning(Song(song.title))
            rows[try #require(new.id)] = new
        case 4:
            try db.upsert(song)
            rows[id] = song
        case 5:
            _ = try db.upsert(song, onConflict: Song.id, updating: [Song.artist])
            if rows[id] == nil { rows[id] = song } else { rows[id]?.artist = song.artist }
        case 6:
            if try db.update(song) { rows[id] = song }
        case 7:
            rows[id] = try db.update(Song.self, key: id) { $0.title = song.title }
        case 8:
            try db.update(Song.filter(Song.id > 10), Song.plays.set(toSQL: "plays + 1"), Song.artist.set(to: "all"))
            for id in rows.keys where id > 10 {
                rows[id]?.artist = "all"
                rows[id]?.plays += 1
            }
        case 9:
            if try db.delete(Song.self, key: id) { rows[id] = nil }
        case 10:
            // The key itself changes.
            if rows[id + 100] == nil, var moved = rows.removeValue(forKey: id) {
                try db.execute("UPDATE songs SET id = id + 100 WHERE id = \(id)")
                moved.id = id + 100
                rows[id + 100] = moved
            }
        default:
            // A part that is undone, among parts that stay.
            try db.upsert(song)
            rows[id] = song
            try? db.savepoint { db in
                try db.delete(Song.all)
                try db.insert(Song(id: 999, "gone"))
                throw Refusal()
            }
        }
        return rows
    }

    @Test func `the consistency check finds an index that is out of step`() async throws {
        let database = try await Songs.inMemory()
        try await database.write { db throws in
            try db.insert(Song(id: 1, "one"))
            try db.checkSongIndex()
            try db.execute("DROP TRIGGER songs_search_update")
            try db.execute("UPDATE songs SET title = 'two'")
            let error = #expect(throws: DatabaseError.self) { try db.checkSongIndex() }
            #expect(error?.kind == .corrupt)
        }
        await database.close()
    }

    /// Goal: writes that share a commit, some of which fail, leave an index of those that did not. Way: the writer is
    /// held up while many queue; every third refuses, every seventh breaks a constraint.
    @Test func `failing writes of a batch leave no words in the index`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Songs.open(folder)
        let gate = Gate()
        let holding = Task { try await pool.write { _ in gate.pass() } }
        let writes = (1...60).map { number in
            Task {
                try await pool.write { db in
                    try db.insert(Song(id: Int64(number), "batch word\(number)"))
                    if number % 3 == 0 { throw Refusal() }
                    if number % 7 == 0 { try db.insert(Song(id: Int64(number), "twice")) }
                }
            }
        }
        gate.open()
        try await holding.value
        var kept = 0
        for write in writes where (try? await write.value) != nil { kept += 1 }
        #expect(kept == 60 - 20 - 6)
        try await pool.write { db in try db.checkSongIndex() }
        #expect(try await pool.read { db in try db.titles("batch").count } == kept)
        #expect(try await pool.read { db in try db.titles("word21 ") } == [])
        #expect(try await pool.read { db in try db.titles("twice") } == [])
        await pool.close()
    }

    @Test func `a write refused at its end for a deferred foreign key leaves no words in the index`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Songs.open(folder)
        try await pool.write { db in
            try db.executeScript(
                """
                CREATE TABLE likes (song INTEGER NOT NULL REFERENCES songs (id) ON DELETE CASCADE
                    DEFERRABLE INITIALLY DEFERRED) STRICT
                """)
        }
        let error = await #expect(throws: DatabaseError.self) {
            try await pool.write { db in
                try db.insert(Song(id: 1, "refused"))
                try db.execute("INSERT INTO likes VALUES (2)")
            }
        }
        #expect(error?.kind == .foreignKey)
        #expect(try await pool.read { db in try db.titles("refused") } == [])
        try await pool.write { db in
            try db.execute("INSERT INTO likes VALUES (2)")
            try db.insert(Song(id: 2, "in time"))
        }
        try await pool.write { db in try db.checkSongIndex() }
        #expect(try await pool.read { db in try db.titles("in time") } == ["in time"])
        await pool.close()
    }

    @Test func `rows that a cascade deletes are no longer found`() async throws {
        let database = try await DatabaseQueue.inMemory(daos: Reviews.self).database
        try await database.write { db throws in
            try db.insert(Song(id: 1, "song"))
            try db.insert(Review(id: 5, song: 1, text: "splendid"))
            let text = try #require(SearchText("splendid"))
            #expect(try db.searchCount(Review.self, text) == 1)
            try db.delete(Song.all)
            #expect(try db.searchCount(Review.self, text) == 0)
            try db.execute("INSERT INTO reviews_search (reviews_search, rank) VALUES ('integrity-check', 1)")
        }
        await database.close()
    }

    @Test func `changing columns that are not searched leaves the index alone`() async throws {
        let database = try await Songs.inMemory()
        let sizes = try await database.write { db in
            for id in 1...50 { try db.insert(Song(id: Int64(id), "title \(id)")) }
            try db.execute("INSERT INTO songs_search (songs_search) VALUES ('optimize')")
            let size: SQL = "SELECT sum(length(block)) FROM songs_search_data"
            let before = try db.value(size, as: Int.self)
            for var song in try db.all(Song.all) {
                song.plays += 1
                _ = try db.update(song)
                try db.upsert(song)
            }
            let after = try db.value(size, as: Int.self)
            try db.update(Song.all, Song.title.set(to: "other"))
            return [before, after, try db.value(size, as: Int.self)]
        }
        #expect(sizes[0] == sizes[1])
        #expect(sizes[1] != sizes[2])
        await database.close()
    }

    @Test func `the number of rows changed and the last rowid are those of the table`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Songs.open(folder)
        try await pool.write { db throws in
            try db.insert(Song(id: 70, "a"))
            #expect(db.lastInsertedRowID == 70)
            try db.savepoint { db in try db.insert(Song(id: 80, "b c d")) }
            #expect(db.lastInsertedRowID == 80)
            #expect(try db.execute("UPDATE songs SET title = title || ' x'") == 2)
            #expect(try db.delete(Song.all) == 2)
        }
        await pool.close()
    }
}

private struct Review: Record {
    typealias Key = Int64
    var id: Int64
    var song: Int64
    var text: String
    static let id = Column("id", \Self.id, .primaryKey)
    static let song = Column("song", \Self.song, .references(Song.self, onDelete: .cascade))
    static let text = Column("text", \Self.text)
    static let table = Table<Self>("reviews", id, song, text, search: SearchIndex(text, prefixes: []))

    init(id: Int64, song: Int64, text: String) {
        self.id = id
        self.song = song
        self.text = text
    }
    init(row: inout Row) throws(DatabaseError) {
        id = try row.next()
        song = try row.next()
        text = try row.next()
    }
    func bind(to values: inout Binder) {
        values.next(id)
        values.next(song)
        values.next(text)
    }
}

private struct Reviews: DAOs {
    let songs: SongDAO
    let reviews: ReviewDAO
    init(_ database: any DatabaseWriter) {
        songs = SongDAO(database)
        reviews = ReviewDAO(database)
    }
}

private struct ReviewDAO: TableDAO {
    typealias Model = Review
    typealias Failure = SongError
    let database: any DatabaseWriter
    init(_ database: any DatabaseWriter) { self.database = database }
    static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(Review.self) }
}
