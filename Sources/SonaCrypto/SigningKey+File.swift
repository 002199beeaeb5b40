internal import Glibc

extension SigningKey {
    /// Why a key file was not used.
    public enum FileError: Error, Sendable, Equatable {
        /// The system refused; `operation` is the call that failed.
        case system(operation: String, errno: Int32)
        /// Others may read or write the file: it is no secret any more.
        case permissionsTooOpen(mode: UInt32)
        /// The file is no unencrypted Ed25519 key in PEM.
        case notAKey
    }

    /// Reads the key at `path`, or makes one there if there is no such file.
    ///
    /// A new file has mode 0600 whatever the umask, and is complete or not there at all: written beside its name,
    /// fsynced, linked to its name (which fails if somebody else was first; then theirs is read), and the folder fsynced.
    public static func loadOrCreate(atPath path: String) throws(FileError) -> SigningKey {
        if let key = try load(fromPath: path) { return key }
        let key = SigningKey()
        if try write(key.pem, toPath: path) { return key }
        guard let theirs = try load(fromPath: path) else { throw .system(operation: "open", errno: ENOENT) }
        return theirs
    }

    /// Reads the key at `path`.
    ///
    /// - Returns: `nil` if there is no such file.
    public static func load(fromPath path: String) throws(FileError) -> SigningKey? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw .system(operation: "open", errno: errno)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .system(operation: "fstat", errno: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAKey }
        guard status.st_mode & 0o077 == 0 else { throw .permissionsTooOpen(mode: status.st_mode & 0o7777) }
        // An Ed25519 key has 119 bytes; whatever fills the buffer is something else.
        var bytes = [UInt8](repeating: 0, count: 4096)
        var count = 0
        while count < bytes.count {
            let read = bytes[count...].withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw .system(operation: "read", errno: errno) }
            if read == 0 { break }
            count += read
        }
        guard count < bytes.count, let key = SigningKey(pem: Array(bytes.prefix(count))) else { throw .notAKey }
        return key
    }

    /// - Returns: False if a file of that name was there already.
    private static func write(_ bytes: [UInt8], toPath path: String) throws(FileError) -> Bool {
        let temporary = path + "." + SecureRandom.alphanumeric(8) + ".tmp"
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .system(operation: "open", errno: errno) }
        defer {
            close(file)
            unlink(temporary)
        }
        guard fchmod(file, 0o600) == 0 else { throw .system(operation: "fchmod", errno: errno) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw .system(operation: "write", errno: errno) }
            rest = rest.dropFirst(written)
        }
        guard fsync(file) == 0 else { throw .system(operation: "fsync", errno: errno) }
        // A link and not a rename: a rename would replace a key that another process made meanwhile.
        guard link(temporary, path) == 0 else {
            if errno == EEXIST { return false }
            throw .system(operation: "link", errno: errno)
        }
        try syncFolder(of: path)
        return true
    }

    private static func syncFolder(of path: String) throws(FileError) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw .system(operation: "open", errno: errno) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw .system(operation: "fsync", errno: errno) }
    }
}
