internal import Glibc
internal import SonaBase
internal import SonaDatabase
internal import SonaMedia
internal import SonaModel
internal import SonaSandbox
internal import SonaWire

/// One pass through a music folder: finds what is new, changed, moved or gone, and writes it down.
///
/// A walk on the thread that calls `run` lists the directories, and compares them with the rows. What needs reading goes
/// to lanes, threads with a worker program each, which read tags and write rows, so that all cores have work. Nothing in the folder is ever written.
final class FolderScan: Sendable {
    /// Reasons why a scan ended before its end. Words of an open list, for the operator.
    struct Failure: Error, Sendable, Equatable {
        let reason: String

        static let empty = Failure(reason: "The folder is empty, so nothing was marked missing. Is it mounted?")
        static let cancelled = Failure(reason: "The scan was cancelled.")
    }

    /// A file that was written to within this time may not be complete.
    static let quietNanoseconds: Int64 = 2_000_000_000
    /// Rounds in which files that are being written are looked at again.
    private static let quietRoundsMax = 5

    /// One more than two cores have work for: each waits now and then for a commit.
    private static let laneCount = 3

    private let folder: Int64
    private let root: BeneathFolder
    private let database: any DatabaseWriter
    private let clock: WallClock
    private let state: Monitor<State>
    private let queue = ScanQueue()

    struct State {
        var progress = ScanProgress()
        var isCancelled = false
        var failure: Failure?
        let begun = ContinuousClock.now

        /// The progress with the time that the scan has taken so far. The end of a scan sets it.
        var told: ScanProgress {
            var told = progress
            if told.milliseconds == 0 { told.milliseconds = Int64((ContinuousClock.now - begun) / .milliseconds(1)) }
            return told
        }
    }

    /// - Throws: `Failure` if the folder can't be read.
    init(
        folder: Int64, path: String, _ database: any DatabaseWriter, clock: WallClock, state: Monitor<State>
    ) throws(Failure) {
        do { root = try BeneathFolder(path: path) } catch {
            throw Failure(reason: "The folder can't be read: \(String(cString: strerror(error.errno))).")
        }
        self.folder = folder
        self.database = database
        self.clock = clock
        self.state = state
    }

    /// Scans the folder. Blocks for as long as it takes.
    ///
    /// - Parameters:
    ///   - program: The program whose worker reads tags.
    ///   - only: Directories in which something has changed. `nil`: the whole folder.
    /// - Throws: `Failure`. What was found before stays.
    func run(_ program: WorkerProgram, only: FolderWatch.Changes = nil) throws {
        let start = ContinuousClock.now
        let mayHaveMoved = try database.readNow { db in try db.exists("SELECT 1 FROM music_files") }
        let lanes = (0..<Self.laneCount).map { _ in
            ScanLane(
                folder: folder, root: root, database, names: names, clock: clock, queue: queue, state: state,
                program, mayHaveMoved: mayHaveMoved)
        }
        let ended = Monitor(0)
        for lane in lanes {
            let isStarted = WorkerThread.start("scan") {
                lane.run()
                ended.notify { $0 += 1 }
            }
            if !isStarted { ended.notify { $0 += 1 } }
        }
        let result = Result { try walk(only) }
        queue.close()
        ended.wait { $0 == lanes.count ? () : nil }
        state.withLock { $0.progress.milliseconds = Int64((ContinuousClock.now - start) / .milliseconds(1)) }
        if let failure = state.withLock({ $0.failure }) { throw failure }
        let visited = try result.get()
        try markMissing(besides: visited, only)
        let now = clock.nowMilliseconds()
        try database.writeNow { db in
            try db.execute("UPDATE music_folders SET scanned_ms = \(now) WHERE number = \(self.folder)")
        }
        state.withLock { $0.progress.milliseconds = Int64((ContinuousClock.now - start) / .milliseconds(1)) }
    }

    private let names = NameNumbers()

    // MARK: Walking

    /// The rows that a walk has met, and those that it missed in directories it could read.
    private struct Visited {
        var directories: Set<[UInt8]> = []
        /// The directories that were seen in those.
        var children: Set<[UInt8]> = []
        var unreadable: Set<[UInt8]> = []
        var missing: [Int64] = []
    }

    private func walk(_ only: FolderWatch.Changes) throws -> Visited {
        var visited = Visited()
        var again = try walk(from: only.map(Array.init) ?? [[]], isWhole: only == nil, &visited)
        for _ in 0..<Self.quietRoundsMax where !again.isEmpty {
            let end = ContinuousClock.now + .nanoseconds(Self.quietNanoseconds + 100_000_000)
            while ContinuousClock.now < end {
                try checkCancelled()
                usleep(50_000)
            }
            state.withLock { $0.progress.waiting = 0 }
            again = try again.filter { try look(at: $0, &visited).isWaiting }
        }
        return visited
    }

