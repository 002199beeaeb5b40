import SonaBase
import SonaTestSupport
import Testing

@testable import SonaDatabase

/// The promises of accesses beside their results.
struct EngineTests {
    private static let fat = [UInt8](repeating: 7, count: 40_000)

    @Test func `the writer has the durability of the options`() async throws {
        for (durability, expected) in [(DatabaseOptions.Durability.full, 2), (.normal, 1)] {
            let folder = TemporaryFolder()
            var options = DatabaseOptions()
            options.durability = durability
            let pool = try await Notes.open(folder, options: options)
            #expect(try await pool.write { db in try db.value("PRAGMA synchronous", as: Int.self) } == expected)
            await pool.close()
        }
    }

    /// Goal: a reader that stays for ever does not let the log grow for ever. Way: a low limit on log and age, a read that
    /// looks again and again, and writes until the log is past its limit.
    @Test func `a read that holds the log at its limit is ended, and the log starts anew`() async throws {
        let folder = TemporaryFolder()
        let events = Monitor<[DatabaseEvent]>([])
        var options = DatabaseOptions()
        options.walBytesMax = 8 << 20
        options.longReadMax = .milliseconds(100)
        options.log = { event in events.withLock { $0.append(event) } }
        let pool = try await Notes.open(folder, options: options)
        let reading = Gate()
        let filled = Gate()
        async let old: DatabaseError.Kind? = onThread {
            do {
                try pool.readNow { db in
                    _ = try db.value("SELECT count(*) FROM notes", as: Int.self)
                    reading.open()
                    filled.pass()
                    _ = try db.value("SELECT count(*) FROM notes", as: Int.self)
                }
                return nil
            } catch {
                return (error as? DatabaseError)?.kind
            }
        }
        try await reading.opened()
        while pool.status.oldestRead ?? .zero < .milliseconds(150) { try await Task.sleep(for: .milliseconds(5)) }
        #expect(pool.status.readersInUse == 1)
        for _ in 0..<60 {
            try await pool.write { db in
                for _ in 0..<10 { try db.execute("INSERT INTO notes (text, data) VALUES ('x', \(Self.fat))") }
            }
        }
        #expect(pool.status.logBytes > 20_000_000)
        filled.open()
        #expect(try await old == .interrupted)
        let ended = events.withLock { events in
            events.map { if case .logAtLimit(_, let count) = $0 { count } else { 0 } }.reduce(0, +)
        }
        #expect(ended == 1)
        // Now nobody holds it any more.
        for _ in 0..<20 {
            try await pool.write { db in
                for _ in 0..<10 { try db.execute("INSERT INTO notes (text, data) VALUES ('x', \(Self.fat))") }
            }
        }
        #expect(pool.status.logBytes < 12_000_000)
        await pool.close()
    }

    @Test func `a reader never waits for the writer`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        let writing = Gate()
        let release = Gate()
        async let write: Void = pool.write { db in
            try db.execute("INSERT INTO notes (text) VALUES ('not yet')")
            writing.open()
            release.pass()
        }
        try await writing.opened()
        for _ in 0..<100 { #expect(try await Notes.count(pool) == 0) }
        #expect(try await pool.readDetached { db in try db.value("SELECT count(*) FROM notes") ?? -1 } == 0)
        release.open()
        try await write
        #expect(try await Notes.count(pool) == 1)
        await pool.close()
    }

