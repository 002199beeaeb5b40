import SonaDatabase
import SonaTestSupport
import Testing

struct RecordTests {
    // MARK: Inserting

    @Test func `SQLite chooses the key of a record that has none`() async throws {
        let (queue, _) = try await Library.inMemory()
        let stored = try await queue.write { db in
            let first = try db.insertReturning(Author(name: "Nina"))
            try db.insert(Author(name: "Chet"))
            let given = try db.insertReturning(Author(id: .max, name: "Last"))
            return [first, try db.first(Author.self, key: 2), given].compactMap { $0 }
        }
        #expect(stored == [Author(id: 1, name: "Nina"), Author(id: 2, name: "Chet"), Author(id: .max, name: "Last")])
        #expect(try await queue.first(Author.self, key: .max)?.name == "Last")
        #expect(try await queue.first(Author.self, key: 3) == nil)
        await expectFailure(.unique(table: "authors", columns: ["id"])) {
            try await queue.write { db in try db.insert(Author(id: 1, name: "Other")) }
        }
        await queue.close()
    }

    @Test func `many records are inserted or none`() async throws {
        let (queue, _) = try await Library.inMemory()
        func count() async throws -> Int { try await queue.read { db in try db.count(Author.self) } }
        try await queue.write { db in try db.insert(contentsOf: [Author]()) }
        #expect(try await count() == 0)
        try await queue.write { db in
            try db.insert(contentsOf: (1...1_000).lazy.map { Author(id: $0, name: "author \($0 ?? 0)") })
        }
        #expect(try await count() == 1_000)
        let failing = [Author(name: "a"), Author(name: "b"), Author(name: "author 7"), Author(name: "c")]
        await expectFailure(.unique(table: "authors", columns: ["name"])) {
            try await queue.write { db in try db.insert(contentsOf: failing) }
        }
        #expect(try await count() == 1_000)
        await queue.close()
    }

    /// Goal: no value changes on its way through a column. Way: the ends of every type's range, in every column.
    @Test func `values come back as they were, at the ends of their ranges`() async throws {
        let (queue, _) = try await Library.inMemory()
        try await queue.write { db in try db.insert(Author(id: 1, name: "x")) }
        let texts = ["a", "\0", "a\0b", "'", "\"", "é", "e\u{301}", "🎵👩‍👩‍👧", "\u{10FFFF}", "ß\u{FEFF}", "%_?:x"]
        let books = texts.enumerated().map { place, text in
            Book(
                id: BookID("\(place)\(text)"), title: text, author: 1, year: [nil, .min, .max, 0, -1][place % 5],
                genre: Genre.allCases[place % 3], cover: [nil, [], [0], [255, 0, 255]][place % 4],
                rating: [nil, 0, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity, 1e16, 0.1][place % 7],
                isPublic: place % 2 == 0)
        }
        for book in books {
            let stored = try await queue.write { db in try db.insertReturning(book) }
            let found = try #require(try await queue.first(Book.self, key: book.id))
            // Swift takes texts for equal that look alike; the file must not.
            #expect(Array(found.title.utf8) == Array(book.title.utf8))
            #expect(found == book && stored == book)
        }
        #expect(try await queue.read { db in try db.count(Book.self) } == texts.count)
        await queue.close()
    }

    @Test func `not a number is stored as NULL, in the first record and in any other`() async throws {
        let (queue, _) = try await Library.inMemory()
        try await queue.write { db in
            try db.insert(Author(id: 1, name: "x"))
            for id in ["a", "b"] as [BookID] {
                try db.insert(Book(id: id, title: "t", author: 1, rating: .nan))
                #expect(try db.first(Book.self, key: id)?.rating == nil)
            }
        }
        await queue.close()
    }

    @Test func `a stored value that its type does not take is an error that names the column`() async throws {
        let (queue, _) = try await Library.inMemory()
        try await Library.fill(queue)
        let damages: [(SQL, DatabaseError.Kind)] = [
            ("UPDATE books SET is_public = 2 WHERE id = 'a'", .badValue(column: 7, wanted: "Bool")),
            ("UPDATE books SET id = '' WHERE id = 'b'", .badValue(column: 0, wanted: "BookID")),
        ]
        for (damage, wanted) in damages {
            await expectFailure(wanted) {
                try await queue.write { db in
                    try db.execute(damage)
                    _ = try db.all(Book.order(Book.id.descending))
                }
            }
        }
        #expect(try await queue.read { db in try db.all(Book.all) }.count == 4, "the writes were undone")
        await queue.close()
    }

    @Test func `a column that the record does not know is left alone`() async throws {
        let (queue, _) = try await Library.inMemory()
        try await queue.write { db in
            try db.execute("ALTER TABLE authors ADD COLUMN extra TEXT NOT NULL DEFAULT 'kept'")
            var author = try db.insertReturning(Author(name: "Nina"))
            try db.execute("UPDATE authors SET extra = 'mine'")
            author.country = "us"
            #expect(try db.update(author))
            try db.upsert(author)
            #expect(try db.all(Author.all) == [author])
            #expect(try db.value("SELECT extra FROM authors") == "mine")
        }
        await queue.close()
    }

