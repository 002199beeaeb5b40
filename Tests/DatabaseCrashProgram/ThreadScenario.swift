import Glibc
import SonaBase
import SonaDatabase
import SonaTestSupport

/// Everything at once, for ThreadSanitizer: readers, writers, cancellations, observers, and closing amid all of it.
struct ThreadScenario: Sendable {
    private typealias Opened = (database: DatabasePool, daos: Shelf)

    let seconds: Int
    let seed: UInt64

    private let counts = Monitor<[String: Int]>([:])

    init(seconds: Int, seed: UInt64) {
        self.seconds = seconds
        self.seed = seed
    }

    func run() async throws {
        let folder = TemporaryFolder()
        let end = ContinuousClock.now + .seconds(seconds)
        var round: UInt64 = 0
        while ContinuousClock.now < end {
            round += 1
            // Each round ends with closing while all are busy.
            try await live(folder, seed &+ round, until: min(end, ContinuousClock.now + .seconds(2)))
        }
        let counts = counts.withLock { $0 }
        let pool = try await open(folder).database
        let findings: [String] = try await pool.read { db in try db.values("PRAGMA integrity_check") }
        if findings != ["ok"] { Output.fail("integrity_check: \(findings)") }
        await pool.close()
        for kind in ["read", "write", "cancelled", "thread read", "thread write", "changes", "values", "status"]
        where counts[kind, default: 0] == 0 {
            Output.fail("no \(kind) was counted")
        }
        Output.say("done \(counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))")
    }

    private func open(_ folder: TemporaryFolder) async throws -> Opened {
        var options = DatabaseOptions()
        options.readers = 3
        return try await DatabasePool.open(
            folder.file("shelf.sqlite"), applicationID: Ledger.applicationID, daos: Shelf.self, options: options)
    }

    private func count(_ kind: String) { counts.withLock { $0[kind, default: 0] += 1 } }

    private func live(_ folder: TemporaryFolder, _ seed: UInt64, until end: ContinuousClock.Instant) async throws {
        let opened = try await open(folder)
        let pool = opened.database
        let isOver = Monitor(false)
        let threads = Monitor(0)
        for thread in 0..<2 { start(threads) { block(on: pool, thread, isOver) } }
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask { await read(opened, SeededGenerator(seed: seed &+ UInt64(task)), isOver) }
            }
            for task in 8..<12 {
                group.addTask { await write(opened, SeededGenerator(seed: seed &+ UInt64(task)), isOver) }
            }
            for _ in 0..<2 { group.addTask { await observe(pool) } }
            group.addTask {
                while !isOver.withLock({ $0 }) {
                    if pool.status.commits >= 0, pool.fatalError == nil { count("status") }
                    try? await Task.sleep(for: .milliseconds(1))
                }
            }
            group.addTask {
                try? await Task.sleep(until: end, clock: .continuous)
                await pool.close()
                isOver.notify { $0 = true }
            }
        }
        threads.wait { $0 == 0 ? () : nil }
    }

    private func start(_ threads: Monitor<Int>, _ body: @escaping @Sendable () -> Void) {
        threads.notify { $0 += 1 }
        let started = WorkerThread.start("test") {
            body()
            threads.notify { $0 -= 1 }
        }
        precondition(started)
    }

    // MARK: Tasks and threads

    private func read(_ opened: Opened, _ dice: SeededGenerator, _ isOver: Monitor<Bool>) async {
        var dice = dice
        while !isOver.withLock({ $0 }) {
            let key = Int.random(in: 0..<500, using: &dice)
            let choice = Int.random(in: 0..<4, using: &dice)
            let task = Task {
                switch choice {
                case 0: _ = try await opened.daos.books.fetch(key)
                case 1: _ = try await opened.database.read { db in try db.all(Book.filter(Book.year == key)).count }
                case 2: _ = try await opened.database.readDetached { db in try db.count(Book.self) }
                default:
                    _ = try await opened.database.read { db in
                        // Long enough to be cancelled while it runs.
                        try db.value("SELECT count(*) FROM books AS a, books AS b WHERE a.id < b.year", as: Int.self)
                    }
                }
            }
            await finish(task, "read", Bool.random(using: &dice) ? Int.random(in: 0...2_000, using: &dice) : nil)
        }
    }

    private func write(_ opened: Opened, _ dice: SeededGenerator, _ isOver: Monitor<Bool>) async {
        var dice = dice
        while !isOver.withLock({ $0 }) {
            let key = Int.random(in: 0..<500, using: &dice)
            let choice = Int.random(in: 0..<4, using: &dice)
            let book = Book(id: key, title: "\(key)", year: Int.random(in: 0..<500, using: &dice))
            let task = Task {
                switch choice {
                case 0: _ = try await opened.daos.books.save(book)
                case 1: try await opened.database.write { db in _ = try db.delete(Book.self, key: key) }
                case 2:
                    try await opened.database.write { db in
                        _ = try db.upsertReturning(book)
                        throw BookError.notFound
                    }
                default:
                    let isDone: Bool = await withCheckedContinuation { continuation in
                        opened.database.submit({ db in try db.upsertReturning(book) }) { result in
                            continuation.resume(returning: (try? result.get()) != nil)
                        }
                    }
                    if isDone { count("submitted") }
                }
            }
            await finish(task, "write", Bool.random(using: &dice) ? Int.random(in: 0...500, using: &dice) : nil)
        }
    }

    private func finish(_ task: Task<Void, any Error>, _ kind: String, _ cancelledAfter: Int?) async {
        if let cancelledAfter {
            try? await Task.sleep(for: .microseconds(cancelledAfter))
            task.cancel()
        }
        do {
            try await task.value
            count(kind)
        } catch is CancellationError {
            count("cancelled")
        } catch let error as DatabaseError where error.kind == .closed {
            count("closed")
        } catch is BookError {
            count("refused")
        } catch {
            Output.fail("a \(kind) failed: \(error)")
        }
    }

    private func block(on pool: DatabasePool, _ thread: Int, _ isOver: Monitor<Bool>) {
        while !isOver.withLock({ $0 }) {
            do {
                _ = try pool.readNow { db in try db.count(Book.self) }
                count("thread read")
                _ = try pool.writeNow { db in try db.upsertReturning(Book(id: 1_000 + thread, title: "t", year: 0)) }
                count("thread write")
            } catch {
                if (error as? DatabaseError)?.kind != .closed { Output.fail("a thread failed: \(error)") }
            }
        }
    }

    /// Until the database is closed.
    private func observe(_ pool: DatabasePool) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in pool.changes(in: Book.self) { count("changes") } }
            group.addTask {
                do {
                    for try await _ in pool.values({ db in try db.count(Book.self) }) { count("values") }
                } catch {
                    if (error as? DatabaseError)?.kind != .closed { Output.fail("an observation failed: \(error)") }
                }
            }
            // Observers that come and go.
            group.addTask {
                while pool.status.commits >= 0 {
                    var feed: ChangeFeed<Int>? = pool.changes(in: Book.self)
                    let task = Task { [feed] in
                        guard let feed else { return false }
                        for await _ in feed { return true }
                        return false
                    }
                    feed = nil
                    try? await Task.sleep(for: .milliseconds(2))
                    task.cancel()
                    if await !task.value, (try? await pool.read { _ in }) == nil { return }
                }
            }
        }
    }
}
