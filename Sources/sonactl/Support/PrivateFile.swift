internal import Glibc

/// A file that only its owner may read.
enum PrivateFile {
    /// Writes JSON and the end of a line, in place of what was there.
    ///
    /// - Parameter path: nil and `-` are standard output.
    /// - Throws: `Failure` 74.
    static func write(json bytes: [UInt8], to path: String?) throws {
        guard let path, path != "-" else { return Console.out(json: bytes) }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(path) }
        // Devices and pipes cannot be cut, and their rights are not ours to change.
        if status.st_mode & S_IFMT == S_IFREG {
            guard fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 else { throw failure(path) }
        }
        var rest = (bytes + [UInt8(ascii: "\n")])[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure(path)
            }
            rest = rest.dropFirst(count)
        }
    }

    private static func failure(_ path: String) -> Failure {
        Failure(74, "Cannot write \(path): \(String(cString: strerror(errno))).")
    }
}
