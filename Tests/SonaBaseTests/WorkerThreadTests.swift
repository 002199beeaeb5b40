import Glibc
import SonaBase
import Testing

/// Pauses of a test that looks again and again.
enum WorkerPause {
    static func short() { usleep(500) }
}

struct WorkerThreadTests {
    /// Runs `body` on a thread of its own and gives what it returned.
    private func onThread<Value: Sendable>(_ name: String = "test", _ body: @escaping @Sendable () -> Value) -> Value {
        let result = Monitor<Value?>(nil)
        let started = WorkerThread.start(name) {
            let value = body()
            result.notify { $0 = value }
        }
        precondition(started, "The system has no thread to give.")
        return result.wait { $0 }
    }

    @Test(arguments: [("sona", "sona"), ("fifteen bytes ö", "fifteen bytes "), ("sixteen bytes ..", "sixteen bytes .")])
    func `a thread has its name, as much as the kernel takes`(name: String, shown: String) throws {
        let comm = try onThread(name) { Result { try WholeFile.read("/proc/thread-self/comm") } }.get()
        #expect(String(decoding: comm, as: UTF8.self).hasPrefix(shown))
        #expect(comm.count <= 16)
    }

    @Test func `signals that ask the process for something are blocked there, and nowhere else for it`() {
        @Sendable func blocked() -> [Int32] {
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            return WorkerThread.blockedSignals.filter { sigismember(&mask, $0) == 1 }
        }
        let before = blocked()
        #expect(onThread { blocked() } == WorkerThread.blockedSignals)
        #expect(blocked() == before)
        #expect([SIGINT, SIGTERM, SIGPIPE].allSatisfy(WorkerThread.blockedSignals.contains))
        #expect([SIGSEGV, SIGABRT, SIGBUS].allSatisfy { !WorkerThread.blockedSignals.contains($0) })
    }

    @Test func `writing to a pipe that nobody reads is an error there, and does not end the program`() {
        let number = onThread { () -> Int32 in
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { return -1 }
            close(ends[0])
            defer { close(ends[1]) }
            do throws(WholeFile.Failure) { try WholeFile.write([1], to: ends[1]) } catch {
                guard case .system("write", let number) = error else { return -1 }
                return number
            }
            return 0
        }
        #expect(number == EPIPE)
    }

    @Test func `objects held by a thread are released when it ends`() {
        final class Held: Sendable {}
        weak var seen: Held?
        let ended = Monitor(false)
        do {
            let held = Held()
            seen = held
            #expect(WorkerThread.start("held") { withExtendedLifetime(held) { ended.notify { $0 = true } } })
        }
        ended.wait { $0 ? () : nil }
        for _ in 0..<2_000 where seen != nil { WorkerPause.short() }
        #expect(seen == nil)
    }

    @Test func `a stop flag is down until it is set, and stays set`() {
        let flag = StopFlag()
        #expect(!flag.isSet)
        #expect(
            onThread {
                flag.set()
                flag.set()
                return flag.isSet
            })
        #expect(flag.isSet)
    }
}
