import SonaDatabase
import SonaTestSupport
import Testing

struct ReaderTests {
    @Test func `a read sees one state whatever is written meanwhile`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        try await pool.write { db in try db.execute("INSERT INTO notes (text) VALUES ('first')") }
        let counted = Gate()
        let written = Gate()
        async let counts = onThread {
            try pool.readNow { db in
                let before = try db.value("SELECT count(*) FROM notes", as: Int.self)
                counted.open()
                written.pass()
                return [before, try db.value("SELECT count(*) FROM notes", as: Int.self)]
            }
        }
        try await counted.opened()
        try await pool.write { db in try db.execute("INSERT INTO notes (text) VALUES ('second')") }
        written.open()
        #expect(try await counts == [1, 1])
        #expect(try await Notes.count(pool) == 2)
        await pool.close()
    }

    @Test func `more reads than readers wait their turn and all are served`() async throws {
        let folder = TemporaryFolder()
        var options = DatabasePool.Options()
        options.readers = 2
        let pool = try await Notes.open(folder, options: options)
        try await pool.write { db in try db.execute("INSERT INTO notes (id, text) VALUES (7, 'x')") }
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for step in 0..<400 {
                group.addTask {
                    if step % 5 == 0 {
                        return try await onThread {
                            try pool.readNow { db in try db.value("SELECT id FROM notes") ?? 0 }
                        }
                    }
                    return try await pool.read { db in try db.value("SELECT id FROM notes") ?? 0 }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(sum == 2_800)
        await pool.close()
    }

    /// Goal: cancelling ends a statement that would run for minutes, and only that. Way: a recursive query that counts
    /// to a billion, beside reads on the same single reader afterwards.
    @Test func `cancelling a task ends its read and no other`() async throws {
        let folder = TemporaryFolder()
        var options = DatabasePool.Options()
        options.readers = 1
        let pool = try await Notes.open(folder, options: options)
        let endless: SQL = """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) SELECT max(i) FROM n
            """
        let started = Gate()
        let long = Task {
            try await pool.read { db in
                started.open()
                return try db.value(endless, as: Int.self)
            }
        }
        try await started.opened()
        let waiting = Task { try await Notes.count(pool) }
        let givingUp = Task { try await Notes.count(pool) }
        try await Task.sleep(for: .milliseconds(50))
        givingUp.cancel()
        await #expect(throws: CancellationError.self) { try await givingUp.value }
        let start = ContinuousClock.now
        long.cancel()
        await #expect(throws: CancellationError.self) { try await long.value }
        #expect(ContinuousClock.now - start < .seconds(2))
        #expect(try await waiting.value == 0)
        for _ in 0..<20 { #expect(try await Notes.count(pool) == 0) }
        await pool.close()
    }

    @Test func `an error in a read leaves the reader fit for the next`() async throws {
        let folder = TemporaryFolder()
        var options = DatabasePool.Options()
        options.readers = 1
        let pool = try await Notes.open(folder, options: options)
        for _ in 0..<5 {
            await #expect(throws: Refusal.self) {
                try await pool.read { db in
                    try db.forEach("SELECT 1 UNION SELECT 2") { _ in throw Refusal() }
                }
            }
            #expect(try await Notes.count(pool) == 0)
        }
        await pool.close()
    }

    @Test func `a query inside its own loop works`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        let pairs = try await pool.read { db in
            var pairs: [Int] = []
            let numbers: SQL = "SELECT 1 UNION SELECT 2 UNION SELECT 3"
            try db.forEach(numbers) { outer in
                let left: Int = try outer[0]
                try db.forEach(numbers) { inner in
                    pairs.append(left * 10 + (try inner[0] as Int))
                    return true
                }
                return left < 2
            }
            return pairs
        }
        #expect(pairs == [11, 12, 13, 21, 22, 23])
        await pool.close()
    }

    @Test func `after closing, new reads and writes are refused, and queued ones are done`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        let writes = (0..<50).map { id in
            Task { try await pool.write { db in try db.execute("INSERT INTO notes (id, text) VALUES (\(id), 'x')") } }
        }
        for write in writes.prefix(10) { _ = try await write.value }
        async let closing: Void = pool.close()
        async let closingToo: Void = pool.close()
        _ = await (closing, closingToo)
        var kept = 0
        for write in writes {
            do {
                _ = try await write.value
                kept += 1
            } catch {
                #expect((error as? DatabaseError)?.kind == .closed)
            }
        }
        await #expect(throws: DatabaseError(kind: .closed)) { try await pool.read { _ in } }
        await #expect(throws: DatabaseError(kind: .closed)) { try await onThread { try pool.readNow { _ in } } }
        await #expect(throws: DatabaseError(kind: .closed)) { try await pool.write { _ in } }
        await pool.close()
        let again = try await Notes.open(folder)
        #expect(try await Notes.count(again) == kept)
        await again.close()
    }
}
