internal import Glibc
internal import SonaBase
internal import SonaCrypto
internal import SonaDatabase
internal import SonaImages
internal import SonaMedia
package import SonaModel
package import SonaWire

/// Covers of tracks in three sizes, and their colours: the picture in the file, else that of its directory.
///
/// A worker makes them when they are first asked for, or when a job finds the colour.
package final class CoverStore: Sendable {
    /// A cover in one size.
    package struct Cover: Sendable {
        /// WebP.
        package let bytes: [UInt8]
        /// A strong entity tag.
        package let tag: String
        /// Whether the picture is the one that the key was made for. One that was replaced since the last scan is not.
        package let isLasting: Bool
    }

    /// Raised when sizes or encoding change.
    private static let version = 2

    private let dao: MusicDAO
    private let files: TrackFiles
    private let keys: CoverKeys
    private let jobs: Jobs
    private let pictures: PictureWorkers?
    private let threads: WorkerThreads
    private let made: CoverFiles
    /// Pictures that gave no cover, so that each request does not try again.
    private let failures = Monitor<Set<String>>([])

    init(
        _ dao: MusicDAO, _ files: TrackFiles, _ keys: CoverKeys, jobs: Jobs, _ pictures: PictureWorkers?,
        folder media: String?
    ) {
        self.dao = dao
        self.files = files
        self.keys = keys
        self.jobs = jobs
        self.pictures = pictures
        made = CoverFiles(folder: media.map { $0 + "/covers" })
        threads = WorkerThreads("covers", threads: PictureWorkers.countMax, queueMax: 64)
    }

    /// The rows that lead to a picture.
    private enum Found: Sendable {
        case embedded(TrackFiles.Found)
        case beside(MusicDirectoryRecord)
    }

    private static func find(_ source: CoverSource, _ db: inout some DatabaseAccess & ~Copyable) throws -> Found? {
        switch source.place {
        case .file(let number):
            guard let track = try db.first(TrackRecord.self, key: source.trackNumber),
                let file = try db.first(MusicFileRecord.self, key: number)
            else { return nil }
            let directory = try file.directory.flatMap { try db.first(MusicDirectoryRecord.self, key: $0) }
            return .embedded(TrackFiles.Found(track: track, file: file, directory: directory))
        case .directory(let number):
            return try db.first(MusicDirectoryRecord.self, key: number).map { .beside($0) }
        }
    }

    // MARK: By a key

    /// The cover of a key, which is the right to it.
    ///
    /// - Throws: `trackNoCover` for a key that this server has not made, or whose track or picture is gone; `photoBusy`,
    ///   `busy`, `storage`.
    package func cover(_ key: String, _ size: CoverSize) async throws(Refusal) -> Cover {
        guard let track = CoverKeys.track(key) else { throw Refusal(.trackNoCover) }
        let keys = keys
        let found = try await dao.read { db in
            guard let source = try CoverSource.find(track, in: &db), keys.isValid(key, for: source) else {
                return nil as Found?
            }
            return try Self.find(source, &db)
        }
        guard let found else { throw Refusal(.trackNoCover) }
        let outcome: Result<Cover, Refusal>
        do throws(WorkerThreads.Busy) {
            outcome = try await threads.run { Result { () throws(Refusal) in try self.cover(found, size) } }
        } catch {
            throw .busy(.photoBusy, retryAfterMilliseconds: error.retryAfterMilliseconds)
        }
        return try outcome.get()
    }

    // MARK: On a thread of its own

    /// A picture that is open for reading.
    private struct OpenPicture {
        let descriptor: Int32
        /// Identifies it.
        let name: String
        /// Whether the library knows it as it is.
        let isKnown: Bool
    }

    /// - Returns: The picture with an open descriptor, which the caller closes; `nil` if there is no picture.
    private func open(_ found: Found) -> OpenPicture? {
        let descriptor: Int32?
        switch found {
        case .embedded(let file): descriptor = files.open(file)
        case .beside(let directory):
            guard let name = directory.cover else { return nil }
            let prefix = directory.path.isEmpty ? [] : directory.path + [UInt8(ascii: "/")]
            descriptor = files.folders.open(prefix + name, in: directory.folder)
        }
        guard let descriptor else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            Glibc.close(descriptor)
            return nil
        }
        let modified = status.modifiedNanoseconds
        let text = "\(Self.version)|\(status.st_size)|\(modified)|\(status.st_dev)|\(status.st_ino)"
        let name = Digest.sha256(text.utf8).prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let isKnown =
            switch found {
            case .embedded(let found):
                found.file.content != nil
                    || found.file.size == status.st_size && found.file.modifiedNanoseconds == modified
            case .beside(let directory): directory.coverModifiedNanoseconds == modified
            }
        return OpenPicture(descriptor: descriptor, name: name, isKnown: isKnown)
    }

    private func cover(_ found: Found, _ size: CoverSize) throws(Refusal) -> Cover {
        guard let picture = open(found) else { throw Refusal(.trackNoCover) }
        defer { Glibc.close(picture.descriptor) }
        let tag = "\"\(picture.name).\(size.rawValue)\""
        if let bytes = made.read(picture.name, size) {
            return Cover(bytes: bytes, tag: tag, isLasting: picture.isKnown)
        }
        if failures.withLock({ $0.contains(picture.name) }) { throw Refusal(.trackNoCover) }
        let photo: SonaImages.Photo?
        do throws(PictureWorkers.Failure) { photo = try make(picture, found) } catch {
            throw .busy(.photoBusy, retryAfterMilliseconds: 5_000)
        }
        guard let photo else { throw Refusal(.trackNoCover) }
        made.keep(photo, picture.name, CoverSize.allCases)
        return Cover(bytes: photo.bytes(size), tag: tag, isLasting: picture.isKnown)
    }

    /// Has a worker make a cover, and notes its colour.
    ///
    /// - Returns: `nil` for a picture that can't be read.
    /// - Throws: `unavailable`.
    private func make(_ picture: OpenPicture, _ found: Found) throws(PictureWorkers.Failure) -> SonaImages.Photo? {
        guard let pictures else { throw .unavailable }
        var photo: SonaImages.Photo?
        do throws(PictureWorkers.Failure) { photo = try pictures.cover(of: picture.descriptor) } catch {
            guard error != .unavailable else { throw error }
            failures.withLock { failures in
                if failures.count >= 10_000 { failures = [] }
                failures.insert(picture.name)
            }
        }
        if picture.isKnown { note(photo?.color, of: found) }
        return photo
    }

    /// Stores the colour of a picture. A failure is ignored: the next scan has it found again.
    private func note(_ color: RGB?, of found: Found) {
        let number =
            color.map { Int64($0.red) << 16 | Int64($0.green) << 8 | Int64($0.blue) } ?? CoverSource.noColor
        _ = try? dao.database.writeNow { db in
            switch found {
            case .embedded(let found):
                try db.execute(
                    """
                    UPDATE music_files SET cover_color = \(number)
                    WHERE number = \(found.file.number) AND size = \(found.file.size)
                        AND modified_ns = \(found.file.modifiedNanoseconds) AND cover_color IS NOT \(number)
                    """)
            case .beside(let directory):
                try db.execute(
                    """
                    UPDATE music_directories SET cover_color = \(number)
                    WHERE number = \(directory.number) AND cover = \(directory.cover)
                        AND cover_modified_ns IS \(directory.coverModifiedNanoseconds) AND cover_color IS NOT \(number)
                    """)
            }
        }
    }

    // MARK: Colours

    /// Whether the colour of a file's or a directory's picture is still to be found.
    private static let isColorless: SQL = """
        f.missing_ms IS NULL AND f.problem IS NULL AND (f.has_picture AND f.cover_color IS NULL
            OR NOT f.has_picture AND d.cover IS NOT NULL AND d.cover_color IS NULL)
        """

    /// Has the colours found that are not known: a batch as one job, which has the next batch follow it.
    package func findColors(after last: Int64 = 0) async {
        guard pictures != nil else { return }
        do throws(Refusal) {
            let tracks = try await dao.read { db in
                try db.values(
                    """
                    SELECT DISTINCT f.track FROM music_files f LEFT JOIN music_directories d ON d.number = f.directory
                    WHERE f.track > \(last) AND \(Self.isColorless) ORDER BY f.track LIMIT \(CoverJob.batchTracks)
                    """, as: Int64.self)
            }
            guard !tracks.isEmpty else { return }
            try await jobs.add(Jobs.Order(CoverJob.name, key: CoverJob.name, payload: JobPayload(tracks: tracks)))
        } catch {
            // The next scan, or the next hour, begins again.
        }
    }

    /// Finds the colour of a track's cover, if it is not known, and keeps the small sizes. Blocks: a job's thread.
    ///
    /// - Throws: `unavailable`.
    func findColor(_ track: Int64) throws(PictureWorkers.Failure) {
        let found: Found? = try? dao.database.readNow { db in
            guard let source = try CoverSource.find([track], in: &db)[track], source.color == nil else { return nil }
            return try Self.find(source, &db)
        }
        guard let found, let picture = open(found) else { return }
        defer { Glibc.close(picture.descriptor) }
        if let photo = try make(picture, found) { made.keep(photo, picture.name, [.small, .medium]) }
    }

    /// Removes the least recently used covers beyond the space for all, and has missing colours found.
    ///
    /// - Returns: How many files were removed.
    @discardableResult
    func tidy() async -> Int {
        await findColors()
        let made = made
        return (try? await threads.run { made.tidy() }) ?? 0
    }

    func close() { threads.close() }
}
