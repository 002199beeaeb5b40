import Glibc
import SonaBase
import SonaTestSupport
import Testing

@testable import SonaDatabase

/// A digest of all rows of all tables, to compare two databases.
struct Content: Equatable {
    private(set) var rows = 0
    /// FNV-1a.
    private var digest: UInt64 = 0xCBF2_9CE4_8422_2325

    private mutating func add(_ text: String) {
        for byte in text.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    static func of(_ database: any DatabaseReader) async throws -> Content {
        try await database.read { db in
            var content = Content()
            for name in try db.values(
                "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name", as: String.self)
            {
                content.add(name)
                try db.forEach("SELECT * FROM \(SQL.identifier(name)) ORDER BY 1, 2") { row in
                    content.rows += 1
                    for column in 0..<row.columnCount { content.add("\(try row[column] as DatabaseValue)") }
                    return true
                }
            }
            return content
        }
    }

    static func of(_ folder: TemporaryFolder, _ name: String) async throws -> Content {
        let pool = try await Notes.open(folder, name)
        let content = try await of(pool)
        await pool.close()
        return content
    }
}

extension Notes {
    /// Notes of about a page each, numbered from `first`.
    static func fill(_ database: any DatabaseWriter, _ count: Int, from first: Int = 1) async throws {
        try await database.writeAlone { db in
            for id in first..<first + count {
                let data = [UInt8](repeating: UInt8(truncatingIfNeeded: id), count: 3_500)
                try db.execute("INSERT INTO notes (id, text, data) VALUES (\(id), 'x', \(data))")
            }
        }
    }
}

extension TemporaryFolder {
    /// The files in the folder, by name.
    func files() -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        guard let folder = opendir(path) else { return files }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { files[name] = Self.bytes(ofFile: file(name)) ?? [] }
        }
        return files
    }
}

/// The kind of the error, if it is one of the database's.
func failure<Value>(_ body: () async throws -> Value) async -> DatabaseError.Kind? {
    do {
        _ = try await body()
        return nil
    } catch {
        return (error as? DatabaseError)?.kind
    }
}

struct BackupTests {
    private let folder = TemporaryFolder()
    private var target: String { folder.file("backup.sqlite") }

