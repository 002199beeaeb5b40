internal import Glibc
internal import SonaBase
internal import SonaDatabase
internal import SonaMedia
internal import SonaModel
internal import SonaSandbox
internal import SonaText
internal import SonaWire

/// A thread of a scan: reads the tags of files by a worker program of its own, and writes the rows.
struct ScanLane: Sendable {
    /// Files of one transaction: some 40 ms of writing, which others wait for.
    private static let writeFiles = 256

    private let folder: Int64
    private let root: BeneathFolder
    private let database: any DatabaseWriter
    private let names: NameNumbers
    private let clock: WallClock
    private let queue: ScanQueue
    private let state: Monitor<FolderScan.State>
    private let program: WorkerProgram
    /// Whether the library had files before the scan, of which one may be found at another place.
    private let mayHaveMoved: Bool

    init(
        folder: Int64, root: BeneathFolder, _ database: any DatabaseWriter, names: NameNumbers, clock: WallClock,
        queue: ScanQueue, state: Monitor<FolderScan.State>, _ program: WorkerProgram, mayHaveMoved: Bool
    ) {
        self.folder = folder
        self.root = root
        self.database = database
        self.names = names
        self.clock = clock
        self.queue = queue
        self.state = state
        self.program = program
        self.mayHaveMoved = mayHaveMoved
    }

    /// Works until the queue is closed and empty. After a failure it only empties the queue, so that nobody waits.
    func run() {
        // On Linux this sets the priority of the calling thread only.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
        let scanner = SoundScanner(program)
        while true {
            let items = queue.take(Self.writeFiles)
            if items.isEmpty { return }
            let isOver = state.withLock { $0.failure != nil || $0.isCancelled }
            if isOver { continue }
            do { try work(items, scanner) } catch {
                let failure =
                    error as? FolderScan.Failure ?? FolderScan.Failure(reason: "The rows can't be written: \(error)")
                state.withLock { $0.failure = $0.failure ?? failure }
            }
        }
    }

    private func work(_ items: [ScanQueue.Item], _ scanner: SoundScanner) throws {
        var found: [FoundFile] = []
        var changes: [Change] = []
        for item in items {
            switch item {
            case .file(let file): found.append(file)
            case .directory(let path, let cover): changes.append(.directory(path, cover: cover))
            case .returned(let number): changes.append(.returned(number))
            }
        }
        while !found.isEmpty {
            let batch = Array(found.prefix(SoundScanner.batchMax))
            found.removeFirst(batch.count)
            changes += try read(batch, scanner)
        }
        let before = state.withLock { $0.progress }
        do { try write(changes) } catch {
            // A name that was known may have been removed meanwhile.
            state.withLock { state in
                state.progress.added = before.added
                state.progress.changed = before.changed
            }
            try write(changes)
        }
    }

    // MARK: Reading

    /// A file that was read: its tags, or the problem with it.
    private struct ReadFile: Sendable {
        let found: FoundFile
        var tags: SoundTags?
        var description: TrackDescription?
        var keys: TrackDescription.Keys?
        var encodedTags: [UInt8]?
        var lyrics: Lyrics?
        var fingerprint: [UInt8]?
        var problem: String?
        var detail: String?
        /// The row of the same file at another place, where it no longer is.
        var movedFrom: Int64?
    }

    private enum Change: Sendable {
        case file(ReadFile)
        case directory([UInt8], cover: DirectoryCover?)
        case returned(Int64)
    }

