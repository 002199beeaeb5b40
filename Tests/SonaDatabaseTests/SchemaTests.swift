import SonaDatabase
import SonaTestSupport
import Testing

/// SQLite enforces each rule of a declaration: tested at its limit and one past it.
struct SchemaTests {
    /// Every column has a default, so that a row can name one column alone.
    private struct Rules: TableOnly {
        typealias Key = Int64
        var id: Int64
        var code: String
        var note: String?
        var cover: [UInt8]?
        var level: Int
        var ratio: Double
        var limits: Int
        var size: String
        var state: String?
        var rank: Int?
        var genre: Genre
        var flag: Bool
        var free: DatabaseValue
        var even: Int
        var label: String
        var bytes: [UInt8]
        var least: Int
        var huge: Double

        static let id = Column("id", \Self.id, .primaryKey)
        static let code = Column("code", \Self.code, .byteCount(2...4), .defaults(to: "ab"))
        static let note = Column("note", \Self.note, .byteCount(...3))
        static let cover = Column("cover", \Self.cover, .byteCount(1...2))
        static let level = Column("level", \Self.level, .range(-5...5), .defaults(to: -5))
        static let ratio = Column("ratio", \Self.ratio, .range(-0.5...1e16), .defaults(to: 0.25))
        static let limits = Column("limits", \Self.limits, .range(.min ... .max), .defaults(to: .max))
        static let size = Column("size", \Self.size, .oneOf("s", "it's", "'\u{301}", "\""), .defaults(to: "'\u{301}"))
        static let state = Column("state", \Self.state, .oneOf("on", nil))
        static let rank = Column("rank", \Self.rank, .oneOf(1, 2))
        static let genre = Column("genre", \Self.genre, .anyCase, .defaults(to: .fairyTale))
        static let flag = Column("flag", \Self.flag, .defaults(to: false))
        static let free = Column("free", \Self.free)
        static let even = Column(
            "even", \Self.even, .check("even % \(2) = 0"), .check("even <> \("it's") AND even < level + \(100)"),
            .defaults(to: 0))
        static let label = Column("label", \Self.label, .defaults(to: "it's \"x\"; --"))
        static let bytes = Column("bytes", \Self.bytes, .defaults(to: [0, 255]))
        static let least = Column("least", \Self.least, .defaults(to: .min))
        static let huge = Column("huge", \Self.huge, .defaults(to: -.infinity))
        static let table = Table<Self>(
            "rules", id, code, note, cover, level, ratio, limits, size, state, rank, genre, flag, free, even, label,
            bytes, least, huge, rules: [.check("\(level) <> \(3) OR \(code) <> \("abc")")])
    }

    private static func rulesTable() async throws -> DatabaseQueue {
        let queue = try await DatabaseQueue.inMemory()
        try await queue.write { db in try db.createTable(Rules.self) }
        return queue
    }

    private static func insert(_ value: DatabaseValue, into column: String, _ queue: DatabaseQueue) async
        -> DatabaseError?
    {
        do {
            try await queue.write { db in
                try db.execute("INSERT INTO rules (\(try SQL.identifier(column))) VALUES (\(value))")
            }
            return nil
        } catch {
            return error as? DatabaseError
        }
    }

    @Test(
        arguments: [
            (
                "code", [.text("ab"), .text("abcd"), .text("éé"), .text("a\0")],
                [.text("a"), .text("abcde"), .text("éé.")]
            ),
            ("note", [.text(""), .text("abc"), .null], [.text("abcd"), .text("éé"), .text("abc\0")]),
            ("cover", [.blob([0]), .blob([0, 0]), .null], [.blob([]), .blob([0, 0, 0])]),
            ("level", [.integer(-5), .integer(5), .integer(0)], [.integer(-6), .integer(6), .integer(.max)]),
            (
                "ratio", [.real(-0.5), .real(1e16), .integer(0)],
                [.real(-0.500001), .real(1.0000001e16), .real(-.infinity)]
            ),
            ("limits", [.integer(.min), .integer(.max)], []),
            (
                "size", [.text("s"), .text("it's"), .text("'\u{301}"), .text("\"")],
                [.text("S"), .text(""), .text("it")]
            ),
            ("state", [.text("on"), .null], [.text("off"), .text("")]),
            ("rank", [.integer(1), .integer(2), .null], [.integer(0), .integer(3)]),
            ("genre", [.text("crime"), .text("children's tales"), .text("poetry")], [.text("Crime"), .text("")]),
            ("even", [.integer(2), .integer(94)], [.integer(1), .integer(96)]),
        ] as [(String, [DatabaseValue], [DatabaseValue])])
    func `each CHECK holds at its limit and fails past it`(
        column: String, right: [DatabaseValue], wrong: [DatabaseValue]
    ) async throws {
        let queue = try await Self.rulesTable()
        for value in right {
            let error = await Self.insert(value, into: column, queue)
            #expect(error == nil, "\(column) takes \(value)")
        }
        for value in wrong {
            let error = await Self.insert(value, into: column, queue)
            guard case .check(let text) = error?.kind else {
                Issue.record("\(column) took \(value): \(String(describing: error))")
                continue
            }
            #expect(text.contains(column), "the error says which")
        }
        let count = try await queue.read { db in try db.value("SELECT count(*) FROM rules", as: Int.self) }
        #expect(count == right.count)
        await queue.close()
    }

