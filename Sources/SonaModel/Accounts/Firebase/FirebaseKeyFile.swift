internal import Glibc
internal import SonaBase

/// A key document on disk that notices when the file is replaced or changed.
struct FirebaseKeyFile: Sendable {
    /// Attributes that change when a file is written to or replaced.
    private struct Stamp: Equatable {
        let device: UInt64
        let inode: UInt64
        let bytes: Int64
        let modifiedSeconds: Int
        let modifiedNanoseconds: Int

        init(_ status: stat) {
            device = UInt64(status.st_dev)
            inode = UInt64(status.st_ino)
            bytes = Int64(status.st_size)
            modifiedSeconds = status.st_mtim.tv_sec
            modifiedNanoseconds = status.st_mtim.tv_nsec
        }
    }

    private let path: String
    /// The stamp of the last reading, also of a failed one. `nil` if there was no file.
    private var stamp: Stamp?

    init(path: String) { self.path = path }

    /// Whether the file differs from the one that was read last. One system call; the content is not read.
    var hasChanged: Bool { stampNow() != stamp }

    private func stampNow() -> Stamp? {
        var status = stat()
        return stat(path, &status) == 0 ? Stamp(status) : nil
    }

    /// Reads the whole file.
    ///
    /// - Throws: `unreadable`, `tooLarge`.
    mutating func read() throws(FirebaseKeyError) -> [UInt8] {
        // Stamp a file that cannot be opened, too, so that it is not tried again and again.
        stamp = stampNow()
        // O_NONBLOCK: a pipe in place of the file must not block.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { throw .unreadable(operation: "open", errno: errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .unreadable(operation: "fstat", errno: errno) }
        stamp = Stamp(status)
        guard status.st_mode & S_IFMT == S_IFREG else { throw .unreadable(operation: "read", errno: EINVAL) }
        do throws(WholeFile.Failure) {
            return try WholeFile.read(descriptor: file, bytesMax: FirebaseKeySet.bytesMax)
        } catch {
            switch error {
            case .system(let operation, let errno): throw .unreadable(operation: operation, errno: errno)
            case .tooLong: throw .tooLarge
            }
        }
    }
}
