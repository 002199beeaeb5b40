internal import Glibc
internal import SonaBase
internal import SonaCrypto
internal import SonaDatabase
internal import SonaImages
internal import SonaMedia
package import SonaModel
package import SonaWire

/// Covers of tracks in three sizes: the picture in the file, else that of its directory.
///
/// A worker makes them when they are first asked for. They lie in the data folder as WebP, named by what they were made
/// of: another picture, and another version of this code, has another name.
package final class CoverStore: Sendable {
    /// A cover in one size.
    package struct Cover: Sendable {
        /// WebP.
        package let bytes: [UInt8]
        /// A strong entity tag.
        package let tag: String
    }

    /// Raised when sizes or encoding change.
    private static let version = 1
    /// Bytes of a picture that lies beside the music.
    private static let pictureBytesMax = 20 << 20
    /// Bytes of all covers that are kept. The least recently used ones go.
    private static let spaceMax: Int64 = 512 << 20

    private let dao: MusicDAO
    private let files: TrackFiles
    private let pictures: PictureWorkers?
    private let threads: WorkerThreads
    /// Where they lie. `nil`: they are made for each request.
    private let folder: String?
    /// Sources that gave no cover, so that each request does not try again.
    private let failures = Monitor<Set<String>>([])

    init(_ dao: MusicDAO, _ files: TrackFiles, _ pictures: PictureWorkers?, folder media: String?) {
        self.dao = dao
        self.files = files
        self.pictures = pictures
        folder = media.map { $0 + "/covers" }
        threads = WorkerThreads("covers", threads: PictureWorkers.countMax, queueMax: 64)
    }

    /// The picture that a cover is made of.
    private enum Source: Sendable {
        /// The picture inside of a track's file.
        case embedded(TrackFiles.Found)
        /// A picture in a directory of a folder.
        case beside(path: [UInt8], folder: Int64)

        var isEmbedded: Bool { if case .embedded = self { true } else { false } }
    }

    /// - Throws: `trackNotFound`, also if the listener may hear nothing of it; `trackNoCover`; `photoBusy`, `busy`,
    ///   `storage`.
    package func cover(of id: MusicID, _ size: PhotoSize, for listener: Listener) async throws(Refusal) -> Cover {
        let source = try await source(of: id, for: listener)
        let outcome: Result<Cover, Refusal>
        do throws(WorkerThreads.Busy) {
            outcome = try await threads.run { Result { () throws(Refusal) in try self.cover(source, size) } }
        } catch {
            throw .busy(.photoBusy, retryAfterMilliseconds: error.retryAfterMilliseconds)
        }
        return try outcome.get()
    }

    private func source(of id: MusicID, for listener: Listener) async throws(Refusal) -> Source {
        try await dao.read { db in
            guard let track = try db.first(TrackRecord.filter(TrackRecord.id == id)),
                Access.to(try Access.rights(of: track, for: listener, in: &db), for: listener) != .none
            else { throw Refusal(.trackNotFound) }
            let found = try TrackFiles.find(track, in: &db)
            if found.file.hasPicture { return .embedded(found) }
            guard let directory = found.directory, let cover = directory.cover else { throw Refusal(.trackNoCover) }
            let prefix = directory.path.isEmpty ? [] : directory.path + [UInt8(ascii: "/")]
            return .beside(path: prefix + cover, folder: directory.folder)
        }
    }

    private func open(_ source: Source) -> Int32? {
        switch source {
        case .embedded(let found): files.open(found)
        case .beside(let path, let folder): files.folders.open(path, in: folder)
        }
    }

    // MARK: On a thread of its own

    private func cover(_ source: Source, _ size: PhotoSize) throws(Refusal) -> Cover {
        guard let file = open(source) else { throw Refusal(.trackNoCover) }
        defer { Glibc.close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw Refusal(.trackNoCover) }
        let text =
            "\(Self.version)|\(source.isEmbedded)|\(status.st_size)|\(status.st_mtim.tv_sec)."
            + "\(status.st_mtim.tv_nsec)|\(status.st_dev)|\(status.st_ino)"
        let digest = Digest.sha256(text.utf8).prefix(16)
        let key = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let tag = "\"\(key).\(size.rawValue)\""
        if let path = folder.map({ "\($0)/\(key).\(size.rawValue)" }), let bytes = try? WholeFile.read(path) {
            utimensat(AT_FDCWD, path, nil, 0)
            return Cover(bytes: bytes, tag: tag)
        }
        if failures.withLock({ $0.contains(key) }) { throw Refusal(.trackNoCover) }
        let photo = try make(file, size: Int64(status.st_size), source, key)
        keep(photo, key)
        let bytes =
            switch size {
            case .small: photo.squares[0].bytes
            case .medium: photo.squares[1].bytes
            case .full: photo.full.bytes
            }
        return Cover(bytes: bytes, tag: tag)
    }

    private func make(_ file: Int32, size: Int64, _ source: Source, _ key: String) throws(Refusal) -> SonaImages.Photo {
        guard let pictures else { throw .busy(.photoBusy, retryAfterMilliseconds: 60_000) }
        do throws(PictureWorkers.Failure) {
            if source.isEmbedded { return try pictures.cover(of: file) }
            guard size <= Self.pictureBytesMax,
                let bytes = try? WholeFile.read(descriptor: file, bytesMax: Self.pictureBytesMax)
            else { throw .picture(ImageError(.tooManyBytes(count: Int(size)), "The picture is too large.")) }
            return try pictures.photo(bytes)
        } catch {
            switch error {
            case .unavailable: throw .busy(.photoBusy, retryAfterMilliseconds: 5_000)
            case .picture:
                failures.withLock { failures in
                    if failures.count >= 10_000 { failures = [] }
                    failures.insert(key)
                }
                throw Refusal(.trackNoCover)
            }
        }
    }

    /// Writes the three sizes. A failure is ignored: they are made again when they are asked for.
    private func keep(_ photo: SonaImages.Photo, _ key: String) {
        guard let folder else { return }
        var made = ""
        for part in folder.split(separator: "/") {
            made += "/\(part)"
            mkdir(made, 0o700)
        }
        let sizes: [(PhotoSize, [UInt8])] = [
            (.small, photo.squares[0].bytes), (.medium, photo.squares[1].bytes), (.full, photo.full.bytes),
        ]
        for (size, bytes) in sizes { _ = try? SecretFile.create("\(folder)/\(key).\(size.rawValue)", bytes) }
    }

    /// Removes the least recently used covers beyond the space for all.
    ///
    /// - Returns: How many files were removed.
    @discardableResult
    func tidy() async -> Int {
        guard let folder else { return 0 }
        return (try? await threads.run { Self.tidy(folder) }) ?? 0
    }

    private static func tidy(_ folder: String) -> Int {
        guard let stream = opendir(folder) else { return 0 }
        defer { closedir(stream) }
        var files: [(name: String, size: Int64, used: Int64)] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            var status = stat()
            guard stat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            files.append((name, Int64(status.st_size), Int64(status.st_mtim.tv_sec)))
        }
        var space = files.reduce(0) { $0 + $1.size }
        var count = 0
        for file in files.sorted(by: { $0.used < $1.used }) where space > spaceMax {
            unlink("\(folder)/\(file.name)")
            space -= file.size
            count += 1
        }
        return count
    }

    func close() { threads.close() }
}
