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
    private var isBegun: Bool
    private var isClosed = false
    /// Whether what was written can be written over; not so for pipes.
    package let isSeekable: Bool

    private init(_ descriptor: Int32, _ path: String, isNew: Bool, isStream: Bool = false) {
        self.path = path
        self.descriptor = descriptor
        self.isNew = isNew
        isSeekable = !isStream && lseek(descriptor, 0, SEEK_CUR) >= 0
        // Nothing that is in there already is ours to cut off.
        isBegun = isStream
    }

    /// Standard output, which is added to and never gone back in.
    package static func standardOutput() throws(RecordingError) -> RecordingFile {
        let descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        guard descriptor >= 0 else { throw RecordingError("write", "standard output") }
        return RecordingFile(descriptor, "standard output", isNew: false, isStream: true)
    }

    /// - Throws: If the file can't be opened for writing.
    package convenience init(path: String) throws(RecordingError) {
        var descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        let isNew = descriptor >= 0
        if descriptor < 0, errno == EEXIST { descriptor = open(path, O_WRONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw RecordingError("write", path) }
        self.init(descriptor, path, isNew: isNew)
    }

    deinit { finish() }

    /// - Parameter isEnding: Asked while a pipe takes no more: whether what is left is not to be waited for.
    package func append(_ bytes: [UInt8], unless isEnding: () -> Bool = { false }) throws(RecordingError) {
        guard !bytes.isEmpty else { return }
        if !isBegun {
            // Pipes and devices cannot be cut, and need not be.
            guard ftruncate(descriptor, 0) == 0 || errno == EINVAL else { throw RecordingError("write", path) }
            isBegun = true
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            if !isSeekable, !isReady() {
                if isEnding() { return }
                continue
            }
            // A pipe that is ready takes so much at once (pipe(7), PIPE_BUF).
            let piece = isSeekable ? rest : rest.prefix(4096)
            let count = piece.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw RecordingError("write", path)
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Whether a pipe takes something, or has an error to tell; waits a tenth of a second for it.
    private func isReady() -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return Glibc.poll(&poll, 1, 100) != 0
    }

    /// Writes over the beginning. The file must be seekable and at least as long already.
    package func replaceBeginning(with bytes: [UInt8]) throws(RecordingError) {
        let count = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        guard count == bytes.count else { throw RecordingError("write", path) }
    }

    /// Closes the file. A second call does nothing.
    package func finish() {
        guard !isClosed else { return }
        isClosed = true
        close(descriptor)
        if isNew, !isBegun { unlink(path) }
    }
}
