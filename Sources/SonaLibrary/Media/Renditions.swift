internal import Glibc
internal import SonaBase
internal import SonaWire

/// The forms in which the server itself makes the sound of a track.
package enum RenditionKind: String, CaseIterable, Sendable {
    /// The whole track.
    case full
    /// Thirty seconds of it.
    case preview

    /// Raised when a rendition is made in another way: then all are made again when they are asked for.
    var version: Int { 1 }
    /// The job that makes it.
    var job: String { self == .full ? "rendition" : "preview" }
}

/// Ogg Opus files that the server has made of tracks, in a folder of bounded size. Any thread.
///
/// A file is written beside its name, fsynced and renamed, so under its name there is always a whole file. The name tells
/// track, state of the original, kind and version: what does not fit any more is never served. Those that were used
/// longest ago are removed when room is needed; when a file was used is its access time, which the server sets.
final class Renditions: Sendable {
    /// A rendition that is being made.
    final class Making: Sendable {
        fileprivate struct State {
            var file: GrowingFile?
            var failure: JobFailure?
            var isWhole = false
        }

        private let state = Monitor(State())

        /// The file, once something is in it.
        var file: GrowingFile? { state.withLock { $0.file.flatMap { $0.size > 0 ? $0 : nil } } }
        var isWhole: Bool { state.withLock { $0.isWhole } }
        var failure: JobFailure? { state.withLock { $0.failure } }

        func begin(_ file: GrowingFile) { state.withLock { $0.file = file } }

        func end(_ failure: JobFailure?) {
            let file = state.withLock { state in
                state.failure = failure
                state.isWhole = failure == nil
                return state.file
            }
            file?.end(failure == nil ? .whole : .failed)
        }
    }

    private struct Entry {
        var bytes: Int64
        /// Seconds since 1970.
        var used: Int64
    }

    private struct Failed {
        var failure: JobFailure
        var until: ContinuousClock.Instant
    }

    private struct State {
        var files: [String: Entry] = [:]
        var making: [String: Making] = [:]
        var failed: [String: Failed] = [:]
        var bytes: Int64 = 0
    }

    private let folder: String
    private let state = Monitor(State())
    /// Bytes that all files together may have.
    let spaceBytes: Int64
    /// How long the failure of a rendition is remembered.
    private static let failureTime = Duration.seconds(600)
    private static let failuresMax = 10_000
    /// `UTIME_OMIT` of sys/stat.h, which Swift does not see: this time stays as it is.
    private static let omitted = (1 << 30) - 2
    private static let ending = ".opus"
    private static let partEnding = ".part"

    /// Opens the folder, makes it if it is not there, and removes what a server left half done.
    ///
    /// - Throws: The system's words.
    init(folder: String, spaceBytes: Int64) throws(JobFailure) {
        self.folder = folder
        self.spaceBytes = spaceBytes
        let parent = folder.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        for path in [parent, folder] where mkdir(path, 0o700) != 0 && errno != EEXIST {
            throw JobFailure("storage", String(cString: strerror(errno)))
        }
        for name in try Self.names(in: folder) {
            guard Self.track(of: name) != nil else {
                if name.hasSuffix(Self.partEnding) { unlink("\(folder)/\(name)") }
                continue
            }
            var status = stat()
            guard stat("\(folder)/\(name)", &status) == 0 else { continue }
            state.withLock {
                $0.files[name] = Entry(bytes: Int64(status.st_size), used: Int64(status.st_atim.tv_sec))
                $0.bytes += Int64(status.st_size)
            }
        }
        makeRoom(for: 0)
    }

    private static func names(in folder: String) throws(JobFailure) -> [String] {
        guard let listing = opendir(folder) else { throw JobFailure("storage", String(cString: strerror(errno))) }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names
    }

    // MARK: Names

    /// - Parameter neighbours: A whole track is encoded with what is beside it: other neighbours make another file.
    static func name(_ found: TrackFiles.Found, _ kind: RenditionKind, _ neighbours: TrackFiles.Neighbours) -> String {
        let beside = kind == .full ? neighbours.name : ""
        return "\(found.track.id.rawValue)-\(found.source)-\(kind.rawValue)\(kind.version)\(beside)\(ending)"
    }

    /// The track that a file is of; `nil` for the names of other files.
    static func track(of name: String) -> MusicID? {
        guard name.hasSuffix(ending), let end = name.firstIndex(of: "-") else { return nil }
        return MusicID(String(name[..<end]))
    }

    // MARK: Asking

