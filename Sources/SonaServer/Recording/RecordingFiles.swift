internal import Glibc
internal import SonaAudio
internal import SonaBase
internal import SonaWire

/// The files of recordings, and the thread that writes them: Ogg Opus, the packets as hosts sent them.
///
/// A page of a second is written at a time, so that a killed server loses one second at most. What is on disk up to then
/// can be played.
final class RecordingFiles: Sendable {
    /// How far a file is.
    struct Progress: Sendable {
        var id: RecordingID
        /// Samples at 48 kHz that are heard of it.
        var samples: Int64
        var bytes: Int64
        /// Whether more is to come.
        var isOpen: Bool
        /// Whether the disk refused.
        var isFailed = false
    }

    private enum Job: Sendable {
        case begin(RecordingID, channels: Int, preSkip: Int)
        case packet(RecordingID, [UInt8], samples: Int)
        case end(RecordingID)
        case discard(RecordingID)
    }

    private struct Waiting {
        var jobs: [Job] = []
        /// Is called when all files are ended, and the thread ends.
        var ended: (@Sendable () -> Void)?
    }

    let folder: String
    private let waiting = Monitor(Waiting())
    private let isStarted = Monitor(false)
    private let told: @Sendable (Progress) -> Void
    /// Most jobs that wait for a disk that does not answer; more are left out.
    private static let jobsMax = 20_000

    /// - Parameters:
    ///   - folder: Is made when the first recording begins.
    ///   - told: Is called on the thread that writes.
    init(folder: String, told: @escaping @Sendable (Progress) -> Void) {
        self.folder = folder
        self.told = told
    }

    func path(_ id: RecordingID) -> String { "\(folder)/\(id.rawValue).opus" }

    // MARK: Recording

    /// Begins a file.
    ///
    /// - Returns: False if the system has no thread to write it.
    func begin(_ id: RecordingID, channels: Int, preSkip: Int) -> Bool {
        guard start() else { return false }
        add(.begin(id, channels: channels, preSkip: preSkip))
        return true
    }

    func add(_ packet: [UInt8], samples: Int, to id: RecordingID) { add(.packet(id, packet, samples: samples)) }
    func end(_ id: RecordingID) { add(.end(id)) }
    /// Removes the file of a recording that may not be.
    func discard(_ id: RecordingID) { add(.discard(id)) }

    /// Ends all files, and then the thread.
    ///
    /// - Parameter done: Is called after the last file was told of.
    func close(_ done: @escaping @Sendable () -> Void) {
        let hasThread = isStarted.withLock { $0 }
        guard hasThread else { return done() }
        waiting.notify { $0.ended = done }
    }

    private func add(_ job: Job) {
        waiting.notify { waiting in
            if case .packet = job, waiting.jobs.count >= Self.jobsMax { return }
            waiting.jobs.append(job)
        }
    }

    private func start() -> Bool {
        isStarted.withLock { isStarted in
            if isStarted { return true }
            mkdir(folder, 0o700)
            isStarted = WorkerThread.start("recording") { [self] in write() }
            return isStarted
        }
    }

    private func write() {
        var files: [RecordingID: OpenRecording] = [:]
        while true {
            let (jobs, ended): ([Job], (@Sendable () -> Void)?) = waiting.wait { waiting in
                guard !waiting.jobs.isEmpty || waiting.ended != nil else { return nil }
                defer { waiting.jobs = [] }
                return (waiting.jobs, waiting.ended)
            }
            for job in jobs { carryOut(job, &files) }
            guard let ended else { continue }
            for id in Array(files.keys) { carryOut(.end(id), &files) }
            return ended()
        }
    }

    private func carryOut(_ job: Job, _ files: inout [RecordingID: OpenRecording]) {
        switch job {
        case .begin(let id, let channels, let preSkip):
            guard let file = OpenRecording(path(id), id, channels: channels, preSkip: preSkip) else {
                return told(Progress(id: id, samples: 0, bytes: 0, isOpen: false, isFailed: true))
            }
            files[id] = file
        case .packet(let id, let packet, let samples):
            guard let isPage = files[id]?.add(packet, samples: samples) else { return }
            if files[id]?.isFailed == true {
                end(id, &files)
            } else if isPage, let file = files[id] {
                told(file.progress)
            }
        case .end(let id): end(id, &files)
        case .discard(let id):
            files[id]?.close()
            files[id] = nil
            unlink(path(id))
        }
    }

    private func end(_ id: RecordingID, _ files: inout [RecordingID: OpenRecording]) {
        guard var file = files.removeValue(forKey: id) else { return }
        file.finish()
        told(file.progress)
    }

    // MARK: Keeping house

    /// Looks how long a file is that nobody ended.
    func measure(_ id: RecordingID) -> Progress {
        var status = stat()
        guard stat(path(id), &status) == 0, let file = try? OggOpusFile(path: path(id)), let stream = file.streams.first
        else { return Progress(id: id, samples: 0, bytes: 0, isOpen: false) }
        return Progress(
            id: id, samples: Int64(stream.durationSamples), bytes: Int64(status.st_size), isOpen: false)
    }

    /// Removes the files that no recording has any more. Not those of the last minute: they are being begun.
    ///
    /// - Returns: How many.
    @discardableResult
    func sweep(keeping known: Set<RecordingID>) -> Int {
        guard let directory = opendir(folder) else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasSuffix(".opus"), let id = RecordingID(String(name.dropLast(5))), !known.contains(id) else {
                continue
            }
            var status = stat()
            guard stat(path(id), &status) == 0, time(nil) - status.st_mtim.tv_sec > 60 else { continue }
            if unlink(path(id)) == 0 { count += 1 }
        }
        return count
    }
}

/// A file that is being written.
private struct OpenRecording {
    private let id: RecordingID
    private let descriptor: Int32
    private var writer: OggOpusWriter
    private let preSkip: Int64
    /// Samples of the packets taken, and of those that are on disk.
    private var taken: Int64 = 0
    private var written: Int64 = 0
    private var bytes: Int64 = 0
    private(set) var isFailed = false
    private var isOpen = true

    init?(_ path: String, _ id: RecordingID, channels: Int, preSkip: Int) {
        self.id = id
        self.preSkip = Int64(preSkip)
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        writer = OggOpusWriter(
            head: OpusHead(channels: channels, preSkip: preSkip), tags: OpusTags(vendor: "sona", comments: []),
            serial: UInt32.random(in: 0 ... .max))
        put(writer.headerPages())
    }

    var progress: RecordingFiles.Progress {
        RecordingFiles.Progress(
            id: id, samples: max(0, written - preSkip), bytes: bytes, isOpen: isOpen, isFailed: isFailed)
    }

    /// - Returns: Whether a page went to the disk.
    mutating func add(_ packet: [UInt8], samples: Int) -> Bool {
        guard let pages = try? writer.write(packet: packet, samples: samples, flush: false) else { return false }
        defer { taken += Int64(samples) }
        guard !pages.isEmpty else { return false }
        put(pages)
        written = taken
        return true
    }

    mutating func finish() {
        guard isOpen else { return }
        put(writer.finish())
        if !isFailed { written = taken }
        fsync(descriptor)
        close()
    }

    mutating func close() {
        if isOpen { Glibc.close(descriptor) }
        isOpen = false
    }

    private mutating func put(_ bytes: [UInt8]) {
        guard !isFailed else { return }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return isFailed = true }
            rest = rest.dropFirst(count)
            self.bytes += Int64(count)
        }
    }
}
