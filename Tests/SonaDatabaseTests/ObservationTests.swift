import SonaBase
import SonaTestSupport
import Testing

@testable import SonaDatabase

struct ObservationTests {
    struct Note: Record {
        typealias Key = Int64
        var id: Int64
        var text: String
        static let id = Column("id", \Self.id, .primaryKey)
        static let text = Column("text", \Self.text)
        static let table = Table<Self>("notes", id, text)
        init(_ id: Int64, _ text: String = "x") { (self.id, self.text) = (id, text) }
        init(row: inout Row) throws(DatabaseError) {
            id = try row.next()
            text = try row.next()
        }
        func bind(to values: inout Binder) {
            values.next(id)
            values.next(text)
        }
    }

    struct Star: Record {
        struct Key: RecordKey, Hashable {
            static let columnCount = 2
            var note: Int64, place: Int
            init(row: inout Row) throws(DatabaseError) {
                note = try row.next()
                place = try row.next()
            }
            func bind(to values: inout Binder) {
                values.next(note)
                values.next(place)
            }
        }
        var note: Int64, place: Int
        static let note = Column("note", \Self.note, .references(Note.self, onDelete: .cascade))
        static let place = Column("place", \Self.place)
        static let table = Table<Self>("stars", note, place, rules: [.primaryKey(note, place)])
        init(_ note: Int64, _ place: Int) { (self.note, self.place) = (note, place) }
        init(row: inout Row) throws(DatabaseError) {
            note = try row.next()
            place = try row.next()
        }
        func bind(to values: inout Binder) {
            values.next(note)
            values.next(place)
        }
    }

    private func open(_ folder: TemporaryFolder) async throws -> DatabasePool {
        try await DatabasePool.open(
            folder.file("observed.sqlite"), applicationID: 1,
            migrations: [
                Migration("tables") { db in
                    try db.createTable(Note.self)
                    try db.createTable(Star.self)
                }
            ])
    }

    private func changes<Key>(
        inserted: Set<Key> = [], updated: Set<Key> = [], deleted: Set<Key> = []
    ) -> RowChanges<Key> {
        var changes = RowChanges<Key>()
        for key in inserted { changes.add(.inserted, key, limit: .max) }
        for key in updated { changes.add(.updated, key, limit: .max) }
        for key in deleted { changes.add(.deleted, key, limit: .max) }
        return changes
    }

    @Test func `each commit tells which rows it changed`() async throws {
        let folder = TemporaryFolder()
        let pool = try await open(folder)
        defer { withExtendedLifetime(folder) {} }
        let feed = pool.changes(in: Note.self)
        var iterator = feed.makeAsyncIterator()
        try await pool.write { db in try db.insert(contentsOf: [Note(1), Note(2), Note(3)]) }
        #expect(await iterator.next() == changes(inserted: [1, 2, 3]))
        try await pool.write { db in
            _ = try db.update(Note(2, "y"))
            _ = try db.delete(Note.self, key: 3)
            try db.insert(Note(4))
            _ = try db.delete(Note.self, key: 4)
        }
        #expect(await iterator.next() == changes(updated: [2], deleted: [3]))
        try await pool.write { db in
            try db.execute("UPDATE notes SET id = 20 WHERE id = 2")
            try db.execute("INSERT OR REPLACE INTO notes (id, text) VALUES (1, 'z')")
        }
        #expect(await iterator.next() == changes(inserted: [20], updated: [1], deleted: [2]))
        // Without a WHERE SQLite would empty the table in one go, unseen.
        try await pool.write { db in try db.execute("DELETE FROM notes") }
        #expect(await iterator.next() == changes(deleted: [1, 20]))
        await pool.close()
        #expect(await iterator.next() == nil)
    }

    @Test func `undone changes are not reported`() async throws {
        let folder = TemporaryFolder()
        let pool = try await open(folder)
        defer { withExtendedLifetime(folder) {} }
        var iterator = pool.changes(in: Note.self).makeAsyncIterator()
        let holding = Gate()
        let release = Gate()
        async let first: Void = pool.write { db in
            holding.open()
            release.pass()
            try db.insert(Note(1))
            try? db.savepoint { db in
                try db.insert(Note(2))
                throw Refusal()
            }
        }
        try await holding.opened()
        // Shares the commit of the first, and throws.
        let second = Task {
            try await pool.write { db in
                try db.insert(Note(3))
                throw Refusal()
            }
        }
        let third = Task { try await pool.write { db in try db.insert(Note(4)) } }
        while pool.status.queuedWrites < 2 { await Task.yield() }
        release.open()
        try await first
        await #expect(throws: Refusal.self) { try await second.value }
        try await third.value
        #expect(await iterator.next() == changes(inserted: [1, 4]))
        await pool.close()
    }

    @Test func `a slow consumer gets one element, and too many rows are not named`() async throws {
        let folder = TemporaryFolder()
        let pool = try await open(folder)
        defer { withExtendedLifetime(folder) {} }
        var iterator = pool.changes(in: Note.self, keysMax: 10).makeAsyncIterator()
        for id in 1...10 { try await pool.write { db in try db.insert(Note(Int64(id))) } }
        #expect(await iterator.next() == changes(inserted: Set((1...10).map(Int64.init))))
        for id in 11...21 { try await pool.write { db in try db.insert(Note(Int64(id))) } }
        let crowded = await iterator.next()
        #expect(crowded?.isComplete == false)
        #expect(crowded?.inserted.isEmpty == true)
        try await pool.write { db in _ = try db.delete(Note.self, key: 1) }
        #expect(await iterator.next() == changes(deleted: [1]))
        await pool.close()
    }