    // MARK: Keys

    @Test func `a key of several columns names one row, whatever the order of the columns`() async throws {
        let (queue, _) = try await Library.inMemory()
        try await Library.fill(queue)
        try await queue.write { db in
            for place in 1...3 { try db.insert(Chapter(title: "t\(place)", book: "a", place: place)) }
            let key = ChapterKey(book: "a", place: 2)
            #expect(try db.first(Chapter.self, key: key)?.title == "t2")
            #expect(try db.exists(Chapter.self, key: key))
            #expect(try !db.exists(Chapter.self, key: ChapterKey(book: "a", place: 4)))
            #expect(try !db.exists(Chapter.self, key: ChapterKey(book: "b", place: 2)))
            #expect(try db.update(Chapter(title: "new", pages: 7, book: "a", place: 2)))
            try db.upsert(Chapter(title: "newer", pages: 8, book: "a", place: 2))
            #expect(try db.update(Chapter.self, key: key) { $0.pages += 1 }?.pages == 9)
            #expect(try db.delete(Chapter.self, key: ChapterKey(book: "a", place: 1)))
            #expect(try !db.delete(Chapter.self, key: ChapterKey(book: "a", place: 1)))
        }
        #expect(
            try await queue.read { db in try db.all(Chapter.order(Chapter.place.ascending)) } == [
                Chapter(title: "newer", pages: 9, book: "a", place: 2), Chapter(title: "t3", book: "a", place: 3),
            ])
        await expectFailure(.unique(table: "chapters", columns: ["book", "place"])) {
            try await queue.write { db in try db.insert(Chapter(title: "t", book: "a", place: 3)) }
        }
        await queue.close()
    }

    @Test func `keys that look alike and are other bytes are two rows, in relations too`() async throws {
        let (queue, _) = try await Library.inMemory()
        let (one, two): (BookID, BookID) = ("\u{E9}", "e\u{301}")
        let related = try await queue.write { db in
            try db.insert(Author(id: 1, name: "x"))
            try db.insert(contentsOf: [Book(id: one, title: "1", author: 1), Book(id: two, title: "2", author: 1)])
            try db.insert(contentsOf: [
                Chapter(title: "a", book: one, place: 1), Chapter(title: "b", book: two, place: 1),
            ])
            #expect(try db.first(Book.self, key: one)?.title == "1")
            #expect(try db.first(Book.self, key: two)?.title == "2")
            return try db.all(Book.order(Book.title.ascending), with: ToMany(Chapter.book, of: Book.self))
        }
        #expect(related.map { $0.1.map(\.title) } == [["a"], ["b"]])
        await queue.close()
    }

    /// A table whose columns all are its key: an update has nothing to set.
    private struct Mark: Record, Equatable {
        typealias Key = MarkKey
        var row: Int
        var line: Int
        static let row = Column("row", \Self.row)
        static let line = Column("line", \Self.line)
        static let table = Table<Self>("marks", row, line, rules: [.primaryKey(line, row)])
        init(_ row: Int, _ line: Int) { (self.row, self.line) = (row, line) }
        init(row values: inout Row) throws(DatabaseError) { (row, line) = (try values.next(), try values.next()) }
        func bind(to values: inout Binder) {
            values.next(row)
            values.next(line)
        }
    }

    private struct MarkKey: RecordKey {
        var line: Int
        var row: Int
        static let columnCount = 2
        init(line: Int, row: Int) { (self.line, self.row) = (line, row) }
        init(row values: inout Row) throws(DatabaseError) { (line, row) = (try values.next(), try values.next()) }
        func bind(to values: inout Binder) {
            values.next(line)
            values.next(row)
        }
    }

    @Test func `a table of key columns alone can be written in every way`() async throws {
        let queue = try await DatabaseQueue.inMemory()
        try await queue.write { db in
            try db.createTable(Mark.self)
            try db.insert(Mark(1, 2))
            try db.upsert(Mark(1, 2))
            #expect(try db.upsertReturning(Mark(3, 4)) == Mark(3, 4))
            #expect(try db.upsert(Mark(3, 4), onConflict: Mark.line, Mark.row) == Mark(3, 4))
            #expect(try db.update(Mark(1, 2)))
            #expect(try !db.update(Mark(2, 1)))
            #expect(try db.updateReturning(Mark(1, 2)) == Mark(1, 2))
            #expect(try db.updateChanges(Mark(1, 2), from: Mark(1, 2)) == 0)
            #expect(try db.first(Mark.self, key: MarkKey(line: 2, row: 1)) == Mark(1, 2))
            #expect(try db.first(Mark.self, key: MarkKey(line: 1, row: 2)) == nil)
            #expect(try db.delete(Mark.all.order(Mark.row.descending).limit(1)) == 1)
            #expect(try db.all(Mark.all) == [Mark(1, 2)])
        }
        await queue.close()
    }
}
