import SonaDatabase
import SonaTestSupport
import Testing

struct UpdateTests {
    /// A library in which every UPDATE of an book leaves the names of the columns it sets.
    private func logged() async throws -> DatabaseQueue {
        let queue = try await Library.inMemory().database
        try await Library.fill(queue)
        try await queue.write { db in
            try db.execute("CREATE TABLE log (name TEXT NOT NULL) STRICT")
            for name in ["id", "title", "author", "year", "genre", "cover", "rating", "is_public"] {
                let column = try SQL.identifier(name)
                let trigger = try SQL.identifier("log_" + name)
                // Bound values are not allowed in a trigger: the column is told by its name in quotes.
                try db.execute("CREATE TABLE \(try SQL.identifier("name_" + name)) (name TEXT NOT NULL) STRICT")
                try db.execute("INSERT INTO \(try SQL.identifier("name_" + name)) VALUES (\(name))")
                try db.execute(
                    """
                    CREATE TRIGGER \(trigger) AFTER UPDATE OF \(column) ON books
                    BEGIN INSERT INTO log SELECT name FROM \(try SQL.identifier("name_" + name)); END
                    """)
            }
        }
        return queue
    }

    private static func log(_ db: inout WriteAccess) throws -> Set<String> {
        let names = try db.values("SELECT name FROM log", as: String.self)
        try db.execute("DELETE FROM log")
        return Set(names)
    }

    // MARK: Updating

