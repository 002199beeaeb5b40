import Glibc
import SonaBase
import SonaTestSupport
import Testing

/// Counters and rows of plays are the same whenever the server ends.
///
/// `PlaysProgram` writes plays, eight tasks at a time, some of which take names off plays. It ends by SIGKILL three times in
/// the middle of that, and checks at each start what was left. The last run comes to its end: it checks again, spoils counters,
/// and has them made anew. 4 000 plays, and 100 000 with `deploy/test --long`.
@Suite(.serialized) struct PlayCrashTests {
    private struct Fault: Error { var text: String }

    private static let isLong = getenv("SONA_LONG_TESTS").map { String(cString: $0) } == "1"

    @Test func `counters are the number of rows after three kills and a rebuild`() async throws {
        let folder = TemporaryFolder()
        let seed = UInt64.random(in: 0...UInt64.max)
        var dice = SeededGenerator(seed: seed)
        let count = Self.isLong ? 100_000 : 4_000
        for run in 1...3 {
            let killed = count / 20 + Int(dice.next() % UInt64(count / 10))
            let (pid, output) = try start(folder, count, seed, run, killed: killed)
            var status: Int32 = 0
            waitpid(pid, &status, 0)
            let lines = self.lines(output)
            #expect(status & 0x7F == SIGKILL, "run \(run) ended by itself: \(lines.suffix(3)), seed \(seed)")
            #expect(lines.filter { $0.hasPrefix("FAIL") } == [], "run \(run), seed \(seed)")
        }
        let (pid, output) = try start(folder, count, seed, 4, killed: 0)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        let lines = self.lines(output)
        #expect(status == 0 && lines.last == "done", "\(lines.suffix(3)), seed \(seed)")
        #expect(lines.filter { $0.hasPrefix("FAIL") } == [], "seed \(seed)")
        let checked = lines.filter { $0.hasPrefix("checked") }
        #expect(checked.count == 3 && checked.last.flatMap { Int($0.split(separator: " ")[1]) } ?? 0 >= count)
        print("    " + lines.filter { $0.hasPrefix("rate") || $0.hasPrefix("rebuilt") }.joined(separator: ", "))
    }

    private func start(
        _ folder: TemporaryFolder, _ count: Int, _ seed: UInt64, _ run: Int, killed: Int
    ) throws -> (pid: pid_t, output: String) {
        let output = folder.file("said.\(run)")
        let path = BuiltProgram.beside("PlaysProgram")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        let arguments: [String] = [path, folder.file("data"), "\(count)", "\(seed)", "\(run)", "\(killed)"]
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var pid: pid_t = 0
        let result = posix_spawn(&pid, path, &actions, nil, &words, environ)
        guard result == 0 else { throw Fault(text: "\(path) could not be started: \(result)") }
        return (pid, output)
    }

    private func lines(_ output: String) -> [String] {
        String(decoding: TemporaryFolder.bytes(ofFile: output) ?? [], as: UTF8.self).split(separator: "\n").map(
            String.init)
    }
}
