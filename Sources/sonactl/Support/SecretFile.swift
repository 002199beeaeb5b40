internal import Glibc

/// A file whose first line is a secret: a password, or a token of an outside issuer. `-` is standard input.
enum SecretFile {
    private static let bytesMax = 16 * 1024

    /// - Parameter what: What the line is, such as "a password", for the sentence if it is none.
    /// - Throws: `Failure` 66 if the file cannot be read, 65 if the line is empty or endless.
    static func firstLine(_ path: String, of what: String) throws -> String {
        let name = path == "-" ? "Standard input" : path
        let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(66, "Cannot open \(name): \(String(cString: strerror(errno))).") }
        defer { close(descriptor) }
        var line: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while line.count <= bytesMax {
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw Failure(66, "Cannot read \(name): \(String(cString: strerror(errno))).")
            }
            if count == 0 { break }
            line += bytes[..<count]
            if let end = line.firstIndex(of: UInt8(ascii: "\n")) {
                line.removeSubrange(end...)
                break
            }
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard !line.isEmpty, line.count <= bytesMax else { throw Failure(65, "\(name) does not begin with \(what).") }
        return String(decoding: line, as: UTF8.self)
    }
}
