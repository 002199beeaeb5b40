internal import Glibc
internal import SonaBase

/// A file that only its owner may read.
enum PrivateFile {
    /// Writes JSON and the end of a line, replacing the file's contents.
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
        do throws(WholeFile.Failure) {
            try WholeFile.write(bytes + [UInt8(ascii: "\n")], to: descriptor)
        } catch {
            throw Failure(74, "Cannot write \(path): \(error).")
        }
    }

    private static func failure(_ path: String) -> Failure {
        Failure(74, "Cannot write \(path): \(String(cString: strerror(errno))).")
    }
}