    @Test(
        arguments: [
            ("id", [.integer(.min), .integer(.max), .null], [.text("x"), .blob([1]), .real(1.5)]),
            ("code", [.text("abc"), .integer(12)], [.blob([1, 2])]),
            ("cover", [.blob([1])], [.text("a"), .integer(1), .real(1)]),
            ("level", [.integer(1), .real(1), .text("1")], [.text("x"), .real(1.5), .blob([1])]),
            ("ratio", [.real(1.5), .integer(1)], [.text("x"), .blob([])]),
            ("free", [.null, .integer(1), .real(1.5), .text("1"), .blob([1])], []),
        ] as [(String, [DatabaseValue], [DatabaseValue])])
    func `tables are STRICT`(column: String, right: [DatabaseValue], wrong: [DatabaseValue]) async throws {
        let queue = try await Self.rulesTable()
        for value in right {
            let error = await Self.insert(value, into: column, queue)
            #expect(error == nil, "\(column) takes \(value)")
        }
        for value in wrong {
            let error = await Self.insert(value, into: column, queue)
            // SQLITE_CONSTRAINT_DATATYPE, or SQLITE_MISMATCH for the rowid.
            #expect(error?.extendedCode == 3_091 || error?.extendedCode == 20, "\(column) takes no \(value)")
        }
        let stored = try await queue.read { db in try db.values("SELECT free FROM rules", as: DatabaseValue.self) }
        #expect(stored == right || column != "free")
        await queue.close()
    }

    @Test func `a column is NOT NULL unless its property is optional`() async throws {
        let queue = try await Self.rulesTable()
        let required = ["code", "level", "ratio", "limits", "size", "genre", "flag", "even", "label", "bytes", "least"]
        for column in required {
            #expect(
                await Self.insert(.null, into: column, queue)?.kind == .notNull(table: "rules", column: column))
        }
        for column in ["id", "note", "cover", "state", "rank", "free"] {
            #expect(await Self.insert(.null, into: column, queue) == nil)
        }
        await queue.close()
    }

