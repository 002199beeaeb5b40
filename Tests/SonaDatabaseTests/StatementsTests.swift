import SonaTestSupport
import Testing

@testable import SonaDatabase

struct StatementsTests {
    // MARK: Arguments

    @Test func `arguments by position and by name reach their places`() async throws {
        let queue = try await DatabaseQueue.inMemory()
        func ask(_ sql: SQL) async throws -> [Int?] {
            try await queue.read { db in
                try db.first(sql) { row in try (0..<row.columnCount).map { try row[$0] as Int? } } ?? []
            }
        }
        #expect(try await ask(SQL("SELECT ?, ?", 1, 2)) == [1, 2])
        #expect(try await ask(SQL("SELECT ?2, ?1, ?2", 1, 2)) == [2, 1, 2])
        #expect(try await ask(SQL("SELECT :b, :a, :b", named: ["a": 1, "b": 2])) == [2, 1, 2])
        #expect(try await ask(SQL("SELECT :a", named: ["a": nil as Int?])) == [nil])
        #expect(try await ask("SELECT \(1), \(nil as Int?), \(3)") == [1, nil, 3])
        #expect(try await ask("SELECT 4") == [4])
        await queue.close()
    }

    @Test func `missing, superfluous and misnamed arguments are refused`() async throws {
        let queue = try await DatabaseQueue.inMemory()
        let wrong: [SQL] = [
            "SELECT ?", SQL("SELECT ?, ?", 1), SQL("SELECT ?", 1, 2), SQL("SELECT 1", 1), SQL("SELECT ?3", 1, 2),
            "SELECT :a", SQL("SELECT :a, :b", named: ["a": 1]), SQL("SELECT :a", named: ["a": 1, "b": 2]),
            SQL("SELECT :a", named: ["b": 1]), SQL("SELECT :a", named: ["A": 1]), SQL("SELECT 1", named: ["a": 1]),
            SQL("SELECT :a, ?", named: ["a": 1]), SQL("SELECT @a", named: ["a": 1]), SQL("SELECT $a", named: ["a": 1]),
            "SELECT \(1), ?",
        ]
        for sql in wrong {
            await expectMisuse("\(sql.text)") { try await queue.read { db in try db.exists(sql) } }
        }
        await queue.close()
    }

    @Test func `one name does not take two values`() async throws {
        let queue = try await DatabaseQueue.inMemory()
        let twice = SQL("SELECT :a", named: ["a": 1, "a": 2])
        await expectMisuse { try await queue.read { db in try db.exists(twice) } }
        // When two parts come together that chose the same name.
        let (one, two) = (SQL("x = :x", named: ["x": 1]), SQL("x = :x", named: ["x": 2]))
        let both: SQL = "SELECT 1 FROM (SELECT 1 AS x) WHERE \(one) OR \(two)"
        await expectMisuse { try await queue.read { db in try db.exists(both) } }
        await queue.close()
    }

    // MARK: Parts

    @Test func `parts inside parts keep the order of their values`() async throws {
        let queue = try await DatabaseQueue.inMemory()
        let inner: SQL = "\(2) + \(3)"
        let middle: SQL = "\(1), (\(inner)) * \(4)"
        let outer: SQL = "SELECT \(middle), \(SQL("? - ?", 9, 5)), \(6)"
        #expect(outer.text == "SELECT ?, (? + ?) * ?, ? - ?, ?")
        #expect(outer.arguments == [1, 2, 3, 4, 9, 5, 6].map { .integer($0) })
        let row = try await queue.read { db in
            try db.first(outer) { row in try (0..<4).map { try row[$0] as Int } }
        }
        #expect(row == [1, 20, 4, 6])
        let empty: SQL = ""
        #expect(("SELECT\(empty) 1" as SQL).text == "SELECT 1")
        await queue.close()
    }

    @Test func `tables and columns are spliced as quoted names`() async throws {
        let (queue, _) = try await Library.inMemory()
        try await Library.fill(queue)
        let sql: SQL = "SELECT \(Book.title) FROM \(Book.table) WHERE \(Book.id) = \(BookID("b"))"
        #expect(sql.text == #"SELECT "title" FROM "books" WHERE "id" = ?"#)
        #expect(try await queue.read { db in try db.value(sql) } == "Bread")
        let whole = try await queue.read { db in try db.all(Book.self, "WHERE \(Book.year) > \(1990) ORDER BY year") }
        #expect(whole.map(\.id) == ["b", "d"])
        #expect(try await queue.read { db in try db.first(Book.self, "ORDER BY id DESC") }?.id == "d")
        let columns: SQL = "SELECT \(Book.table.columnList) FROM books WHERE id = 'a'"
        #expect(try await queue.read { db in try db.first(columns) { try Book(row: &$0) } }?.title == "Apple")
        await queue.close()
    }

