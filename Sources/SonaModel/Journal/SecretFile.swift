internal import Glibc
internal import SonaCrypto

/// Small files that only their owner may read, each complete or not there at all.
///
/// Written beside their name with mode 0600 whatever the umask, fsynced, then given their name, then the folder is
/// fsynced.
enum SecretFile {
    enum Failure: Error, Sendable, Equatable {
        /// The system refused; `operation` is the call that failed.
        case system(operation: String, errno: Int32)
        /// Others may read or write the file: it is no secret any more.
        case permissionsTooOpen(mode: UInt32)
        /// No regular file, or a longer one than it can be.
        case notSuchAFile
    }

    /// - Parameter bytesMax: A longer file is something else.
    /// - Returns: `nil` if there is no such file.
    static func read(_ path: String, bytesMax: Int) throws(Failure) -> [UInt8]? {
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
        var bytes = [UInt8](repeating: 0, count: bytesMax + 1)
        var count = 0
        while count < bytes.count {
            let read = bytes[count...].withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw .system(operation: "read", errno: errno) }
            if read == 0 { break }
            count += read
        }
        guard count <= bytesMax else { throw .notSuchAFile }
        return Array(bytes.prefix(count))
    }

    /// - Returns: False if a file of that name was there already, which then stays.
    static func create(_ path: String, _ bytes: [UInt8]) throws(Failure) -> Bool {
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
    static func replace(_ path: String, _ bytes: [UInt8]) throws(Failure) {
        let temporary = try writeTemporary(bytes, beside: path)
        guard rename(temporary, path) == 0 else {
            let code = errno
            unlink(temporary)
            throw .system(operation: "rename", errno: code)
        }
        try syncFolder(of: path)
    }

    private static func writeTemporary(_ bytes: [UInt8], beside path: String) throws(Failure) -> String {
        let temporary = path + "." + SecureRandom.alphanumeric(8) + ".tmp"
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .system(operation: "open", errno: errno) }
        defer { close(file) }
        do {
            try write(bytes, to: file)
        } catch {
            unlink(temporary)
            throw error
        }
        return temporary
    }

    private static func write(_ bytes: [UInt8], to file: Int32) throws(Failure) {
        guard fchmod(file, 0o600) == 0 else { throw .system(operation: "fchmod", errno: errno) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw .system(operation: "write", errno: errno) }
            rest = rest.dropFirst(written)
        }
        guard fsync(file) == 0 else { throw .system(operation: "fsync", errno: errno) }
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
