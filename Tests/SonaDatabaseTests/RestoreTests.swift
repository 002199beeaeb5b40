import Glibc
import SonaTestSupport
import Testing

@testable import SonaDatabase

struct RestoreTests {
    private let folder = TemporaryFolder()
    /// Away from the database, to see that nothing is made beside the backup.
    private let shelf = TemporaryFolder()
    private var path: String { folder.file("notes.sqlite") }
    private var backup: String { shelf.file("backup.sqlite") }

    private func restore(
        _ backup: String? = nil, applicationID: Int32 = Notes.applicationID, known: Int? = 1
    ) async throws(DatabaseError) {
        try await DatabasePool.restore(
            from: backup ?? self.backup, to: path, applicationID: applicationID, knownMigrations: known)
    }

    private func restoration(_ folder: TemporaryFolder) throws(DatabaseError) -> Restoration {
        try Restoration(
            from: backup, to: folder.file("notes.sqlite"), applicationID: Notes.applicationID, knownMigrations: 1)
    }

    /// Notes 1…20 in a backup, and a closed database with notes 101…103.
    private func prepare() async throws -> (backup: Content, old: Content) {
        let source = try await Notes.open(shelf, "source.sqlite")
        try await Notes.fill(source, 20)
        try await source.backup(to: backup)
        let content = try await Content.of(source)
        await source.close()
        try DatabaseFiles.remove(source.path)
        let pool = try await Notes.open(folder)
        try await Notes.fill(pool, 3, from: 101)
        let old = try await Content.of(pool)
        await pool.close()
        return (content, old)
    }

    /// Leaves the database as a killed process would: with a log that holds more than the file does.
    private func crash(_ count: Int = 5) async throws -> Content {
        let pool = try await Notes.open(folder)
        // A log with two beginnings: part of it is in the file already.
        try await Notes.fill(pool, count, from: 201)
        _ = try await pool.checkpoint()
        try await Notes.fill(pool, count, from: 301)
        let content = try await Content.of(pool)
        let files = folder.files()
        await pool.close()
        for (name, bytes) in files { TemporaryFolder.write(bytes, toFile: folder.file(name)) }
        #expect(ConnectionSetup.wasLeftOpen(path))
        return content
    }

    /// A copy of the files that a process ending now would leave.
    private func image(of folder: TemporaryFolder) -> TemporaryFolder {
        let copy = TemporaryFolder()
        for (name, bytes) in folder.files() { TemporaryFolder.write(bytes, toFile: copy.file(name)) }
        return copy
    }

    private func overwrite(_ path: String, _ range: Range<Int>) throws {
        var bytes = try #require(TemporaryFolder.bytes(ofFile: path))
        for index in range { bytes[index] ^= 0xA5 }
        TemporaryFolder.write(bytes, toFile: path)
    }

    // MARK: What is restored

    @Test func `a restored database is the backup, and the old one is kept and can be restored in turn`() async throws {
        let (content, old) = try await prepare()
        // Leftovers of restores that a crash ended.
        TemporaryFolder.write([1], toFile: path + ".before-restore.new")
        for name in [".before-restore", ".restoring"] {
            for suffix in [""] + DatabaseFiles.sideSuffixes { TemporaryFolder.write([1], toFile: path + name + suffix) }
        }
        try await restore()
        #expect(Set(folder.files().keys) == ["notes.sqlite", "notes.sqlite.before-restore"])
        #expect(Set(shelf.files().keys) == ["backup.sqlite"])
        #expect(TemporaryFolder.mode(ofFile: path) == 0o600)
        #expect(try await Content.of(folder, "notes.sqlite") == content)
        try await restore(path + ".before-restore")
        #expect(try await Content.of(folder, "notes.sqlite") == old)
        #expect(try await Content.of(folder, "notes.sqlite.before-restore") == content)
    }

