internal import Glibc
internal import SonaBase
internal import SonaSandbox

/// Tells of directories of a music folder in which something has changed, once they have been quiet for two seconds: a
/// file that is being copied is not looked at before it is complete.
///
/// inotify sees changes of this machine only. For network folders there is `rescan-every`.
///
/// Source: inotify(7).
final class FolderWatch: Sendable {
    /// Directories, from the folder on, that have changed. `nil`: so much that nobody knows where.
    typealias Changes = Set<[UInt8]>?

    /// A pipe: its end of writing is closed to end the watch.
    private let stopping: (read: Int32, write: Monitor<Int32>)
    private let isEnded = Monitor(false)

    /// - Parameters:
    ///   - changed: Called on the watch's thread.
    ///   - notice: Called with what an operator should know: a sentence.
    /// - Returns: `nil` if the system has no watch to give.
    init?(path: String, changed: @escaping @Sendable (Changes) -> Void, notice: @escaping @Sendable (String) -> Void) {
        var ends: [Int32] = [-1, -1]
        guard let root = try? BeneathFolder(path: path), pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        stopping = (ends[0], Monitor(ends[1]))
        let (stopping, isEnded) = (ends[0], isEnded)
        let isStarted = WorkerThread.start("music-watch") {
            if var watching = Watching(path, root, stopping: stopping, notice) { watching.run(changed) }
            isEnded.notify { $0 = true }
        }
        if !isStarted { isEnded.notify { $0 = true } }
    }

    /// Ends the watch. Nothing is told after it has returned.
    func stop() {
        stopping.write.withLock { end in
            if end >= 0 { close(end) }
            end = -1
        }
        isEnded.wait { $0 ? () : nil }
    }

    deinit {
        stop()
        close(stopping.read)
    }
}

/// The thread of a watch.
private struct Watching: ~Copyable {
    private static let quietMilliseconds: Int64 = 2_000
    /// Changes that go on for longer are told in between.
    private static let noisyMilliseconds: Int64 = 30_000
    private static let mask =
        UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE) | UInt32(IN_CREATE)
        | UInt32(IN_ONLYDIR) | UInt32(IN_DONT_FOLLOW)

    private let path: String
    private let root: BeneathFolder
    private let stopping: Int32
    private let notice: @Sendable (String) -> Void
    private let inotify: Int32
    private var directories: [Int32: [UInt8]] = [:]
    private var isFull = false

    init?(_ path: String, _ root: BeneathFolder, stopping: Int32, _ notice: @escaping @Sendable (String) -> Void) {
        self.path = path
        self.root = root
        self.stopping = stopping
        self.notice = notice
        inotify = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard inotify >= 0 else {
            notice("A music folder can't be watched for changes: \(String(cString: strerror(errno))).")
            return nil
        }
    }

    deinit { close(inotify) }

    mutating func run(_ changed: (FolderWatch.Changes) -> Void) {
        watch([])
        var dirty: Set<[UInt8]> = []
        var isUnknown = false
        var (first, last) = (ContinuousClock.now, ContinuousClock.now)
        while true {
            let isWaiting = !dirty.isEmpty || isUnknown
            var files = [
                pollfd(fd: inotify, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stopping, events: Int16(POLLIN), revents: 0),
            ]
            poll(&files, 2, isWaiting ? 200 : -1)
            if files[1].revents != 0 { return }
            let now = ContinuousClock.now
            if files[0].revents != 0 {
                let found = read()
                if !found.changes.isEmpty || found.isOverrun {
                    if !isWaiting { first = now }
                    last = now
                    dirty.formUnion(found.changes)
                    isUnknown = isUnknown || found.isOverrun
                }
            }
            guard !dirty.isEmpty || isUnknown,
                now - last >= .milliseconds(Self.quietMilliseconds)
                    || now - first >= .milliseconds(Self.noisyMilliseconds)
            else { continue }
            changed(isUnknown ? nil : dirty)
            dirty = []
            isUnknown = false
        }
    }

    /// Watches a directory and those below it.
    private mutating func watch(_ directory: [UInt8]) {
        var stack = [directory]
        while let next = stack.popLast() {
            guard !isFull else { return }
            let place = Array(path.utf8) + (next.isEmpty ? [] : [UInt8(ascii: "/")] + next)
            let number = inotify_add_watch(inotify, place.cString, Self.mask)
            if number < 0 {
                guard errno == ENOSPC || errno == ENOMEM else { continue }
                isFull = true
                notice(
                    "A music folder has more directories than the system watches (fs.inotify.max_user_watches): changes "
                        + "in some of them are found by the next scan only.")
                return
            }
            directories[number] = next
            guard let listing = try? DirectoryListing(next, in: root) else { continue }
            stack += listing.directories.map { next.isEmpty ? $0 : next + [UInt8(ascii: "/")] + $0 }
        }
    }

    private mutating func read() -> (changes: Set<[UInt8]>, isOverrun: Bool) {
        var changes: Set<[UInt8]> = []
        var isOverrun = false
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(inotify, &buffer, buffer.count)
            guard count > 0 else { return (changes, isOverrun) }
            var place = 0
            while place + MemoryLayout<inotify_event>.size <= count {
                let event = buffer.withUnsafeBytes {
                    $0.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
                }
                let start = place + MemoryLayout<inotify_event>.size
                let name = Array(buffer[start..<(start + Int(event.len))].prefix { $0 != 0 })
                place = start + Int(event.len)
                if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
                    isOverrun = true
                    continue
                }
                note(event, name, &changes)
            }
        }
    }

    private mutating func note(_ event: inotify_event, _ name: [UInt8], _ changes: inout Set<[UInt8]>) {
        if event.mask & UInt32(IN_IGNORED) != 0 {
            directories[event.wd] = nil
            return
        }
        guard let directory = directories[event.wd] else { return }
        let isDirectory = event.mask & UInt32(IN_ISDIR) != 0
        if isDirectory {
            guard name.first != UInt8(ascii: ".") else { return }
            let path = directory.isEmpty ? name : directory + [UInt8(ascii: "/")] + name
            changes.insert(directory)
            if event.mask & (UInt32(IN_CREATE) | UInt32(IN_MOVED_TO)) != 0 {
                changes.insert(path)
                watch(path)
            } else {
                // Moved away: its watches would tell of another place.
                let prefix = path + [UInt8(ascii: "/")]
                for (number, known) in directories where known == path || known.starts(with: prefix) {
                    inotify_rm_watch(inotify, number)
                    directories[number] = nil
                }
            }
            return
        }
        // A file that was made is told of again when it is closed.
        guard event.mask & UInt32(IN_CREATE) == 0 else { return }
        if SoundNames.isSound(name) || SoundNames.coverRank(name) != nil || SoundNames.lyricsStem(name) != nil
            || SoundNames.isIgnoreFile(name)
        {
            changes.insert(directory)
        }
    }
}