    private func read(_ batch: [FoundFile], _ scanner: SoundScanner) throws -> [Change] {
        var changes: [Change] = []
        var open: [(file: ReadFile, descriptor: Int32)] = []
        defer { for (_, descriptor) in open { close(descriptor) } }
        for found in batch {
            do throws(BeneathFolder.Failure) {
                let descriptor = try root.open(found.path)
                var status = stat()
                guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                    close(descriptor)
                    continue
                }
                open.append((ReadFile(found: found), descriptor))
            } catch {
                // Gone since it was listed.
                if error.errno == ENOENT { continue }
                var file = ReadFile(found: found)
                file.problem = error.errno == EXDEV ? "outside" : "unreadable"
                file.detail = error.errno == EXDEV ? nil : String(cString: strerror(error.errno))
                changes.append(.file(file))
            }
        }
        let results = scanner.scan(open.map(\.descriptor))
        for (index, result) in results.enumerated() {
            var (file, descriptor) = open[index]
            switch result {
            case .success(let tags):
                file.tags = tags
                file.fingerprint = Fingerprint.of(descriptor, size: file.found.file.size, tags.kind)
                if file.fingerprint == nil {
                    file.tags = nil
                    file.problem = "unreadable"
                }
            case .failure(.notSound):
                file.problem = file.found.file.size == 0 ? "empty" : "not_sound"
            case .failure(.broke(let reason)):
                file.problem = "damaged"
                file.detail = TrackDescription.line(reason)
            case .failure(.unavailable(let reason)):
                throw FolderScan.Failure(reason: "The program that reads tags does not run: \(reason).")
            }
            if var tags = file.tags {
                let texts = tags.takeLyrics()
                file.lyrics = besideLyrics(file.found) ?? texts.lazy.compactMap { Lyrics($0) }.first
                file.tags = tags
                let description = TrackDescription(tags, name: SoundNames.stem(file.found.file.name))
                file.description = description
                file.keys = TrackDescription.Keys(description)
                file.encodedTags = tags.encoded
            }
            if mayHaveMoved, file.found.row == nil, let fingerprint = file.fingerprint {
                file.movedFrom = try movedFrom(fingerprint)
            }
            changes.append(.file(file))
        }
        return changes
    }

    /// The words in a file beside the track. They are read here: reading text cannot break anything.
    private func besideLyrics(_ found: FoundFile) -> Lyrics? {
        guard let name = found.file.lyrics?.name else { return nil }
        let path = found.directory.isEmpty ? name : found.directory + [UInt8(ascii: "/")] + name
        guard let file = try? root.open(path) else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Lyrics.bytesMax)
        let count = Glibc.read(file, &bytes, bytes.count)
        return count > 0 ? Lyrics(bytes: Array(bytes.prefix(count))) : nil
    }

    /// The row of a file with this fingerprint that is no longer where it was.
    private func movedFrom(_ fingerprint: [UInt8]) throws -> Int64? {
        let candidates = try database.readNow { db in
            try db.all(
                """
                SELECT f.number, d.folder, d.path, f.name, f.missing_ms IS NOT NULL
                FROM music_files f JOIN music_directories d ON d.number = f.directory
                WHERE f.fingerprint = \(fingerprint) AND f.track IS NOT NULL LIMIT 16
                """
            ) { row in
                (
                    number: try row.next(Int64.self), folder: try row.next(Int64.self),
                    path: try row.next([UInt8].self), name: try row.next([UInt8].self),
                    isMissing: try row.next(Bool.self)
                )
            }
        }
        return candidates.first { candidate in
            if queue.moved.withLock({ $0.contains(candidate.number) }) { return false }
            if candidate.isMissing { return true }
            guard candidate.folder == folder else { return false }
            let path = candidate.path.isEmpty ? candidate.name : candidate.path + [0x2F] + candidate.name
            guard let file = try? root.open(path) else { return true }
            close(file)
            return false
        }?.number
    }

    // MARK: Writing

    private func write(_ changes: [Change]) throws {
        let (folder, names) = (folder, names)
        let writer = TrackWriter(now: clock.nowMilliseconds(), names: names)
        let (counts, moved) = try database.writeNow { db -> (ScanProgress, [Int64]) in
            var (counts, moved) = (ScanProgress(), [Int64]())
            var directories: [[UInt8]: Int64] = [:]
            do {
                for change in changes {
                    switch change {
                    case .directory(let path, let cover):
                        let number = try Self.directory(path, folder, cover: cover, &directories, &db)
                        try db.execute(
                            """
                            UPDATE music_directories SET cover = \(cover?.name),
                                cover_modified_ns = \(cover?.modifiedNanoseconds), cover_color = NULL
                            WHERE number = \(number)
                            """)
                    case .returned(let number):
                        try db.execute("UPDATE music_files SET missing_ms = NULL WHERE number = \(number)")
                        try db.execute(
                            """
                            UPDATE tracks SET scope = \(TrackScope.of(folder: folder))
                            WHERE number = (SELECT track FROM music_files WHERE number = \(number) AND problem IS NULL)
                            """)
                        counts.moved += 1
                    case .file(let file):
                        try Self.write(file, folder, writer, &directories, &counts, &moved, &db)
                    }
                }
            } catch {
                names.rolledBack()
                throw error
            }
            return (counts, moved)
        }
        names.committed()
        queue.moved.withLock { $0.formUnion(moved) }
        state.withLock { state in
            state.progress.added += counts.added
            state.progress.changed += counts.changed
            state.progress.moved += counts.moved
            state.progress.problems += counts.problems
        }
    }

    private static func write(
        _ file: ReadFile, _ folder: Int64, _ writer: TrackWriter, _ directories: inout [[UInt8]: Int64],
        _ counts: inout ScanProgress, _ moved: inout [Int64], _ db: inout WriteAccess
    ) throws {
        let found = file.found
        let directory = try directory(found.directory, folder, cover: found.cover, &directories, &db)
        var known: MusicFileRecord?
        if let row = found.row ?? file.movedFrom { known = try db.first(MusicFileRecord.self, key: row) }
        if known == nil {
            // Another scan may have been quicker.
            known = try db.first(
                MusicFileRecord.filter(
                    MusicFileRecord.directory == directory && MusicFileRecord.name == found.file.name))
        }
        var record =
            known ?? MusicFileRecord(number: nil, directory: directory, name: found.file.name, size: found.file.size)
        record.directory = directory
        record.name = found.file.name
        record.size = found.file.size
        record.modifiedNanoseconds = found.file.modifiedNanoseconds
        record.inode = found.file.inode
        record.fingerprint = file.fingerprint
        record.missingMilliseconds = nil
        record.problem = file.problem
        record.detail = file.detail
        record.hasPicture = file.tags?.hasPicture ?? false
        record.tags = file.encodedTags
        record.coverColor = nil
        record.lyricsNanoseconds = found.file.lyrics?.modifiedNanoseconds ?? 0
        if file.problem != nil { counts.problems += 1 }
        if let tags = file.tags, let description = file.description {
            let place = AlbumIdentity.Place(folder: folder, directory: found.directory)
            if let track = record.track {
                try writer.update(track, description, TrackWriter.Sound(tags), in: place, &db)
                try db.execute("UPDATE tracks SET scope = \(TrackScope.of(folder: folder)) WHERE number = \(track)")
            } else {
                record.track = try writer.add(
                    description, keys: file.keys, TrackWriter.Sound(tags), in: place, owner: nil, status: nil,
                    scope: TrackScope.of(folder: folder), &db)
            }
            if let track = record.track { try LyricsRecord.put(file.lyrics, of: track, &db) }
        }
        if file.tags == nil, let track = record.track {
            try db.execute("UPDATE tracks SET scope = \(TrackScope.missing) WHERE number = \(track)")
        }
        guard let known else {
            try db.insert(record)
            counts.added += 1
            return
        }
        try db.updateChanges(record, from: known)
        if found.row == nil, let number = record.number {
            counts.moved += 1
            moved.append(number)
        } else {
            counts.changed += 1
        }
    }

    private static func directory(
        _ path: [UInt8], _ folder: Int64, cover: DirectoryCover?, _ known: inout [[UInt8]: Int64],
        _ db: inout WriteAccess
    ) throws -> Int64 {
        if let number = known[path] { return number }
        let stored = try db.first(
            MusicDirectoryRecord.filter(
                MusicDirectoryRecord.folder == folder && MusicDirectoryRecord.path == path))
        let number =
            try stored?.number
            ?? db.insertReturning(
                MusicDirectoryRecord(
                    number: nil, folder: folder, path: path, cover: cover?.name,
                    coverModifiedNanoseconds: cover?.modifiedNanoseconds)
            ).number ?? 0
        known[path] = number
        return number
    }
}
