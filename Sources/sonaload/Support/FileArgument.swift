internal import Glibc
internal import SonaBase

/// Files named on the command line, read and written whole; `-` is standard input and output.
enum FileArgument {
    /// - Throws: `Failure` 66.
    static func read(_ path: String) throws -> [UInt8] {
        do {
            return try Interruption.endingAtOnce {
                path == "-" ? try WholeFile.read(descriptor: STDIN_FILENO) : try WholeFile.read(path)
            }
        } catch {
            throw Failure(66, "\(Console.printable(path)): \(error).")
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
        do throws(WholeFile.Failure) {
            try WholeFile.write(bytes, to: descriptor)
        } catch {
            throw Failure(74, "\(Console.printable(path)): \(error).")
        }
    }
}
