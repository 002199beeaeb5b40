import Glibc
import SonaBase
import SonaDatabase
import SonaTestSupport

/// `DatabaseCrashProgram` in a process of its own.
///
/// What it says goes to a file: a line it has written is there whatever becomes of it.
final class CrashProgram: Sendable {
    struct Ending: Sendable {
        /// Its exit status, or 128 plus the signal that ended it.
        let status: Int32
        let lines: [Substring]
        var failures: [Substring] { lines.filter { $0.hasPrefix("FAIL") } }
        /// Whether it came to its end by itself and found nothing wrong.
        var isGood: Bool { status == 0 && failures.isEmpty && lines.last?.hasPrefix("done") == true }
    }

    struct Fault: Error, CustomStringConvertible { var description: String }

    /// Whether tests may take their time: `deploy/test --long`.
    static let isLong = environment("SONA_LONG_TESTS") == "1"

    /// `SONA_PROGRAMS` names a folder with release builds; otherwise the program lies beside the test bundle.
    static let path: String = {
        if let folder = environment("SONA_PROGRAMS") { return folder + "/DatabaseCrashProgram" }
        for argument in CommandLine.arguments {
            for folder in [argument, argument.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }] {
                let path = folder + "/DatabaseCrashProgram"
                if access(path, X_OK) == 0 { return path }
            }
        }
        fatalError("DatabaseCrashProgram was not found beside the tests.")
    }()

    private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    let pid: pid_t
    private let output: String
    private let hasEnded = Monitor<Int32?>(nil)

    /// - Parameters:
    ///   - command: A path and its arguments.
    ///   - output: A file for what it says; emptied first.
    init(_ command: [String], output: String) throws {
        self.output = output
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(
            &actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
        var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var pid: pid_t = 0
        let result = posix_spawn(&pid, command[0], &actions, nil, &words, environ)
        guard result == 0 else {
            throw Fault(description: "it could not be started: \(String(cString: strerror(result)))")
        }
        self.pid = pid
    }

    deinit {
        guard hasEnded.withLock({ $0 }) == nil else { return }
        Glibc.kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
    }

    /// Runs it to its end.
    static func run(_ arguments: String..., within limit: Duration = .seconds(120)) async throws -> Ending {
        let folder = TemporaryFolder()
        return try await CrashProgram([path] + arguments, output: folder.file("output")).ending(within: limit)
    }

    /// For what is short.
    func blockingStatus() -> Int32 {
        while true {
            if let status = poll() { return status }
            usleep(1_000)
        }
    }

    func kill() { Glibc.kill(pid, SIGKILL) }

    /// Its output so far, whole lines only.
    var lines: [Substring] {
        let text = String(decoding: TemporaryFolder.bytes(ofFile: output) ?? [], as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    }

    /// Waits until it has said a line that begins so.
    func line(beginning prefix: String, within limit: Duration = .seconds(30)) async throws -> Substring {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            let hasEnded = poll() != nil
            if let line = lines.first(where: { $0.hasPrefix(prefix) }) { return line }
            if hasEnded { break }
            try await Task.sleep(for: .milliseconds(2))
        }
        throw Fault(description: "no line \"\(prefix)…\" in \(lines.suffix(20))")
    }

    /// Waits for its end; kills it after `limit`.
    func ending(within limit: Duration = .seconds(30)) async throws -> Ending {
        let end = ContinuousClock.now + limit
        while true {
            if let status = poll() { return Ending(status: status, lines: lines) }
            if ContinuousClock.now > end { kill() }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    private func poll() -> Int32? {
        hasEnded.withLock { ended in
            if let ended { return ended }
            var status: Int32 = 0
            guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
            // WEXITSTATUS and WTERMSIG are macros.
            ended = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
            return ended
        }
    }
}
