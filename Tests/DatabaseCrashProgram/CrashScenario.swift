import SonaBase
import SonaDatabase
import SonaTestSupport

/// Writes until it is killed, and reports each write after it was acknowledged.
///
/// Before that, it opens the file of the previous process and compares it with that process's reports.
struct CrashScenario: Sendable {
    enum Load: String, Sendable {
        /// Many small writes.
        case small
        /// Writes so large that the log is copied into the file all the time.
        case large
        /// With readers that check what they see, and one that holds a snapshot for a long time.
        case reading
        /// The database is closed and opened again repeatedly during the load.
        case reopening
        /// One connection for everything.
        case queue
        /// On a disk that takes 3 ms more for a sync: commits are shared by many, and most kills come before one.
        case slow
    }

    private static let tasks = 16

    let path: String
    let load: Load
    let run: Int
    let seed: UInt64
    /// The reports of previous processes since the last `verified`, and the place in the log that it named.
    let said: String
    let seqMin: Int64

    func run() async throws {
        if load == .slow { FaultyDisk.installSlow(syncMicroseconds: 3_000) }
        let database = try await open()
        let state = try await Ledger.state(of: database)
        report(state)
        // The file is never closed, so that each process finds what a kill leaves.
        try await work(on: database, state)
    }

    private func open() async throws(DatabaseError) -> any DatabaseWriter {
        if load == .queue {
            return try await DatabaseQueue.open(
                path, applicationID: Ledger.applicationID, migrations: Ledger.timeline)
        }
        return try await Ledger.open(path)
    }

    private func report(_ state: LedgerState) {
        let words = said.split(separator: "\n").map { $0.split(separator: " ") }
        let acknowledged = words.filter { $0.first == "acknowledged" }.compactMap { Int64($0[1]) }
        let refused = words.filter { $0.first == "refused" }.compactMap { Int64($0[1]) }
        var problems = state.problems + state.problems(acknowledged: acknowledged, refused: refused)
        if state.lastSeq < seqMin { problems.append("the log ends at \(state.lastSeq), it was at \(seqMin) before") }
        for problem in problems { Output.fail(problem) }
        Output.say("checked \(acknowledged.count) acknowledged, \(refused.count) refused")
        Output.say("verified \(state.lastSeq)")
    }

    private func work(on database: any DatabaseWriter, _ state: LedgerState) async throws {
        // Verified writes need not be compared with the log again.
        let pruning = Operation(id: Int64(run) << 40 | 0xFF << 32, kind: .prune, task: 0, group: 0)
        try await database.writeAlone { db in _ = try pruning.perform(&db) }
        Output.say("acknowledged \(pruning.id)")
        Output.say("ready")
        let current = Monitor<any DatabaseWriter>(database)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<Self.tasks {
                let client = Client(
                    run: run, task: task, load: load == .large ? .large : .small, groups: state.groups[task] ?? [],
                    seed: seed)
                group.addTask { await write(client, to: current) }
            }
            switch load {
            case .reading:
                group.addTask { await read(from: database) }
                group.addTask { await hold(database) }
            case .reopening: group.addTask { await reopen(current) }
            case .small, .large, .queue, .slow: break
            }
        }
    }

    // MARK: Tasks

    private func write(_ client: Client, to current: Monitor<any DatabaseWriter>) async {
        var client = client
        while true {
            let operation = client.next()
            do {
                let database = current.withLock { $0 }
                if client.task.isMultiple(of: 4) {
                    _ = try await database.writeOnThread { db in try operation.perform(&db) }
                } else {
                    try await database.write { db in _ = try operation.perform(&db) }
                }
                Output.say("acknowledged \(operation.id)")
                if operation.refusal != nil { Output.fail("the write \(operation.id) did not fail") }
                client.acknowledge(operation)
            } catch {
                Output.say("refused \(operation.id)")
                if let error = error as? DatabaseError, error.kind == .closed, load == .reopening {
                    await Task.yield()
                } else if !operation.isExpected(error) {
                    Output.fail("the write \(operation.id) failed: \(error)")
                }
            }
        }
    }

    private func read(from database: any DatabaseWriter) async {
        while true {
            do {
                let state = try await Ledger.state(of: database, isThorough: false)
                for problem in state.problems { Output.fail("seen while reading: \(problem)") }
            } catch {
                Output.fail("a read failed: \(error)")
            }
        }
    }

    /// Like a backup: holds one snapshot for a long time, so that the log cannot start again.
    private func hold(_ database: any DatabaseWriter) async {
        while true {
            do {
                try await database.readDetached { db in
                    let before: Int64? = try db.value("SELECT sum(value) FROM parts")
                    Pause.milliseconds(60)
                    let after: Int64? = try db.value("SELECT sum(value) FROM parts")
                    if before != after { Output.fail("a snapshot changed from \(before ?? 0) to \(after ?? 0)") }
                }
            } catch {
                Output.fail("a long read failed: \(error)")
            }
        }
    }

    private func reopen(_ current: Monitor<any DatabaseWriter>) async {
        var dice = SeededGenerator(seed: seed &+ UInt64(run))
        while true {
            try? await Task.sleep(for: .milliseconds(Int.random(in: 0...30, using: &dice)))
            await current.withLock { $0 }.close()
            do {
                let opened = try await open()
                current.withLock { $0 = opened }
            } catch {
                Output.fail("it could not be opened again: \(error)")
                return
            }
        }
    }
}

extension Operation {
    /// Whether this is how the write was meant to fail.
    func isExpected(_ error: any Error) -> Bool {
        switch (refusal, error) {
        case (.thrown, Refusal.thrown): true
        case (.unique, let error as DatabaseError): error.kind == .unique(table: "log", columns: ["operation"])
        case (.check, let error as DatabaseError): error.kind == .check("place_in_group")
        case (.foreignKey, let error as DatabaseError): error.kind == .foreignKey
        case (.control, let error as DatabaseError):
            if case .misuse = error.kind { true } else { false }
        default: false
        }
    }
}
