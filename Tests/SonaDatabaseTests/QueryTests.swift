import SonaDatabase
import SonaTestSupport
import Testing

struct QueryTests {
    /// The identifiers of the books that conditions mean, in their order.
    ///
    /// The years of a, b, c and d are 1990, 1991, none and 1993; their ratings 4.5, 3, 2 and none.
    private func found(_ conditions: [Condition<Book>]) async throws -> [String] {
        let (queue, _) = try await Library.inMemory()
        try await Library.fill(queue)
        let books = try await queue.read { db in
            try conditions.map { try db.all(Book.filter($0).order(Book.id.ascending)) }
        }
        await queue.close()
        return books.map { $0.map(\.id.text).joined() }
    }

    // MARK: Conditions

    @Test func `every comparison, with a value and with none`() async throws {
        typealias Is = Condition<Book>
        let year = Book.year
        let equal: [Is] = [year == 1990, year == 1992, year == nil, year != nil, year != 1990]
        #expect(try await found(equal) == ["a", "", "c", "abd", "bcd"])
        let order: [Is] = [year < 1991, year <= 1991, year > 1991, year >= 1991]
        #expect(try await found(order) == ["a", "ab", "d", "bd"])
        // Nothing is smaller than NULL, and nothing as large.
        let none: [Is] = [year < nil, year <= nil, year > nil, year >= nil]
        #expect(try await found(none) == ["", "", "", ""])
        let between: [Is] = [
            year.isBetween(1990, and: 1991), year.isBetween(1991, and: 1990), year.isBetween(nil, and: 1991),
        ]
        #expect(try await found(between) == ["ab", "", ""])
        let null: [Is] = [year.isNull, year.isNotNull, Book.title.isNull, Book.cover == nil, Book.cover == []]
        #expect(try await found(null) == ["c", "abd", "", "abcd", ""])
    }

    @Test func `comparisons in columns of every type, and of two columns`() async throws {
        typealias Is = Condition<Book>
        let types: [Is] = [
            Book.genre == .fairyTale, Book.genre != .fairyTale, Book.isPublic == false, Book.rating > 2.5,
            Book.rating == 3, Book.id == "c", Book.id > "b",
        ]
        #expect(try await found(types) == ["d", "abc", "", "ab", "b", "c", "cd"])
        let numbers = Column("year", \Book.year)
        let columns: [Is] = [
            Book.year == numbers, Book.year != numbers, Book.year < numbers, Book.year > numbers,
        ]
        #expect(try await found(columns) == ["abcd", "", "", ""])
    }

    @Test func `conditions combine as they are written`() async throws {
        let (isA, isD) = (Book.id == "a", Book.id == "d")
        let (first, second) = (Book.year == 1990, Book.year == 1991)
        #expect(try await found([first || second && isD, (first || second) && isD]) == ["a", ""])
        #expect(try await found([!isA && second, !(isA && first), !isA || isA, !(!isA)]) == ["b", "bcd", "abcd", "a"])
        // NULL is neither smaller nor not smaller: SQL's third truth value.
        #expect(try await found([!(Book.year < 1991), !first, !(Book.year == nil)]) == ["bd", "bcd", "abd"])
        // A part in SQL stays one part, whatever operators are in it.
        let part: Condition<Book> = Condition("id = 'a' OR id = 'b'")
        #expect(try await found([part && second, !part, part || isD]) == ["b", "cd", "abd"])
        let bound: Condition<Book> = Condition("\(Book.title) = \("Corn")")
        #expect(try await found([bound, bound || isD, !bound && !isD]) == ["c", "cd", "ab"])
    }

    @Test func `filters one after the other must all hold`() async throws {
        let (queue, _) = try await Library.inMemory()
        try await Library.fill(queue)
        let query = Book.filter(Book.id == "a" || Book.id == "b").filter(Book.year > 1990 || Book.id == "c")
        #expect(try await queue.read { db in try db.all(query) }.map(\.id) == ["b"])
        // Two hundred of them are no deeper than one.
        let long = (0..<200).reduce(Book.all) { query, place in query.filter(Book.title != "\(place)") }
        #expect(try await queue.read { db in try db.count(long) } == 4)
        await queue.close()
    }

