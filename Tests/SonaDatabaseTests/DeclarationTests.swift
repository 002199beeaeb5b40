import SonaBase
import SonaDatabase
import SonaTestSupport
import Testing

/// Records whose `init(row:)`, `bind(to:)` and table are not of one order.
///
/// The order of each is set by the test. Connections hold a record against its table when they first use it: each case
/// opens a database of its own.
@Suite(.serialized)
struct DeclarationTests {
    private static let orders = Monitor((reads: [0, 1, 2, 3], binds: [0, 1, 2, 3]))

    private struct Numbers: Record, Equatable {
        typealias Key = Int
        var a: Int
        var b: Int
        var c: Int
        var d: Int

        static let a = Column("a", \Self.a, .primaryKey)
        static let b = Column("b", \Self.b)
        static let c = Column("c", \Self.c)
        static let d = Column("d", \Self.d)
        static let table = Table<Self>("numbers", a, b, c, d)

        init(_ a: Int, _ b: Int, _ c: Int, _ d: Int) { (self.a, self.b, self.c, self.d) = (a, b, c, d) }

        init(row: inout Row) throws(DatabaseError) {
            self.init(0, 0, 0, 0)
            let paths = [\Self.a, \Self.b, \Self.c, \Self.d]
            // Column 4 and beyond are read over column 0.
            for place in orders.withLock({ $0.reads }) { self[keyPath: paths[place % 4]] = try row.next() }
        }

        func bind(to values: inout Binder) {
            let own = [a, b, c, d]
            for place in orders.withLock({ $0.binds }) { values.next(own[place % 4]) }
        }
    }

    /// The same in columns that a swap in `init(row:)` could hide from: real numbers, and texts that may be NULL.
    private struct Mixed: Record, Equatable {
        typealias Key = Int
        var id: Int
        var x: Double
        var y: Double
        var s: String?
        var t: String?
        var f = false
        var g = true

        static let id = Column("id", \Self.id, .primaryKey)
        static let x = Column("x", \Self.x)
        static let y = Column("y", \Self.y)
        static let s = Column("s", \Self.s)
        static let t = Column("t", \Self.t)
        static let f = Column("f", \Self.f)
        static let g = Column("g", \Self.g)
        static let table = Table<Self>("mixed", id, x, y, s, t, f, g)

        init(_ id: Int, _ x: Double, _ y: Double, _ s: String?, _ t: String?) {
            (self.id, self.x, self.y, self.s, self.t) = (id, x, y, s, t)
        }

        init(row: inout Row) throws(DatabaseError) {
            let order = orders.withLock { $0.reads }
            id = try row.next()
            (x, y) = (try row.next(), try row.next())
            if order.contains(1) { swap(&x, &y) }
            (s, t) = (try row.next(), try row.next())
            if order.contains(2) { swap(&s, &t) }
            (f, g) = (try row.next(), try row.next())
            if order.contains(3) { swap(&f, &g) }
        }

        func bind(to values: inout Binder) {
            values.next(id)
            values.next(x)
            values.next(y)
            values.next(s)
            values.next(t)
            values.next(f)
            values.next(g)
        }
    }

    /// A text that reads in small letters whatever was stored.
    private struct Tidy: DatabaseValueConvertible, Equatable {
        var text: String
        static var storageClass: StorageClass { .text }
        var databaseValue: DatabaseValue { .text(text) }
        init(_ text: String) { self.text = text }
        init?(databaseValue: DatabaseValue) {
            guard case .text(let text) = databaseValue else { return nil }
            self.text = text.lowercased()
        }
    }

    private struct Tidied: Record, Equatable {
        typealias Key = Tidy
        var a: Tidy
        var b: Tidy
        var c: Tidy
        static let a = Column("a", \Self.a, .primaryKey)
        static let b = Column("b", \Self.b)
        static let c = Column("c", \Self.c)
        static let table = Table<Self>("tidied", a, b, c)
        init(_ a: String, _ b: String, _ c: String) { (self.a, self.b, self.c) = (Tidy(a), Tidy(b), Tidy(c)) }
        init(row: inout Row) throws(DatabaseError) {
            a = try row.next()
            b = try row.next()
            c = try row.next()
            if orders.withLock({ $0.reads }).contains(5) { swap(&b, &c) }
        }
        func bind(to values: inout Binder) {
            values.next(a)
            values.next(b)
            values.next(c)
        }
    }

