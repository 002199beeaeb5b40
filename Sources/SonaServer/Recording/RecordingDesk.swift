internal import SonaModel
internal import SonaWire

/// Has the sound of hosts written, and notes in the database what there is.
///
/// Safe to share. What is to be noted goes through one task, in order.
final class RecordingDesk: Sendable {
    private enum Event: Sendable {
        case begin(RecordingID, RoomID, UserID, start: Int64)
        case progress(RecordingFiles.Progress)
    }

    private struct Open {
        var room: RoomID
        /// Samples that were noted last.
        var noted: Int64 = 0
        /// It is being ended: it may not go on.
        var isRefused = false
    }

    let files: RecordingFiles
    private let store: RecordingStore
    private let live: LiveConfiguration
    private let events: AsyncStream<Event>.Continuation
    private let task: Task<Void, Never>

    /// How much is written before it is noted again, samples: five seconds.
    private static let notedSamples: Int64 = 5 * 48_000

    /// - Parameter refused: Is called with the room of a recording that cannot go on.
    init(
        _ storage: RoomStorage, folder: String, _ live: LiveConfiguration, _ log: ServerLog,
        refused: @escaping @Sendable (RoomID, RecordingID) async -> Void
    ) {
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
        let files = RecordingFiles(folder: folder) { continuation.yield(.progress($0)) }
        let store = storage.recordings
        (self.files, self.store, self.live, events) = (files, store, live, continuation)
        task = Task {
            var open: [RecordingID: Open] = [:]
            for await event in stream {
                let space = Int64(live.configuration.recordingSpace) << 20
                switch event {
                case .begin(let id, let room, let host, let start):
                    do throws(Refusal) {
                        try await store.begin(id, in: room, host: host, start: start, spaceBytes: space)
                        open[id] = Open(room: room)
                    } catch {
                        files.discard(id)
                        log.log(.recordingEnded, "The room \(room) is not recorded: \(error.code).")
                        await refused(room, id)
                    }
                case .progress(let progress):
                    guard var known = open[progress.id] else { continue }
                    let isNoted = !known.isRefused && progress.samples - known.noted >= Self.notedSamples
                    guard !progress.isOpen || isNoted else { continue }
                    known.noted = progress.samples
                    open[progress.id] = progress.isOpen ? known : nil
                    let refusal = await Self.note(progress, store, spaceBytes: space)
                    if refusal?.code == .recordingNotFound || !progress.isOpen && progress.samples == 0 {
                        // Somebody has removed it, or nothing was heard.
                        files.discard(progress.id)
                        open[progress.id] = nil
                    } else if refusal != nil, progress.isOpen {
                        known.isRefused = true
                        open[progress.id] = known
                        files.end(progress.id)
                    }
                    guard refusal != nil || progress.isFailed else { continue }
                    let reason = refusal.map { "\($0.code)" } ?? "the disk refuses"
                    log.log(.recordingEnded, "A recording of the room \(known.room) ends: \(reason).")
                    await refused(known.room, progress.id)
                }
            }
        }
    }

    /// Notes how far a recording is. The end of one is tried again while the database is busy.
    ///
    /// - Returns: Why it cannot go on; `nil` if it can, or has ended.
    private static func note(
        _ progress: RecordingFiles.Progress, _ store: RecordingStore, spaceBytes: Int64
    ) async -> Refusal? {
        for _ in 0..<(progress.isOpen ? 1 : 60) {
            do throws(Refusal) {
                try await store.note(
                    progress.id, length: progress.samples / 48, bytes: progress.bytes, isOpen: progress.isOpen,
                    spaceBytes: spaceBytes)
                return nil
            } catch {
                guard error.code == .serverBusy || error.code == .serverStorageFailed else { return error }
                if !progress.isOpen { try? await Task.sleep(for: .seconds(1)) }
            }
        }
        return nil
    }

    /// Begins a recording, whose file is written from now on.
    ///
    /// - Parameter start: When its first sample is heard: milliseconds since 1970.
    func begin(
        in room: RoomID, host: UserID, start: Int64, channels: Int, preSkip: Int
    ) -> RecordingID? {
        guard live.configuration.recordingSpace > 0 else { return nil }
        let id = RecordingID.random(milliseconds: start)
        events.yield(.begin(id, room, host, start: start))
        guard files.begin(id, channels: channels, preSkip: preSkip) else {
            let failed = RecordingFiles.Progress(id: id, samples: 0, bytes: 0, isOpen: false, isFailed: true)
            events.yield(.progress(failed))
            return nil
        }
        return id
    }

    /// Looks after what the last server left. For the start, before a room is awake.
    ///
    /// - Throws: `busy`, `storage`.
    func recover() async throws(Refusal) {
        for recording in try await store.open() {
            let found = files.measure(recording.id)
            try? await store.note(
                recording.id, length: found.samples / 48, bytes: found.bytes, isOpen: false, spaceBytes: .max)
        }
        await sweep()
    }

    /// Removes recordings without a replay, and files without a recording. For an hourly round.
    func sweep() async {
        _ = try? await store.tidy()
        guard let known = try? await store.all() else { return }
        files.sweep(keeping: known)
    }

    /// Ends all files and notes them.
    func close() async {
        await withCheckedContinuation { continuation in files.close { continuation.resume() } }
        events.finish()
        await task.value
    }
}