    /// Goal: a search with many words does not run into the depth of SQLite's parser.
    @Test(arguments: [2, 90, 300])
    func `long chains of conditions are parsed`(count: Int) async throws {
        let all = (0..<count).map { Book.title != "\($0)" }
        let chains: [Condition<Book>] = [
            all.dropFirst().reduce(all[0]) { $0 && $1 }, all.dropFirst().reduce(all[0]) { $0 || $1 },
            all.dropFirst().reduce(all[0]) { $1 && $0 },
        ]
        #expect(try await found(chains) == ["abcd", "abcd", "abcd"])
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5, 7, 8, 9, 1_000, 40_000])
    func `one of any number of values`(count: Int) async throws {
        let (queue, _) = try await Library.inMemory()
        try await queue.write { db in
            try db.insert(contentsOf: (1...1_001).map { Author(id: $0, name: "n\($0 ?? 0)") })
        }
        let keys = (0..<Int64(count)).map { Int64?(1_001 - $0) }
        let (inside, outside) = try await queue.read { db in
            (try db.count(Author.filter(Author.id.isIn(keys))), try db.count(Author.filter(!Author.id.isIn(keys))))
        }
        #expect(inside == min(count, 1_001) && outside == 1_001 - inside)
        await queue.close()
    }

    @Test func `nil is one of the values like any other`() async throws {
        let year = Book.year
        let some = [year.isIn([]), year.isIn([nil]), year.isIn([nil, 1990]), year.isIn([1990, nil, 1991])]
        #expect(try await found(some) == ["", "c", "ac", "abc"])
        #expect(try await found(some.map { !$0 }) == ["abcd", "abd", "bd", "d"])
        #expect(try await found([Book.genre.isIn([.fairyTale, .poetry])]) == ["d"])
    }

    // MARK: Texts

    private static let titles = [
        "%", "_", "a", "A", "ab", "a%b", "a_b", "a'b", "a\"b", "a\\b", "ä", "a\u{308}", "a\0b", "\0", "🎵", "🎵🎶",
        "a\u{10FFFF}", "a\u{10FFFF}b", "\u{10FFFF}", "b", "?1", ":a", "'; DROP TABLE books; --",
    ]

    /// Goal: texts compare byte by byte, whatever is in them. Way: the same question asked of Swift's own bytes.
    @Test func `beginnings and parts of texts are found as bytes`() async throws {
        let (queue, _) = try await Library.inMemory()
        let titles = Self.titles
        try await queue.write { db in
            try db.insert(Author(id: 1, name: "x"))
            try db.insert(
                contentsOf: titles.enumerated().map { Book(id: BookID("\($0)"), title: $1, author: 1) })
            try db.insert(contentsOf: titles.map { Author(name: "k" + $0, country: nil) })
        }
        for part in titles + ["", "c", "a\u{10FFFE}", "k"] {
            let (begins, contains, names) = try await queue.read { db in
                (
                    try db.all(Book.filter(Book.title.hasPrefix(part)).order(Book.title.ascending)).map(\.title),
                    try db.all(Book.filter(Book.title.contains(part)).order(Book.title.ascending)).map(\.title),
                    try db.count(Author.filter(Author.country.hasPrefix(part) || Author.country.contains(part)))
                )
            }
            let bytes = Array(part.utf8)
            let wanted = titles.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            #expect(
                begins.map { Array($0.utf8) } == wanted.map { Array($0.utf8) }.filter { $0.starts(with: bytes) },
                "begins with \(part.debugDescription)")
            #expect(
                contains.map { Array($0.utf8) } == wanted.map { Array($0.utf8) }.filter { $0.hasPart(bytes) },
                "contains \(part.debugDescription)")
            #expect(names == 0, "NULL has no parts")
        }
        await queue.close()
    }

    @Test func `a beginning is looked up in the index`() async throws {
        let (queue, _) = try await Library.inMemory()
        let plan = try await queue.read { db in
            try db.all("EXPLAIN QUERY PLAN \(Book.filter(Book.title.hasPrefix("a")).sql)") { row in try row[3] as String
            }
        }
        #expect(plan.joined().hasPrefix("SEARCH books USING INDEX books_by_title (title>? AND title<?)"), "\(plan)")
        let byKey = try await queue.read { db in
            try db.all("EXPLAIN QUERY PLAN \(Author.filter(Author.id == 1).sql)") { row in try row[3] as String }
        }
        #expect(byKey.joined().hasPrefix("SEARCH authors USING INTEGER PRIMARY KEY"), "\(byKey)")
        await queue.close()
    }

    @Test func `hostile texts are values wherever they are given`() async throws {
        let (queue, daos) = try await Library.inMemory()
        let evils = ["'", "\"", "x'); DROP TABLE authors; --", "' OR 1=1 --", "?", "?1", ":name", "\0'", "''", "a\\'"]
        for evil in evils {
            try await queue.write { db in
                let author = try db.insertReturning(Author(name: evil))
                #expect(author.name == evil)
                #expect(try db.first(Author.filter(Author.name == evil)) == author)
                #expect(try db.count(Author.filter(Author.name.isIn([evil, evil + "x"]))) == 1)
                #expect(try db.count(Author.filter(Author.name.hasPrefix(evil) && Author.name.contains(evil))) >= 1)
                #expect(try db.value("SELECT name FROM authors WHERE name = \(evil)") == evil)
                #expect(try db.value(SQL("SELECT name FROM authors WHERE name = ?", evil)) == evil)
                #expect(try db.value(SQL("SELECT name FROM authors WHERE name = :n", named: ["n": evil])) == evil)
                #expect(try db.update(Author.filter(Author.name == evil), Author.name.set(to: "x" + evil)) == 1)
                #expect(try db.delete(Author.filter(Author.name == "x" + evil)) == 1)
            }
            #expect(await !daos.authors.exists(Author.filter(Author.name == evil)))
        }
        #expect(try await daos.authors.count() == 0)
        await queue.close()
    }

    // MARK: Order and limits

    @Test func `orders, ascending and descending, with NULL at either end`() async throws {
        let (queue, _) = try await Library.inMemory()
        try await Library.fill(queue)
        try await queue.write { db in
            try db.insert(Book(id: "E", title: "apple", author: 1, year: 1990))
        }
        func ids(_ query: Query<Book>) async throws -> String {
            try await queue.read { db in try db.all(query) }.map(\.id.text).joined()
        }
        #expect(try await ids(Book.order(Book.year.ascending, Book.id.ascending)) == "cEabd")
        #expect(try await ids(Book.order(Book.year.ascending.nullsLast, Book.id.descending)) == "aEbdc")
        #expect(try await ids(Book.order(Book.year.descending, Book.id.ascending)) == "dbEac")
        #expect(try await ids(Book.order(Book.year.descending.nullsLast).order(Book.id.descending)) == "dbaEc")
        #expect(try await ids(Book.order(Book.title.ascending)) == "abcdE")
        #expect(try await ids(Book.order(.ignoringASCIICase(Book.title), Book.id.ascending)) == "Eabcd")
        #expect(try await queue.read { db in try db.first(Book.order(Book.year.descending)) }?.id == "d")
        await queue.close()
    }

    @Test(
        arguments: [
            (0, 0, ""), (1, 0, "a"), (2, 1, "bc"), (4, 0, "abcd"), (5, 0, "abcd"), (9, 3, "d"), (9, 4, ""),
            (-1, 0, ""), (2, -7, "ab"), (.min, .min, ""), (.max, .max, ""), (.max, 1, "bcd"),
        ])
    func `limits and offsets, and one past each`(count: Int, offset: Int, wanted: String) async throws {
        let (queue, _) = try await Library.inMemory()
        try await Library.fill(queue)
        let query = Book.order(Book.id.ascending).limit(count, offset: offset)
        try await queue.write { db in
            let all = try db.all(query)
            #expect(all.map(\.id.text).joined() == wanted)
            #expect(try db.first(query)?.id.text == wanted.first.map { String($0) })
            #expect(try db.count(query) == wanted.count)
            #expect(try db.exists(query) == !wanted.isEmpty)
            #expect(try db.update(query, Book.year.set(to: 7)) == wanted.count)
            #expect(try db.count(Book.filter(Book.year == 7)) == wanted.count)
            #expect(try db.deleteReturning(query).map(\.id.text).sorted().joined() == wanted)
            #expect(try db.count(Book.self) == 4 - wanted.count)
        }
        await queue.close()
    }

    @Test func `a limited delete in a table with a key of two columns takes the right rows`() async throws {
        let (queue, _) = try await Library.inMemory()
        try await Library.fill(queue)
        let left = try await queue.write { db in
            for (place, book) in (["a", "b", "a", "b", "c"] as [BookID]).enumerated() {
                try db.insert(Chapter(title: "t", pages: 10 - place, book: book, place: place))
            }
            #expect(try db.delete(Chapter.order(Chapter.pages.ascending).limit(2, offset: 1)) == 2)
            #expect(try db.delete(Chapter.filter(Chapter.title == "t").order(Chapter.place.descending).limit(1)) == 1)
            return try db.all(Chapter.order(Chapter.place.ascending)).map(\.place)
        }
        #expect(left == [0, 1])
        await queue.close()
    }

    @Test func `a cursor can be ended, and the same query can run inside it`() async throws {
        let (queue, _) = try await Library.inMemory()
        try await Library.fill(queue)
        let seen = try await queue.read { db in
            var seen = ""
            let query = Book.order(Book.id.ascending)
            try db.forEach(query) { outer in
                try db.forEach(query) { inner in
                    // And the same keyed question at both levels.
                    seen += try db.first(Book.self, key: outer.id).map(\.id.text) ?? ""
                    seen += try db.first(Book.self, key: inner.id).map(\.id.text) ?? ""
                    return inner.id != "b"
                }
                return outer.id != "b"
            }
            return seen
        }
        #expect(seen == "aaabbabb")
        await queue.close()
    }
}

extension [UInt8] {
    fileprivate func hasPart(_ part: [UInt8]) -> Bool {
        part.isEmpty || indices.contains { self[$0...].starts(with: part) }
    }
}
