internal import Glibc
internal import SonaAudio
internal import SonaBase

/// Albums for a first try: music that is composed, played, encoded and given covers by the server itself, as files in a
/// folder. Nothing has to be shipped or downloaded.
///
/// Files get their names when they are complete, so that a folder whose writing was cut off is completed by the next
/// call. A folder that is complete is left as it is: a file that somebody removed is not written again. Albums of
/// another version of Sona are replaced.
///
///     try await DemoAlbums(folder: configuration.dataFolder + "/demo").writeInBackground(until: stopping)
struct DemoAlbums: Sendable {
    /// How writing ended.
    enum Outcome: Equatable {
        /// All files are there; so many of them were written now.
        case complete(written: Int)
        /// Asked to stop before the end.
        case stopped
    }

    let folder: String
    var albums = DemoAlbum.all
    /// Pixels of a cover, each way.
    var coverSide = 640
    /// Tracks that are longer end there.
    var secondsMax = Double.infinity

    /// Raised when the music, the covers or the tags change.
    static let version = 1
    private static let coverName = "cover.png"

    init(folder: String) { self.folder = folder }

    /// The files, in the order in which they are written: a cover comes before its tracks.
    var files: [String] {
        albums.flatMap { album in
            ["\(album.folder)/\(Self.coverName)"]
                + album.tracks.indices.map { "\(album.folder)/\(album.fileName(of: $0))" }
        }
    }

    /// Writes on a thread of low priority, so that packets of rooms are not late.
    ///
    /// - Throws: `ServerError.demoAlbums`.
    func writeInBackground(until stop: StopFlag = StopFlag()) async throws(ServerError) -> Outcome {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Outcome, ServerError>, Never>) in
            let isStarted = WorkerThread.start("sona-demo") {
                // On Linux this sets the priority of the calling thread only.
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
                continuation.resume(returning: Result { () throws(ServerError) in try write(until: stop) })
            }
            if !isStarted { continuation.resume(returning: .failure(.demoAlbums("there is no thread for it"))) }
        }
        return try result.get()
    }

    /// Writes what is missing. Blocks, and takes a core for some seconds if all is: off the loop.
    ///
    /// - Parameter stop: Looked at before each file.
    /// - Throws: `ServerError.demoAlbums`. Files written before it stay, and the next call goes on.
    func write(until stop: StopFlag = StopFlag()) throws(ServerError) -> Outcome {
        do throws(SecretFile.Failure) {
            try Self.makeFolder(folder)
            let marker = try DemoMarker.read(inFolder: folder)
            if let marker, marker.version == Self.version, marker.isComplete { return .complete(written: 0) }
            if let marker, marker.version != Self.version { remove(marker.files) }
            try DemoMarker(version: Self.version, isComplete: false, files: files).write(inFolder: folder)
            removeLeftovers()
        } catch { throw Self.failure(error) }
        var written = 0
        for (number, album) in albums.enumerated() {
            guard let count = try write(album, number, until: stop) else { return .stopped }
            written += count
        }
        do throws(SecretFile.Failure) {
            try DemoMarker(version: Self.version, isComplete: true, files: files).write(inFolder: folder)
        } catch { throw Self.failure(error) }
        return .complete(written: written)
    }

    /// - Returns: Files that were written; nil if it was stopped.
    private func write(_ album: DemoAlbum, _ number: Int, until stop: StopFlag) throws(ServerError) -> Int? {
        let albumFolder = "\(folder)/\(album.folder)"
        var written = 0
        do {
            try Self.makeFolder(albumFolder)
            var cover: [UInt8]?
            func coverBytes() throws -> [UInt8] {
                let bytes = try cover ?? album.cover.png(side: coverSide)
                cover = bytes
                return bytes
            }
            guard !stop.isSet else { return nil }
            if try Self.create("\(albumFolder)/\(Self.coverName)", coverBytes) { written += 1 }
            for index in album.tracks.indices {
                guard !stop.isSet else { return nil }
                let isNew = try Self.create("\(albumFolder)/\(album.fileName(of: index))") {
                    // Programs that look into files and not beside them find the picture in the first.
                    let picture =
                        index == 0
                        ? OpusPicture(
                            frontCover: try coverBytes(), mediaType: "image/png", width: coverSide, height: coverSide)
                        : nil
                    return try album.tracks[index].file(
                        tags: album.tags(of: index, cover: picture), serial: UInt32(number * 100 + index + 1),
                        secondsMax: secondsMax)
                }
                if isNew { written += 1 }
            }
        } catch let error as SecretFile.Failure {
            throw Self.failure(error)
        } catch {
            throw .demoAlbums("\(error)")
        }
        return written
    }

    // MARK: Files

    /// - Returns: False if there is a file of that name, whose content is then not made.
    private static func create(_ path: String, _ make: () throws -> [UInt8]) throws -> Bool {
        var status = stat()
        guard lstat(path, &status) != 0 else { return false }
        return try SecretFile.create(path, make())
    }

    private static func makeFolder(_ path: String) throws(SecretFile.Failure) {
        guard mkdir(path, 0o700) != 0 else { return }
        let code = errno
        var status = stat()
        // A link to a folder elsewhere is the operator's wish.
        guard code == EEXIST, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw .system(operation: "mkdir", errno: code == EEXIST ? ENOTDIR : code)
        }
    }

    /// Removes files of an older version, and their folders if nothing else is in them.
    private func remove(_ files: [String]) {
        for file in files { unlink("\(folder)/\(file)") }
        for album in Set(files.compactMap { $0.split(separator: "/").first }) { rmdir("\(folder)/\(album)") }
    }

    /// Removes files that were being written when the server was killed. `SecretFile` names them `NAME.….tmp`.
    private func removeLeftovers() {
        let ours = files + [DemoMarker.name]
        for place in [folder] + albums.map({ "\(folder)/\($0.folder)" }) {
            guard let entries = opendir(place) else { continue }
            defer { closedir(entries) }
            while let entry = readdir(entries) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                let path = "\(place)/\(name)"
                guard name.hasSuffix(".tmp"), ours.contains(where: { path.hasPrefix("\(folder)/\($0).") }) else {
                    continue
                }
                unlink(path)
            }
        }
    }

    private static func failure(_ failure: SecretFile.Failure) -> ServerError {
        switch failure {
        case .system(let operation, let code): .demoAlbums("\(operation): \(String(cString: strerror(code)))")
        case .permissionsTooOpen: .demoAlbums("others may write the file \(DemoMarker.name)")
        case .notSuchAFile: .demoAlbums("\(DemoMarker.name) is no file of Sona")
        }
    }
}