    @Test func `submitted writes are answered after their commit, in order`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        let order = try await withCheckedThrowingContinuation { continuation in
            let answers = Monitor<[Int]>([])
            for id in 0..<100 {
                pool.submit { db in
                    try db.execute("INSERT INTO notes (id, text) VALUES (\(id), 'x')")
                    return id
                } completion: { result in
                    let all = answers.withLock { answers in
                        answers.append((try? result.get()) ?? -1)
                        return answers
                    }
                    if all.count == 100 { continuation.resume(returning: all) }
                }
            }
        }
        #expect(order == Array(0..<100))
        #expect(try await Notes.count(pool) == 100)
        await pool.close()
        let refused: DatabaseError.Kind? = await withCheckedContinuation { continuation in
            pool.submit { _ in
            } completion: { result in
                guard case .failure(let error) = result else { return continuation.resume(returning: nil) }
                continuation.resume(returning: (error as? DatabaseError)?.kind)
            }
        }
        #expect(refused == .closed)
    }

    /// Goal: a write alone shares its transaction with nobody. Way: commits are counted; the writer is held until all are
    /// queued.
    @Test func `writes share commits, and one that wants to be alone is alone`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        let holding = Gate()
        let release = Gate()
        async let first: Void = pool.write { _ in
            holding.open()
            release.pass()
        }
        try await holding.opened()
        let before = pool.status
        let shared = (1...10).map { id in
            Task { try await pool.write { db in try db.execute("INSERT INTO notes (id, text) VALUES (\(id), 'x')") } }
        }
        while pool.status.queuedWrites < 10 { await Task.yield() }
        let alone = Task {
            try await pool.writeAlone { db in try db.execute("INSERT INTO notes (id, text) VALUES (11, 'x')") }
        }
        while pool.status.queuedWrites < 11 { await Task.yield() }
        let after = Task {
            try await pool.write { db in try db.execute("INSERT INTO notes (id, text) VALUES (12, 'x')") }
        }
        while pool.status.queuedWrites < 12 { await Task.yield() }
        release.open()
        try await first
        for task in shared { _ = try await task.value }
        _ = try await alone.value
        _ = try await after.value
        #expect(pool.status.writes - before.writes == 13)
        // The first, which was held, may have used up the time of its batch, and then is alone as well.
        #expect((3...4).contains(pool.status.commits - before.commits))
        await pool.close()
    }

    @Test func `the first write of a batch that throws leaves those after it alone`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        let holding = Gate()
        let release = Gate()
        let first = Task {
            try await pool.write { db in
                try db.execute("INSERT INTO notes (id, text) VALUES (1, 'x')")
                holding.open()
                release.pass()
                throw Refusal()
            }
        }
        try await holding.opened()
        let others = (2...5).map { id in
            Task {
                try await pool.write { db in
                    try db.execute("INSERT INTO notes (id, text) VALUES (\(id), 'x')")
                    if id == 3 { throw Refusal() }
                }
            }
        }
        while pool.status.queuedWrites < 4 { await Task.yield() }
        release.open()
        await #expect(throws: Refusal.self) { try await first.value }
        for (place, task) in others.enumerated() {
            if place == 1 {
                await #expect(throws: Refusal.self) { try await task.value }
            } else {
                try await task.value
            }
        }
        #expect(
            try await pool.read { db in try db.values("SELECT id FROM notes ORDER BY id", as: Int.self) } == [2, 4, 5])
        await pool.close()
    }

    @Test func `the error busy names the process that holds the file`() async throws {
        let folder = TemporaryFolder()
        var options = DatabaseOptions()
        options.busyTimeoutMilliseconds = 20
        let pool = try await Notes.open(folder, options: options)
        let other = try Connection(path: pool.path, role: .writer, statementCacheSize: 4)
        try other.control(.beginImmediate)
        do {
            try await pool.write { _ in }
            Issue.record("It was not busy.")
        } catch let error as DatabaseError {
            #expect(error.kind == .busy)
            #expect(error.hint == "the file is locked by this process, through another connection")
            #expect(error.description.contains("this process"))
        }
        try other.control(.rollback)
        await pool.close()
    }

    @Test func `threads without tasks can read and write, too`() async throws {
        let folder = TemporaryFolder()
        let pool = try await Notes.open(folder)
        try await onThread {
            for id in 0..<20 {
                let inserted = try pool.writeNow { db in
                    try db.execute("INSERT INTO notes (id, text) VALUES (\(id), 'x')")
                }
                #expect(inserted == 1)
                #expect(try pool.readNow { db in try db.value("SELECT max(id) FROM notes", as: Int.self) } == id)
            }
        }
        await #expect(throws: Refusal.self) {
            try await onThread { try pool.writeNow { _ in throw Refusal() } }
        }
        await pool.close()
    }
}
