import Glibc
import SonaBase
import SonaDatabase
import SonaTestSupport
import Testing

/// Goal: a killed process loses no acknowledged write. Way: a program writes as fast as it can from 16 tasks, reports
/// each write after it returned, and is killed at a random moment. Another one opens the same file, compares it with
/// the reports, and goes on. The file is never closed properly.
struct CrashTests {
    private static let loads = ["small", "large", "reading", "reopening", "slow", "queue"]

    @Test func `a process killed fifty times while it writes loses nothing it has acknowledged`() async throws {
        let rounds = CrashProgram.isLong ? 500 : 50
        let folder = TemporaryFolder()
        let seed = UInt64.random(in: 0...UInt64(Int64.max))
        var dice = SeededGenerator(seed: seed)
        var said: [Substring] = []
        var seqMin = "0"
        var checked = 0
        for round in 1...rounds {
            let load = Self.loads[round % Self.loads.count]
            let name: Comment = "round \(round), load \(load), seed \(seed)"
            TemporaryFolder.write(Array(said.joined(separator: "\n").utf8), toFile: folder.file("said"))
            let program = try CrashProgram(
                [
                    CrashProgram.path, "crash", folder.file("ledger.sqlite"), load, "\(round)", "\(seed)",
                    folder.file("said"), seqMin,
                ],
                output: folder.file("output"))
            // One in five is killed while it opens what the one before it left.
            let isEarly = round % 5 == 0
            if !isEarly { _ = try await program.line(beginning: "ready") }
            try await Task.sleep(for: .milliseconds(Int.random(in: isEarly ? 0...60 : 20...200, using: &dice)))
            program.kill()
            let ending = try await program.ending()
            #expect(ending.status == 128 + SIGKILL, name)
            #expect(ending.failures.prefix(5).isEmpty, name)
            guard let place = ending.lines.firstIndex(where: { $0.hasPrefix("verified ") }) else { continue }
            checked += ending.lines[..<place].compactMap { Int($0.split(separator: " ")[1]) }.first ?? 0
            seqMin = String(ending.lines[place].dropFirst("verified ".count))
            said = Array(ending.lines[place...].dropFirst())
            guard ending.failures.isEmpty else { return }
        }
        #expect(checked > rounds * 20, "there was something to lose")
        print("kill -9: \(rounds) rounds, \(checked) acknowledged writes held against the file")
    }

    /// Goal: nobody has to wait for a file that was closed. Way: readers are given back on threads of their own just
    /// before, and some only while it is being closed; whoever has the file open last deletes its log.
    @Test func `closing leaves one file, whichever connection read last`() async throws {
        let folder = TemporaryFolder()
        for round in 0..<100 {
            let pool = try await Notes.open(folder)
            let holding = Gate()
            let release = Gate()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 { group.addTask { _ = try await pool.readDetached { db in try db.exists("SELECT 1") } } }
                try await group.waitForAll()
            }
            let last = Task {
                try await pool.readDetached { db in
                    _ = try db.exists("SELECT 1 FROM notes")
                    holding.open()
                    release.pass()
                }
            }
            try await holding.opened()
            let closing = Task {
                await pool.close()
                return ["-wal", "-shm"].filter { access(pool.path + $0, F_OK) == 0 }
            }
            release.open()
            #expect(await closing.value == [], "round \(round)")
            try await last.value
        }
    }
}
