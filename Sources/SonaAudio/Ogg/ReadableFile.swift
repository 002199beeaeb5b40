import Glibc

/// A regular file open for reading at any offset. Closed when released; safe to use from any thread.
final class ReadableFile: Sendable {
    let path: String
    private let descriptor: Int32

    /// - Throws: `.io` if the file cannot be opened or is a folder; `.empty` for a device without bytes;
    ///   `.unsupported` for pipes and the like, which cannot be read twice.
    init(path: String) throws(AudioError) {
        // O_NONBLOCK: opening a pipe must not wait for its writer. It changes nothing for regular files.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .io("open", path, errno: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let number = errno
            close(descriptor)
            throw .io("look at", path, errno: number)
        }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG else {
            var byte: UInt8 = 0
            let isDry = kind != S_IFDIR && Glibc.read(descriptor, &byte, 1) == 0
            close(descriptor)
            if kind == S_IFDIR { throw .io("read", path, errno: EISDIR) }
            if isDry { throw AudioError(.empty, "\(path) is empty.") }
            throw .unsupported("\(path) is not a regular file; save it as one first.")
        }
        self.path = path
        self.descriptor = descriptor
    }

    /// Takes over an open regular file.
    init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit {
        close(descriptor)
    }

    /// Fills `buffer` from `offset` on.
    ///
    /// - Returns: Bytes read; fewer than asked for only at the end of the file.
    /// - Throws: `.io` if the system refuses.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(AudioError) -> Int {
        var filled = 0
        while filled < buffer.count {
            guard let position = off_t(exactly: offset + UInt64(filled)) else { return filled }
            let count = pread(descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled, position)
            if count == 0 { return filled }
            if count < 0 {
                if errno == EINTR { continue }
                throw .io("read", path, errno: errno)
            }
            filled += count
        }
        return filled
    }
}