    @Test func `defaults are stored as declared, and a rule over columns is checked`() async throws {
        let queue = try await Self.rulesTable()
        let stored = try await queue.write { db in
            try db.execute("INSERT INTO rules DEFAULT VALUES")
            return try db.first("SELECT \(Rules.table.columnList) FROM rules") { row in
                try (0..<row.columnCount).map { try row[$0] as DatabaseValue }
            }
        }
        #expect(
            stored == [
                .integer(1), .text("ab"), .null, .null, .integer(-5), .real(0.25), .integer(.max), .text("'\u{301}"),
                .null, .null, .text("children's tales"), .integer(0), .null, .integer(0), .text("it's \"x\"; --"),
                .blob([0, 255]), .integer(.min), .real(-.infinity),
            ])
        for (level, code, isRight) in [(3, "ab", true), (2, "abc", true), (3, "abc", false)] {
            let found = await kind {
                try await queue.write { db in
                    try db.execute("INSERT INTO rules (level, code) VALUES (\(level), \(code))")
                }
            }
            #expect((found == nil) == isRight)
        }
        await queue.close()
    }

    // MARK: Keys, UNIQUE and indexes

    private struct Seat: TableOnly {
        typealias Key = SeatKey
        var hall: String
        var row: Int
        var place: Int
        var guest: String?
        var isGone: Bool
        static let hall = Column("hall", \Self.hall)
        static let row = Column("row", \Self.row)
        static let place = Column("place", \Self.place)
        static let guest = Column("guest", \Self.guest)
        static let isGone = Column("is_gone", \Self.isGone, .defaults(to: false), .indexed)
        static let table = Table<Self>(
            "seats", hall, row, place, guest, isGone,
            rules: [
                .primaryKey(place, row, hall), .unique(row, guest),
                .index(
                    "one_guest", on: guest.descending, isUnique: true, where: "is_gone = \(0) AND guest <> \("it's")"),
                .index("by_row", on: row.ascending, .ignoringASCIICase(guest)),
            ])
    }

    private struct SeatKey: RecordKey {
        static let columnCount = 3
        init(row: inout Row) throws(DatabaseError) {}
        func bind(to values: inout Binder) {}
    }

    @Test func `keys, UNIQUE and unique indexes of some rows hold`() async throws {
        let queue = try await DatabaseQueue.inMemory()
        try await queue.write { db in
            try db.createTable(Seat.self)
            try db.execute("INSERT INTO seats VALUES ('a', 1, 1, 'Nina', FALSE)")
            try db.execute("INSERT INTO seats VALUES ('b', 1, 1, NULL, FALSE), ('a', 1, 2, NULL, FALSE)")
            // The value of a row that is marked as gone may come again in another row, and so may a value that the
            // index leaves out.
            try db.execute("INSERT INTO seats VALUES ('a', 2, 1, 'Nina', TRUE), ('a', 3, 1, 'it''s', FALSE)")
            try db.execute("INSERT INTO seats VALUES ('a', 4, 1, 'it''s', FALSE)")
        }
        func insert(_ sql: SQL) async -> DatabaseError.Kind? {
            await kind { try await queue.write { try $0.execute(sql) } }
        }
        #expect(
            await insert("INSERT INTO seats VALUES ('a', 1, 1, NULL, FALSE)")
                == .unique(table: "seats", columns: ["place", "row", "hall"]))
        #expect(
            await insert("INSERT INTO seats VALUES ('c', 2, 2, 'Nina', TRUE)")
                == .unique(table: "seats", columns: ["row", "guest"]))
        #expect(
            await insert("INSERT INTO seats VALUES ('c', 5, 2, 'Nina', FALSE)")
                == .unique(table: "seats", columns: ["guest"]))
        #expect(
            await insert("INSERT INTO seats VALUES (NULL, 5, 2, NULL, FALSE)")
                == .notNull(table: "seats", column: "hall"))
        let indexes = try await queue.read { db in
            try db.values(
                "SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql > '' ORDER BY name", as: String.self)
        }
        #expect(
            indexes == [
                #"CREATE INDEX "by_row" ON "seats" ("row", "guest" COLLATE NOCASE)"#,
                #"CREATE UNIQUE INDEX "one_guest" ON "seats" ("guest" DESC) WHERE is_gone = 0 AND guest <> 'it''s'"#,
                #"CREATE INDEX "seats_by_is_gone" ON "seats" ("is_gone")"#,
            ])
        await queue.close()
    }

    /// Two columns that each say `.primaryKey`: the key is both of them, and the file must know it.
    private struct Pair: TableOnly {
        typealias Key = PairKey
        var left: Int
        var right: Int
        static let left = Column("left", \Self.left, .primaryKey)
        static let right = Column("right", \Self.right, .primaryKey)
        static let table = Table<Self>("pairs", left, right)
    }

    private struct PairKey: RecordKey {
        static let columnCount = 2
        init(row: inout Row) throws(DatabaseError) {}
        func bind(to values: inout Binder) {}
    }

    @Test func `two columns that are each a primary key are one key of two columns`() async throws {
        let queue = try await DatabaseQueue.inMemory()
        try await queue.write { db in
            try db.createTable(Pair.self)
            try db.execute("INSERT INTO pairs VALUES (1, 1), (1, 2), (2, 1)")
        }
        await expectFailure(.unique(table: "pairs", columns: ["left", "right"])) {
            try await queue.write { db in try db.execute("INSERT INTO pairs VALUES (1, 2)") }
        }
        await queue.close()
    }
}
