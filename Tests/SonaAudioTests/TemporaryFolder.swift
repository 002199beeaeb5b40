import Glibc
import Testing

/// A folder for one test's files. Removed when released, with the files in it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/sona-audio-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template), "No temporary folder could be made.")
        path = String(cString: made)
    }

    deinit {
        guard let folder = opendir(path) else { return }
        while let entry = readdir(folder) {
            // By pointer: an entry is only as long as its name, so `d_name` must not be copied as a whole.
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let name = String(cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
            if name != ".", name != ".." { unlink(file(name)) }
        }
        closedir(folder)
        rmdir(path)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file and gives its path.
    @discardableResult
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let path = file(name)
        let stream = try #require(fopen(path, "w"), "\(path) could not be opened.")
        defer { fclose(stream) }
        try #require(fwrite(bytes, 1, bytes.count, stream) == bytes.count)
        return path
    }

    func read(_ name: String) throws -> [UInt8] {
        let path = file(name)
        let stream = try #require(fopen(path, "r"), "\(path) could not be opened.")
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&part, 1, part.count, stream), count > 0 { bytes += part[..<count] }
        return bytes
    }

    /// Runs a program with its output in a file of this folder, and gives its exit status and that output.
    @discardableResult
    func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let log = "log-\(UInt64.random(in: .min ... .max))"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, file(log), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var argv = ([program] + arguments).map { strdup($0) }
        argv.append(nil)
        defer { for argument in argv { free(argument) } }
        var child: pid_t = 0
        let status = posix_spawnp(&child, program, &actions, nil, argv, environ)
        try #require(status == 0, "\(program) could not be started; it comes with opus-tools or vorbis-tools.")
        var exit: Int32 = 0
        while waitpid(child, &exit, 0) < 0, errno == EINTR {}
        return (exit, String(decoding: try read(log), as: UTF8.self))
    }
}
