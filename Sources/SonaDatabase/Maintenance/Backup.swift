extension DatabaseReader {
    /// Copies the database to a file while it is read and written.
    ///
    /// The copy is one state of the database, the one committed last when it begins. It is a file of its own, without a
    /// log beside it and with mode 0600, checked (`quick_check`) and on the disk before it takes its name and the place
    /// of an older file there. One that fails or is cancelled leaves nothing, and an older file as it was.
    ///
    /// On a thread of its own with a connection of its own; a database in memory is copied on the queue's thread, and
    /// its other accesses wait. Reads every page once from the database and once from the copy.
    ///
    /// The log can't start anew while the copy reads, so it grows by all that is written meanwhile. `longReadMax` does
    /// not end a backup, which uses none of the pool's readers. Cancel it if the log must shrink.
    ///
    /// - Parameters:
    ///   - path: The file to write, in a folder that exists. `<path>.partial` is used on the way.
    ///   - pagesPerStep: Pages copied between two looks at whether the task was cancelled; at least 1.
    ///   - progress: Called with the fraction copied so far, ascending, on the thread that copies; 1 once the file is
    ///     in its place.
    /// - Throws: `misuse` if the target is the database itself; `busy` if it is an open database or another backup is
    ///   written to it; `cannotOpen`, `full`, `readOnly`, `io`; `corrupt` if the database is damaged; `closed`;
    ///   `CancellationError`.
    public func backup(
        to path: String, pagesPerStep: Int = 256, progress: (@Sendable (_ fraction: Double) -> Void)? = nil
    ) async throws {
        // An access like others, in that a closed database refuses it.
        try await read { _ in }
        let backup = try Backup(of: self.path, to: path, pagesPerStep: pagesPerStep, progress: progress)
        if self.path == DatabaseQueue.memoryPath {
            let engine = engine
            let file = try await Cancellation.whileRunning { cancellation in
                try await engine.run(.outside) { connection in
                    let file = try PartialFile(for: path)
                    try backup.copy(connection, to: file, cancellation)
                    return file
                }
            }
            try await MaintenanceThread.run { try backup.finish(file, $0) }
        } else {
            try await MaintenanceThread.run { cancellation in
                let file = try PartialFile(for: path)
                try backup.copySnapshot(to: file, cancellation)
                try backup.finish(file, cancellation)
            }
        }
    }
}

/// One backup, from the first page to the name of the file.
struct Backup: Sendable {
    /// 8 MiB. The copy needs no pauses for the sake of readers and the writer, but what it leaves to one sync at the
    /// end they would wait for: writes beside a backup of 390 MiB took up to 0.2 s without this, half of that with it.
    private static let unsyncedPagesMax = 2_048

    let source: String
    let pagesPerStep: Int
    let progress: (@Sendable (_ fraction: Double) -> Void)?

    init(
        of source: String, to target: String, pagesPerStep: Int,
        progress: (@Sendable (_ fraction: Double) -> Void)?
    ) throws(DatabaseError) {
        guard pagesPerStep > 0 else { throw DatabaseError(kind: .misuse("a step of a backup has at least one page")) }
        self.source = source
        self.pagesPerStep = pagesPerStep
        self.progress = progress
        try checkTarget(target)
    }

    private func checkTarget(_ target: String) throws(DatabaseError) {
        let resolved = try DatabaseFiles.resolved(target)
        if source != DatabaseQueue.memoryPath {
            let sources = try Self.names(of: DatabaseFiles.resolved(source))
            let targets = Self.names(of: resolved) + Self.names(of: resolved + ".partial")
            guard Set(sources).isDisjoint(with: targets), !DatabaseFiles.isSame(source, target) else {
                throw DatabaseError(kind: .misuse("the target of a backup is the database itself"))
            }
        }
        if DatabaseFiles.isFolder(target) {
            throw DatabaseError(kind: .cannotOpen, hint: "the target of the backup is a folder")
        }
        // A log there would be replayed into the new file.
        guard !DatabaseFiles.sideSuffixes.contains(where: { DatabaseFiles.exists(resolved + $0) }) else {
            throw DatabaseError(
                kind: .busy, hint: "the target is a database that is open, or was not closed: it has a log beside it")
        }
    }

    private static func names(of path: String) -> [String] {
        [path] + DatabaseFiles.sideSuffixes.map { path + $0 }
    }

    func copySnapshot(to file: PartialFile, _ cancellation: Cancellation) throws {
        let source = try Connection(path: source, role: .reader, statementCacheSize: 1)
        try ConnectionSetup.prepareReader(source, options: DatabaseOptions())
        try source.control(.begin)
        // BEGIN alone reads nothing: the snapshot is that of the first look.
        _ = try source.ask("SELECT count(*) FROM sqlite_schema", as: Int.self)
        try copy(source, to: file, cancellation)
    }

    func copy(_ source: Connection, to file: PartialFile, _ cancellation: Cancellation) throws {
        let destination = try Connection(path: file.path, role: .writer, statementCacheSize: 1)
        var copy = try OnlineCopy(from: source, to: destination)
        var unsynced = 0
        while try copy.step(pages: pagesPerStep) {
            try cancellation.check()
            unsynced += pagesPerStep
            if unsynced >= Self.unsyncedPagesMax {
                file.writeBack()
                unsynced = 0
            }
            let (done, total) = copy.progress
            progress?(Double(done) / Double(total))
        }
        try cancellation.check()
    }

    /// Checks the copy and publishes it.
    func finish(_ file: PartialFile, _ cancellation: Cancellation) throws {
        do {
            try check(file, cancellation)
            try file.publish()
        } catch {
            // The job that made it may hold it for a moment longer.
            file.abandon()
            throw error
        }
        progress?(1)
    }

    private func check(_ file: PartialFile, _ cancellation: Cancellation) throws {
        let copy = try Connection(path: file.path, role: .writer, statementCacheSize: 1)
        // A file that needs no other: the copy of a database with a log says that it has one, too, and SQLite would
        // make a log and its index beside it just to read it.
        let mode: String? = try copy.ask("PRAGMA journal_mode = DELETE")
        guard mode == "delete" else { throw DatabaseError(kind: .setting("journal_mode is \(mode ?? "none")")) }
        try ConnectionSetup.prepareReader(copy, options: DatabaseOptions())
        try cancellation.whileUsing(copy) { try ConnectionSetup.quickCheck($0) }
    }
}