    @Test func `rows of a key of several columns, and those a cascade takes along`() async throws {
        let folder = TemporaryFolder()
        let pool = try await open(folder)
        defer { withExtendedLifetime(folder) {} }
        var iterator = pool.changes(inRowsOf: Star.self).makeAsyncIterator()
        try await pool.write { db in
            try db.insert(Note(1))
            try db.insert(contentsOf: [Star(1, 1), Star(1, 2)])
        }
        #expect(
            await iterator.next()
                == changes(inserted: [[.integer(1), .integer(1)], [.integer(1), .integer(2)]]))
        try await pool.write { db in _ = try db.delete(Note.self, key: 1) }
        #expect(
            await iterator.next()
                == changes(deleted: [[.integer(1), .integer(1)], [.integer(1), .integer(2)]]))
        await pool.close()
    }

    @Test func `a write that begins after the feed was made is reported, also beside other writers`() async throws {
        let folder = TemporaryFolder()
        let pool = try await open(folder)
        defer { withExtendedLifetime(folder) {} }
        let writers = (0..<4).map { task in
            Task {
                for step in 0..<200 { try await pool.write { db in try db.insert(Note(Int64(task * 1_000 + step))) } }
            }
        }
        for round in 0..<50 {
            let mine = Int64(100_000 + round)
            var iterator = pool.changes(in: Note.self).makeAsyncIterator()
            try await pool.write { db in try db.insert(Note(mine)) }
            var isTold = false
            while !isTold, let next = await iterator.next() {
                isTold = next.inserted.contains(mine) || !next.isComplete
            }
            #expect(isTold)
        }
        for writer in writers { try await writer.value }
        #expect(pool.engine.changes.count == 0)
        await pool.close()
    }

    @Test func `a value follows the tables it reads and no others`() async throws {
        let folder = TemporaryFolder()
        let pool = try await open(folder)
        defer { withExtendedLifetime(folder) {} }
        let reads = Counter()
        var iterator = pool.values { db in
            reads.add()
            return try db.count(Note.filter(Note.text == "x"))
        }.makeAsyncIterator()
        #expect(try await iterator.next() == 0)
        try await pool.write { db in try db.insert(Note(1)) }
        #expect(try await iterator.next() == 1)
        try await pool.write { db in try db.insert(Star(1, 1)) }
        try await pool.write { db in try db.insert(Note(2)) }
        #expect(try await iterator.next() == 2)
        #expect(reads.value == 3)
        // Several commits while nobody looks are one element.
        for id in 3...7 { try await pool.write { db in try db.insert(Note(Int64(id))) } }
        #expect(try await iterator.next() == 7)
        #expect(reads.value == 4)
        await pool.close()
        #expect(try await iterator.next() == nil)
    }

    @Test func `an error of the closure does not end the observation`() async throws {
        let folder = TemporaryFolder()
        let pool = try await open(folder)
        defer { withExtendedLifetime(folder) {} }
        var iterator = pool.values { db in
            let count = try db.count(Note.self)
            if count == 1 { throw Refusal() }
            return count
        }.makeAsyncIterator()
        #expect(try await iterator.next() == 0)
        try await pool.write { db in try db.insert(Note(1)) }
        await #expect(throws: Refusal.self) { try await iterator.next() }
        try await pool.write { db in try db.insert(Note(2)) }
        #expect(try await iterator.next() == 2)
        await pool.close()
    }

    @Test func `cancelling the task ends both kinds, and dropping them costs the writer nothing more`() async throws {
        let folder = TemporaryFolder()
        let pool = try await open(folder)
        defer { withExtendedLifetime(folder) {} }
        let feed = Task {
            var count = 0
            for await _ in pool.changes(in: Note.self) { count += 1 }
            return count
        }
        let value = Task {
            for try await _ in pool.values({ db in try db.count(Note.self) }) {}
        }
        while pool.engine.changes.count < 2 { await Task.yield() }
        feed.cancel()
        value.cancel()
        _ = await feed.value
        await #expect(throws: CancellationError.self) { try await value.value }
        #expect(pool.engine.changes.count == 0)
        try await pool.write { db in
            try db.insert(Note(1))
            #expect(db.connection.hooks.recorder == nil)
        }
        await pool.close()
    }

    @Test func `a queue in memory is observed alike`() async throws {
        let queue = try await DatabaseQueue.inMemory(
            migrations: [Migration("notes") { db in try db.createTable(Note.self) }])
        var rows = queue.changes(in: Note.self).makeAsyncIterator()
        var counts = queue.values { db in try db.count(Note.self) }.makeAsyncIterator()
        #expect(try await counts.next() == 0)
        try await queue.write { db in try db.insert(Note(1)) }
        #expect(await rows.next() == changes(inserted: [1]))
        #expect(try await counts.next() == 1)
        await queue.close()
    }
}

final class Counter: Sendable {
    private let state = Monitor(0)
    func add() { state.withLock { $0 += 1 } }
    var value: Int { state.withLock { $0 } }
}