    @Test func `names that came at run time are plain or refused`() async throws {
        for name in ["a", "_", "A1", "select", String(repeating: "x", count: 64)] {
            #expect(try SQL.identifier(name).text == "\"\(name)\"")
        }
        let wrong = [
            "", "1a", "a b", "a\"b", "a'b", "a;b", "a.b", "a-b", "é", "a\0", "\0", "а", "a\u{301}", "a\"\u{301}",
            String(repeating: "x", count: 65), "?", "*", "a--", " a", "a\n",
        ]
        for name in wrong { await expectMisuse("\(name.debugDescription)") { try SQL.identifier(name) } }
    }

    @Test func `quotes in the names of a declaration are doubled, whatever follows them`() {
        for (name, wanted) in [("a", "\"a\""), ("a\"b", "\"a\"\"b\""), ("\"", "\"\"\"\""), ("a\0b", "\"ab\"")] {
            #expect(SQL.quoted(name) == wanted)
        }
        // To Swift, a quote and a combining mark are one character.
        #expect(Array(SQL.quoted("\"\u{301}").utf8) == Array("\"\"\"\u{301}\"".utf8))
    }

    @Test func `a statement that is printed shows no values`() {
        let secret = "top-secret-value"
        let sql: SQL = "SELECT 1 WHERE 'x' = \(secret)"
        let query = Book.filter(Book.title == secret).limit(1)
        let texts = ["\(sql)", "\(sql.text)", "\(query)", "\(Book.title == secret)", "\(Book.title.set(to: secret))"]
        for text in texts { #expect(!text.contains(secret)) }
    }

    // MARK: Prepared statements

    @Test func `a prepared statement runs again and again with other values`() async throws {
        let (queue, _) = try await Library.inMemory()
        try await Library.fill(queue)
        let titles = try await queue.read { db in
            try db.withStatement("SELECT title FROM books WHERE year > ? AND id <> ? ORDER BY id") { statement in
                var titles = [try statement.first(1990, "x") { row in try row.next(String.self) } ?? "none"]
                titles += try statement.all(1989, BookID("a")) { row in try row.next() }
                titles += [try statement.first(2000, "x") { row in try row.next(String.self) } ?? "none"]
                // An error between two runs leaves it fit for the next.
                #expect(throws: Refusal.self) { try statement.forEach(1989, "x") { _ in throw Refusal() } }
                #expect(throws: DatabaseError.self) { try statement.first(1989) { _ in } }
                #expect(throws: DatabaseError.self) { try statement.first(1989, "x", 3) { _ in } }
                #expect(throws: DatabaseError.self) { try statement.first { _ in } }
                try statement.forEach(nil as Int?, "x") { _ in throw Refusal() }
                try statement.forEach(1989, "x") { row in
                    titles.append(try row.next())
                    return titles.count < 6
                }
                return titles
            }
        }
        #expect(titles == ["Bread", "Bread", "Date", "none", "Apple", "Bread"])
        await queue.close()
    }

    @Test func `one text prepared twice at once is two statements`() async throws {
        let queue = try await DatabaseQueue.inMemory()
        let sums = try await queue.read { db in
            let sql: SQL = "SELECT ? UNION ALL SELECT 10"
            return try db.withStatement(sql) { outer in
                var sums: [Int] = []
                try outer.forEach(1) { row in
                    let left = try row.next(Int.self)
                    try db.withStatement(sql) { inner in
                        try inner.forEach(2) { row in
                            sums.append(left + (try row.next()))
                            return true
                        }
                    }
                    return true
                }
                return sums
            }
        }
        #expect(sums == [3, 11, 12, 20])
        await queue.close()
    }

    @Test func `a prepared statement writes in a write and never in a read`() async throws {
        let folder = TemporaryFolder()
        let (pool, _) = try await Library.open(folder)
        let (queue, _) = try await Library.inMemory()
        for database in [pool, queue] as [any DatabaseWriter] {
            let counts = try await database.write { db in
                try db.withStatement("INSERT INTO authors (id, name) VALUES (?, ?) ON CONFLICT DO NOTHING") {
                    statement in
                    [try statement.execute(1, "a"), try statement.execute(1, "b"), try statement.execute(2, "b")]
                }
            }
            #expect(counts == [1, 0, 1])
            for sql in ["DELETE FROM authors", "DELETE FROM authors RETURNING id"] as [SQL] {
                await expectMisuse {
                    try await database.read { db in try db.withStatement(sql) { try $0.execute() } }
                }
            }
            // Executing a question is allowed: it changes nothing.
            let none = try await database.read { db in
                try db.withStatement("SELECT * FROM authors") { try $0.execute() }
            }
            #expect(none == 0)
            #expect(try await database.read { db in try db.count(Author.self) } == 2)
            await database.close()
        }
    }

    // MARK: The cache

    @Test func `one literal is one statement, whatever its values`() async throws {
        let queue = try await DatabaseQueue.inMemory()
        let counts = try await queue.write { db in
            func ask(_ value: Int) throws { _ = try db.value("SELECT \(value) + 1", as: Int.self) }
            let before = db.connection.statementCount
            for value in 0..<100 { try ask(value) }
            let spliced: SQL = "7"
            for value in 0..<100 { _ = try db.value("SELECT \(spliced), \(value)", as: Int.self) }
            return db.connection.statementCount - before
        }
        #expect(counts == 2)
        await queue.close()
    }

    @Test func `statements of records are not made anew`() async throws {
        let (queue, _) = try await Library.inMemory()
        let count = try await queue.write { db in
            let before = db.connection.statementCount
            for step in 1...50 {
                let author = try db.upsert(Author(name: "Nina", country: "\(step)"), onConflict: Author.name)
                try db.insert(Author(name: "n\(step)"))
                _ = try db.all(Author.filter(Author.name == "n\(step)").limit(step))
                _ = try db.count(Author.filter(Author.name == "n\(step)"))
                try db.update(Author.filter(Author.id == author.id), Author.country.set(to: "x"))
                try db.delete(Author.filter(Author.name == "n\(step)"))
            }
            return db.connection.statementCount - before
        }
        // The insert has a place of its own.
        #expect(count == 5)
        await queue.close()
    }

    @Test func `lists of many lengths share few statements`() async throws {
        let (queue, _) = try await Library.inMemory()
        let count = try await queue.write { db in
            let before = db.connection.statementCount
            for count in 1...300 { _ = try db.all(Author.filter(Author.name.isIn((0..<count).map { "\($0)" }))) }
            return db.connection.statementCount - before
        }
        // 1, 2, 4 … 512.
        #expect(count == 10)
        await queue.close()
    }

    @Test func `statements made at run time do not fill the memory`() async throws {
        var options = DatabaseOptions()
        options.statementCacheSize = 16
        let queue = try await DatabaseQueue.inMemory(options: options)
        let sum = try await queue.write { db in
            var sum = 0
            for number in 0..<1_000 {
                let name = try SQL.identifier("c\(number)")
                sum += try db.value("SELECT \(name) FROM (SELECT \(number) AS \(name))") ?? 0
                #expect(db.connection.statementCount <= 16)
            }
            return sum
        }
        #expect(sum == 499_500)
        await queue.close()
    }

    @Test func `statements kept by every connection follow a change of the schema`() async throws {
        let folder = TemporaryFolder()
        var options = DatabaseOptions()
        options.readers = 2
        let (pool, _) = try await Library.open(folder, options: options)
        try await Library.fill(pool)
        let sql: SQL = "SELECT * FROM books WHERE title = \("Bread")"
        func look() async throws -> [Int] {
            // Both readers at once, so that both have the statements.
            let (first, second) = (Gate(), Gate())
            let question: @Sendable (inout ReadAccess) throws -> Int = { db in
                let book = try db.first(Book.self, key: "b")
                let same = try db.all(Book.filter(Book.title == "Bread"))
                #expect(book.map { [$0] } == same)
                return try db.first(sql) { $0.columnCount } ?? 0
            }
            async let one = onThread {
                try pool.readNow { db in
                    first.open()
                    second.pass()
                    return try question(&db)
                }
            }
            async let two = onThread {
                try pool.readNow { db in
                    second.open()
                    first.pass()
                    return try question(&db)
                }
            }
            return try await [one, two]
        }
        #expect(try await look() == [8, 8])
        try await pool.write { db in try db.execute("ALTER TABLE books ADD COLUMN note TEXT") }
        #expect(try await look() == [9, 9])
        try await pool.write { db in try db.execute("CREATE INDEX notes_too ON books (note, title)") }
        #expect(try await look() == [9, 9])
        try await pool.write { db in try db.executeScript("DROP INDEX notes_too; DROP INDEX books_by_title") }
        try await pool.write { db in try db.execute("ALTER TABLE books DROP COLUMN note") }
        #expect(try await look() == [8, 8])
        try await pool.write { db in try db.upsert(Book(id: "b", title: "Bread", author: 1, year: 2)) }
        #expect(try await pool.first(Book.self, key: "b")?.year == 2)
        await pool.close()
    }
}