    private static func permutations(_ items: [Int]) -> [[Int]] {
        guard items.count > 1 else { return [items] }
        return items.flatMap { first in permutations(items.filter { $0 != first }).map { [first] + $0 } }
    }

    /// The first use of a new database with its table.
    private func firstUse<R: Record>(
        of _: R.Type, reads: [Int] = [0, 1, 2, 3], binds: [Int] = [0, 1, 2, 3],
        _ body: @escaping @Sendable (inout WriteAccess) throws -> Void
    ) async throws -> DatabaseError.Kind? {
        let queue = try await DatabaseQueue.inMemory()
        try await queue.write { db in try db.createTable(R.self) }
        Self.orders.withLock { $0 = (reads, binds) }
        defer { Self.orders.withLock { $0 = ([0, 1, 2, 3], [0, 1, 2, 3]) } }
        let problem = await kind { try await queue.write(body) }
        await queue.close()
        return problem
    }

    @Test func `any other order of binding is refused at the first write of any kind`() async throws {
        let record = Numbers(1, 2, 3, 4)
        let uses: [@Sendable (inout WriteAccess) throws -> Void] = [
            { db in try db.insert(record) },
            { db in try db.insert(contentsOf: [record]) },
            { db in _ = try db.insertReturning(record) },
            { db in try db.upsert(record) },
            { db in _ = try db.upsertReturning(record) },
            { db in _ = try db.upsert(record, onConflict: Numbers.a) },
            { db in _ = try db.update(record) },
            { db in _ = try db.updateReturning(record) },
        ]
        for order in Self.permutations([0, 1, 2, 3]) {
            for (place, use) in uses.enumerated() {
                let isRight = order == [0, 1, 2, 3]
                let alone = try await firstUse(of: Numbers.self, binds: order, use)
                #expect(isRight ? alone == nil : alone.isMisuse, "bound as \(order), use \(place)")
                // Reading in the same wrong order would hide it from whoever only compares what comes back.
                let both = try await firstUse(of: Numbers.self, reads: order, binds: order, use)
                #expect(isRight ? both == nil : both.isMisuse, "both as \(order), use \(place)")
            }
        }
    }

