import SonaDatabase
import SonaTestSupport
import Testing

struct WriterTests {
    @Test func `64 tasks write at once and every acknowledged row is there after reopening`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<64 {
                group.addTask {
                    for step in 0..<20 {
                        try await pool.write { db in
                            try db.execute("INSERT INTO notes (id, text) VALUES (\(task * 100 + step), 'x')")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await Notes.count(pool) == 1_280)
        await pool.close()
        let again = try await Notes.open(folder)
        #expect(try await Notes.count(again) == 1_280)
        await again.close()
    }

    /// Goal: a refusal in a batch undoes itself alone. Way: the first write holds the writer until 63 others are
    /// queued, so that they share one commit; every fourth throws after writing, in one of four ways.
    @Test func `writes that fail in a batch harm nobody else in it`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        let queued = Gate()
        let holding = Gate()
        async let first: Void = pool.write { db in
            holding.open()
            queued.pass()
            try db.execute("INSERT INTO notes (id, text) VALUES (0, 'first')")
        }
        try await holding.opened()
        let outcomes = try await withThrowingTaskGroup(of: (Int, Bool).self) { group in
            for id in 1...63 {
                group.addTask {
                    do {
                        try await pool.write { db in
                            try db.execute("INSERT INTO notes (id, text) VALUES (\(id), 'x')")
                            switch id % 16 {
                            case 3: throw Refusal()
                            case 7: try db.execute("INSERT INTO notes (id, text) VALUES (\(id), 'again')")
                            // Dangles until the commit: noticed before it.
                            case 11: try db.execute("UPDATE notes SET folder = 99 WHERE id = \(id)")
                            case 15: try db.execute("COMMIT")
                            default: break
                            }
                        }
                        return (id, true)
                    } catch {
                        return (id, false)
                    }
                }
            }
            try await Task.sleep(for: .milliseconds(50))
            queued.open()
            return try await group.reduce(into: [Int: Bool]()) { $0[$1.0] = $1.1 }
        }
        try await first
        for (id, succeeded) in outcomes { #expect(succeeded == (id % 4 != 3), "\(id)") }
        let kept = try await pool.read { db in try db.all("SELECT id FROM notes ORDER BY id") { try $0[0] as Int } }
        #expect(kept == (0...63).filter { $0 % 4 != 3 })
        let dangling = try await pool.read { db in try db.exists("SELECT 1 FROM notes WHERE folder IS NOT NULL") }
        #expect(!dangling)
        await pool.close()
    }

    /// Goal: when SQLite itself ends the shared transaction, no write of the batch is acknowledged, and the next
    /// batch works. Way: a limit on the pages makes one insert run into "disk full".
    @Test func `a full disk fails the whole batch and nothing after it`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        try await pool.write { db in
            let pages = try db.value("PRAGMA page_count", as: Int.self) ?? 0
            // PRAGMA takes no bound values; 40 pages are more than the schema needs.
            #expect(pages < 30)
            _ = try db.value("PRAGMA max_page_count = 40", as: Int.self)
        }
        let queued = Gate()
        let holding = Gate()
        let ids = 1...8
        let outcomes = try await withThrowingTaskGroup(of: (Int, DatabaseError.Kind?).self) { group in
            group.addTask {
                try await pool.write { _ in
                    holding.open()
                    queued.pass()
                }
                return (0, nil)
            }
            try await holding.opened()
            for id in ids {
                group.addTask {
                    // In the order of their ids, more or less; which comes before the large one does not matter.
                    try await Task.sleep(for: .milliseconds(id * 5))
                    do {
                        try await pool.write { db in
                            let size = id == 5 ? 1_000_000 : 10
                            try db.execute(
                                "INSERT INTO notes (id, text, data) VALUES (\(id), 'x', \([UInt8](repeating: 1, count: size)))"
                            )
                        }
                        return (id, nil)
                    } catch {
                        return (id, (error as? DatabaseError)?.kind)
                    }
                }
            }
            try await Task.sleep(for: .milliseconds(150))
            queued.open()
            return try await group.reduce(into: [Int: DatabaseError.Kind?]()) { $0[$1.0] = $1.1 }
        }
        #expect(outcomes[5] == .some(.full))
        let kept = try await pool.read { db in try db.all("SELECT id FROM notes") { try $0[0] as Int } }
        // Acknowledged and kept are the same, whoever shared the batch with the large one.
        #expect(Set(kept) == Set(ids.filter { outcomes[$0] == .some(nil) }))
        #expect(kept.count < 8)
        try await pool.write { db in try db.execute("INSERT INTO notes (id, text) VALUES (100, 'after')") }
        #expect(try await Notes.count(pool) == kept.count + 1)
        await pool.close()
    }

    @Test func `a write that goes on after its transaction ended writes nothing`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        await #expect(throws: DatabaseError.self) {
            try await pool.write { db in
                _ = try db.value("PRAGMA max_page_count = 20", as: Int.self)
                let large = [UInt8](repeating: 1, count: 1_000_000)
                _ = try? db.execute("INSERT INTO notes (text, data) VALUES ('large', \(large))")
                _ = try? db.execute("INSERT INTO notes (text) VALUES ('small')")
            }
        }
        #expect(try await Notes.count(pool) == 0)
        await pool.close()
    }

    @Test func `a queued write of a cancelled task is dropped and a running one is finished`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        let holding = Gate()
        let release = Gate()
        let running = Task {
            try await pool.write { db in
                try db.execute("INSERT INTO notes (id, text) VALUES (1, 'running')")
                holding.open()
                release.pass()
                try db.execute("INSERT INTO notes (id, text) VALUES (2, 'running')")
            }
        }
        try await holding.opened()
        let queued = Task {
            try await pool.write { db in try db.execute("INSERT INTO notes (id, text) VALUES (3, 'queued')") }
        }
        let other = Task {
            try await pool.write { db in try db.execute("INSERT INTO notes (id, text) VALUES (4, 'other')") }
        }
        try await Task.sleep(for: .milliseconds(30))
        running.cancel()
        queued.cancel()
        // The dropped one is answered while the writer is still held.
        await #expect(throws: CancellationError.self) { try await queued.value }
        release.open()
        try await running.value
        _ = try await other.value
        let kept = try await pool.read { db in try db.all("SELECT id FROM notes ORDER BY id") { try $0[0] as Int } }
        #expect(kept == [1, 2, 4])
        await #expect(throws: CancellationError.self) {
            try await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await pool.write { db in try db.execute("INSERT INTO notes (id, text) VALUES (5, 'never')") }
            }.value
        }
        #expect(try await Notes.count(pool) == 3)
        await pool.close()
    }

    @Test func `the queue has an end`() async throws {
        let folder = TemporaryFolder()
        var options = DatabasePool.Options()
        options.queuedWritesMax = 4
        let pool = try await Notes.open(folder, options: options)
        let holding = Gate()
        let release = Gate()
        let first = Task {
            try await pool.write { _ in
                holding.open()
                release.pass()
            }
        }
        try await holding.opened()
        let waiting = (0..<6).map { _ in
            Task { () -> DatabaseError.Kind? in
                do {
                    try await pool.write { db in try db.execute("INSERT INTO notes (text) VALUES ('x')") }
                    return nil
                } catch {
                    return (error as? DatabaseError)?.kind
                }
            }
        }
        try await Task.sleep(for: .milliseconds(50))
        release.open()
        try await first.value
        var kinds: [DatabaseError.Kind?] = []
        for task in waiting { kinds.append(await task.value) }
        #expect(kinds.count { $0 == nil } == 4)
        #expect(kinds.count { $0 == .busy } == 2)
        await pool.close()
    }

    @Test func `a part of a write is undone alone`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        try await pool.write { db in
            try db.execute("INSERT INTO notes (id, text) VALUES (1, 'kept')")
            do {
                try db.savepoint { db in
                    try db.execute("INSERT INTO notes (id, text) VALUES (2, 'undone')")
                    try db.savepoint { db in try db.execute("INSERT INTO notes (id, text) VALUES (3, 'undone')") }
                    throw Refusal()
                }
            } catch is Refusal {}
            try db.savepoint { db in try db.execute("INSERT INTO notes (id, text) VALUES (4, 'kept')") }
        }
        let kept = try await pool.read { db in try db.all("SELECT id FROM notes ORDER BY id") { try $0[0] as Int } }
        #expect(kept == [1, 4])
        await pool.close()
    }

    @Test func `changes are counted and rows come back from RETURNING`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        try await pool.write { db in
            #expect(try db.execute("INSERT INTO notes (text) VALUES ('a'), ('b'), ('c')") == 3)
            #expect(try db.execute("UPDATE notes SET text = 'd' WHERE id > 1") == 2)
            #expect(try db.execute("UPDATE notes SET text = 'd' WHERE id > 9") == 0)
            #expect(try db.execute("SELECT 1") == 0)
            let id = try db.first("INSERT INTO notes (text) VALUES ('e') RETURNING id") { try $0[0] as Int64 }
            #expect(id == 4 && db.lastInsertedRowID == 4)
        }
        #expect(try await Notes.count(pool) == 4)
        await pool.close()
    }

    /// Goal: the log does not grow with the number of writes. Way: far more pages than a checkpoint waits for.
    @Test func `the writer copies the log into the file as it goes`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        for _ in 0..<60 {
            try await pool.write { db in
                for _ in 0..<10 {
                    let data = [UInt8](repeating: 7, count: 40_000)
                    try db.execute("INSERT INTO notes (text, data) VALUES ('x', \(data))")
                }
            }
        }
        let log = try #require(TemporaryFolder.bytes(ofFile: folder.file("notes.sqlite-wal"))).count
        // 24 MB were written; the log restarts after each 1000 pages of 4 KiB and one batch.
        #expect(log < 6_000_000, "\(log)")
        await pool.close()
        #expect(TemporaryFolder.bytes(ofFile: folder.file("notes.sqlite-wal")) == nil)
    }

    /// Goal: a reader that stays stops neither the writes nor, once it has gone, the log from starting anew.
    @Test func `a log held by a reader starts anew after it has gone`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        func fill() async throws {
            for _ in 0..<30 {
                try await pool.write { db in
                    for _ in 0..<10 {
                        let data = [UInt8](repeating: 7, count: 40_000)
                        try db.execute("INSERT INTO notes (text, data) VALUES ('x', \(data))")
                    }
                }
            }
        }
        let reading = Gate()
        let release = Gate()
        async let count = onThread {
            try pool.readNow { db in
                _ = try db.value("SELECT count(*) FROM notes", as: Int.self)
                reading.open()
                release.pass()
                return try db.value("SELECT count(*) FROM notes", as: Int.self)
            }
        }
        try await reading.opened()
        try await fill()
        let held = try #require(TemporaryFolder.bytes(ofFile: pool.path + "-wal")).count
        #expect(held > 12_000_000)
        release.open()
        #expect(try await count == 0)
        try await fill()
        try await fill()
        #expect(try #require(TemporaryFolder.bytes(ofFile: pool.path + "-wal")).count < held + 6_000_000)
        #expect(try await Notes.count(pool) == 900)
        await pool.close()
    }
}
