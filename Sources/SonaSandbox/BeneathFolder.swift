internal import CSandbox
internal import Glibc

/// A folder, and files in it that are opened without ever leaving it: symbolic links are followed as far as they lead to
/// something in the folder.
///
/// Source: openat2(2), `RESOLVE_BENEATH`.
public final class BeneathFolder: Sendable {
    /// The system's number of a failure: `EXDEV` for what lies outside.
    public struct Failure: Error, Sendable, Equatable {
        public let errno: Int32

        public init(errno: Int32) { self.errno = errno }
    }

    /// The folder's open descriptor.
    public let descriptor: Int32

    /// - Throws: `Failure` if the folder can't be opened.
    public init(path: String) throws(Failure) {
        descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 { throw Failure(errno: Glibc.errno) }
    }

    deinit { close(descriptor) }

    /// Opens a file for reading. A pipe is opened without waiting for a writer.
    ///
    /// - Parameters:
    ///   - path: From the folder on; bytes without a NUL. Empty for the folder itself.
    ///   - isDirectory: Whether only a directory is wanted.
    /// - Returns: A descriptor, which the caller closes.
    public func open(_ path: [UInt8], isDirectory: Bool = false) throws(Failure) -> Int32 {
        let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | (isDirectory ? O_DIRECTORY : 0)
        let place = path.isEmpty ? [UInt8(ascii: ".")] : path
        let file = (place + [0]).withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { sona_sandbox_open_beneath(descriptor, $0.baseAddress, flags) }
        }
        if file < 0 { throw Failure(errno: errno) }
        return file
    }
}
