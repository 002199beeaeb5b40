internal import Glibc
internal import SonaBase
internal import SonaCrypto

/// Puts files and pieces of the database into a place, each content once.
struct ObjectStore {
    private let place: any BackupPlace
    private let dataFolder: String
    /// Files of an earlier backup by their paths: a file with the same size and time is not read again.
    private let earlier: [String: BackupManifest.File]
    /// Bytes of new objects.
    private(set) var storedBytes: Int64 = 0
    private(set) var storedCount = 0

    /// Smaller files are hashed in memory, and written only if they are new.
    private static let smallBytesMax: Int64 = 1 << 20

    init(_ place: any BackupPlace, dataFolder: String, earlier: BackupManifest?) {
        self.place = place
        self.dataFolder = dataFolder
        self.earlier = Dictionary(
            uniqueKeysWithValues: Dictionary(grouping: earlier?.files ?? [], by: \.path).compactMapValues(\.first).map {
                ($0.key, $0.value)
            })
    }

    /// The entry of a file whose hash is its name, or stands in the backup before; `nil` if it has to be read.
    func known(_ source: SourceFiles.Source) -> BackupManifest.File? {
        let hash: String
        if let named = SourceFiles.namedHash(source.path) {
            hash = named
        } else if let file = earlier[source.path], file.size == source.size,
            file.modifiedNanoseconds == source.modifiedNanoseconds
        {
            hash = file.hash
        } else {
            return nil
        }
        guard place.size(ofObject: hash) == source.size else { return nil }
        return BackupManifest.File(
            path: source.path, size: source.size, modifiedNanoseconds: source.modifiedNanoseconds, hash: hash)
    }

    /// - Returns: `nil` if the file is gone.
    mutating func store(_ source: SourceFiles.Source) throws(BackupError) -> BackupManifest.File? {
        if let known = known(source) { return known }
        let copied: (size: Int64, hash: String)
        do throws(BackupError) {
            copied = try store("\(dataFolder)/\(source.path)", isSmall: source.size <= Self.smallBytesMax)
        } catch {
            if error.kind == .missing, FileWork.size("\(dataFolder)/\(source.path)") == nil { return nil }
            throw error
        }
        return BackupManifest.File(
            path: source.path, size: copied.size, modifiedNanoseconds: source.modifiedNanoseconds, hash: copied.hash)
    }

    private mutating func store(_ path: String, isSmall: Bool) throws(BackupError) -> (size: Int64, hash: String) {
        if isSmall {
            let found = try FileWork.hash(path)
            if place.size(ofObject: found.hash) == found.size { return found }
        }
        return try copyIn(path, from: 0, bytesMax: .max)
    }

    private mutating func copyIn(
        _ path: String, from offset: Int64, bytesMax: Int64
    ) throws(BackupError) -> (size: Int64, hash: String) {
        let temporary = "\(place.staging)/new"
        let copied = try FileWork.copy(path, to: temporary, from: offset, bytesMax: bytesMax)
        if place.size(ofObject: copied.hash) == copied.size {
            unlink(temporary)
        } else {
            try place.put(copied.hash, file: temporary, size: copied.size)
            storedBytes += copied.size
            storedCount += 1
        }
        return copied
    }

    // MARK: The database

    /// SQLite writes pages in their places, so that a piece without a changed page stays the same.
    private static let pieceBytes = 128 << 10

    /// Stores a copy of the database that nobody changes.
    mutating func storeDatabase(_ path: String) throws(BackupError) -> BackupManifest.Database {
        guard let size = FileWork.size(path) else { throw BackupError(.io, "\(path) is gone.") }
        let input = open(path, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw .system("read", path) }
        defer { close(input) }
        let whole = HashStream(.sha256)
        var pieces: [String] = []
        var buffer = [UInt8](repeating: 0, count: Self.pieceBytes)
        for start in stride(from: 0, to: size, by: Self.pieceBytes) {
            let wanted = Int(min(Int64(Self.pieceBytes), size - start))
            guard pread(input, &buffer, wanted, off_t(start)) == wanted else { throw .system("read", path) }
            buffer.withUnsafeBytes { whole.update(UnsafeRawBufferPointer(rebasing: $0[..<wanted])) }
            let hash = Hex.text(Digest.sha256(buffer[..<wanted]))
            if place.size(ofObject: hash) != Int64(wanted) {
                _ = try copyIn(path, from: start, bytesMax: Int64(wanted))
            }
            pieces.append(hash)
        }
        return BackupManifest.Database(
            size: size, hash: Hex.text(whole.finish()), pieceBytes: Self.pieceBytes, pieces: pieces)
    }
}
