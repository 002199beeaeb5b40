import CFaultyDisk
import SonaBase
import SonaDatabase
import SonaTestSupport

/// Fails each call to the disk in turn during a fixed load. Each time it compares what was acknowledged with what is
/// stored.
///
/// SQLite tests itself this way (sqlite.org/testing.html, "I/O Error Testing").
struct FaultScenario {
    enum Work: String {
        /// One write after the other, each followed by a read.
        case sequential
        /// The same from threads that block.
        case blocking
        /// Several at a time, which share commits.
        case concurrent
        /// Writes so large that the log is copied into the file meanwhile.
        case copying
    }

    /// The outcome of the writes of one trial.
    struct Record: Sendable {
        var acknowledged: [Int64] = []
        var failed: [(id: Int64, error: any Error)] = []
        var readErrors: [any Error] = []
    }

    let work: Work
    let seed: UInt64
    /// Calls of one kind that are failed, spread over all of them.
    let trialsMax: Int

    private let refusedAfterSync = Monitor((kept: 0, gone: 0))

    init(work: Work, seed: UInt64, trialsMax: Int) {
        self.work = work
        self.seed = seed
        self.trialsMax = trialsMax
    }

    func run() async throws {
        FaultyDisk.install()
        let counts = try await countCalls()
        var summary: [String] = []
        for call in FaultyDiskCall.allCases {
            guard let count = counts[call], count > 0 else { continue }
            var trials = 0
            var fired = 0
            for var fault in call.faults {
                for nth in Self.spread(count, trialsMax, seed) {
                    fault.nth = nth
                    trials += 1
                    if try await hasFired(fault) { fired += 1 }
                }
            }
            summary.append("\(call.name) \(fired)/\(trials) of \(count)")
            // Which connection closes last, and with it which call is the last of its kind, is up to the threads.
            if fired == 0, count > 2 { Output.fail("no \(call.name) was made to fail") }
        }
        let (kept, gone) = refusedAfterSync.withLock { $0 }
        Output.say("after a failed sync \(kept) writes were there and \(gone) were not")
        Output.say("done \(work.rawValue): \(summary.joined(separator: ", "))")
    }

    /// Up to `limit` of the numbers up to `count`.
    static func spread(_ count: Int, _ limit: Int, _ seed: UInt64) -> [Int] {
        guard count > limit else { return Array(1...max(1, count)) }
        var dice = SeededGenerator(seed: seed)
        return (0..<limit).map { place in
            Int.random(in: place * count / limit + 1...(place + 1) * count / limit, using: &dice)
        }
    }

    // MARK: Trials

    private func countCalls() async throws -> [FaultyDiskCall: Int] {
        let folder = TemporaryFolder()
        FaultyDisk.watch(folder.path)
        let pool = try await Ledger.open(folder.file("ledger.sqlite"))
        FaultyDisk.fail(FaultyDisk.Fault(call: .open, nth: .max))
        _ = await perform(on: pool, run: 1)
        await pool.close()
        return Dictionary(uniqueKeysWithValues: FaultyDiskCall.allCases.map { ($0, FaultyDisk.count($0)) })
    }

    private func hasFired(_ fault: FaultyDisk.Fault) async throws -> Bool {
        func fail(_ text: String) { Output.fail("\(work.rawValue), \(fault), seed \(seed): \(text)") }
        let folder = TemporaryFolder()
        FaultyDisk.watch(folder.path)
        let pool = try await Ledger.open(folder.file("ledger.sqlite"))
        FaultyDisk.fail(fault)
        var record = await perform(on: pool, run: 1)
        let hasFired = FaultyDisk.fired > 0
        judge(record, fault, fatalError: pool.fatalError, hasFired: hasFired, fail)
        if hasFired {
            FaultyDisk.heal()
            let after = await perform(on: pool, run: 2)
            record.acknowledged += after.acknowledged
            record.failed += after.failed
            judgeRecovery(after, fatalError: pool.fatalError, fail)
        }
        let fatalError = pool.fatalError
        await pool.close()
        let firedEver = FaultyDisk.fired > 0
        FaultyDisk.heal()
        try await judgeFile(folder, record, isInDoubt: fatalError != nil, fail)
        return firedEver
    }

    // MARK: Judging

