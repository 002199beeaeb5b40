import SonaBase
import SonaCrypto
import SonaDatabase
import Testing

@testable import SonaModel

struct WorkerThreadsTests {
    @Test func `as many jobs run at a time as there are threads, and each returns its result`() async throws {
        let workers = WorkerThreads("test", threads: 2, queueMax: 1_000)
        let counts = Monitor((now: 0, most: 0))
        let found = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<100 {
                group.addTask {
                    try await workers.run {
                        counts.withLock { counts in
                            counts.now += 1
                            counts.most = max(counts.most, counts.now)
                        }
                        defer { counts.withLock { $0.now -= 1 } }
                        return number
                    }
                }
            }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(found == Set(0..<100))
        #expect(counts.withLock { $0.now == 0 && 1...2 ~= $0.most })
        workers.close()
    }

    /// Goal: a full queue refuses at once. Way: the only thread waits for the test.
    @Test func `one job more than the queue holds is refused, and the others run`() async throws {
        let workers = WorkerThreads("test", threads: 1, queueMax: 3)
        let gate = Monitor((isOpen: false, isHeld: false))
        let held = Task {
            try await workers.run {
                gate.notify { $0.isHeld = true }
                gate.wait { $0.isOpen ? () : nil }
            }
        }
        while !gate.withLock({ $0.isHeld }) { await Task.yield() }
        let outcomes = await withTaskGroup(of: WorkerThreads.Busy?.self) { group in
            for _ in 0..<10 {
                group.addTask { await failure { () throws(WorkerThreads.Busy) in try await workers.run {} } }
            }
            var outcomes: [WorkerThreads.Busy?] = []
            for await outcome in group {
                outcomes.append(outcome)
                // Three jobs wait, and the others have been refused.
                if outcomes.count == 7 { gate.notify { $0.isOpen = true } }
            }
            return outcomes
        }
        try await held.value
        let waits = outcomes.compactMap { $0?.retryAfterMilliseconds }
        #expect(waits.count == 7 && waits.allSatisfy { 250...60_000 ~= $0 })
        workers.close()
    }

    @Test func `all cores but one hash passwords, fewer if memory is short`() throws {
        let large = try #require(PasswordHash.Cost(logN: 18, r: 8, p: 1))
        #expect([1, 2, 3, 8, 64].map { WorkerThreads.hashingThreads(cores: $0, cost: .standard) } == [1, 1, 2, 7, 16])
        #expect(WorkerThreads.hashingThreads(cores: 64, cost: large) == 2)
        #expect(WorkerThreads.hashingThreads(cores: 64, cost: .test) == 63)
    }

    /// Goal: strangers who fill the queue do not shut out known users. Way: the only thread is blocked, strangers fill
    /// their part of the queue, then known users queue up.
    @Test func `known users have a share of the queue and run before strangers`() async throws {
        let workers = WorkerThreads("test", threads: 1, queueMax: 8)
        let gate = Monitor((isOpen: false, isHeld: false, order: [String]()))
        let held = Task {
            try await workers.run {
                gate.notify { $0.isHeld = true }
                gate.wait { $0.isOpen ? () : nil }
            }
        }
        while !gate.withLock({ $0.isHeld }) { await Task.yield() }
        let strangers = (0..<10).map { _ in
            Task { try await workers.run { gate.withLock { $0.order.append("stranger") } } }
        }
        try await Task.sleep(for: .milliseconds(100))
        let known = (0..<2).map { _ in
            Task { try await workers.run(isPreferred: true) { gate.withLock { $0.order.append("known") } } }
        }
        try await Task.sleep(for: .milliseconds(100))
        gate.notify { $0.isOpen = true }
        try await held.value
        for one in known { try await one.value }
        var refused = 0
        for stranger in strangers { do { try await stranger.value } catch { refused += 1 } }
        #expect(refused == 4)
        #expect(gate.withLock { $0.order } == ["known", "known"] + Array(repeating: "stranger", count: 6))
        workers.close()
    }

    @Test func `jobs queued before close run, and later ones are refused`() async throws {
        let workers = WorkerThreads("test", threads: 1, queueMax: 100)
        let gate = Monitor((isOpen: false, isHeld: false))
        let held = Task {
            try await workers.run {
                gate.notify { $0.isHeld = true }
                gate.wait { $0.isOpen ? () : nil }
            }
        }
        while !gate.withLock({ $0.isHeld }) { await Task.yield() }
        workers.close()
        #expect(await failure { () throws(WorkerThreads.Busy) in try await workers.run {} } != nil)
        gate.notify { $0.isOpen = true }
        try await held.value
        workers.close()
    }
}
