import Dispatch
import Foundation
import Synchronization

/// Ways of running bodies, the same for every contender.
enum Running {
    /// Blocks this thread, which must not be one of the cooperative pool, until `body` is through.
    static func wait<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let done = DispatchSemaphore(value: 0)
        let result = Mutex<Result<Value, any Error>?>(nil)
        Task.detached {
            let outcome: Result<Value, any Error>
            do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
            result.withLock { $0 = outcome }
            done.signal()
        }
        done.wait()
        guard let outcome = result.withLock({ $0 }) else { preconditionFailure("The task ended without an outcome.") }
        return try outcome.get()
    }

    /// Runs each body on a thread of its own and waits for all of them.
    ///
    /// - Throws: The first error by order of bodies.
    static func threads<Value: Sendable>(_ bodies: [@Sendable () throws -> Value]) throws -> [Value] {
        let results = Mutex([Int: Result<Value, any Error>]())
        let done = DispatchGroup()
        for (index, body) in bodies.enumerated() {
            done.enter()
            let thread = Thread {
                let outcome = Result { try body() }
                results.withLock { $0[index] = outcome }
                done.leave()
            }
            thread.start()
        }
        done.wait()
        let outcomes = results.withLock { $0 }
        return try bodies.indices.map { index in
            guard let outcome = outcomes[index] else { preconditionFailure("A thread ended without an outcome.") }
            return try outcome.get()
        }
    }

    /// Reads by key from many tasks, each read timed.
    static func awaitedReads(
        _ sizes: Sizes, _ read: @escaping @Sendable (Int64) async throws -> UInt64
    ) async throws -> Sample {
        try await withThrowingTaskGroup(of: (UInt64, Latencies).self) { group in
            for task in 0..<sizes.tasks {
                group.addTask {
                    var dice = Dice(state: UInt64(task))
                    var latencies = Latencies()
                    var checksum: UInt64 = 0
                    for _ in 0..<sizes.awaitedReadsPerTask {
                        let begin = monotonicNow()
                        checksum &+= try await read(dice.id(sizes.rows))
                        latencies.add(monotonicNow() - begin)
                    }
                    return (checksum, latencies)
                }
            }
            var sample = Sample(operations: sizes.tasks * sizes.awaitedReadsPerTask, checksum: 0)
            for try await (checksum, latencies) in group {
                sample.checksum = sample.checksum.map { $0 &+ checksum }
                sample.latencies.add(latencies)
            }
            return sample
        }
    }

    /// Writes notes with ids 1, 2, … from many tasks until the time is up, each write timed.
    ///
    /// For a time and not up to a count: on a slow disk a count that is long enough for one contender is endless for
    /// the other. The clock stops when the last write is acknowledged.
    static func awaitedWrites(
        _ line: Line, _ sizes: Sizes, _ write: @escaping @Sendable (Int64) async throws -> Void
    ) async throws -> Sample {
        let ids = IDs()
        let deadline = monotonicNow() + UInt64(sizes.awaitedWritesSeconds * 1e9)
        let latencies = try await withThrowingTaskGroup(of: Latencies.self) { group in
            for _ in 0..<line.writingTasks(sizes) {
                group.addTask {
                    var latencies = Latencies()
                    var begin = monotonicNow()
                    while begin < deadline {
                        try await write(ids.next())
                        let end = monotonicNow()
                        latencies.add(end - begin)
                        begin = end
                    }
                    return latencies
                }
            }
            return try await group.reduce(into: Latencies()) { $0.add($1) }
        }
        let count = latencies.values.count
        return Sample(operations: count, written: count, latencies: latencies)
    }

    /// Reads by key on some threads while one writes notes with ids after those that are there, for a fixed time.
    ///
    /// - Parameters:
    ///   - read: Made once per thread; a connection may be its own.
    ///   - write: Runs on one thread.
    static func mixed(
        _ sizes: Sizes, read: [@Sendable (Int64) throws -> UInt64], write: @escaping @Sendable (Int64) throws -> Void
    ) throws -> Sample {
        let isOver = Atomic(false)
        var bodies: [@Sendable () throws -> Int] = read.enumerated().map { index, read in
            { @Sendable in
                var dice = Dice(state: UInt64(index))
                var count = 0
                var checksum: UInt64 = 0
                while !isOver.load(ordering: .relaxed) {
                    checksum &+= try read(dice.id(sizes.rows))
                    count += 1
                }
                precondition(checksum != 0, "Nothing was read.")
                return count
            }
        }
        bodies.append { @Sendable in
            var count = 0
            while !isOver.load(ordering: .relaxed) {
                try write(Int64(sizes.rows + count + 1))
                count += 1
            }
            return count
        }
        bodies.append { @Sendable in
            usleep(UInt32(sizes.mixedSeconds * 1e6))
            isOver.store(true, ordering: .relaxed)
            return 0
        }
        let counts = try threads(bodies)
        let commits = counts[read.count]
        return Sample(
            operations: counts.prefix(read.count).reduce(0, +), written: sizes.rows + commits, commits: commits)
    }
}

/// 1, 2, … for many tasks at once.
private final class IDs: Sendable {
    private let last = Atomic<Int64>(0)

    func next() -> Int64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
