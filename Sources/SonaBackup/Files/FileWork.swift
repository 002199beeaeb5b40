internal import Glibc
internal import SonaBase
internal import SonaCrypto

/// Copying, hashing and syncing of files. Blocks the thread.
enum FileWork {
    /// Bytes that are written between two syncs: a whole file left to one sync would make the server's own writes wait.
    private static let unsyncedBytesMax = 8 << 20
    private static let bufferBytes = 1 << 20

    /// Copies a file and puts the copy on disk.
    ///
    /// - Parameters:
    ///   - offset: The place to begin at.
    ///   - bytesMax: Most bytes to copy.
    /// - Returns: The bytes copied and their SHA-256.
    /// - Throws: `missing` if the source is not there; `full`, `io`.
    static func copy(
        _ source: String, to target: String, from offset: Int64 = 0, bytesMax: Int64 = .max
    ) throws(BackupError) -> (size: Int64, hash: String) {
        let input = open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard input >= 0 else { throw .system("read", source) }
        defer { close(input) }
        let output = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard output >= 0 else { throw .system("written", target) }
        defer { close(output) }
        let stream = HashStream(.sha256)
        var (size, unsynced) = (Int64(0), 0)
        try each(input, source, from: offset, bytesMax: bytesMax) { piece throws(BackupError) in
            stream.update(piece)
            do throws(WholeFile.Failure) { try WholeFile.write(Array(piece), to: output) } catch {
                throw failure(error, target)
            }
            size += Int64(piece.count)
            unsynced += piece.count
            if unsynced >= unsyncedBytesMax {
                fdatasync(output)
                unsynced = 0
            }
        }
        guard fsync(output) == 0 else { throw .system("synced", target) }
        return (size, Hex.text(stream.finish()))
    }

    /// - Throws: As `copy`.
    static func hash(_ path: String) throws(BackupError) -> (size: Int64, hash: String) {
        let input = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard input >= 0 else { throw .system("read", path) }
        defer { close(input) }
        let stream = HashStream(.sha256)
        var size: Int64 = 0
        try each(input, path, from: 0, bytesMax: .max) { piece throws(BackupError) in
            stream.update(piece)
            size += Int64(piece.count)
        }
        return (size, Hex.text(stream.finish()))
    }

    private static func each(
        _ input: Int32, _ path: String, from offset: Int64, bytesMax: Int64,
        _ body: (UnsafeRawBufferPointer) throws(BackupError) -> Void
    ) throws(BackupError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferBytes, alignment: 16)
        defer { buffer.deallocate() }
        var (place, rest) = (offset, bytesMax)
        while rest > 0 {
            let count = pread(input, buffer.baseAddress, min(bufferBytes, Int(clamping: rest)), off_t(place))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system("read", path) }
            if count == 0 { return }
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            place += Int64(count)
            rest -= Int64(count)
        }
    }

    /// Writes a file that is on disk, whole, before it takes its name.
    static func replace(_ path: String, _ bytes: [UInt8]) throws(BackupError) {
        do throws(SecretFile.Failure) { try SecretFile.replace(path, bytes) } catch {
            if case .system(_, let number) = error { throw .system("written", path, number) }
            throw BackupError(.io, "\(path) can't be written.")
        }
    }

    static func read(_ path: String) throws(BackupError) -> [UInt8] {
        do throws(WholeFile.Failure) { return try WholeFile.read(path) } catch { throw failure(error, path) }
    }

    private static func failure(_ error: WholeFile.Failure, _ path: String) -> BackupError {
        switch error {
        case .system(let operation, let number): .system(operation == "write" ? "written" : "read", path, number)
        case .tooLong: BackupError(.io, "\(path) is too long.")
        }
    }

    // MARK: Folders

    /// Makes a folder and those above it, with mode 0700.
    static func makeFolder(_ path: String) throws(BackupError) {
        if isFolder(path) { return }
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex { try makeFolder(String(path[..<slash])) }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST && isFolder(path) else { throw .system("made", path) }
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    static func size(_ path: String) -> Int64? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    static func syncFolder(_ path: String) throws(BackupError) {
        let file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw .system("opened", path) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw .system("synced", path) }
    }

    /// Removes a folder with everything in it; symbolic links are not followed. Nothing happens if the folder is missing.
    static func removeFolder(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            unlink(path)
            return
        }
        for name in FolderContent.names(path) { removeFolder("\(path)/\(name)") }
        rmdir(path)
    }

    /// Bytes that are free where a path lies; `nil` if that is not known.
    static func freeBytes(_ path: String) -> Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return Int64(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
    }

    /// - Throws: `full`.
    static func demand(_ bytes: Int64, free path: String, for purpose: String) throws(BackupError) {
        guard let free = freeBytes(path), free < bytes + reserveBytes else { return }
        throw BackupError(
            .full, "\(purpose) needs \((bytes + reserveBytes) >> 20) MiB, and \(path) has \(free >> 20) MiB free.")
    }

    /// Stays free: a disk that a backup filled up could take no change of the server either.
    static let reserveBytes: Int64 = 64 << 20
}

/// An exclusive or shared flock(2) on a file, held until the last reference is gone or the process ends.
final class FolderLock: Sendable {
    private let file: Int32

    /// - Throws: `busy` if another program holds it.
    init(_ path: String, exclusive: Bool, _ sentence: String) throws(BackupError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system("opened", path) }
        guard flock(descriptor, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 else {
            let number = errno
            close(descriptor)
            if number == EWOULDBLOCK { throw BackupError(.busy, sentence) }
            throw .system("locked", path, number)
        }
        file = descriptor
    }

    deinit { close(file) }
}