    private func checkCancelled() throws {
        let (isCancelled, failure) = state.withLock { ($0.isCancelled, $0.failure) }
        if let failure { throw failure }
        if isCancelled { throw Failure.cancelled }
    }

    /// - Parameter isWhole: Whether all directories below are looked at, or only those that no row knows.
    /// - Returns: The directories with files that are being written.
    private func walk(from first: [[UInt8]], isWhole: Bool, _ visited: inout Visited) throws -> [[UInt8]] {
        var waiting: [[UInt8]] = []
        // The directories above and beside: a link may lead back up.
        var stack = first
        var known: Set<DirectoryIdentity> = []
        while let path = stack.popLast() {
            try checkCancelled()
            let found = try look(at: path, &visited, &known)
            stack += isWhole ? found.directories : try found.directories.filter { try !isKnown($0) }
            if found.isWaiting { waiting.append(path) }
        }
        return waiting
    }

    private func isKnown(_ directory: [UInt8]) throws -> Bool {
        let folder = folder
        return try database.readNow { db in
            try db.exists("SELECT 1 FROM music_directories WHERE folder = \(folder) AND path = \(directory)")
        }
    }

    private struct DirectoryIdentity: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    private func look(at path: [UInt8], _ visited: inout Visited) throws -> (directories: [[UInt8]], isWaiting: Bool) {
        var known: Set<DirectoryIdentity> = []
        return try look(at: path, &visited, &known)
    }

    /// Compares a directory with its rows.
    private func look(
        at path: [UInt8], _ visited: inout Visited, _ known: inout Set<DirectoryIdentity>
    ) throws -> (directories: [[UInt8]], isWaiting: Bool) {
        let listing: DirectoryListing
        do throws(BeneathFolder.Failure) { listing = try DirectoryListing(path, in: root) } catch {
            guard !path.isEmpty else {
                throw Failure(reason: "The folder can't be read: \(String(cString: strerror(error.errno))).")
            }
            // Gone since it was seen, or told of because it went.
            if error.errno != ENOENT, error.errno != ENOTDIR { visited.unreadable.insert(path) }
            return ([], false)
        }
        guard known.insert(DirectoryIdentity(device: listing.device, inode: listing.inode)).inserted else {
            return ([], false)
        }
        visited.directories.insert(path)
        guard !listing.isIgnored else { return ([], false) }
        if path.isEmpty, listing.files.isEmpty, listing.directories.isEmpty { try refuseIfEmptied() }
        let rows = try KnownDirectory(folder: folder, path: path, database)
        if rows.cover != listing.cover, rows.number != nil || !listing.files.isEmpty {
            queue.put(.directory(path, cover: listing.cover))
        }
        var isWaiting = false
        var unseen = rows.files
        let now = clock.nowMilliseconds() * 1_000_000
        for file in listing.files {
            state.withLock { $0.progress.files += 1 }
            let row = unseen.removeValue(forKey: file.name)
            if let row, row.isSame(as: file) {
                if row.isMissing { queue.put(.returned(row.number)) }
                continue
            }
            if now - file.changedNanoseconds < Self.quietNanoseconds, now >= file.changedNanoseconds {
                isWaiting = true
                state.withLock { $0.progress.waiting += 1 }
                continue
            }
            queue.put(.file(FoundFile(directory: path, file: file, row: row?.number, cover: listing.cover)))
        }
        visited.missing += unseen.values.filter { !$0.isMissing }.map(\.number)
        let prefix = path.isEmpty ? [] : path + [UInt8(ascii: "/")]
        let directories = listing.directories.map { prefix + $0 }
        visited.children.formUnion(directories)
        return (directories, isWaiting)
    }

    // MARK: What is gone

    /// A network folder that is not mounted is an empty directory. All tracks in it would be marked missing.
    private func refuseIfEmptied() throws {
        let folder = folder
        let hadFiles: Bool? = try database.readNow { db in
            try db.value(
                """
                SELECT EXISTS (SELECT 1 FROM music_directories d JOIN music_files f ON f.directory = d.number
                    WHERE d.folder = \(folder) AND f.missing_ms IS NULL AND f.track IS NOT NULL)
                """)
        }
        if hadFiles == true { throw Failure.empty }
    }

