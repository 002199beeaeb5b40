internal import Glibc

/// Files and descriptors that are read and written whole. Calls that a signal interrupts are made again.
///
/// Blocks the thread.
public enum WholeFile {
    /// Why a file was not read or written.
    public enum Failure: Error, Sendable, Equatable {
        /// The system refused; `operation` is the call that failed: `open`, `read` or `write`.
        case system(operation: String, errno: Int32)
        /// The file is longer than it may be.
        case tooLong
    }

    private static let pieceBytes = 64 * 1024

    /// Reads a file from its beginning to its end.
    ///
    /// Also files without a size, such as those of /proc.
    ///
    /// - Parameters:
    ///   - bytesMax: A longer file is refused, after one piece too much at most.
    ///   - waits: Whether a pipe is waited for. If not, a pipe that nobody writes to is empty.
    /// - Throws: `system`, `tooLong`.
    public static func read(
        _ path: String, bytesMax: Int = .max, waits: Bool = true
    ) throws(Failure) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK | O_NOCTTY))
        guard file >= 0 else { throw .system(operation: "open", errno: errno) }
        defer { close(file) }
        return try read(descriptor: file, bytesMax: bytesMax)
    }

    /// Reads from where the descriptor stands to the end. It stays open.
    ///
    /// - Throws: `system`, `tooLong`.
    public static func read(descriptor: Int32, bytesMax: Int = .max) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        // One byte more than allowed is enough to tell that a file is too long.
        var piece = [UInt8](repeating: 0, count: min(pieceBytes - 1, bytesMax) + 1)
        while case let count = try readPiece(descriptor, &piece), count > 0 {
            guard count <= bytesMax - bytes.count else { throw .tooLong }
            bytes += piece[..<count]
        }
        return bytes
    }

    /// The first line, without its end (LF or CR LF). What follows it is not waited for; some of it may have been read.
    ///
    /// - Parameters:
    ///   - path: `-` is standard input.
    ///   - bytesMax: Most bytes of the line.
    /// - Returns: The bytes of the line; empty for an empty file.
    /// - Throws: `system`, `tooLong`.
    public static func firstLine(_ path: String, bytesMax: Int) throws(Failure) -> [UInt8] {
        let file = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .system(operation: "open", errno: errno) }
        defer { close(file) }
        var line: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while case let count = try readPiece(file, &piece), count > 0 {
            line += piece[..<count]
            if let end = line.firstIndex(of: UInt8(ascii: "\n")) {
                line.removeSubrange(end...)
                break
            }
            if line.count > bytesMax + 1 { throw .tooLong }
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard line.count <= bytesMax else { throw .tooLong }
        return line
    }

    /// Writes all of it, where the descriptor stands.
    ///
    /// - Throws: `system`, after which nobody knows how much was written.
    public static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            // POSIX lets write(2) take nothing and report no error; trying for ever would help nobody.
            guard count > 0 else { throw .system(operation: "write", errno: count < 0 ? errno : EIO) }
            rest = rest.dropFirst(count)
        }
    }

    /// - Returns: 0 at the end.
    private static func readPiece(_ descriptor: Int32, _ piece: inout [UInt8]) throws(Failure) -> Int {
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw .system(operation: "read", errno: errno) }
        }
    }
}

extension WholeFile.Failure: CustomStringConvertible {
    /// The system's words for the failure, without the file's name: `No such file or directory`.
    public var description: String {
        switch self {
        case .system(_, let errno): String(cString: strerror(errno))
        case .tooLong: "File too large"
        }
    }
}