    @Test func `any other order of reading is refused at the first read of any kind`() async throws {
        let record = Numbers(1, 2, 3, 4)
        let uses: [@Sendable (inout WriteAccess) throws -> Void] = [
            { db in _ = try db.first(Numbers.self, key: 1) },
            { db in _ = try db.all(Numbers.all) },
            { db in _ = try db.first(Numbers.all) },
            { db in _ = try db.all(Numbers.self, "WHERE a = 1") },
            { db in try db.forEach(Numbers.all) { _ in true } },
            { db in _ = try db.updateReturning(record) },
            { db in _ = try db.upsertReturning(record) },
            { db in _ = try db.upsert(record, onConflict: Numbers.a) },
            { db in _ = try db.updateReturning(Numbers.all, Numbers.d.set(to: 4)) },
            { db in _ = try db.deleteReturning(Numbers.all) },
            { db in _ = try db.insertReturning(Numbers(5, 6, 7, 8)) },
        ]
        for order in Self.permutations([0, 1, 2, 3]) {
            for (place, use) in uses.enumerated() {
                let problem = try await firstUse(of: Numbers.self, reads: order) { db in
                    try db.insert(record)
                    try use(&db)
                }
                #expect(
                    order == [0, 1, 2, 3] ? problem == nil : problem.isMisuse, "read as \(order), use \(place)")
            }
        }
    }

    @Test func `too few and too many columns are refused`() async throws {
        let record = Numbers(1, 2, 3, 4)
        for binds in [[], [0, 1, 2], [0, 1, 2, 3, 0]] {
            #expect(try await firstUse(of: Numbers.self, binds: binds) { db in try db.insert(record) }.isMisuse)
        }
        for reads in [[], [0, 1, 2]] {
            let problem = try await firstUse(of: Numbers.self, reads: reads) { db in
                try db.insert(record)
                _ = try db.all(Numbers.all)
            }
            #expect(problem.isMisuse)
        }
        // There is no fifth column to read.
        let problem = try await firstUse(of: Numbers.self, reads: [0, 1, 2, 3, 0]) { db in
            try db.insert(record)
            _ = try db.all(Numbers.all)
        }
        #expect(problem == .badValue(column: 4, wanted: "a column of the row"))
    }

    /// Goal: a record with one value in both columns proves nothing about their order. Way: such a record is the
    /// first, as it will often be (counters at 0, texts that are NULL), and one that tells the columns apart follows.
    @Test func `a first record with equal values does not hide a wrong order`() async throws {
        for binds in [[0, 2, 1, 3], [0, 1, 3, 2], [0, 3, 2, 1]] {
            let problem = try await firstUse(of: Numbers.self, binds: binds) { db in
                try db.insert(Numbers(1, 0, 0, 0))
                try db.insert(Numbers(2, 0, 0, 0))
                try db.insert(Numbers(3, 5, 6, 7))
            }
            #expect(problem.isMisuse, "\(binds)")
        }
        for reads in [[0, 2, 1, 3], [0, 1, 3, 2]] {
            let problem = try await firstUse(of: Numbers.self, reads: reads) { db in
                try db.insert(contentsOf: [Numbers(1, 0, 0, 0), Numbers(2, 5, 6, 7)])
                _ = try db.first(Numbers.self, key: 1)
                _ = try db.first(Numbers.self, key: 2)
            }
            #expect(problem.isMisuse, "\(reads)")
        }
        // Within the rows of one question, too.
        let problem = try await firstUse(of: Numbers.self, reads: [0, 1, 3, 2]) { db in
            try db.insert(contentsOf: [Numbers(1, 0, 0, 0), Numbers(2, 5, 6, 7)])
            _ = try db.all(Numbers.order(Numbers.a.ascending))
        }
        #expect(problem.isMisuse)
    }

    @Test func `swapped real numbers, texts that may be NULL and truth values are found`() async throws {
        for swapped in 1...3 {
            let problem = try await firstUse(of: Mixed.self, reads: [swapped]) { db in
                try db.insert(Mixed(1, 1.5, 2, nil, "t"))
                _ = try db.first(Mixed.self, key: 1)
            }
            #expect(problem.isMisuse, "pair \(swapped)")
        }
        let right = try await firstUse(of: Mixed.self, reads: []) { db in
            try db.insert(Mixed(1, 1.5, 1.5, nil, nil))
            #expect(try db.first(Mixed.self, key: 1) == Mixed(1, 1.5, 1.5, nil, nil))
        }
        #expect(right == nil)
    }

    @Test func `a record that is read through a relation is held against its table, too`() async throws {
        let itself = ToOne(Numbers.b, Numbers.self)
        let problem = try await firstUse(of: Numbers.self, reads: [0, 1, 3, 2]) { db in
            try db.insert(contentsOf: [Numbers(1, 2, 3, 4), Numbers(2, 1, 5, 6)])
            _ = try db.all(Numbers.all, with: itself)
        }
        #expect(problem.isMisuse)
    }

    @Test func `a record that was refused is refused again`() async throws {
        let problem = try await firstUse(of: Numbers.self, reads: [0, 1, 3, 2]) { db in
            for place in 1...3 {
                let stored = try? db.insertReturning(Numbers(place, 10, 20, 30))
                #expect(stored == nil)
                #expect(throws: DatabaseError.self) { try db.all(Numbers.all) }
            }
        }
        #expect(problem == nil)
    }

    @Test func `a type that tidies up what it reads is not taken for a wrong order`() async throws {
        let right = try await firstUse(of: Tidied.self) { db in
            try db.insert(contentsOf: [Tidied("X", "x", "Y"), Tidied("y", "A", "a"), Tidied("z", "Z", "z")])
            #expect(try db.all(Tidied.all) == [Tidied("x", "x", "y"), Tidied("y", "a", "a"), Tidied("z", "z", "z")])
        }
        #expect(right == nil)
        let wrong = try await firstUse(of: Tidied.self, reads: [5]) { db in
            try db.insert(contentsOf: [Tidied("X", "x", "y")])
            _ = try db.all(Tidied.all)
        }
        #expect(wrong.isMisuse)
    }
}