    /// The properties of every backup: a single file, its owner's alone, that needs nothing beside it.
    private func expectWhole(_ path: String) throws {
        #expect(TemporaryFolder.mode(ofFile: path) == 0o600)
        for suffix in DatabaseFiles.sideSuffixes + [".partial"] { #expect(!DatabaseFiles.exists(path + suffix)) }
        let bytes = try #require(TemporaryFolder.bytes(ofFile: path))
        #expect(bytes[18] == 1 && bytes[19] == 1, "the header says: no log")
        #expect(bytes.count % 4_096 == 0)
    }

    // MARK: One state

    /// Goal: commits during the copy neither show in it nor make it begin anew. Way: before each step is allowed to go
    /// on, a write changes rows on pages that are copied and on pages that are not; the copy of one page at a time has
    /// as many steps as the database has pages, and holds what there was before.
    @Test func `commits between the steps of a backup neither show in it nor restart it`() async throws {
        let pool = try await Notes.open(folder)
        try await Notes.fill(pool, 100)
        _ = try await pool.checkpoint()
        let pages = ConnectionSetup.bytes(ofFile: pool.path) / 4_096
        let before = try await Content.of(pool)
        let steps = Monitor(0)
        try await pool.backup(to: target, pagesPerStep: 1) { fraction in
            let step = steps.withLock { steps in
                steps += fraction < 1 ? 1 : 0
                return steps
            }
            // A copy that begins anew after each commit would never end.
            guard fraction < 1, step < pages else { return }
            do {
                try pool.writeNow { db in
                    try db.execute("UPDATE notes SET text = text || \(step) WHERE id IN (1, 50, 100)")
                    try db.execute("INSERT INTO notes (text) VALUES ('new')")
                }
            } catch {
                Issue.record(error)
            }
        }
        // The last step has nothing after it to be told of.
        #expect(steps.withLock { $0 } == pages - 1)
        #expect(try await Notes.count(pool) == 100 + pages - 1)
        try expectWhole(target)
        #expect(try await Content.of(folder, "backup.sqlite") == before)
        await pool.close()
    }

    /// Goal: a backup beside real load is one state: all of a transaction or nothing, and of each writer a beginning of
    /// what it wrote. Way: four tasks each count up in two tables at once; the copy waits at every step until some more
    /// of that is committed.
    @Test func `a backup made while four tasks write holds whole transactions, none after a missing one`() async throws
    {
        let pool = try await Notes.open(folder)
        try await Notes.fill(pool, 200, from: 1_000_000)
        let isDone = Monitor(false)
        let committed = Monitor(0)
        let written = try await withThrowingTaskGroup(of: Int.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    var step = 0
                    // A copy that begins anew after each commit would never end otherwise.
                    while !isDone.withLock({ $0 }), step < 1_000 {
                        let number = writer * 100_000 + step
                        try await pool.write { db in
                            try db.execute("INSERT INTO folders (id, name) VALUES (\(number), \("\(number)"))")
                            try db.execute("INSERT INTO notes (id, folder, text) VALUES (\(number), \(number), 'x')")
                        }
                        step += 1
                        committed.notify { $0 += 1 }
                    }
                    return step
                }
            }
            defer { isDone.withLock { $0 = true } }
            try await pool.backup(to: target, pagesPerStep: 8) { fraction in
                let before = committed.withLock { $0 }
                guard fraction < 1, before < 1_000 else { return }
                committed.wait { $0 >= before + 4 ? () : nil }
            }
            isDone.withLock { $0 = true }
            return try await group.reduce(0, +)
        }
        let copy = try await Notes.open(folder, "backup.sqlite")
        #expect(try await copy.integrityCheck().isSound)
        let (folders, notes) = try await copy.read { db in
            (
                try db.values("SELECT id FROM folders ORDER BY id", as: Int.self),
                try db.values("SELECT id FROM notes WHERE id < 1000000 ORDER BY id", as: Int.self)
            )
        }
        #expect(folders == notes)
        for writer in 0..<4 {
            let own = folders.filter { $0 / 100_000 == writer }.map { $0 % 100_000 }
            #expect(own == Array(0..<own.count))
        }
        // 25 steps with four commits each came after the moment the copy shows.
        #expect(written - folders.count >= 80)
        await copy.close()
        await pool.close()
    }

    @Test func `a restored backup has the content of the database it was made of`() async throws {
        let pool = try await Notes.open(folder)
        try await Notes.fill(pool, 30)
        try await pool.backup(to: target)
        let content = try await Content.of(pool)
        try await DatabasePool.restore(
            from: target, to: folder.file("other.sqlite"), applicationID: Notes.applicationID, knownMigrations: 1)
        #expect(try await Content.of(folder, "other.sqlite") == content)
        await pool.close()
    }

    // MARK: Progress

    @Test(arguments: [1, 7, 256]) func `progress grows and ends at one`(pagesPerStep: Int) async throws {
        let pool = try await Notes.open(folder)
        try await Notes.fill(pool, 50)
        _ = try await pool.checkpoint()
        let pages = ConnectionSetup.bytes(ofFile: pool.path) / 4_096
        let told = Monitor<[Double]>([])
        let target = target
        try await pool.backup(to: target, pagesPerStep: pagesPerStep) { fraction in
            told.withLock { $0.append(fraction) }
            #expect(DatabaseFiles.exists(target) == (fraction == 1))
        }
        let fractions = told.withLock { $0 }
        #expect(fractions == fractions.sorted())
        #expect(Set(fractions).count == fractions.count)
        #expect(fractions.last == 1)
        #expect(fractions.first.map { $0 > 0 } == true)
        #expect(fractions.count == (pages + pagesPerStep - 1) / pagesPerStep)
        await pool.close()
    }

    @Test(arguments: [0, -1]) func `a step of no pages is misuse`(pagesPerStep: Int) async throws {
        let pool = try await Notes.open(folder)
        let kind = await failure { try await pool.backup(to: target, pagesPerStep: pagesPerStep) }
        #expect(kind == .misuse("a step of a backup has at least one page"))
        await pool.close()
    }

    // MARK: The target

    @Test func `an older backup is replaced, whatever its mode was`() async throws {
        TemporaryFolder.write(Array("older".utf8), toFile: target, mode: 0o644)
        // The rest of a backup that a crash ended. Its journal would be rolled back into the new one.
        TemporaryFolder.write(Array("half".utf8), toFile: target + ".partial", mode: 0o666)
        for suffix in DatabaseFiles.sideSuffixes {
            TemporaryFolder.write([1, 2, 3], toFile: target + ".partial" + suffix)
        }
        let pool = try await Notes.open(folder)
        try await Notes.fill(pool, 3)
        let old = umask(0)
        try await pool.backup(to: target)
        umask(old)
        try expectWhole(target)
        #expect(folder.files().keys.filter { $0.contains("partial") }.isEmpty)
        #expect(try await Content.of(folder, "backup.sqlite") == Content.of(pool))
        await pool.close()
    }

    @Test func `a backup onto the database itself is misuse and harms nothing`() async throws {
        let pool = try await Notes.open(folder, "own.partial")
        try await Notes.fill(pool, 3)
        symlink(pool.path, folder.file("symbolic"))
        link(pool.path, folder.file("hard"))
        for name in ["own.partial", "own.partial-wal", "own.partial-shm", "own", "symbolic", "hard"] {
            let kind = await failure { try await pool.backup(to: folder.file(name)) }
            #expect(kind == .misuse("the target of a backup is the database itself"), "\(name)")
        }
        #expect(try await Notes.count(pool) == 3)
        #expect(try await pool.integrityCheck().isSound)
        await pool.close()
    }

    @Test func `targets that lead nowhere can't be opened, and one that is in use is busy`() async throws {
        let pool = try await Notes.open(folder)
        TemporaryFolder.write([1], toFile: folder.file("file"))
        mkdir(folder.file("folder"), 0o700)
        let before = Set(folder.files().keys)
        for path in [folder.file("none/b"), folder.file("file/b"), folder.file("folder"), "/proc/b", ""] {
            #expect(await failure { try await pool.backup(to: path) } == .cannotOpen, "\(path)")
        }
        #expect(Set(folder.files().keys) == before)
        let other = try await Notes.open(folder, "other.sqlite")
        try await Notes.fill(other, 2)
        #expect(await failure { try await pool.backup(to: other.path) } == .busy)
        #expect(try await Notes.count(other) == 2)
        await other.close()
        await pool.close()
    }

    @Test func `two backups to one file do not write into each other`() async throws {
        let pool = try await Notes.open(folder)
        try await Notes.fill(pool, 20)
        let begun = Gate()
        let tried = Gate()
        async let first: Void = pool.backup(to: target, pagesPerStep: 1) { _ in
            begun.open()
            tried.pass()
        }
        try await begun.opened()
        #expect(await failure { try await pool.backup(to: target) } == .busy)
        #expect(DatabaseFiles.exists(target + ".partial"), "the refused one left the other's file alone")
        tried.open()
        try await first
        try expectWhole(target)
        #expect(try await Content.of(folder, "backup.sqlite") == Content.of(pool))
        try await pool.backup(to: folder.file("second.sqlite"))
        await pool.close()
    }

    // MARK: Failing

    @Test func `a cancelled backup stops between two steps and leaves the older file`() async throws {
        let pool = try await Notes.open(folder)
        try await Notes.fill(pool, 100)
        TemporaryFolder.write(Array("older".utf8), toFile: target)
        let begun = Gate()
        let cancelled = Gate()
        let steps = Monitor(0)
        let target = target
        let backup = Task {
            try await pool.backup(to: target, pagesPerStep: 10) { _ in
                steps.withLock { $0 += 1 }
                begun.open()
                cancelled.pass()
            }
        }
        try await begun.opened()
        #expect(DatabaseFiles.exists(target + ".partial"))
        backup.cancel()
        cancelled.open()
        await #expect(throws: CancellationError.self) { try await backup.value }
        #expect(steps.withLock { $0 } == 1)
        #expect(TemporaryFolder.bytes(ofFile: target) == Array("older".utf8))
        #expect(folder.files().keys.filter { $0.contains("partial") }.isEmpty)
        await pool.close()
    }

    @Test func `a damaged database is not made a backup of, and the older one stays`() async throws {
        try await DamagedDatabase.make(folder, "notes.sqlite")
        TemporaryFolder.write(Array("older".utf8), toFile: target)
        let pool = try await DamagedDatabase.open(folder, "notes.sqlite")
        #expect(await failure { try await pool.backup(to: target) } == .corrupt)
        #expect(TemporaryFolder.bytes(ofFile: target) == Array("older".utf8))
        #expect(folder.files().keys.filter { $0.contains("partial") }.isEmpty)
        await pool.close()
    }

    /// Goal: a disk that fills up leaves nothing half done. Way: a process of its own that may not write files of more
    /// than 200 KB.
    @Test func `a backup that has no room leaves the older file and no other`() async throws {
        TemporaryFolder.write(Array("older".utf8), toFile: target)
        await #expect(processExitsWith: .success) { [path = folder.path as String, target = target as String] in
            let pool = try await DatabasePool.open(
                path + "/notes.sqlite", applicationID: Notes.applicationID, migrations: Notes.timeline)
            try await Notes.fill(pool, 200)
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 200_000, rlim_max: 200_000)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let kind = await failure { try await pool.backup(to: target) }
            // The limit on files is an EFBIG, which SQLite calls an error of writing; a full disk is an ENOSPC.
            guard kind == .io || kind == .full else { exit(2) }
            guard TemporaryFolder.bytes(ofFile: target) == Array("older".utf8) else { exit(3) }
            guard !DatabaseFiles.exists(target + ".partial") else { exit(4) }
            exit(0)
        }
        #expect(TemporaryFolder.bytes(ofFile: target) == Array("older".utf8))
    }

    @Test func `a closed database makes no backup`() async throws {
        let pool = try await Notes.open(folder)
        await pool.close()
        #expect(await failure { try await pool.backup(to: target) } == .closed)
        #expect(!DatabaseFiles.exists(target + ".partial"))
    }

    // MARK: Queues

    @Test func `a database in memory becomes a file`() async throws {
        let queue = try await DatabaseQueue.inMemory(migrations: Notes.timeline)
        try await Notes.fill(queue, 50)
        let told = Monitor<[Double]>([])
        try await queue.backup(to: target, pagesPerStep: 10) { fraction in told.withLock { $0.append(fraction) } }
        let fractions = told.withLock { $0 }
        #expect(fractions.count > 4 && fractions == fractions.sorted() && fractions.last == 1)
        try expectWhole(target)
        let pool = try await DatabasePool.open(target, applicationID: 1, migrations: Notes.timeline)
        #expect(try await Content.of(pool) == Content.of(queue))
        await pool.close()
        let begun = Gate()
        let cancelled = Gate()
        let other = folder.file("other.sqlite")
        let backup = Task {
            try await queue.backup(to: other, pagesPerStep: 1) { _ in
                begun.open()
                cancelled.pass()
            }
        }
        try await begun.opened()
        backup.cancel()
        cancelled.open()
        await #expect(throws: CancellationError.self) { try await backup.value }
        #expect(!DatabaseFiles.exists(other) && !DatabaseFiles.exists(other + ".partial"))
        #expect(try await queue.read { db in try db.value("SELECT count(*) FROM notes", as: Int.self) } == 50)
        await queue.close()
    }

    @Test func `a queue on a file goes on writing during its backup`() async throws {
        let queue = try await DatabaseQueue.open(
            folder.file("notes.sqlite"), applicationID: Notes.applicationID, migrations: Notes.timeline)
        try await Notes.fill(queue, 20)
        let before = try await Content.of(queue)
        let steps = Monitor(0)
        try await queue.backup(to: target, pagesPerStep: 5) { fraction in
            let step = steps.withLock { steps in
                steps += 1
                return steps
            }
            guard fraction < 1, step < 100 else { return }
            do {
                try queue.writeNow { db in try db.execute("INSERT INTO notes (text) VALUES ('x')") }
            } catch {
                Issue.record(error)
            }
        }
        #expect(try await Content.of(folder, "backup.sqlite") == before)
        #expect(try await Content.of(queue) != before)
        await queue.close()
    }

    // MARK: Log and space

    @Test func `a checkpoint cuts the log unless a reader needs it`() async throws {
        let pool = try await Notes.open(folder)
        try await Notes.fill(pool, 20)
        let log = ConnectionSetup.bytes(ofFile: pool.path + "-wal")
        let whole = try await pool.checkpoint()
        #expect(whole == CheckpointResult(logBytesBefore: log, logBytesAfter: 0, oldestRead: nil))
        #expect(log > 20 * 4_096 && !whole.isHeldByReader)
        #expect(pool.status.logBytes == 0)

        let reading = Gate()
        let written = Gate()
        async let read: Void = onThread {
            try pool.readNow { db in
                _ = try db.value("SELECT count(*) FROM notes", as: Int.self)
                reading.open()
                written.pass()
            }
        }
        try await reading.opened()
        try await Notes.fill(pool, 5, from: 100)
        let held = try await pool.checkpoint()
        #expect(held.isHeldByReader && held.logBytesAfter == held.logBytesBefore && held.logBytesBefore > 5 * 4_096)
        #expect(held.oldestRead != nil)
        written.open()
        try await read
        #expect(try await !pool.checkpoint().isHeldByReader)
        #expect(try await Notes.count(pool) == 25)
        await pool.close()
        #expect(await failure { try await pool.checkpoint() } == .closed)
        let queue = try await DatabaseQueue.inMemory(migrations: Notes.timeline)
        #expect(
            try await queue.checkpoint() == CheckpointResult(logBytesBefore: 0, logBytesAfter: 0, oldestRead: nil))
        await queue.close()
    }

    @Test func `vacuum gives space back, tells no observer, and disturbs no reader`() async throws {
        let pool = try await Notes.open(folder)
        try await Notes.fill(pool, 400)
        try await pool.write { db in try db.execute("DELETE FROM notes WHERE id > 10") }
        _ = try await pool.checkpoint()
        let size = ConnectionSetup.bytes(ofFile: pool.path)
        let content = try await Content.of(pool)
        let told = Monitor<[Set<String>]>([])
        let subscription = Subscription(pool.engine, tables: nil) { changes in
            told.withLock { $0.append(Set(changes.tables.keys)) }
        } finish: {
        }
        try await pool.write { db in try db.execute("UPDATE notes SET text = 'y' WHERE id = 1") }
        try await pool.write { db in try db.execute("UPDATE notes SET text = 'x' WHERE id = 1") }
        let reading = Gate()
        let vacuumed = Gate()
        async let count = onThread {
            try pool.readNow { db in
                let before = try db.value("SELECT count(*) FROM notes", as: Int.self)
                reading.open()
                vacuumed.pass()
                return [before, try db.value("SELECT count(*) FROM notes", as: Int.self)]
            }
        }
        try await reading.opened()
        try await pool.vacuum()
        vacuumed.open()
        #expect(try await count == [10, 10])
        try await pool.write { db in try db.execute("INSERT INTO folders (id, name) VALUES (1, 'a')") }
        try await pool.write { db in try db.execute("DELETE FROM folders") }
        withExtendedLifetime(subscription) {}
        #expect(told.withLock { $0 } == [["notes"], ["notes"], ["folders"], ["folders"]])
        #expect(try await Content.of(pool) == content)
        try await pool.vacuum()
        #expect(ConnectionSetup.bytes(ofFile: pool.path) < size / 10)
        #expect(try await Content.of(pool) == content)
        await pool.close()
        #expect(await failure { try await pool.vacuum() } == .closed)
    }
}
