import SonaBase
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
    /// queued, so that they share commits; every fourth throws after writing, in one of four ways.
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
        let before = pool.status
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
            try await until("63 writes are queued") { pool.status.queuedWrites == 63 }
            queued.open()
            return try await group.reduce(into: [Int: Bool]()) { $0[$1.0] = $1.1 }
        }
        try await first
        #expect(pool.status.writes - before.writes == 64)
        // One commit for the first and one for the others. A batch ends after 5 ms, so a busy machine needs a few more.
        #expect(pool.status.commits - before.commits < 32)
        for (id, succeeded) in outcomes { #expect(succeeded == (id % 4 != 3), "\(id)") }
        let kept = try await pool.read { db in try db.all("SELECT id FROM notes ORDER BY id") { try $0[0] as Int } }
        #expect(kept == (0...63).filter { $0 % 4 != 3 })
        let dangling = try await pool.read { db in try db.exists("SELECT 1 FROM notes WHERE folder IS NOT NULL") }
        #expect(!dangling)
        await pool.close()
    }

    /// Goal: when SQLite itself ends the shared transaction, no write of the batch is acknowledged, and the next
    /// batch works. Way: a limit on the pages makes one insert of eight run into "disk full".
    ///
    /// A batch ends after 5 ms, which may part the large insert from those before it. Of ten rounds, one must not.
    @Test func `a full disk fails the whole batch and nothing after it`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        try await pool.write { db in
            let pages = try db.value("PRAGMA page_count", as: Int.self) ?? 0
            // PRAGMA takes no bound values; 40 pages are more than the schema needs.
            #expect(pages < 30)
            _ = try db.value("PRAGMA max_page_count = 40", as: Int.self)
        }
        var failedWithIt = 0
        for round in 0..<10 {
            let ids = (1...8).map { round * 10 + $0 }
            let outcomes = try await outcomes(ofBatch: ids, large: ids[4], in: pool)
            #expect(outcomes[ids[4]] == .some(.full))
            // Acknowledged and kept are the same, whoever shared the batch with the large one.
            let kept = try await pool.read { db in try db.all("SELECT id FROM notes") { try $0[0] as Int } }
            #expect(Set(kept) == Set(ids.filter { outcomes[$0] == .some(nil) }))
            #expect(ids[5...].allSatisfy { outcomes[$0] == .some(nil) }, "the next batch works")
            failedWithIt += ids[..<4].count { outcomes[$0] == .some(.full) }
            try await pool.write { db in try db.execute("DELETE FROM notes") }
        }
        #expect(failedWithIt > 0)
        await pool.close()
    }

    /// Way: a limit on the pages stands for a full disk.
    @Test func `a full disk is told at every failed write, and its end once`() async throws {
        let folder = TemporaryFolder()
        let events = Monitor([String]())
        var options = DatabaseOptions()
        options.log = { event in
            switch event {
            case .writeFailed(let error): events.withLock { $0.append("\(error.kind)") }
            case .writesResumed: events.withLock { $0.append("resumed") }
            default: break
            }
        }
        let pool = try await Notes.open(folder, options: options)
        try await pool.write { db in _ = try db.value("PRAGMA max_page_count = 40", as: Int.self) }
        for _ in 0..<2 {
            await expectFailure(.full) {
                try await pool.write { db in
                    try db.execute("INSERT INTO notes (id, text) VALUES (1, hex(zeroblob(200000)))")
                }
            }
        }
        // An error of the caller's own is nobody else's, and a write that changes nothing proves nothing.
        await #expect(throws: DatabaseError.self) {
            try await pool.write { db in try db.execute("INSERT INTO nowhere VALUES (1)") }
        }
        try await pool.write { _ in }
        #expect(events.withLock { $0 } == ["full", "full"])
        try await pool.probe()
        try await pool.probe()
        try await pool.write { db in try db.execute("INSERT INTO notes (id, text) VALUES (1, 'short')") }
        #expect(events.withLock { $0 } == ["full", "full", "resumed"])
        await pool.close()
    }

    /// Queues small inserts and a large one, in the order of their ids, while the writer is held.
    ///
    /// - Returns: The error of each, or `nil` if it was acknowledged.
    private func outcomes(
        ofBatch ids: [Int], large: Int, in pool: DatabasePool
    ) async throws -> [Int: DatabaseError.Kind?] {
        let queued = Gate()
        let holding = Gate()
        return try await withThrowingTaskGroup(of: (Int, DatabaseError.Kind?).self) { group in
            group.addTask {
                // It may be of the same batch and fail with it.
                try? await pool.write { _ in
                    holding.open()
                    queued.pass()
                }
                return (-1, nil)
            }
            try await holding.opened()
            for (place, id) in ids.enumerated() {
                group.addTask {
                    do {
                        try await pool.write { db in
                            let data = [UInt8](repeating: 1, count: id == large ? 1_000_000 : 10)
                            try db.execute("INSERT INTO notes (id, text, data) VALUES (\(id), 'x', \(data))")
                        }
                        return (id, nil)
                    } catch {
                        return (id, (error as? DatabaseError)?.kind)
                    }
                }
                try await until("\(id) is queued") { pool.status.queuedWrites == place + 1 }
            }
            queued.open()
            return try await group.reduce(into: [Int: DatabaseError.Kind?]()) { $0[$1.0] = $1.1 }
        }
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
        try await until("two writes are queued") { pool.status.queuedWrites == 2 }
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
        let refusals = Monitor(0)
        let waiting = (0..<6).map { _ in
            Task { () -> DatabaseError.Kind? in
                do {
                    try await pool.write { db in try db.execute("INSERT INTO notes (text) VALUES ('x')") }
                    return nil
                } catch {
                    refusals.withLock { $0 += 1 }
                    return (error as? DatabaseError)?.kind
                }
            }
        }
        // The refused ones are answered while the writer is still held.
        try await until("four are queued") { pool.status.queuedWrites == 4 && refusals.withLock { $0 } == 2 }
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
