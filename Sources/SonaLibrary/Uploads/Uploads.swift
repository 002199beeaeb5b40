internal import Glibc
internal import SonaBase
internal import SonaCrypto
internal import SonaDatabase
internal import SonaMedia
package import SonaModel
internal import SonaText
internal import SonaTranscode
package import SonaWire

/// Uploads of people, from their first byte to their track.
///
/// An upload is a row and a file in `incoming`. Its bytes come in pieces (`UploadPiece`). Once all of them are there it is
/// finished: its tags are read, it is moved to its place, and it becomes a track. Every step can be done again, so that a
/// server that is killed goes on where it was.
package final class Uploads: Sendable {
    let folder: MediaFolder
    let contents: MediaContents
    let database: any DatabaseWriter
    private let program: WorkerProgram?
    private let clock: WallClock
    private let notice: (@Sendable (String) -> Void)?
    /// For questions that take a moment, and for work that takes seconds.
    private let moments = WorkLane("uploads", threadsMax: 2, niceness: 5)
    private let work = WorkLane("new-tracks", threadsMax: 2, niceness: 10)

    private struct State {
        var limits = UploadLimits()
        /// Uploads that a piece or the end of the upload has for itself.
        var locked: Set<MusicID> = []
        var figures = UploadFigures()
        var isClosing = false
        var trackMade: (@Sendable (MusicID) async -> Void)?
        /// When the operator was last told that uploads fail, milliseconds since 1970.
        var noticedMilliseconds: Int64 = 0
    }

    private let state = Monitor(State())

    init(
        _ contents: MediaContents, _ database: any DatabaseWriter, program: WorkerProgram?, clock: WallClock,
        limits: UploadLimits, notice: (@Sendable (String) -> Void)?
    ) {
        folder = contents.folder
        self.contents = contents
        self.database = database
        self.program = program
        self.clock = clock
        self.notice = notice
        state.withLock { $0.limits = limits }
    }

    /// Names who is told of each new track.
    func onTrack(_ body: @escaping @Sendable (MusicID) async -> Void) { state.withLock { $0.trackMade = body } }

    var now: Int64 { clock.nowMilliseconds() }

    /// The limits that hold from now on.
    package var limits: UploadLimits {
        get { state.withLock { $0.limits } }
        set { state.withLock { $0.limits = newValue } }
    }

    package var figures: UploadFigures {
        state.withLock { state in
            var figures = state.figures
            figures.active = state.locked.count
            return figures
        }
    }

    func count(bytes: Int) { state.withLock { $0.figures.bytes &+= UInt64(bytes) } }

    /// Lets nothing more begin. Work that has begun fails when the database closes, and goes on after the next start.
    func close() { state.withLock { $0.isClosing = true } }

    var goesOn: Bool { state.withLock { !$0.isClosing } }

    // MARK: Locks

    /// Takes an upload for oneself.
    ///
    /// - Returns: False if somebody else has it.
    func lock(_ id: MusicID) -> Bool { state.withLock { !$0.isClosing && $0.locked.insert(id).inserted } }

    func unlock(_ id: MusicID) { state.withLock { _ = $0.locked.remove(id) } }

    // MARK: Requests

    /// Takes the bytes of one request. See `UploadPiece`.
    package func piece(_ target: UploadTarget, bytes: Int64, checksum: UploadChecksum?) -> UploadPiece {
        UploadPiece(self, target, bytes: bytes, checksum: checksum)
    }

    /// Begins an upload of which no byte has come yet.
    ///
    /// - Throws: As `begin`.
    package func create(_ new: NewUpload) async throws(Refusal) -> UploadState {
        try await moment {
            let upload = try self.begin(new)
            self.unlock(upload.id)
            return UploadState(upload)
        }
    }

    /// Ends a piece whose request has no body.
    ///
    /// - Throws: As `UploadPiece.result`.
    package func finish(_ piece: UploadPiece) async throws(Refusal) -> UploadState {
        try await moment {
            piece.finish(isWhole: true)
            return try piece.result()
        }
    }

    /// How an upload stands, and its track if it has become one.
    ///
    /// - Throws: `uploadNotFound`, `busy`, `storage`.
    package func status(_ id: MusicID, of owner: UserID) async throws(Refusal) -> (UploadState, track: MusicID?) {
        try await moment {
            let upload = try self.record(id, of: owner)
            return (UploadState(upload), try self.track(of: upload))
        }
    }

    /// Ends an upload and forgets it. Its track stays, if it has become one.
    ///
    /// - Throws: `uploadNotFound`; `uploadLocked` while bytes of it are coming; `busy`, `storage`.
    package func terminate(_ id: MusicID, of owner: UserID) async throws(Refusal) {
        try await moment {
            guard self.lock(id) else { throw Refusal(.uploadLocked, retryAfterMilliseconds: 1_000) }
            defer { self.unlock(id) }
            _ = try self.record(id, of: owner)
            self.forget(id)
        }
    }

    /// Makes a track of an upload that is whole.
    ///
    /// - Returns: The track, and whether it is new: the same content of the same account is one track.
    /// - Throws: `mediaUnsupported`, `mediaDamaged`, after which nothing of the upload is left; `uploadNotFound`,
    ///   `uploadLocked`, `uploadOffsetConflict`, `quotaServerFull`, `busy`, `storage`.
    package func complete(_ id: MusicID) async throws(Refusal) -> (track: MusicID, isNew: Bool) {
        var attempts = 0
        while true {
            do {
                let made = try await work.run { try self.completeNow(id) }
                if made.isNew, let trackMade = state.withLock({ $0.trackMade }) { Task { await trackMade(made.track) } }
                return made
            } catch {
                let refusal = refusal(error)
                attempts += 1
                // Somebody else is just finishing it.
                guard refusal.code == .uploadLocked, attempts < Self.attemptsMax else { throw refusal }
            }
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    private static let attemptsMax = 100

    /// Runs work that may take seconds.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await work.run(body)
    }

    func note(usedBytes: Int64) { state.withLock { $0.figures.usedBytes = usedBytes } }

    private func moment<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws(Refusal) -> Value {
        do { return try await moments.run(body) } catch { throw refusal(error) }
    }

    /// What a client is told of an error. The operator is told of those of the disk, at most once a minute.
    func refusal(_ error: any Error) -> Refusal {
        guard let failure = error as? MediaFolder.Failure else { return Refusal(reading: error) }
        let now = now
        let isTold = state.withLock { state in
            guard abs(now - state.noticedMilliseconds) >= 60_000 else { return false }
            state.noticedMilliseconds = now
            return true
        }
        if isTold { notice?("An upload could not be stored: \(failure.reason).") }
        return Refusal(failure.isOfSpace ? .quotaServerFull : .serverStorageFailed)
    }

    // MARK: Rows

    /// Begins an upload: all limits are counted in the transaction that stores it. Blocks.
    ///
    /// - Returns: Its row. The caller has the lock of the upload.
    /// - Throws: `uploadTooLarge`, `uploadLimitReached`, `quotaExceeded`, `quotaServerFull`; `forbidden`, `banned`,
    ///   `tokenInvalid`; `busy`, `storage`.
    func begin(_ new: NewUpload) throws -> UploadRecord {
        let (limits, now, free) = (limits, now, folder.freeBytes)
        guard new.length > 0 else { throw Refusal(.mediaUnsupported, "The file is empty.") }
        guard new.length <= limits.fileBytes else {
            throw Refusal(.uploadTooLarge, "A file may have \(limits.fileBytes) bytes.")
        }
        let name = new.name.flatMap { Self.name($0) }
        let upload = UploadRecord(
            id: .random(milliseconds: now), owner: new.owner, name: name, length: new.length,
            metadata: new.metadata, isResumable: new.isResumable, createdMilliseconds: now,
            touchedMilliseconds: now)
        guard lock(upload.id) else { throw Refusal(.serverDraining, retryAfterMilliseconds: 2_000) }
        do {
            let used = try insert(upload, limits, free: free)
            state.withLock { $0.figures.usedBytes = used }
        } catch {
            unlock(upload.id)
            throw error
        }
        return upload
    }

    /// - Returns: Bytes of all contents and uploads.
    private func insert(_ upload: UploadRecord, _ limits: UploadLimits, free: Int64?) throws -> Int64 {
        let now = now
        return try database.writeNow { db in
            try AdminRights.require(.libraryUpload, of: upload.owner, now: now, in: &db)
            let own = try UploadUsage(of: upload.owner, in: &db)
            guard own.uploadCount < Limits.uploadsUnderWayMax else { throw Refusal(.uploadLimitReached) }
            let plan = try Plans.limits(of: upload.owner, in: &db)
            if let most = plan.uploadsPerDay, try Self.countOfToday(upload.owner, now: now, in: &db) >= most {
                throw Refusal(
                    .quotaUploads, "You may upload \(most) files in 24 hours.", retryAfterMilliseconds: 3_600_000)
            }
            let accountBytes = plan.storageBytes ?? limits.accountBytes
            guard own.usedBytes + own.comingBytes <= accountBytes - upload.length else {
                let left = max(0, accountBytes - own.usedBytes - own.comingBytes)
                throw Refusal(
                    .quotaExceeded,
                    "You have \(left) bytes left for uploads, and the file has \(upload.length).")
            }
            let all = try UploadUsage(in: &db)
            let isRoom = free.map { $0 - (all.missingBytes + upload.length) >= UploadLimits.reserveBytes } ?? true
            guard isRoom, all.usedBytes + all.comingBytes <= limits.spaceBytes - upload.length else {
                throw Refusal(.quotaServerFull)
            }
            try db.insert(upload)
            return all.usedBytes + all.comingBytes + upload.length
        }
    }

    /// The row of an upload. Blocks.
    ///
    /// - Throws: `uploadNotFound`, also for uploads of others and those that have expired.
    func record(_ id: MusicID, of owner: UserID) throws -> UploadRecord {
        let before = now - Int64(Limits.uploadIdleSeconds) * 1_000
        guard let upload = try row(id), upload.owner == owner, upload.touchedMilliseconds > before else {
            throw Refusal(.uploadNotFound)
        }
        return upload
    }

    func row(_ id: MusicID) throws -> UploadRecord? {
        try database.readNow { db in try db.first(UploadRecord.self, key: id) }
    }

    /// Stores how far an upload is. Blocks until it is on disk.
    ///
    /// - Throws: `uploadNotFound` if the upload has been ended, or its account removed.
    func store(_ upload: UploadRecord) throws {
        let isThere = try database.writeNow { db in
            try db.execute(
                """
                UPDATE uploads SET received = \(upload.received), touched_ms = \(upload.touchedMilliseconds)
                WHERE id = \(upload.id) AND track IS NULL
                """) > 0
        }
        guard !isThere else { return }
        folder.removeIncoming(upload.id)
        throw Refusal(.uploadNotFound)
    }

    /// Removes an upload. What fails is done by the sweep. Blocks.
    func forget(_ id: MusicID) {
        _ = try? database.writeNow { db in try db.execute("DELETE FROM uploads WHERE id = \(id)") }
        folder.removeIncoming(id)
    }

    private func track(of upload: UploadRecord) throws -> MusicID? {
        guard let number = upload.track else { return nil }
        return try database.readNow { db in try db.first(TrackRecord.self, key: number)?.id }
    }

    /// The name of a file, fit to be shown: the last part of a path, as one line.
    private static func name(_ text: String) -> String? {
        let last = text.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init)
        guard var name = TrackDescription.line(last) else { return nil }
        while name.utf8.count > Limits.uploadNameBytes.upperBound { name.removeLast() }
        return name
    }

    // MARK: Becoming a track

    private func completeNow(_ id: MusicID) throws -> (track: MusicID, isNew: Bool) {
        guard lock(id) else { throw Refusal(.uploadLocked, retryAfterMilliseconds: 1_000) }
        defer { unlock(id) }
        guard var upload = try row(id) else { throw Refusal(.uploadNotFound) }
        if let track = try track(of: upload) { return (track, false) }
        guard upload.received == upload.length else {
            throw Refusal(.uploadOffsetConflict, "The server has \(upload.received) bytes of this upload.")
        }
        let (file, isMoved) = try open(&upload)
        defer { Glibc.close(file) }
        let tags = try scan(file, id)
        let content = try upload.content.flatMap { isMoved ? $0 : nil } ?? MediaFolder.hash(file)
        contents.hold(content)
        defer { contents.release(content) }
        upload.content = content
        let known: MusicID?
        do {
            known = try announce(upload, content)
        } catch let refusal as Refusal where refusal.code == .mediaTakenDown {
            forget(id)
            throw refusal
        }
        if let known {
            folder.removeIncoming(id)
            removeSoon(content)
            state.withLock { $0.figures.finished &+= 1 }
            return (known, false)
        }
        if !isMoved { try folder.keep(id, as: content, size: upload.length) }
        let track = try add(upload, content, tags)
        state.withLock { $0.figures.finished &+= 1 }
        return (track, true)
    }

    /// Opens the file where it is: under way, or at its place already.
    ///
    /// - Throws: `uploadOffsetConflict` if the disk has lost some of it.
    private func open(_ upload: inout UploadRecord) throws -> (file: Int32, isMoved: Bool) {
        func size(_ file: Int32) -> Int64? {
            var status = stat()
            return fstat(file, &status) == 0 ? Int64(status.st_size) : nil
        }
        if let file = folder.open(incoming: upload.id) {
            if size(file) == upload.length { return (file, false) }
            Glibc.close(file)
        }
        if let content = upload.content, let file = folder.open(content: content) {
            if size(file) == upload.length { return (file, true) }
            Glibc.close(file)
        }
        upload.received = min(upload.length - 1, folder.incomingSize(upload.id))
        try store(upload)
        throw Refusal(.uploadOffsetConflict, "The server has \(upload.received) bytes of this upload.")
    }

    /// Reads the tags of a file in a worker.
    ///
    /// - Throws: `mediaUnsupported`, `mediaDamaged`: the upload is removed. `busy` if no worker starts.
    private func scan(_ file: Int32, _ id: MusicID) throws -> SoundTags {
        guard let program else { throw Refusal.busy(retryAfterMilliseconds: 60_000) }
        var result = SoundScanner(program).scan([file]).first ?? .failure(.unavailable("no answer"))
        // Tags without any sound behind them. A length of 0 says less: files that were written to a pipe have it, too.
        if case .success(let tags) = result, tags.kind.hasTags, tags.sampleRate == 0 { result = .failure(.notSound) }
        switch result {
        case .success(let tags): return tags
        case .failure(.unavailable(let reason)):
            notice?("The program that reads the tags of uploads does not run: \(reason).")
            throw Refusal.busy(retryAfterMilliseconds: 10_000)
        case .failure(let failure):
            forget(id)
            state.withLock { $0.figures.unsupported &+= 1 }
            throw Refusal(failure == .notSound ? .mediaUnsupported : .mediaDamaged)
        }
    }

    /// Names the content in the row of the upload, before the file goes to its place.
    ///
    /// - Returns: The account's track of the same content, if there is one: the upload is finished then.
    private func announce(_ upload: UploadRecord, _ content: [UInt8]) throws -> MusicID? {
        let now = now
        return try database.writeNow { db in
            guard try !RefusedContentRecord.isRefused(content, in: &db) else { throw Refusal(.mediaTakenDown) }
            let known = try Self.known(content, of: upload.owner, &db)
            let named: [UInt8]? = known == nil ? content : nil
            let changes = try db.execute(
                """
                UPDATE uploads SET content = \(named), track = \(known?.number), touched_ms = \(now)
                WHERE id = \(upload.id)
                """)
            guard changes > 0 else { throw Refusal(.uploadNotFound) }
            return known?.id
        }
    }

    /// Adds the track, once the file is at its place.
    private func add(_ upload: UploadRecord, _ content: [UInt8], _ tags: SoundTags) throws -> MusicID {
        let now = now
        var withoutLyrics = tags
        let lyrics = withoutLyrics.takeLyrics().lazy.compactMap { Lyrics($0) }.first
        let tags = withoutLyrics
        do {
            return try database.writeNow { db in
                guard try db.exists(UploadRecord.self, key: upload.id) else { throw Refusal(.uploadNotFound) }
                guard try !RefusedContentRecord.isRefused(content, in: &db) else { throw Refusal(.mediaTakenDown) }
                var track = try Self.known(content, of: upload.owner, &db)
                if track == nil {
                    let place = AlbumIdentity.Place(
                        folder: TrackScope.own, directory: Array(upload.owner.rawValue.utf8))
                    let name = Array((upload.name ?? "").utf8)
                    let number = try TrackWriter(now: now, names: NameNumbers()).add(
                        TrackDescription(tags, name: SoundNames.stem(name)), TrackWriter.Sound(tags), in: place,
                        owner: upload.owner, status: nil, scope: TrackScope.ofUpload(nil), &db)
                    try db.upsert(MediaContentRecord(content: content, size: upload.length))
                    try db.insert(
                        MusicFileRecord(
                            number: nil, directory: nil, name: upload.name.map { Array($0.utf8) }, content: content,
                            size: upload.length, track: number, hasPicture: tags.hasPicture, tags: tags.encoded))
                    try LyricsRecord.put(lyrics, of: number, &db)
                    guard let id = try db.first(TrackRecord.self, key: number)?.id else {
                        throw Refusal(.serverInternal)
                    }
                    track = (number, id)
                }
                guard let track else { throw Refusal(.serverInternal) }
                try db.execute(
                    """
                    UPDATE uploads SET track = \(track.number), content = NULL, touched_ms = \(now)
                    WHERE id = \(upload.id)
                    """)
                return track.id
            }
        } catch let refusal as Refusal where refusal.code == .uploadNotFound {
            // The account was removed meanwhile. Nobody names the content: the sweep removes it.
            removeSoon(content)
            throw refusal
        } catch let refusal as Refusal where refusal.code == .mediaTakenDown {
            // Taken down while the upload came to its end.
            forget(upload.id)
            removeSoon(content)
            throw refusal
        }
    }

    /// The account's track of a content.
    private static func known(
        _ content: [UInt8], of owner: UserID, _ db: inout WriteAccess
    ) throws -> (number: Int64, id: MusicID)? {
        try db.first(
            """
            SELECT t.number, t.id FROM music_files f JOIN tracks t ON t.number = f.track
            WHERE f.content = \(content) AND t.owner_uid = \(owner) ORDER BY t.number LIMIT 1
            """
        ) { row in (try row.next(), try row.next()) }
    }
}
