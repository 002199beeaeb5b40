internal import Glibc

/// A database as the file system sees it: one file, and side files that belong to it by their names alone.
///
/// SQLite takes any file beside a database under such a name for its own, wherever it came from: it replays a log and
/// rolls back a journal (sqlite.org/howtocorrupt.html, 1.3 and 1.4). Code that moves databases has to take care of
/// these files.
enum DatabaseFiles {
    static let log = "-wal"
    static let sharedMemory = "-shm"
    static let journal = "-journal"
    static let sideSuffixes = [log, sharedMemory, journal]

    /// Whether there is anything under this name, a symbolic link included.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    static func isSame(_ one: String, _ other: String) -> Bool {
        var left = stat()
        var right = stat()
        guard stat(one, &left) == 0, stat(other, &right) == 0 else { return false }
        return left.st_ino == right.st_ino && left.st_dev == right.st_dev
    }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The path without symbolic links; the file itself may be missing, its folder not.
    static func resolved(_ path: String) throws(DatabaseError) -> String {
        if let known = real(path) { return known }
        let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
        guard errno == ENOENT, !name.isEmpty, !exists(path), let folder = real(folder(of: path)) else {
            throw failure("the path leads nowhere")
        }
        return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }

    private static func real(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    // MARK: Changing

    /// A missing file is not an error.
    static func remove(_ path: String) throws(DatabaseError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("a file could not be removed") }
    }

    static func removeSideFiles(of path: String) throws(DatabaseError) {
        for suffix in sideSuffixes { try remove(path + suffix) }
    }

    /// Replaces an existing file atomically: every observer sees either the old file or the new one.
    static func rename(_ path: String, to new: String) throws(DatabaseError) {
        guard Glibc.rename(path, new) == 0 else { throw failure("a file could not be renamed") }
    }

    /// Gives the file a second name.
    static func link(_ path: String, as new: String) throws(DatabaseError) {
        guard Glibc.link(path, new) == 0 else { throw failure("a file could not be given a second name") }
    }

    /// - Returns: When the names in the folder are on the disk.
    static func syncFolder(of path: String) throws(DatabaseError) {
        try sync(folder(of: path), O_RDONLY | O_DIRECTORY)
    }

    /// - Parameter path: A file that no connection of this process has open: closing any descriptor of it would drop
    ///   SQLite's locks.
    static func syncFile(_ path: String) throws(DatabaseError) { try sync(path, O_RDONLY) }

    private static func sync(_ path: String, _ flags: Int32) throws(DatabaseError) {
        let file = open(path, flags | O_CLOEXEC)
        guard file >= 0 else { throw failure("a file could not be opened to be synced") }
        defer { close(file) }
        guard fsync(file) == 0 else { throw failure("a file could not be synced") }
    }

    /// `errno` as an error of this layer.
    static func failure(_ hint: String) -> DatabaseError {
        let code = errno
        let kind: DatabaseError.Kind =
            switch code {
            case ENOSPC, EDQUOT, EFBIG: .full
            case EROFS: .readOnly
            case EACCES, EPERM, ENOENT, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG: .cannotOpen
            default: .io
            }
        return DatabaseError(kind: kind, detail: String(cString: strerror(code)), hint: hint)
    }
}