    private func judge(
        _ record: Record, _ fault: FaultyDisk.Fault, fatalError: DatabaseError?, hasFired: Bool,
        _ fail: (String) -> Void
    ) {
        for error in record.failed.map(\.error) + record.readErrors {
            guard let error = error as? DatabaseError, error.extendedCode == fault.code, error.detail != nil,
                error.kind == (fault.error == .full ? .full : fault.call == .open ? .cannotOpen : .io)
            else {
                fail("an access failed with \(error)")
                continue
            }
        }
        if hasFired, fault.call == .sync, fatalError?.kind != .io { fail("writing goes on after a failed sync") }
        if fault.call != .sync, let fatalError { fail("writing has ended for \(fatalError)") }
    }

    /// Once the disk works again.
    private func judgeRecovery(_ after: Record, fatalError: DatabaseError?, _ fail: (String) -> Void) {
        for error in after.readErrors { fail("a read failed afterwards: \(error)") }
        guard let fatalError else {
            for (id, error) in after.failed { fail("the write \(id) failed afterwards: \(error)") }
            return
        }
        if !after.acknowledged.isEmpty { fail("writes were acknowledged after a failed sync") }
        for (id, error) in after.failed where error as? DatabaseError != fatalError {
            fail("the write \(id) was refused with \(error) and not with \(fatalError)")
        }
    }

    private func judgeFile(
        _ folder: TemporaryFolder, _ record: Record, isInDoubt: Bool, _ fail: (String) -> Void
    ) async throws {
        let pool = try await Ledger.open(folder.file("ledger.sqlite"))
        let state = try await Ledger.state(of: pool)
        await pool.close()
        let failed = record.failed.map(\.id)
        for problem in state.problems(acknowledged: record.acknowledged, refused: isInDoubt ? [] : failed) {
            fail(problem)
        }
        for problem in state.problems { fail(problem) }
        guard isInDoubt else { return }
        let kept = Set(state.operations.values).intersection(failed).count
        refusedAfterSync.withLock { counts in
            counts.kept += kept
            counts.gone += failed.count - kept
        }
    }

    // MARK: Load

    private func perform(on pool: DatabasePool, run: Int) async -> Record {
        let isShort = run > 1
        switch work {
        case .sequential, .blocking:
            return await write(6, by: 0, load: .small, on: pool, run: run, reads: true)
        case .copying:
            let load = Client.Load(bytes: 400_000...900_000, groupsMax: 3)
            return await write(isShort ? 2 : 9, by: 0, load: load, on: pool, run: run, reads: false)
        case .concurrent:
            return await withTaskGroup(of: Record.self) { group in
                for task in 0..<6 {
                    group.addTask {
                        await write(4, by: task, load: .small, on: pool, run: run, reads: false)
                    }
                }
                return await group.reduce(into: Record()) { all, record in
                    all.acknowledged += record.acknowledged
                    all.failed += record.failed
                }
            }
        }
    }

    private func write(
        _ count: Int, by task: Int, load: Client.Load, on pool: DatabasePool, run: Int, reads: Bool
    ) async -> Record {
        var record = Record()
        var client = Client(run: run, task: task, load: load, groups: [], seed: seed)
        var isFatal = false
        for _ in 0..<count {
            let operation = client.next()
            do {
                isFatal = isFatal || pool.fatalError != nil
                if work == .blocking {
                    try await pool.writeOnThread { db in try perform(operation, &db) }
                } else {
                    try await pool.write { db in try perform(operation, &db) }
                }
                record.acknowledged.append(operation.id)
                client.acknowledge(operation)
                if isFatal { Output.fail("the write \(operation.id) was acknowledged after a fatal error") }
            } catch {
                if !operation.isExpected(error) { record.failed.append((operation.id, error)) }
            }
            guard reads else { continue }
            do {
                let state = try await Ledger.state(of: pool, isThorough: false)
                for problem in state.problems { Output.fail("seen while reading, seed \(seed): \(problem)") }
            } catch {
                record.readErrors.append(error)
            }
        }
        return record
    }

    /// Goes on after an error, which no write should do. Nothing of it may stay either.
    private func perform(_ operation: Operation, _ db: inout WriteAccess) throws {
        do {
            _ = try operation.perform(&db)
        } catch {
            if !operation.isExpected(error) { _ = try? db.execute("INSERT INTO steps VALUES (99)") }
            throw error
        }
    }
}
