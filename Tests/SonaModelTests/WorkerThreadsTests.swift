import SonaDatabase
import Testing

@testable import SonaModel

struct WorkerThreadsTests {
    @Test func `work comes back with what it found, as many at a time as there are threads`() async throws {
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
    @Test func `one more than the queue holds is refused, and the others are done`() async throws {
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
                // Three wait; the rest has been refused.
                if outcomes.count == 7 { gate.notify { $0.isOpen = true } }
            }
            return outcomes
        }
        try await held.value
        let waits = outcomes.compactMap { $0?.retryAfterMilliseconds }
        #expect(waits.count == 7 && waits.allSatisfy { 250...60_000 ~= $0 })
        workers.close()
    }

    @Test func `what was queued before the end is done, and what comes after it is refused`() async throws {
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