    @Test func `a missing database and an empty file are restored, and nothing is kept of them`() async throws {
        let (content, _) = try await prepare()
        for isEmpty in [false, true] {
            try DatabaseFiles.remove(path)
            if isEmpty { TemporaryFolder.write([], toFile: path) }
            try await restore()
            #expect(Set(folder.files().keys) == ["notes.sqlite"])
            #expect(try await Content.of(folder, "notes.sqlite") == content)
        }
    }

    /// Goal: a log that a crash left is never taken for the restored file's own, and what it holds is not lost: it is
    /// kept with the old database.
    @Test func `over a crashed database exactly the backup is restored`() async throws {
        let (content, _) = try await prepare()
        let old = try await crash()
        try await restore()
        #expect(Set(folder.files().keys) == ["notes.sqlite", "notes.sqlite.before-restore"])
        #expect(try await Content.of(folder, "notes.sqlite") == content)
        #expect(try await Content.of(folder, "notes.sqlite.before-restore") == old)
    }

    @Test func `a log without its database is put away and not replayed`() async throws {
        let (content, _) = try await prepare()
        _ = try await crash()
        let log = TemporaryFolder.bytes(ofFile: path + "-wal")
        try DatabaseFiles.remove(path)
        TemporaryFolder.write(Array("earlier".utf8), toFile: path + ".before-restore")
        try await restore()
        #expect(TemporaryFolder.bytes(ofFile: path + ".orphaned-wal") == log)
        #expect(TemporaryFolder.bytes(ofFile: path + ".before-restore") == Array("earlier".utf8))
        #expect(
            Set(folder.files().keys)
                == ["notes.sqlite", "notes.sqlite.orphaned-wal", "notes.sqlite.before-restore"])
        #expect(try await Content.of(folder, "notes.sqlite") == content)
    }

    /// Goal: damage of any kind is what one restores over. Way: the header, the page of the schema, a page of a table,
    /// a file that is cut, one that is something else; each with the log of a crash beside it.
    @Test(arguments: ["header", "schema", "page", "cut", "text"], [false, true])
    func `a damaged database is restored over and kept as it was`(damage: String, hasLog: Bool) async throws {
        let (content, _) = try await prepare()
        if hasLog { _ = try await crash() }
        let log = TemporaryFolder.bytes(ofFile: path + "-wal")
        let size = ConnectionSetup.bytes(ofFile: path)
        switch damage {
        case "header": try overwrite(path, 0..<100)
        case "schema": try overwrite(path, 100..<4_096)
        case "page": try overwrite(path, size - 4_096..<size - 4_000)
        case "cut": truncate(path, 5_000)
        default: TemporaryFolder.write(Array("Dear landlord, ".utf8) + Array(repeating: 32, count: 9_000), toFile: path)
        }
        let old = try #require(TemporaryFolder.bytes(ofFile: path))
        try await restore()
        let kept = path + ".before-restore"
        if hasLog, !DatabaseFiles.exists(kept + "-wal") {
            // The log had a good first page: SQLite could still open the two.
            let connection = try Connection(path: kept, role: .reader, statementCacheSize: 1)
            #expect(try connection.ask("PRAGMA page_count", as: Int.self).map { $0 > 5 } == true)
        } else {
            #expect(TemporaryFolder.bytes(ofFile: kept) == old)
            #expect(TemporaryFolder.bytes(ofFile: kept + "-wal") == log)
        }
        for suffix in DatabaseFiles.sideSuffixes { #expect(!DatabaseFiles.exists(path + suffix)) }
        #expect(try await Content.of(folder, "notes.sqlite") == content)
    }

    @Test func `a journal that a crash left is rolled back into the old database and not into the new`() async throws {
        let (content, old) = try await prepare()
        do {
            let connection = try Connection(path: path, role: .writer, statementCacheSize: 1)
            try connection.set("PRAGMA journal_mode = DELETE")
            try connection.set("PRAGMA cache_size = 2")
            try connection.control(.beginImmediate)
            try connection.set("UPDATE notes SET data = zeroblob(3500)")
            try connection.set("INSERT INTO notes (text, data) SELECT 'new', data FROM notes")
            let files = folder.files()
            try connection.control(.rollback)
            #expect(files["notes.sqlite-journal"]?.isEmpty == false)
            for (name, bytes) in files { TemporaryFolder.write(bytes, toFile: folder.file(name)) }
        }
        try await restore()
        #expect(Set(folder.files().keys) == ["notes.sqlite", "notes.sqlite.before-restore"])
        #expect(try await Content.of(folder, "notes.sqlite") == content)
        #expect(try await Content.of(folder, "notes.sqlite.before-restore") == old)
    }

    @Test func `a second name that an interrupted restore left is taken for the old database`() async throws {
        let (content, old) = try await prepare()
        link(path, path + ".before-restore")
        try await restore()
        #expect(Set(folder.files().keys) == ["notes.sqlite", "notes.sqlite.before-restore"])
        #expect(try await Content.of(folder, "notes.sqlite") == content)
        #expect(try await Content.of(folder, "notes.sqlite.before-restore") == old)
    }

    // MARK: Backups of other makings

    @Test func `a copy of a closed database is a backup, and nothing is made beside it`() async throws {
        _ = try await prepare()
        let pool = try await Notes.open(shelf, "closed ?#%41.sqlite")
        try await Notes.fill(pool, 7)
        let content = try await Content.of(pool)
        await pool.close()
        try await restore(pool.path)
        #expect(Set(shelf.files().keys) == ["backup.sqlite", "closed ?#%41.sqlite"])
        #expect(try await Content.of(folder, "notes.sqlite") == content)
    }

    @Test func `a copy with a log is restored with the log's content`() async throws {
        let (content, _) = try await prepare()
        let old = try await crash()
        let before = folder.files()
        for (name, bytes) in before { TemporaryFolder.write(bytes, toFile: shelf.file(name)) }
        try await restore()
        #expect(try await Content.of(folder, "notes.sqlite") == content)
        try await restore(shelf.file("notes.sqlite"))
        #expect(try await Content.of(folder, "notes.sqlite") == old)
        #expect(shelf.files()["notes.sqlite-wal"] == before["notes.sqlite-wal"])
    }

    // MARK: Refused

    /// Each backup that must not be restored, with the error that says why.
    private func unfit() async throws -> [(path: String, kind: DatabaseError.Kind)] {
        func make(_ name: String, _ change: (Connection) throws -> Void) throws -> String {
            let copy = shelf.file(name)
            TemporaryFolder.write(try #require(TemporaryFolder.bytes(ofFile: backup)), toFile: copy)
            try change(try Connection(path: copy, role: .writer, statementCacheSize: 1))
            return copy
        }
        let size = ConnectionSetup.bytes(ofFile: backup)
        let page = try make("page") { _ in }
        try overwrite(page, size - 4_096..<size - 4_090)
        let cut = try make("cut") { _ in }
        truncate(cut, off_t(size / 2))
        let schema = try make("schema") { _ in }
        try overwrite(schema, 100..<110)
        let header = try make("header") { _ in }
        try overwrite(header, 0..<16)
        TemporaryFolder.write(Array("Dear landlord, this is no database.".utf8), toFile: shelf.file("text"))
        TemporaryFolder.write([], toFile: shelf.file("empty"))
        mkdir(shelf.file("folder"), 0o700)
        return [
            (page, .corrupt), (cut, .corrupt), (schema, .corrupt), (header, .notADatabase),
            (shelf.file("text"), .notADatabase), (shelf.file("empty"), .notADatabase),
            (shelf.file("folder"), .cannotOpen), (shelf.file("missing"), .cannotOpen),
            (shelf.file("text/under a file"), .cannotOpen),
            (try make("foreign") { try $0.setNumber("application_id", 7) }, .foreignApplication(id: 7)),
            (try make("nobody's") { try $0.setNumber("application_id", 0) }, .foreignApplication(id: 0)),
            (try make("newer") { try $0.setNumber("user_version", 2) }, .newerVersion(found: 2, known: 1)),
            (
                try make("negative") { try $0.setNumber("user_version", -1) },
                .schemaMismatch("user_version is negative")
            ),
            (
                try make("dangling") { connection in
                    try connection.set("PRAGMA foreign_keys = OFF")
                    try connection.set("INSERT INTO notes (folder, text) VALUES (99, 'x')")
                }, .foreignKey
            ),
            (
                // Each page is sound by itself, but the two indexes have changed their definitions.
                try make("indexes") { connection in
                    for statement: SQL in [
                        "CREATE INDEX one ON notes (id)", "CREATE INDEX other ON notes (-id)",
                        "PRAGMA writable_schema = ON",
                        "UPDATE sqlite_schema SET sql = 'CREATE INDEX one ON notes (-id)' WHERE name = 'one'",
                        "UPDATE sqlite_schema SET sql = 'CREATE INDEX other ON notes (id)' WHERE name = 'other'",
                    ] { try connection.set(statement) }
                }, .corrupt
            ),
            (
                try make("violating") { connection in
                    try connection.set("PRAGMA ignore_check_constraints = ON")
                    try connection.set("INSERT INTO notes (text) VALUES ('')")
                }, .corrupt
            ),
        ]
    }

    @Test(arguments: ["closed", "crashed", "missing", "damaged"])
    func `a backup that is not fit is refused with its own error, and nothing has changed`(
        target: String
    ) async throws {
        _ = try await prepare()
        switch target {
        case "crashed": _ = try await crash()
        case "missing": try DatabaseFiles.remove(path)
        case "damaged": try overwrite(path, 0..<100)
        default: break
        }
        TemporaryFolder.write(Array("earlier".utf8), toFile: path + ".before-restore")
        let files = folder.files()
        for (backup, kind) in try await unfit() {
            #expect(await failure { try await restore(backup) } == kind, "\(backup)")
            let isUnchanged = folder.files() == files
            #expect(isUnchanged, "\(backup)")
        }
        // The limit itself, and no limit.
        try await restore(shelf.file("newer"), known: 2)
        try await restore(shelf.file("newer"), known: nil)
    }

    @Test func `a backup is not restored onto itself, nor out of the way of the restore`() async throws {
        _ = try await prepare()
        let bytes = TemporaryFolder.bytes(ofFile: path)
        symlink(path, folder.file("symbolic"))
        link(path, folder.file("hard"))
        TemporaryFolder.write(try #require(bytes), toFile: path + ".restoring")
        for name in ["notes.sqlite", "symbolic", "hard", "notes.sqlite.restoring"] {
            let kind = await failure { try await restore(folder.file(name)) }
            #expect(kind == .misuse("the backup is the database itself, or in the way of the restore"), "\(name)")
        }
        #expect(TemporaryFolder.bytes(ofFile: path) == bytes)
        #expect(TemporaryFolder.bytes(ofFile: path + ".restoring") == bytes)
    }

    @Test func `targets that lead nowhere can't be opened`() async throws {
        _ = try await prepare()
        mkdir(folder.file("folder"), 0o700)
        symlink(folder.file("gone"), folder.file("dangling"))
        let files = folder.files()
        for target in [folder.file("none/x"), path + "/x", folder.file("folder"), folder.file("dangling"), "/proc/x"] {
            let kind = await failure {
                try await DatabasePool.restore(from: backup, to: target, applicationID: Notes.applicationID)
            }
            #expect(kind == .cannotOpen, "\(target)")
        }
        let isUnchanged = folder.files() == files
        #expect(isUnchanged)
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give files away"))
    func `a restore by root leaves the database to its owner`() async throws {
        _ = try await prepare()
        chown(path, 1_234, 4_321)
        var status = stat()
        try await restore()
        #expect(stat(path, &status) == 0 && status.st_uid == 1_234 && status.st_gid == 4_321)
        try DatabaseFiles.remove(path)
        chown(folder.path, 1_235, 4_322)
        try await restore()
        #expect(stat(path, &status) == 0 && status.st_uid == 1_235 && status.st_gid == 4_322)
        #expect(TemporaryFolder.mode(ofFile: path) == 0o600)
    }

    @Test func `a symbolic link to the database stays one`() async throws {
        let (content, _) = try await prepare()
        let name = shelf.file("name")
        symlink(path, name)
        try await DatabasePool.restore(from: backup, to: name, applicationID: Notes.applicationID)
        var status = stat()
        #expect(lstat(name, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(try await Content.of(folder, "notes.sqlite") == content)
    }

    // MARK: In use

    @Test func `a database that this process has open is not restored over`() async throws {
        let (content, old) = try await prepare()
        let pool = try await Notes.open(folder)
        let files = folder.files()
        #expect(await failure { try await restore() } == .busy)
        #expect(folder.files().keys == files.keys)
        #expect(try await Content.of(pool) == old)
        try await Notes.fill(pool, 1, from: 500)
        #expect(try await pool.integrityCheck().isSound)
        await pool.close()
        try await restore()
        #expect(try await Content.of(folder, "notes.sqlite") == content)
    }

    /// Goal: a file that no longer opens may still be in use, by who opened it before. Way: the header is overwritten
    /// under an open pool.
    @Test func `a damaged database that is still open is not restored over`() async throws {
        _ = try await prepare()
        let pool = try await Notes.open(folder)
        let good = try #require(TemporaryFolder.bytes(ofFile: path))
        try overwrite(path, 0..<16)
        #expect(await failure { try await restore() } == .busy)
        TemporaryFolder.write(good, toFile: path)
        #expect(try await Notes.count(pool) == 3)
        await pool.close()
    }

    @Test func `a database that another process has open is not restored over`() async throws {
        let (content, _) = try await prepare()
        let path = path
        let shelf = shelf
        async let other: Void = {
            await #expect(processExitsWith: .success) { [path = path as String, shelf = shelf.path as String] in
                let pool = try await DatabasePool.open(
                    path, applicationID: Notes.applicationID, migrations: Notes.timeline)
                TemporaryFolder.write([], toFile: shelf + "/open")
                while !DatabaseFiles.exists(shelf + "/done") { try await Task.sleep(for: .milliseconds(5)) }
                await pool.close()
                exit(0)
            }
        }()
        let end = ContinuousClock.now + .seconds(20)
        while !DatabaseFiles.exists(shelf.file("open")), ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(await failure { try await restore() } == .busy)
        TemporaryFolder.write([], toFile: shelf.file("done"))
        await other
        try await restore()
        #expect(try await Content.of(folder, "notes.sqlite") == content)
    }

    @Test func `two restores at once are one, which lets go of the old file in the end`() async throws {
        let (content, old) = try await prepare()
        let first = try restoration(folder)
        try first.lock()
        try first.stage()
        #expect(await failure { try await restore() } == .busy)
        #expect(DatabaseFiles.exists(first.staged), "the refused one left the other's file alone")
        try first.inspect()
        try first.fold()
        try first.keep()
        try first.clear()
        try first.replace()
        #expect(try await Content.of(folder, "notes.sqlite") == content)
        #expect(try await Content.of(folder, "notes.sqlite.before-restore") == old)
        withExtendedLifetime(first) {}
    }

    @Test func `nobody opens a database while it is restored`() async throws {
        for isMissing in [false, true] {
            _ = try await prepare()
            if isMissing { try DatabaseFiles.remove(path) }
            var options = DatabasePool.Options()
            options.busyTimeoutMilliseconds = 0
            let restoration = try restoration(folder)
            for step in [restoration.lock, restoration.stage, restoration.inspect, restoration.fold, restoration.keep] {
                try step()
                #expect(await failure { try await Notes.open(folder, options: options) } == .busy)
            }
            try restoration.clear()
            try restoration.replace()
            try await Notes.open(folder).close()
        }
    }

    @Test func `a refused restore names the process that has the database open`() async throws {
        _ = try await prepare()
        let pool = try await Notes.open(folder)
        do {
            try await restore()
            Issue.record("the database is open")
        } catch {
            #expect(error.kind == .busy)
            #expect(error.hint == "the file is locked by this process, through another connection")
        }
        await pool.close()
    }

    /// Goal: who opens a database in the moment it is replaced gets the new one or an error, never the old file with the
    /// new one's log. Way: the opener waits for the lock that the restore holds, and gets it when the file has moved.
    @Test func `a database that is replaced while another opening waits is not opened half`() async throws {
        let (content, _) = try await prepare()
        let restoration = try restoration(folder)
        for step in [restoration.lock, restoration.stage, restoration.inspect] { try step() }
        async let opened = failure { try await Notes.open(folder) }
        try await Task.sleep(for: .milliseconds(100))
        for step in [restoration.fold, restoration.keep, restoration.clear, restoration.replace] { try step() }
        #expect(await opened == .busy)
        #expect(!ConnectionSetup.wasLeftOpen(path))
        #expect(try await Content.of(folder, "notes.sqlite") == content)
    }

    // MARK: Crashes

    /// Goal: a crash after any step leaves the old database or the new one, whole, and the next restore works. Way:
    /// after each step the folder is copied, which is what a process that ends there leaves; the copy is opened, and
    /// then restored over. The old one is sound and closed, or has the log of a crash of its own.
    @Test(arguments: ["closed", "crashed", "missing"])
    func `a crash after any step leaves the old or the new`(target: String) async throws {
        var (content, old) = try await prepare()
        if target == "crashed" { old = try await crash() }
        if target == "missing" {
            try DatabaseFiles.remove(path)
            old = try await Content.of(TemporaryFolder(), "notes.sqlite")
        }
        let restoration = try restoration(folder)
        let steps: [(String, () throws -> Void)] = [
            ("lock", restoration.lock), ("stage", restoration.stage), ("inspect", restoration.inspect),
            ("fold", restoration.fold), ("keep", restoration.keep), ("clear", restoration.clear),
            ("replace", restoration.replace),
        ]
        for (place, (name, step)) in steps.enumerated() {
            try step()
            let left = image(of: folder)
            #expect(
                try await Content.of(left, "notes.sqlite") == (name == "replace" ? content : old), "after \(name)")
            let again = image(of: folder)
            #expect(ConnectionSetup.wasLeftOpen(again.file("notes.sqlite")) == (target == "crashed" && place < 3))
            try self.restoration(again).run()
            #expect(try await Content.of(again, "notes.sqlite") == content, "restored again after \(name)")
            // A restore over one that was done keeps that.
            let kept = try? await Content.of(again, "notes.sqlite.before-restore")
            let expected = name == "replace" ? content : target == "missing" ? nil : old
            if expected != nil { #expect(kept == expected, "after \(name)") }
        }
        #expect(try await Content.of(folder, "notes.sqlite") == content)
    }

    /// Goal: no step leaves a second name of a database that is in use. Way: the last steps can't be done.
    @Test func `a restore that fails at its last steps leaves the old as it was`() async throws {
        let (_, old) = try await prepare()
        let before = Set(folder.files().keys)
        let restoration = try restoration(folder)
        // A folder in the place of the log's index can't be removed as a file.
        mkdir(path + "-shm", 0o700)
        #expect(throws: DatabaseError.self) { try restoration.run() }
        rmdir(path + "-shm")
        #expect(Set(folder.files().keys) == before)
        #expect(try await Content.of(folder, "notes.sqlite") == old)
    }
}
