import SonaBase
import SonaTestSupport
import Testing

@testable import SonaDatabase

/// One connection: what holds for a pool holds for a queue, and reads are in turn with writes.
@Suite(.serialized)
struct QueueTests {
    /// One in memory and one over a file.
    private func queues(_ folder: TemporaryFolder, options: DatabaseOptions = DatabaseOptions()) async throws
        -> [DatabaseQueue]
    {
        [
            try await Library.inMemory(options: options).database,
            try await DatabaseQueue.open(
                folder.file("queue.sqlite"), applicationID: 7, daos: CatalogueDAOs.self, options: options
            ).database,
        ]
    }

    @Test func `a read sees every write before it`() async throws {
        let folder = TemporaryFolder()
        for queue in try await queues(folder) {
            for step in 1...50 {
                try await queue.write { db in try db.insert(Author(id: Int64(step), name: "n\(step)")) }
                #expect(try await queue.read { db in try db.count(Author.self) } == step)
                #expect(try await queue.first(Author.self, key: Int64(step))?.name == "n\(step)")
                #expect(try await queue.first(Author.self, key: Int64(step + 1)) == nil)
            }
            await queue.close()
        }
    }

    /// Goal: accesses run in the order they came in. Way: the first holds the thread until all others are queued, each
    /// by a call that returns once it is.
    @Test func `accesses run in the order they came`() async throws {
        let folder = TemporaryFolder()
        for queue in try await queues(folder) {
            let (holding, release) = (Gate(), Gate())
            let order = Monitor([Int]())
            queue.submit(
                { _ in
                    holding.open()
                    release.pass()
                }, completion: { _ in })
            try await holding.opened()
            for step in 0..<100 {
                if step % 3 == 0 {
                    queue.engine.submit(
                        .write,
                        { connection in
                            try DatabaseEngine.reading(connection) { db in
                                let count = try db.count(Author.self)
                                order.withLock { $0.append(step) }
                                return count
                            }
                        }, completion: { result in #expect((try? result.get()) == step - (step + 2) / 3) })
                } else {
                    queue.submit(
                        { db in
                            try db.insert(Author(name: "n\(step)"))
                            order.withLock { $0.append(step) }
                        }, completion: { _ in })
                }
            }
            #expect(queue.status.queuedWrites == 100)
            release.open()
            #expect(try await queue.read { db in try db.count(Author.self) } == 66)
            #expect(order.withLock { $0 } == Array(0..<100))
            await queue.close()
        }
    }

    @Test func `a read that tries to write is refused, and the next write is not`() async throws {
        let folder = TemporaryFolder()
        for queue in try await queues(folder) {
            try await queue.write { db in try db.insert(Author(id: 1, name: "kept")) }
            let writes: [SQL] = [
                "DELETE FROM authors", "DELETE FROM authors RETURNING id", "UPDATE authors SET name = 'x' RETURNING id",
                "INSERT INTO authors (name) VALUES ('x') RETURNING id", "CREATE TABLE t (i)", "DROP TABLE books",
                "PRAGMA user_version = 9", "PRAGMA application_id = 9", "PRAGMA journal_mode = DELETE",
                "PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM", "REINDEX", "ANALYZE", "COMMIT", "BEGIN", "SAVEPOINT x",
                "ATTACH ':memory:' AS other", "REPLACE INTO authors (id, name) VALUES (1, 'x')",
                "WITH x AS (SELECT 1) DELETE FROM authors", "ALTER TABLE authors RENAME TO other",
            ]
            for sql in writes {
                await expectMisuse("\(sql.text)") { try await queue.read { db in try db.exists(sql) } }
            }
            #expect(try await queue.read { db in try db.all(Author.all) } == [Author(id: 1, name: "kept")])
            try await queue.write { db in try db.insert(Author(name: "after")) }
            // A read that throws leaves the connection able to write.
            await #expect(throws: Refusal.self) { try await queue.read { _ in throw Refusal() } }
            try await queue.write { db in try db.insert(Author(name: "after that")) }
            #expect(try await queue.read { db in try db.count(Author.self) } == 3)
            await queue.close()
        }
    }

    /// Goal: no access changes the connection for those after it. Way: settings that would end all writing, or let
    /// everything through, made by a read and by a write.
    @Test(arguments: ["PRAGMA query_only = ON", "PRAGMA ignore_check_constraints = ON"] as [SQL])
    func `a setting made in an access does not outlast it`(setting: SQL) async throws {
        let folder = TemporaryFolder()
        for queue in try await queues(folder) {
            _ = await kind { try await queue.read { db in try db.exists(setting) } }
            #expect(await kind { try await queue.write { db in try db.insert(Author(name: "x")) } } == nil)
            _ = await kind { try await queue.write { db in try db.execute(setting) } }
            #expect(await kind { try await queue.write { db in try db.insert(Author(name: "y")) } } == nil)
            #expect(await kind { try await queue.write { db in try db.insert(Author(name: "")) } } != nil)
            await queue.close()
        }
    }

    @Test func `many tasks and threads share one connection`() async throws {
        let folder = TemporaryFolder()
        for queue in try await queues(folder) {
            let sum = try await withThrowingTaskGroup(of: Int.self) { group in
                for step in 0..<200 {
                    group.addTask {
                        switch step % 4 {
                        case 0:
                            try await queue.write { db in try db.insert(Author(name: "n\(step)")) }
                            return 1
                        case 1:
                            return try await onThread {
                                try queue.writeNow { db in
                                    try db.insert(Author(name: "n\(step)"))
                                    return 1
                                }
                            }
                        case 2: return try await queue.read { db in try db.count(Author.self) > 100 ? 1 : 0 }
                        default:
                            return try await queue.readDetached { db in try db.count(Author.self) > 100 ? 1 : 0 }
                        }
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(sum == 100)
            #expect(try await queue.read { db in try db.count(Author.self) } == 100)
            await queue.close()
        }
    }

    /// Goal: a thread may block for a read of a queue. Way: thousands of such reads, some of which throw, in a process of
    /// their own, since the closure given away ended the process if the queue's thread let go of it too late.
    @Test func `blocking reads of a queue end well, however they end`() async throws {
        await #expect(processExitsWith: .success) {
            let (queue, _) = try await Library.inMemory()
            try await Library.fill(queue)
            let names = try await onThread {
                final class Box {
                    let names: [String]
                    init(_ names: [String]) { self.names = names }
                }
                for _ in 0..<3_000 {
                    #expect(throws: Refusal.self) { try queue.readNow { _ in throw Refusal() } }
                    #expect(throws: DatabaseError.self) {
                        try queue.readNow { db in try db.exists("DROP TABLE books") }
                    }
                    _ = try queue.readNow { db in try db.count(Book.self) }
                }
                // A result need not be Sendable, because the calling thread waits for it.
                return try queue.readNow { db in Box(try db.all(Author.all).map(\.name)) }.names
            }
            #expect(names == ["Nina"])
            await queue.close()
            await expectFailure(.closed) {
                try await onThread { try queue.readNow { db in try db.count(Book.self) } }
            }
        }
    }

    @Test func `a queued read of a cancelled task is dropped`() async throws {
        let (queue, _) = try await Library.inMemory()
        let (holding, release) = (Gate(), Gate())
        queue.submit(
            { _ in
                holding.open()
                release.pass()
            }, completion: { _ in })
        try await holding.opened()
        let ran = Monitor(false)
        let read = Task { try await queue.read { _ in ran.withLock { $0 = true } } }
        while queue.status.queuedWrites < 1 { await Task.yield() }
        read.cancel()
        await #expect(throws: CancellationError.self) { try await read.value }
        release.open()
        #expect(try await queue.read { db in try db.count(Author.self) } == 0)
        #expect(ran.withLock { !$0 })
        await queue.close()
    }

    @Test func `databases in memory are apart, and gone when closed`() async throws {
        let (one, two) = (try await Library.inMemory().database, try await Library.inMemory().database)
        try await Library.fill(one)
        #expect(try await one.read { db in try db.count(Book.self) } == 4)
        #expect(try await two.read { db in try db.count(Book.self) } == 0)
        #expect(one.path == ":memory:")
        await one.close()
        await expectFailure(.closed) { try await one.read { db in try db.count(Book.self) } }
        await expectFailure(.closed) { try await one.write { db in try db.insert(Author(name: "x")) } }
        await expectFailure(.closed) { try await one.first(Author.self, key: 1) }
        await two.close()
    }

    @Test func `writes of a queue are in the file when it is opened again, by a pool too`() async throws {
        let folder = TemporaryFolder()
        let path = folder.file("queue.sqlite")
        let queue = try await DatabaseQueue.open(path, applicationID: 7, daos: CatalogueDAOs.self).database
        try await Library.fill(queue)
        await queue.close()
        #expect(TemporaryFolder.bytes(ofFile: path + "-wal") == nil, "no log is left")
        let pool = try await DatabasePool.open(path, applicationID: 7, daos: CatalogueDAOs.self).database
        #expect(try await pool.first(Book.self, key: "a")?.title == "Apple")
        await pool.close()
    }
}
