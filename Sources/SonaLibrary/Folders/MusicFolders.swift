internal import SonaBase
internal import SonaDatabase
internal import SonaMedia
package import SonaModel
internal import SonaSandbox
package import SonaWire

/// The music folders: what they hold, who sees them, and their scans.
package actor MusicFolders {
    private let dao: FolderDAO
    private let paths: [Int64: String]
    private let names: [Int64: String]
    private let program: WorkerProgram?
    private let clock: WallClock
    private let notice: (@Sendable (String) -> Void)?
    private var scans: [Int64: Scan] = [:]
    private var watches: [Int64: FolderWatch] = [:]
    /// Changes that were told of while a scan ran.
    private var pending: [Int64: FolderWatch.Changes] = [:]
    private var rescans: Task<Void, Never>?
    private var isClosed = false
    private var scanEnded: (@Sendable () async -> Void)?
    private nonisolated let counts = Monitor(ScanFigures())

    /// A scan that runs, or has ended.
    private struct Scan {
        let state = Monitor(FolderScan.State())
        var isRunning = true
        var failure: String?
        var task: Task<Void, Never>?
    }

    init(_ dao: FolderDAO, _ options: Library.Options) async throws(Refusal) {
        self.dao = dao
        program = options.program
        clock = options.clock
        notice = options.notice
        let folders = options.folders
        let numbers = try await dao.write { db in
            try folders.map { folder in
                if let known = try db.first(MusicFolderRecord.filter(MusicFolderRecord.name == folder.name)) {
                    return known.number ?? 0
                }
                return try db.insertReturning(MusicFolderRecord(number: nil, name: folder.name)).number ?? 0
            }
        }
        paths = Dictionary(uniqueKeysWithValues: zip(numbers, folders.map(\.path)))
        names = Dictionary(uniqueKeysWithValues: zip(numbers, folders.map(\.name)))
    }

    // MARK: Who sees what

    /// The numbers of the configured folders whose audience an account belongs to.
    ///
    /// - Parameter uid: `nil` for guests.
    nonisolated func numbers(for uid: UserID?) async throws(Refusal) -> Set<Int64> {
        let configured = paths
        guard !configured.isEmpty else { return [] }
        return try await dao.read { db in
            Set(
                try db.values(
                    """
                    SELECT number FROM music_folders f WHERE audience = 'accounts'
                        OR audience = 'chosen' AND EXISTS (SELECT 1 FROM music_folder_users u
                            WHERE u.folder = f.number AND u.uid IS \(uid))
                    """, as: Int64.self)
            ).intersection(configured.keys)
        }
    }

    /// - Throws: `folderNotFound`; `forbidden`, `banned` or `tokenInvalid` for the administrator; `busy`, `storage`.
    package func update(_ request: LibraryFolderUpdate, by actor: UserID?) async throws(Refusal) {
        let now = clock.nowMilliseconds()
        try await dao.write { db in
            try AdminRights.require(.libraryManage, of: actor, now: now, in: &db)
            guard var folder = try db.first(MusicFolderRecord.filter(MusicFolderRecord.name == request.folder)),
                let number = folder.number
            else { throw Refusal(.folderNotFound) }
            folder.audience = request.audience
            _ = try db.update(folder)
            try db.execute("DELETE FROM music_folder_users WHERE folder = \(number)")
            for uid in request.users {
                guard try db.exists(UserRecord.self, key: uid) else { throw Refusal.userUnknown }
                try db.insert(FolderUserRecord(folder: number, uid: uid))
            }
        }
    }

    // MARK: Scanning

    /// Begins to scan a folder, or all of them. Those that are being scanned are left alone.
    ///
    /// - Throws: `folderNotFound`.
    package func scan(_ name: String?) throws(Refusal) {
        for number in try chosen(name) where scans[number]?.isRunning != true { begin(number, only: nil) }
    }

    /// - Throws: `folderNotFound`.
    package func cancel(_ name: String?) throws(Refusal) {
        for number in try chosen(name) {
            scans[number]?.state.withLock { if self.scans[number]?.isRunning == true { $0.isCancelled = true } }
        }
    }

    private func chosen(_ name: String?) throws(Refusal) -> [Int64] {
        guard let name else { return names.keys.sorted() }
        guard let number = names.first(where: { $0.value == name })?.key else { throw Refusal(.folderNotFound) }
        return [number]
    }

    private func begin(_ number: Int64, only: FolderWatch.Changes) {
        guard !isClosed, let program, let path = paths[number] else { return }
        var scan = Scan()
        let (state, database, clock) = (scan.state, dao.database, clock)
        scan.task = Task { [weak self] in
            let failure = await withCheckedContinuation { continuation in
                let isStarted = WorkerThread.start("scan") {
                    continuation.resume(
                        returning: Self.scan(number, path, only, database, clock, state, program))
                }
                if !isStarted { continuation.resume(returning: "The system has no thread to give.") }
            }
            await self?.ended(number, failure)
        }
        scans[number] = scan
        counts.withLock { $0.running += 1 }
    }

    /// Counts the scans that ended and failed, and the files they looked at, for the metrics.
    package nonisolated var figures: ScanFigures { counts.withLock { $0 } }

    private func count(_ state: FolderScan.State, _ failure: String?) {
        counts.withLock { counts in
            counts.running -= 1
            if failure == nil {
                counts.done += 1
            } else if state.isCancelled {
                counts.cancelled += 1
            } else {
                counts.failed += 1
            }
            counts.files += state.progress.files
            counts.lastMilliseconds = state.progress.milliseconds
        }
    }

    /// - Returns: Why it ended before its end.
    private static func scan(
        _ number: Int64, _ path: String, _ only: FolderWatch.Changes, _ database: any DatabaseWriter,
        _ clock: WallClock, _ state: Monitor<FolderScan.State>, _ program: WorkerProgram
    ) -> String? {
        do {
            try FolderScan(folder: number, path: path, database, clock: clock, state: state).run(
                program, only: only)
            return nil
        } catch {
            return (error as? FolderScan.Failure)?.reason ?? "The rows can't be written: \(error)"
        }
    }

    /// Names who is told of the end of each scan.
    func onScanEnd(_ body: @escaping @Sendable () async -> Void) { scanEnded = body }

    private func ended(_ number: Int64, _ failure: String?) async {
        scans[number]?.isRunning = false
        scans[number]?.failure = failure
        if let state = scans[number]?.state.withLock({ $0 }) { count(state, failure) }
        if let failure, let name = names[number] {
            notice?("The scan of the music folder \(name) ended early: \(failure)")
        }
        if let changes = pending.removeValue(forKey: number) { begin(number, only: changes) }
        await scanEnded?()
    }

    // MARK: Following changes

    /// Follows changes of the folders from now on.
    ///
    /// - Parameter minutes: After how long all folders are scanned again, for those whose changes nobody tells of; 0 for
    ///   never.
    package func follow(rescanEvery minutes: Int) {
        for (number, path) in paths where watches[number] == nil {
            watches[number] = FolderWatch(
                path: path,
                changed: { [weak self] changes in
                    guard let folders = self else { return }
                    Task { await folders.changed(number, changes) }
                },
                notice: notice ?? { _ in })
        }
        rescans?.cancel()
        guard minutes > 0 else { return }
        rescans = Task { [weak self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(minutes * 60))
                guard !Task.isCancelled else { return }
                try? await self?.scan(nil)
            }
        }
    }

    private func changed(_ number: Int64, _ changes: FolderWatch.Changes) {
        guard scans[number]?.isRunning == true else { return begin(number, only: changes) }
        // A whole scan finds what a part of it would.
        if let waiting = pending[number] {
            let both: FolderWatch.Changes = if let waiting, let changes { waiting.union(changes) } else { nil }
            pending.updateValue(both, forKey: number)
        } else {
            pending.updateValue(changes, forKey: number)
        }
    }

    /// Waits for the end of the scans that are running.
    package func waitForScans() async {
        for scan in scans.values { await scan.task?.value }
    }

    func close() async {
        isClosed = true
        rescans?.cancel()
        for watch in watches.values { watch.stop() }
        watches = [:]
        for scan in scans.values { scan.state.withLock { $0.isCancelled = true } }
        await waitForScans()
    }

    // MARK: Showing

    /// The configured folders.
    ///
    /// - Throws: `busy`, `storage`.
    package func list() async throws(Refusal) -> [MusicFolder] {
        let configured = paths.keys.sorted()
        let running = scans.mapValues { ($0.state.withLock { $0.told }, $0.isRunning, $0.failure) }
        return try await dao.read { db in
            try configured.compactMap { number in
                guard let folder = try db.first(MusicFolderRecord.self, key: number) else { return nil }
                let counts = try db.first(
                    """
                    SELECT count(*) FILTER (WHERE f.track IS NOT NULL AND f.missing_ms IS NULL),
                        count(*) FILTER (WHERE f.problem IS NOT NULL), count(f.missing_ms)
                    FROM music_directories d JOIN music_files f ON f.directory = d.number
                    WHERE d.folder = \(number)
                    """
                ) { row in (try row.next(Int.self), try row.next(Int.self), try row.next(Int.self)) }
                let users = try db.values(
                    "SELECT uid FROM music_folder_users WHERE folder = \(number) ORDER BY uid", as: UserID.self)
                let scan = running[number]
                return MusicFolder(
                    name: folder.name, audience: folder.audience, users: users, trackCount: counts?.0 ?? 0,
                    problemCount: counts?.1 ?? 0, missingCount: counts?.2 ?? 0,
                    scannedMilliseconds: folder.scannedMilliseconds, scan: scan?.0, isScanning: scan?.1 ?? false,
                    failure: scan?.2)
            }
        }
    }

    /// Files with nothing to play in them, a page at a time.
    ///
    /// - Parameter cursor: Of the page before.
    /// - Throws: `invalid`, `busy`, `storage`.
    package func problems(limit: Int, cursor: String?) async throws(Refusal) -> LibraryProblemsPage {
        var after: Int64 = 0
        if let cursor {
            guard let number = Int64(cursor) else {
                throw Refusal(.requestInvalid, "This is no cursor of such a list.", field: "data.cursor")
            }
            after = number
        }
        let (limit, from) = (min(max(limit, 1), Int(Limits.problemPageCount.upperBound)), after)
        return try await dao.read { db in
            let rows = try db.all(
                """
                SELECT f.number, m.name, d.path, f.name, f.problem, f.detail FROM music_files f
                LEFT JOIN music_directories d ON d.number = f.directory
                LEFT JOIN music_folders m ON m.number = d.folder
                WHERE f.problem IS NOT NULL AND f.number > \(from) ORDER BY f.number LIMIT \(limit)
                """
            ) { row in
                let number: Int64 = try row.next()
                let folder: String? = try row.next()
                let path: [UInt8] = try row.next([UInt8]?.self) ?? []
                let name: [UInt8] = try row.next([UInt8]?.self) ?? []
                let place = path.isEmpty ? name : path + [UInt8(ascii: "/")] + name
                return (
                    number,
                    FileProblem(
                        folder: folder, file: String(decoding: place, as: UTF8.self), problem: try row.next(),
                        detail: try row.next())
                )
            }
            return LibraryProblemsPage(
                files: rows.map(\.1), nextCursor: rows.count == limit ? rows.last.map { "\($0.0)" } : nil)
        }
    }

    // MARK: Files

    /// Opens a file of a folder for reading.
    ///
    /// - Returns: `nil` if it is not there; the caller closes the descriptor.
    nonisolated func open(_ path: [UInt8], in folder: Int64) -> Int32? {
        guard let root = paths[folder] else { return nil }
        guard let beneath = try? BeneathFolder(path: root) else { return nil }
        return try? beneath.open(path)
    }
}

extension MusicFolders {
    /// The configured folders whose audience a listener belongs to, by number.
    package nonisolated func named(for listener: Listener) -> [(number: Int64, name: String)] {
        names.filter { listener.sight == .all || listener.folders.contains($0.key) }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
    }
}
