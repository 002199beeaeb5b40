internal import Glibc
internal import SonaLoad

/// Standard output for data, standard error for everything else. Both unbuffered.
enum Console {
    static func out(_ text: String) {
        if !isWritten(text) { _exit(74) }
    }

    /// The same for a caller that still has something to do where nobody reads.
    static func isWritten(_ text: String) -> Bool { write(Array((text + "\n").utf8), to: STDOUT_FILENO) }

    static func say(_ text: String) { _ = write(Array((text + "\n").utf8), to: STDERR_FILENO) }

    /// - Returns: Whether all of it got there.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Text from elsewhere without what would speak to the terminal.
    static func printable(_ text: String) -> String { Figures.printable(text) }
}

/// Files that are read and written whole.
enum WholeFile {
    /// - Throws: `Failure` 66.
    static func read(_ path: String) throws -> [UInt8] { try Interruption.endingAtOnce { try bytes(of: path) } }

    private static func bytes(of path: String) throws -> [UInt8] {
        let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw Failure(66, "\(Console.printable(path)): \(String(cString: strerror(errno))).")
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count == 0 { return bytes }
            guard count > 0 else {
                throw Failure(66, "\(Console.printable(path)): \(String(cString: strerror(errno))).")
            }
            bytes += piece[..<count]
        }
    }

    /// Whether there is a place for it: asked before a run of an hour.
    ///
    /// - Throws: `Failure` 74.
    static func checkWritable(_ path: String) throws {
        if path == "-" { return }
        let descriptor = Interruption.endingAtOnce { open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644) }
        guard descriptor >= 0 else {
            throw Failure(74, "\(Console.printable(path)): \(String(cString: strerror(errno))).")
        }
        close(descriptor)
    }

    /// - Throws: `Failure` 74.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let descriptor = path == "-" ? dup(STDOUT_FILENO) : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw Failure(74, "\(Console.printable(path)): \(String(cString: strerror(errno))).")
        }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                throw Failure(74, "\(Console.printable(path)): \(String(cString: strerror(errno))).")
            }
            rest = rest.dropFirst(count)
        }
    }
}
