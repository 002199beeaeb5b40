internal import Glibc

/// Why a recording could not be written; names the file.
package struct RecordingError: Error, Sendable, CustomStringConvertible {
    package var description: String

    init(_ attempted: String, _ path: String) {
        description = "Cannot \(attempted) \(path): \(String(cString: strerror(errno)))."
    }
}

/// A file that is written piece by piece, each of them at once.
///
/// An existing file keeps its content until the first byte is written, so that a listener who hears nothing destroys
/// nothing; a new one that stays empty is removed again.
package final class RecordingFile {
    private let path: String
    private let descriptor: Int32
    private let isNew: Bool
    private var isBegun = false
    private var isClosed = false

    /// - Throws: If the file can't be opened for writing.
    package init(path: String) throws(RecordingError) {
        self.path = path
        var descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        isNew = descriptor >= 0
        if descriptor < 0, errno == EEXIST { descriptor = open(path, O_WRONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw RecordingError("write", path) }
        self.descriptor = descriptor
    }

    deinit { finish() }

    package func append(_ bytes: [UInt8]) throws(RecordingError) {
        guard !bytes.isEmpty else { return }
        if !isBegun {
            // Pipes and devices cannot be cut, and need not be.
            guard ftruncate(descriptor, 0) == 0 || errno == EINVAL else { throw RecordingError("write", path) }
            isBegun = true
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw RecordingError("write", path)
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Closes the file. A second call does nothing.
    package func finish() {
        guard !isClosed else { return }
        isClosed = true
        close(descriptor)
        if isNew, !isBegun { unlink(path) }
    }
}
