internal import Glibc

/// Small files that only their owner may read, each complete or not there at all.
///
/// A file is written beside its name with mode 0600 whatever the umask, and fsynced. Then it is given its name, and its
/// folder is fsynced: a machine that loses power has the old file or the new one. Blocks the thread.
public enum SecretFile {
    /// Why a file was not used.
    public enum Failure: Error, Sendable, Equatable {
        /// The system refused; `operation` is the call that failed.
        case system(operation: String, errno: Int32)
        /// Others may read or write the file: it is no secret any more.
        case permissionsTooOpen(mode: UInt32)
        /// No regular file, or a longer one than it can be.
        case notSuchAFile
    }

    /// - Parameter bytesMax: A longer file is something else.
    /// - Returns: `nil` if there is no such file.
    /// - Throws: `system`, `permissionsTooOpen`, `notSuchAFile`.
    public static func read(_ path: String, bytesMax: Int) throws(Failure) -> [UInt8]? {
        // A pipe in its place must not hold us up.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw .system(operation: "open", errno: errno)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .system(operation: "fstat", errno: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notSuchAFile }
        guard status.st_mode & 0o077 == 0 else { throw .permissionsTooOpen(mode: status.st_mode & 0o7777) }
        do throws(WholeFile.Failure) {
            return try WholeFile.read(descriptor: file, bytesMax: bytesMax)
        } catch {
            throw Failure(error)
        }
    }

    /// Reads a file, or makes it if there is none. If two processes make it at once, the first one's counts for both.
    ///
    /// - Parameters:
    ///   - bytesMax: A longer file is something else.
    ///   - make: The content of a new file; called at most once.
    /// - Throws: `system`, `permissionsTooOpen`, `notSuchAFile`.
    public static func readOrCreate(
        _ path: String, bytesMax: Int, _ make: () -> [UInt8]
    ) throws(Failure) -> [UInt8] {
        if let bytes = try read(path, bytesMax: bytesMax) { return bytes }
        let made = make()
        if try create(path, made) { return made }
        // Somebody else's, unless it was removed again just now.
        guard let theirs = try read(path, bytesMax: bytesMax) else { throw .system(operation: "open", errno: ENOENT) }
        return theirs
    }

    /// - Returns: False if a file of that name was there already, which then stays.
    /// - Throws: `system`.
    public static func create(_ path: String, _ bytes: [UInt8]) throws(Failure) -> Bool {
        let temporary = try writeTemporary(bytes, beside: path)
        defer { unlink(temporary) }
        // A link and not a rename: a rename would replace what another process made meanwhile.
        guard link(temporary, path) == 0 else {
            if errno == EEXIST { return false }
            throw .system(operation: "link", errno: errno)
        }
        try syncFolder(of: path)
        return true
    }

    /// Puts a file in the place of the one of that name, if there is one.
    ///
    /// - Throws: `system`. The old file is then still there, unless `operation` is the fsync of the folder.
    public static func replace(_ path: String, _ bytes: [UInt8]) throws(Failure) {
        let temporary = try writeTemporary(bytes, beside: path)
        guard rename(temporary, path) == 0 else {
            let code = errno
            unlink(temporary)
            throw .system(operation: "rename", errno: code)
        }
        try syncFolder(of: path)
    }

    private static func writeTemporary(_ bytes: [UInt8], beside path: String) throws(Failure) -> String {
        let temporary = path + "." + String(UInt64.random(in: .min ... .max), radix: 36) + ".tmp"
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .system(operation: "open", errno: errno) }
        defer { close(file) }
        do throws(Failure) {
            // The umask may have taken rights of the owner's away.
            guard fchmod(file, 0o600) == 0 else { throw .system(operation: "fchmod", errno: errno) }
            do throws(WholeFile.Failure) { try WholeFile.write(bytes, to: file) } catch { throw Failure(error) }
            guard fsync(file) == 0 else { throw .system(operation: "fsync", errno: errno) }
        } catch {
            unlink(temporary)
            throw error
        }
        return temporary
    }

    private static func syncFolder(of path: String) throws(Failure) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw .system(operation: "open", errno: errno) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw .system(operation: "fsync", errno: errno) }
    }
}

extension SecretFile.Failure {
    fileprivate init(_ failure: WholeFile.Failure) {
        switch failure {
        case .system(let operation, let errno): self = .system(operation: operation, errno: errno)
        case .tooLong: self = .notSuchAFile
        }
    }
}
