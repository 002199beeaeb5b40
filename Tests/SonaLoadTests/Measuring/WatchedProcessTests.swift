import Glibc
import Testing

@testable import SonaLoad

struct WatchedProcessTests {
    @Test func `time of threads that have ended counts`() {
        typealias Time = WatchedProcess.ProcessorTime
        let before = Time(living: 900_000_000, all: 900_000_000)
        #expect(Time(living: 1_000_000_001, all: 1_000_000_000).since(before) == 100_000_001)
        #expect(Time(living: 300_000_000, all: 1_200_000_000).since(before) == 300_000_000)
        #expect(Time(living: nil, all: 950_000_000).since(before) == 50_000_000)
        #expect(Time(living: 1, all: 1).since(before) == nil)
    }

    @Test func `a process that has ended is gone, also before anybody has waited for it`() throws {
        var pid: pid_t = 0
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("600"), nil]
        defer { for argument in arguments { free(argument) } }
        try #require(posix_spawnp(&pid, "sleep", nil, nil, &arguments, nil) == 0)
        let watched = try WatchedProcess(pid: pid)
        #expect(!watched.isGone && watched.processorTime != nil)
        kill(pid, SIGKILL)
        // WNOWAIT: it has ended, and stays to be waited for.
        var information = siginfo_t()
        #expect(waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) == 0)
        #expect(watched.isGone && watched.processorTime == nil)
        #expect(waitpid(pid, nil, 0) == pid)
        #expect(watched.isGone)
        #expect(throws: LoadError.self) { _ = try WatchedProcess(pid: pid) }
    }
}