    @Test func `an update sets every column but the key, and says whether there was a row`() async throws {
        let queue = try await logged()
        try await queue.write { db in
            var book = try #require(try db.first(Book.self, key: "a"))
            book.title = "New"
            #expect(try db.update(book))
            #expect(
                try Self.log(&db) == ["title", "author", "year", "genre", "cover", "rating", "is_public"])
            #expect(try db.first(Book.self, key: "a") == book)
            #expect(try db.updateReturning(book) == book)
            book.id = "none"
            #expect(try !db.update(book))
            #expect(try db.updateReturning(book) == nil)
            #expect(try !db.update(Author(id: nil, name: "Nobody")))
        }
        await queue.close()
    }

    @Test func `only columns that changed are written`() async throws {
        let queue = try await logged()
        try await queue.write { db in
            let old = try #require(try db.first(Book.self, key: "a"))
            var new = old
            #expect(try db.updateChanges(new, from: old) == 0)
            #expect(try Self.log(&db) == [])
            new.title = "Pear"
            #expect(try db.updateChanges(new, from: old) == 1)
            #expect(try Self.log(&db) == ["title"])
            new.year = nil
            new.cover = []
            new.isPublic = false
            #expect(try db.updateChanges(new, from: old) == 4)
            #expect(try Self.log(&db) == ["title", "year", "cover", "is_public"])
            #expect(try db.first(Book.self, key: "a") == new)
            // A value that another write put into another column meanwhile is kept.
            try db.update(Book.filter(Book.id == "a"), Book.rating.set(to: 1))
            var next = new
            next.title = "Plum"
            try db.updateChanges(next, from: new)
            #expect(try db.first(Book.self, key: "a")?.rating == 1)
        }
        await queue.close()
    }

    @Test func `texts that look alike and are other bytes are a change`() async throws {
        let (queue, _) = try await Library.inMemory()
        try await queue.write { db in
            let old = try db.insertReturning(Author(name: "Beyonce\u{301}"))
            var new = old
            new.name = "Beyonc\u{E9}"
            #expect(try db.updateChanges(new, from: old) == 1)
            let stored = try #require(try db.first(Author.self, key: 1)).name
            #expect(Array(stored.utf8) == Array("Beyonc\u{E9}".utf8))
        }
        await queue.close()
    }

    @Test func `a key does not change, and a missing row is reported`() async throws {
        let queue = try await logged()
        for id in ["z", "e\u{301}"] as [BookID] {
            let problem = await kind {
                try await queue.write { db in
                    try db.insert(Book(id: "\u{E9}", title: "t", author: 1))
                    let old = try #require(try db.first(Book.self, key: "\u{E9}"))
                    var new = old
                    new.id = id
                    try db.updateChanges(new, from: old)
                }
            }
            #expect(problem.isMisuse)
        }
        await expectFailure(.notFound) {
            try await queue.write { db in
                let old = try #require(try db.first(Book.self, key: "a"))
                var new = old
                new.title = "New"
                #expect(try db.delete(Book.self, key: "a"))
                try db.updateChanges(new, from: old)
            }
        }
        #expect(try await queue.first(Book.self, key: "a") != nil)
        await queue.close()
    }

    @Test func `a record is fetched, changed and written in one go`() async throws {
        let queue = try await logged()
        try await queue.write { db in
            let book = try db.update(Book.self, key: "b") { $0.title = "Bun" }
            #expect(book?.title == "Bun")
            #expect(try Self.log(&db) == ["title"])
            #expect(try db.update(Book.self, key: "none") { $0.title = "Bun" } == nil)
            #expect(try db.update(Book.self, key: "b") { _ in }?.title == "Bun")
            #expect(try Self.log(&db) == [])
            #expect(throws: Refusal.self) {
                try db.update(Book.self, key: "b") { book in
                    book.title = "Never"
                    throw Refusal()
                }
            }
            #expect(try db.first(Book.self, key: "b")?.title == "Bun")
        }
        await queue.close()
    }

    // MARK: Upserting

    @Test func `an upsert by key inserts, then changes every other column`() async throws {
        let queue = try await logged()
        try await queue.write { db in
            var book = Book(id: "e", title: "Egg", author: 1, year: 2000)
            try db.upsert(book)
            #expect(try Self.log(&db) == [])
            book.year = nil
            book.title = "Eggs"
            #expect(try db.upsertReturning(book) == book)
            #expect(try !Self.log(&db).contains("id"))
            #expect(try db.all(Book.filter(Book.id == "e")) == [book])
            // Without a key there is nothing to collide with.
            #expect(try db.upsertReturning(Author(name: "Chet")).id == 2)
        }
        await expectFailure(.unique(table: "authors", columns: ["name"])) {
            try await queue.write { db in try db.upsert(Author(id: 9, name: "Nina")) }
        }
        await queue.close()
    }

    @Test func `an upsert by another UNIQUE column keeps the key and changes the given columns`() async throws {
        let (queue, _) = try await Library.inMemory()
        try await queue.write { db in
            try db.insert(Author(id: 5, name: "Nina", country: "us"))
            // By default all but the key and the column itself.
            #expect(
                try db.upsert(Author(name: "Nina", country: "fr"), onConflict: Author.name)
                    == Author(id: 5, name: "Nina", country: "fr"))
            #expect(
                try db.upsert(Author(id: 77, name: "Nina", country: nil), onConflict: Author.name, updating: [])
                    == Author(id: 5, name: "Nina", country: "fr"))
            #expect(
                try db.upsert(
                    Author(name: "Nina", country: "uk"), onConflict: Author.name, updating: [Author.country])
                    == Author(id: 5, name: "Nina", country: "uk"))
            #expect(
                try db.upsert(Author(name: "Chet", country: "us"), onConflict: Author.name)
                    == Author(id: 6, name: "Chet", country: "us"))
            #expect(try db.count(Author.self) == 2)
        }
        // It collides in another column than the one named.
        await expectFailure(.unique(table: "authors", columns: ["id"])) {
            try await queue.write { db in
                try db.upsert(Author(id: 6, name: "Third"), onConflict: Author.name)
            }
        }
        // A column without a UNIQUE constraint.
        await expectFailure(.other) {
            try await queue.write { db in try db.upsert(Author(name: "x"), onConflict: Author.country) }
        }
        // No column at all.
        await expectMisuse {
            try await queue.write { db in try db.upsert(Author(name: "x"), updating: [Author.country]) }
        }
        await queue.close()
    }

    // MARK: Deleting

    @Test func `deletes say how many rows went, and which`() async throws {
        let queue = try await logged()
        try await queue.write { db in
            try db.insert(Chapter(title: "t", book: "a", place: 1))
            #expect(try db.delete(Book.self, key: "a"))
            #expect(try !db.delete(Book.self, key: "a"))
            #expect(try db.count(Chapter.self) == 0, "the cascade")
            #expect(try db.deleteReturning(Book.filter(Book.year == 1991)).map(\.title) == ["Bread"])
            #expect(try db.deleteReturning(Book.filter(Book.year == 1991)) == [])
            // Two books go by the cascade and are not counted.
            #expect(try db.delete(Author.all) == 1)
            #expect(try db.count(Book.self) == 0)
            #expect(try db.delete(Author.all) == 0)
        }
        await queue.close()
    }

    @Test func `assignments to every row, to some and to none`() async throws {
        let queue = try await logged()
        try await queue.write { db in
            #expect(try db.update(Book.all, Book.rating.set(to: nil), Book.isPublic.set(to: false)) == 4)
            #expect(try Self.log(&db) == ["rating", "is_public"])
            #expect(try db.update(Book.filter(Book.year > 1990), Book.year.set(toSQL: "year + \(10)")) == 2)
            #expect(try db.value("SELECT group_concat(year) FROM books ORDER BY id") == "1990,2001,2003")
            #expect(try db.update(Book.all) == 0)
            let changed = try db.updateReturning(Book.filter(Book.year == nil), Book.year.set(to: 7))
            #expect(changed.map(\.id) == ["c"] && changed.map(\.year) == [7])
            #expect(try db.updateReturning(Book.filter(Book.title == "none"), Book.year.set(to: 7)) == [])
        }
        await queue.close()
    }
}