    /// Whether a directory that was not looked at is gone. One that others were looked at for is there, as far as anybody
    /// knows.
    private static func isGone(_ directory: [UInt8], _ visited: Visited, _ only: Set<[UInt8]>) -> Bool {
        var path = directory
        while true {
            if only.contains(path), !visited.directories.contains(path) { return true }
            guard !path.isEmpty else { return false }
            let parent = Array(path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)])
            if visited.directories.contains(parent), !visited.children.contains(path) { return true }
            path = parent
        }
    }

    private func markMissing(besides visited: Visited, _ only: FolderWatch.Changes) throws {
        var missing = visited.missing
        let folder = folder
        let known = try database.readNow { db in
            try db.all("SELECT number, path FROM music_directories WHERE folder = \(folder)") { row in
                (number: try row.next(Int64.self), path: try row.next([UInt8].self))
            }
        }
        for directory in known where !visited.directories.contains(directory.path) {
            // Below a directory that can't be read nothing is known.
            if visited.unreadable.contains(where: { directory.path == $0 || directory.path.starts(with: $0 + [0x2F]) })
            {
                continue
            }
            if let only, !Self.isGone(directory.path, visited, only) { continue }
            missing += try database.readNow { db in
                try db.values(
                    """
                    SELECT number FROM music_files WHERE directory = \(directory.number) AND missing_ms IS NULL
                    """, as: Int64.self)
            }
        }
        let now = clock.nowMilliseconds()
        var rest = missing[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(500))
            rest = rest.dropFirst(500)
            let moved = queue.moved
            try database.writeNow { db in
                for number in part where !moved.withLock({ $0.contains(number) }) {
                    try db.execute("UPDATE music_files SET missing_ms = \(now) WHERE number = \(number)")
                    try db.execute(
                        """
                        UPDATE tracks SET scope = \(TrackScope.missing)
                        WHERE number = (SELECT track FROM music_files WHERE number = \(number))
                        """)
                }
            }
            state.withLock { state in
                state.progress.missing += part.count { number in !moved.withLock { $0.contains(number) } }
            }
        }
    }
}

/// A file that has to be read.
struct FoundFile: Sendable {
    let directory: [UInt8]
    let file: DirectoryListing.File
    /// The row of the file, if it has changed.
    let row: Int64?
    let cover: DirectoryCover?

    var path: [UInt8] { directory.isEmpty ? file.name : directory + [UInt8(ascii: "/")] + file.name }
}

/// The work that waits for the lanes of a scan. It is bounded, so that memory is.
final class ScanQueue: Sendable {
    enum Item: Sendable {
        case file(FoundFile)
        /// A directory has another cover.
        case directory([UInt8], cover: DirectoryCover?)
        /// A file that was missing is there again.
        case returned(Int64)
    }

    private struct State {
        var items: [Item] = []
        var isClosed = false
    }

    private static let countMax = 2_048

    private let state = Monitor(State())
    /// Rows whose file was found at another place: they are not missing.
    let moved = Monitor<Set<Int64>>([])

    /// Waits while the queue is full.
    func put(_ item: Item) {
        state.wait { state -> Void? in
            guard state.items.count < Self.countMax || state.isClosed else { return nil }
            state.items.append(item)
            return ()
        }
        state.notify { _ in }
    }

    /// Waits for work.
    ///
    /// - Returns: At most `count` items; none when there is no more to come.
    func take(_ count: Int) -> [Item] {
        let taken = state.wait { state -> [Item]? in
            guard !state.items.isEmpty || state.isClosed else { return nil }
            let part = Array(state.items.prefix(count))
            state.items.removeFirst(part.count)
            return part
        }
        state.notify { _ in }
        return taken
    }

    func close() { state.notify { $0.isClosed = true } }
}

/// The rows of a directory, as they were before.
struct KnownDirectory {
    struct File {
        let number: Int64
        let size: Int64
        let modifiedNanoseconds: Int64
        let isMissing: Bool
        /// `nil` until a scan has looked for lyrics.
        let lyricsNanoseconds: Int64?

        func isSame(as file: DirectoryListing.File) -> Bool {
            size == file.size && modifiedNanoseconds == file.modifiedNanoseconds
                && lyricsNanoseconds == file.lyrics?.modifiedNanoseconds ?? 0
        }
    }

    var number: Int64?
    var cover: DirectoryCover?
    var files: [[UInt8]: File] = [:]

    init(folder: Int64, path: [UInt8], _ database: any DatabaseWriter) throws {
        let (directory, files) = try database.readNow { db -> (MusicDirectoryRecord?, [[UInt8]: File]) in
            guard
                let directory = try db.first(
                    MusicDirectoryRecord.filter(
                        MusicDirectoryRecord.folder == folder && MusicDirectoryRecord.path == path)),
                let number = directory.number
            else { return (nil, [:]) }
            var files: [[UInt8]: File] = [:]
            try db.forEach(
                """
                SELECT name, number, size, modified_ns, missing_ms IS NOT NULL, lyrics_ns FROM music_files
                WHERE directory = \(number)
                """
            ) { row in
                let name: [UInt8] = try row.next()
                files[name] = File(
                    number: try row.next(), size: try row.next(), modifiedNanoseconds: try row.next(),
                    isMissing: try row.next(), lyricsNanoseconds: try row.next())
                return true
            }
            return (directory, files)
        }
        number = directory?.number
        if let directory, let name = directory.cover {
            // A cover whose time is not known yet is seen as another one.
            cover = DirectoryCover(name: name, modifiedNanoseconds: directory.coverModifiedNanoseconds ?? .min)
        }
        self.files = files
    }
}
