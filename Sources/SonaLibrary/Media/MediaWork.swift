internal import Glibc
package import SonaBase
internal import SonaDatabase
internal import SonaMedia
package import SonaModel
internal import SonaSandbox
internal import SonaTranscode
package import SonaWire

/// Work on the sound of tracks: what is measured, what is made in another form, and what has been made.
package final class MediaWork: Sendable {
    private let dao: MediaDAO
    private let files: TrackFiles
    private let jobs: Jobs
    private let clock: WallClock
    private let renditions: Renditions?
    private let transcoder: Transcoder?
    /// Whether Ogg files can be played as they are, by name of their rendition.
    private let plain = Monitor<[String: Bool]>([:])

    /// How long somebody waits for the first sound of a rendition, and for its end.
    private static let (beginTime, endTime) = (Duration.seconds(30), Duration.seconds(120))

    init(_ dao: MediaDAO, _ files: TrackFiles, jobs: Jobs, _ options: Library.Options) {
        self.dao = dao
        self.jobs = jobs
        clock = options.clock
        self.files = files
        var transcoder: Transcoder?
        var renditions: Renditions?
        if let program = options.program {
            do throws(TranscodeError) {
                var found = try Transcoder()
                found.program.launcher = program.path
                transcoder = found
            } catch {
                options.notice?("Tracks are neither measured nor made into Opus: \(error.description)")
            }
        }
        if let folder = options.mediaFolder, transcoder != nil {
            do throws(JobFailure) {
                renditions = try Renditions(folder: "\(folder)/renditions", spaceBytes: options.renditionBytes)
            } catch {
                options.notice?("There is no folder for tracks made into Opus: \(error.detail ?? error.word)")
            }
        }
        self.transcoder = transcoder
        self.renditions = renditions
    }

    /// The kinds of jobs that this machine can do.
    var kinds: [any JobKind] {
        guard let transcoder else { return [] }
        let measuring = MeasureJob(files: files, transcoder: transcoder, clock: clock) { [weak self] last in
            await self?.measure(after: last)
        }
        guard let renditions else { return [measuring] }
        let encoding = RenditionKind.allCases.map { kind in
            RenditionJob(
                kind: kind, files: files, renditions: renditions, transcoder: transcoder, width: jobs.slotCount)
        }
        return [measuring] + encoding
    }

    /// Files and bytes of renditions, for figures.
    package var renditionFigures: (count: Int, bytes: Int64) { renditions?.figures ?? (0, 0) }

    // MARK: Measuring

    /// Has tracks measured that are not, or whose file has changed: a batch of them as one job, which has the next batch
    /// follow it.
    package func measure(after last: Int64 = 0) async {
        guard transcoder != nil else { return }
        do throws(Refusal) {
            let tracks = try await dao.read { db in
                try db.values(
                    """
                    SELECT t.number FROM tracks t
                    JOIN music_files f ON f.number = (SELECT number FROM music_files
                        WHERE track = t.number AND missing_ms IS NULL AND problem IS NULL ORDER BY number LIMIT 1)
                    LEFT JOIN track_measures m ON m.track = t.number
                    WHERE t.number > \(last) AND (m.track IS NULL OR m.version <> \(TrackMeasureRecord.currentVersion)
                        OR m.source <> f.size || '-' || f.modified_ns)
                    ORDER BY t.number LIMIT \(MeasureJob.batchTracks)
                    """, as: Int64.self)
            }
            guard !tracks.isEmpty else { return }
            try await jobs.add(Jobs.Order(MeasureJob.name, key: MeasureJob.name, payload: JobPayload(tracks: tracks)))
        } catch {
            // The next scan, or the next hour, begins again.
        }
    }

    /// Has an upload measured and made into Opus at once, in the background: uploads are few.
    func prepare(_ id: MusicID) async {
        do throws(Refusal) {
            let (found, name) = try await named(id, .full)
            await measure(after: (found.track.number ?? 1) - 1)
            guard renditions != nil, let file = files.open(found) else { return }
            defer { close(file) }
            if found.track.kind == "ogg", await isPlain(file, name) { return }
            let job = RenditionKind.full.job
            // Whoever has uploaded it is told how far it is.
            try await jobs.add(Jobs.Order(job, key: "\(job):\(id.rawValue)", track: id, owner: found.track.owner))
        } catch {
            // It is made when somebody asks for it.
        }
    }

    /// The outline of a track.
    package struct Outline: Sendable, Equatable {
        package var version: Int
        /// 0 to 255, 1000 of them.
        package var peaks: [UInt8]
    }

    /// The outline of a track that the listener sees. Measures it first if that was not done yet.
    ///
    /// - Throws: `trackNotFound`, `trackUnavailable`; `trackConversionFailed`; `jobLimitReached`, `busy`, `storage`.
    package func outline(_ id: MusicID, for listener: Listener) async throws(Refusal) -> Outline {
        for _ in 0..<2 {
            let (found, known) = try await dao.read { db in
                let found = try TrackFiles.find(id, in: &db)
                let access = Access.to(
                    try Access.rights(of: found.track, for: listener, in: &db), for: listener)
                guard access != .none else { throw Refusal(.trackNotFound) }
                return (found, try db.first(TrackMeasureRecord.self, key: found.track.number ?? 0))
            }
            if let known, known.isCurrent(for: found) {
                guard let peaks = known.peaks else {
                    throw Refusal(.trackConversionFailed, known.detail)
                }
                return Outline(version: known.version, peaks: peaks)
            }
            guard transcoder != nil else { throw Refusal.refused(JobFailure(TranscodeError.missing)) }
            let job = try await jobs.add(
                Jobs.Order(
                    MeasureJob.name, key: "\(MeasureJob.name):\(id.rawValue)",
                    payload: JobPayload(tracks: [found.track.number ?? 0]), track: id, owner: listener.uid,
                    isUrgent: true))
            guard let ended = try await jobs.waitForEnd(of: job, atMost: Self.beginTime), ended.state.isFinal else {
                throw Refusal.busy(retryAfterMilliseconds: 5_000)
            }
            if ended.state == .failed { throw Refusal(.trackConversionFailed, ended.detail) }
        }
        throw Refusal.busy(retryAfterMilliseconds: 5_000)
    }

    // MARK: Renditions

    /// The sound of a track in a form that was asked for.
    package enum Sound: Sendable {
        /// The file of the track has that form already.
        case original
        /// A whole file, open for reading; the caller closes it. Files with one tag are equal.
        case whole(descriptor: Int32, tag: String)
        /// A file that is being made.
        case growing(GrowingFile)
    }

    /// Finds a rendition of a track, or has it made. The caller has checked that the listener may hear it.
    ///
    /// - Parameters:
    ///   - original: The track's file, open for reading; it stays the caller's.
    ///   - uid: Who asks; `nil` for guests.
    ///   - isWhole: Whether to wait for the end of the making.
    /// - Throws: `trackNotFound`, `trackUnavailable`; `trackConversionFailed`; `jobLimitReached`, `busy`, `storage`.
    package func sound(
        of id: MusicID, as kind: RenditionKind, original: Int32, for uid: UserID?, isWhole: Bool
    ) async throws(Refusal) -> Sound {
        let (found, name) = try await named(id, kind)
        if kind == .full, found.track.kind == "ogg", await isPlain(original, name) { return .original }
        guard let renditions else { throw Refusal.refused(JobFailure(TranscodeError.missing)) }
        if let sound = Self.whole(name, in: renditions) { return sound }
        if let failure = renditions.failure(of: name) { throw Refusal.refused(failure) }
        // A preview takes a moment, and may be begun anew: it is never heard before its end.
        let isWhole = isWhole || kind == .preview
        // The job finds this making, or has begun another one already.
        let making = renditions.making(name)
        try await jobs.add(
            Jobs.Order(kind.job, key: "\(kind.job):\(id.rawValue)", track: id, owner: uid, isUrgent: true))
        let deadline = ContinuousClock.now + (isWhole ? Self.endTime : Self.beginTime)
        while ContinuousClock.now < deadline, !Task.isCancelled {
            if let failure = making.failure ?? renditions.failure(of: name) {
                if failure.mayRetry { throw Refusal.busy(retryAfterMilliseconds: 5_000) }
                throw Refusal.refused(failure)
            }
            if making.isWhole || renditions.has(name), let sound = Self.whole(name, in: renditions) { return sound }
            if !isWhole, let file = making.file { return .growing(file) }
            try? await Task.sleep(for: .milliseconds(20))
        }
        throw Refusal.busy(retryAfterMilliseconds: 5_000)
    }

    /// The file of a track, and the name of its rendition.
    private func named(_ id: MusicID, _ kind: RenditionKind) async throws(Refusal) -> (TrackFiles.Found, String) {
        try await dao.read { db in
            let found = try TrackFiles.find(id, in: &db)
            return (found, Renditions.name(found, kind, try TrackFiles.neighbours(of: found, in: &db)))
        }
    }

    private static func whole(_ name: String, in renditions: Renditions) -> Sound? {
        guard let file = renditions.open(name) else { return nil }
        var status = stat()
        fstat(file, &status)
        let track = Renditions.track(of: name)?.rawValue ?? ""
        // Made anew after it was removed, a rendition may have other bytes.
        let changed = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        return .whole(descriptor: file, tag: "\"\(track).opus.\(status.st_size).\(changed)\"")
    }

    private func isPlain(_ file: Int32, _ name: String) async -> Bool {
        if let known = plain.withLock({ $0[name] }) { return known }
        let isPlain = await withCheckedContinuation { continuation in
            let isStarted = WorkerThread.start("ogg") { continuation.resume(returning: OpusPages.isPlain(file)) }
            if !isStarted { continuation.resume(returning: false) }
        }
        plain.withLock { known in
            if known.count >= 10_000 { known = [:] }
            known[name] = isPlain
        }
        return isPlain
    }

    // MARK: Tidying

    /// Removes renditions that nothing leads to any more, and measures what is not measured.
    package func tidy() async {
        await measure()
        guard let renditions else { return }
        let database = dao.database
        await withCheckedContinuation { continuation in
            let isStarted = WorkerThread.start("renditions") {
                try? renditions.sweep { track, name in
                    try database.readNow { db in
                        do {
                            let found = try TrackFiles.find(track, in: &db)
                            let neighbours = try TrackFiles.neighbours(of: found, in: &db)
                            return RenditionKind.allCases.contains { Renditions.name(found, $0, neighbours) == name }
                        } catch let refusal as Refusal {
                            // A file that is missing may come back; a track that is gone does not.
                            return refusal.code == .trackUnavailable
                        }
                    }
                }
                continuation.resume()
            }
            if !isStarted { continuation.resume() }
        }
    }
}

extension Refusal {
    /// A job whose result somebody asked for has failed.
    static func refused(_ failure: JobFailure) -> Refusal { Refusal(.trackConversionFailed, failure.detail) }
}

extension TranscodeError {
    static let missing = TranscodeError(.noProgram, "ffmpeg isn't installed")
}