    /// Opens a whole file for reading, and notes that it was used.
    ///
    /// - Returns: An open descriptor, which the caller closes; `nil` if the file does not exist.
    func open(_ name: String) -> Int32? {
        guard state.withLock({ $0.files[name] != nil }) else { return nil }
        let file = Glibc.open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            forget(name)
            return nil
        }
        let now = Int64(time(nil))
        let isNews = state.withLock { state in
            guard let entry = state.files[name], entry.used < now - 60 else { return false }
            state.files[name]?.used = now
            return true
        }
        if isNews {
            let times = [timespec(tv_sec: Int(now), tv_nsec: 0), timespec(tv_sec: 0, tv_nsec: Self.omitted)]
            _ = times.withUnsafeBufferPointer { futimens(file, $0.baseAddress) }
        }
        return file
    }

    /// Why it was not made lately, as long as that is remembered.
    func failure(of name: String) -> JobFailure? {
        state.withLock { state in
            guard let failed = state.failed[name] else { return nil }
            if failed.until > .now { return failed.failure }
            state.failed[name] = nil
            return nil
        }
    }

    /// The making of a file: one for all who ask for it, and for the job.
    func making(_ name: String) -> Making {
        state.withLock { state in
            if let known = state.making[name] { return known }
            let making = Making()
            state.making[name] = making
            return making
        }
    }

    /// Bytes of a whole file; 0 if there is none.
    func bytes(of name: String) -> Int64 { state.withLock { $0.files[name]?.bytes ?? 0 } }

    func has(_ name: String) -> Bool { state.withLock { $0.files[name] != nil } }

    var figures: (count: Int, bytes: Int64) { state.withLock { ($0.files.count, $0.bytes) } }

    // MARK: Making

    /// Makes a file. Blocks.
    ///
    /// - Parameters:
    ///   - bytes: What it will have, about.
    ///   - write: Writes it to a descriptor, and calls the second argument now and then.
    /// - Throws: `JobFailure`, and the errors of `write`. There is no file then.
    func make(_ name: String, bytes: Int64, _ write: (Int32, () -> Void) throws -> Void) throws {
        let making = making(name)
        let part = "\(folder)/\(name)\(Self.partEnding)"
        do {
            guard bytes <= spaceBytes else {
                throw JobFailure("no_space", "The space for renditions is smaller than this one.")
            }
            makeRoom(for: bytes)
            unlink(part)
            let file = Glibc.open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw Self.storage() }
            defer { close(file) }
            let reading = Glibc.open(part, O_RDONLY | O_CLOEXEC)
            guard reading >= 0 else { throw Self.storage() }
            let growing = GrowingFile(taking: reading)
            making.begin(growing)
            try write(file) { growing.grew() }
            try finish(file, part, name)
        } catch {
            unlink(part)
            let failure =
                error as? JobFailure ?? JobFailure("interrupted", "It was not made to its end.", mayRetry: true)
            state.withLock { state in
                if state.making[name] === making { state.making[name] = nil }
                guard !failure.mayRetry else { return }
                if state.failed.count >= Self.failuresMax { state.failed = [:] }
                state.failed[name] = Failed(failure: failure, until: .now + Self.failureTime)
            }
            making.end(failure)
            throw error
        }
        state.withLock { state in
            if state.making[name] === making { state.making[name] = nil }
            state.failed[name] = nil
        }
        making.end(nil)
        makeRoom(for: 0, sparing: name)
    }

    private func finish(_ file: Int32, _ part: String, _ name: String) throws(JobFailure) {
        guard fsync(file) == 0, rename(part, "\(folder)/\(name)") == 0 else { throw Self.storage() }
        let directory = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if directory >= 0 { close(directory) } }
        guard directory >= 0, fsync(directory) == 0 else { throw Self.storage() }
        var status = stat()
        fstat(file, &status)
        let bytes = Int64(status.st_size)
        state.withLock { state in
            state.bytes += bytes - (state.files[name]?.bytes ?? 0)
            state.files[name] = Entry(bytes: bytes, used: Int64(time(nil)))
        }
    }

    private static func storage() -> JobFailure {
        JobFailure("storage", "It can't be stored: \(String(cString: strerror(errno))).", mayRetry: true)
    }

    // MARK: Removing

    /// Removes the files that were used longest ago, until so many bytes fit.
    private func makeRoom(for bytes: Int64, sparing kept: String? = nil) {
        let space = spaceBytes
        let gone = state.withLock { state -> [String] in
            guard state.bytes + bytes > space else { return [] }
            var gone: [String] = []
            for (name, entry) in state.files.sorted(by: { $0.value.used < $1.value.used }) where name != kept {
                if state.bytes + bytes <= space { break }
                state.bytes -= entry.bytes
                state.files[name] = nil
                gone.append(name)
            }
            return gone
        }
        for name in gone { unlink("\(folder)/\(name)") }
    }

    private func forget(_ name: String) {
        state.withLock { state in
            if let entry = state.files.removeValue(forKey: name) { state.bytes -= entry.bytes }
        }
    }

    /// Removes the files of tracks that are gone or have another sound now. Blocks.
    ///
    /// - Parameter isCurrent: Whether the file of this name could be asked for.
    func sweep(_ isCurrent: (MusicID, String) throws -> Bool) rethrows {
        for name in state.withLock({ Array($0.files.keys) }) {
            guard let track = Self.track(of: name), try !isCurrent(track, name) else { continue }
            forget(name)
            unlink("\(folder)/\(name)")
        }
    }
}
