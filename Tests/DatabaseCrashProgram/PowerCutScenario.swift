import CFaultyDisk
import Glibc
import SonaBase
import SonaDatabase
import SonaTestSupport

/// Cuts the power at many moments of a load, opens what each cut leaves, and goes on from one of them.
///
/// Writes acknowledged before the cut must be there; with `normal`, a prefix of them.
struct PowerCutScenario {
    enum Way: String {
        /// `synchronous=FULL`.
        case full
        /// `synchronous=NORMAL`: the end may be missing.
        case normal
        /// `FULL` on a disk that only says it has synced: to see that a loss is found.
        case lying
        /// `FULL`, and one sync fails; afterwards the database is closed and opened again.
        case failingSync
        /// The same, but the process is killed in place of closing.
        case failingSyncKilled
        /// `NORMAL`, a sync that fails, and closing.
        case normalFailingSync
    }

    /// The sums over all cuts.
    private struct Tally {
        var cuts = 0
        var lossless = 0
        var lost = 0
        var damaged = 0
        var atStake = 0
        var checkpoints = 0
    }

    private static let tasks = 4

    let way: Way
    let seed: UInt64
    let generations: Int

    private var isNormal: Bool { way == .normal || way == .normalFailingSync }
    private var failsSync: Bool { way == .failingSync || way == .failingSyncKilled || way == .normalFailingSync }

    func run() async throws {
        FaultyDisk.install()
        faulty_disk_lie_about_syncs(way == .lying ? 1 : 0)
        var tally = Tally()
        var folder = TemporaryFolder()
        var acknowledged: [(id: Int64, seq: Int64)] = []
        for generation in 1...generations {
            let cuts = TemporaryFolder()
            let witness = Witness(
                seed: seed &+ UInt64(generation), writesCut: isLarge(generation) ? 2 : 15, folder: cuts,
                acknowledged: acknowledged)
            do {
                try await live(generation, folder, witness)
            } catch {
                report(&tally, "generation \(generation): \(error)")
            }
            var dice = SeededGenerator(seed: seed &+ UInt64(generation) << 8)
            let next = witness.cuts.randomElement(using: &dice)
            let following = TemporaryFolder()
            if let next { copy(next.folder, to: following) }
            for cut in witness.cuts { try await judge(cut, generation, witness, &tally) }
            folder = following
            acknowledged = try await kept(in: folder)
        }
        Output.say(
            "done \(way.rawValue): cuts \(tally.cuts) lossless \(tally.lossless) lost \(tally.lost) "
                + "damaged \(tally.damaged) atStake \(tally.atStake)")
    }

    /// With `NORMAL` only large loads sync more than at the opening and the closing.
    private func isLarge(_ generation: Int) -> Bool { way == .normalFailingSync || generation.isMultiple(of: 3) }

    private func open(_ folder: String) async throws(DatabaseError) -> DatabasePool {
        var options = DatabaseOptions()
        options.durability = isNormal ? .normal : .full
        return try await Ledger.open(folder + "/ledger.sqlite", options: options)
    }

    // MARK: Living

    /// From opening to closing.
    private func live(_ generation: Int, _ folder: TemporaryFolder, _ witness: Witness) async throws {
        FaultyDisk.watch(folder.path)
        witness.watch()
        defer { witness.leave() }
        let pool = try await open(folder.path)
        if failsSync {
            var dice = SeededGenerator(seed: seed ^ UInt64(generation))
            FaultyDisk.fail(FaultyDisk.Fault(call: .sync, nth: Int.random(in: 1...(isNormal ? 4 : 20), using: &dice)))
        }
        try await write(generation * 2, pool, witness)
        guard failsSync else { return await pool.close() }
        FaultyDisk.heal()
        let second = TemporaryFolder()
        var isMoved = false
        if way == .failingSyncKilled, pool.fatalError != nil {
            precondition(faulty_disk_continue_in(second.path) == 0)
            isMoved = true
        }
        await pool.close()
        let again = try await open(isMoved ? second.path : folder.path)
        try await write(generation * 2 + 1, again, witness)
        await again.close()
    }

    private func write(_ run: Int, _ pool: DatabasePool, _ witness: Witness) async throws {
        let state = try await Ledger.state(of: pool, isThorough: false)
        let load =
            isLarge(run / 2)
            ? Client.Load(bytes: 60_000...300_000, groupsMax: 2) : Client.Load(bytes: 20...9_000, groupsMax: 6)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<Self.tasks {
                let client = Client(run: run, task: task, load: load, groups: state.groups[task] ?? [], seed: seed)
                group.addTask { await write(client, pool, witness) }
            }
        }
    }

    private func write(_ client: Client, _ pool: DatabasePool, _ witness: Witness) async {
        var client = client
        for _ in 0..<12 {
            let operation = client.next()
            do {
                if client.task == 0 {
                    let seq = try await pool.writeOnThread { db in try operation.perform(&db) }
                    witness.acknowledge(operation.id, seq: seq)
                } else {
                    try await submit(operation, pool, witness)
                }
                client.acknowledge(operation)
            } catch {
                if operation.isExpected(error) { continue }
                witness.fail(operation.id)
                if pool.fatalError == nil { Output.fail("the write \(operation.id) failed: \(error)") }
            }
        }
    }

    /// Not `write`: it would be known a moment later that it is acknowledged, and a loss might pass.
    private func submit(_ operation: Operation, _ pool: DatabasePool, _ witness: Witness) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            pool.submit({ db in try operation.perform(&db) }) { result in
                if case .success(let seq) = result { witness.acknowledge(operation.id, seq: seq) }
                continuation.resume(with: result.map { _ in })
            }
        }
    }

    // MARK: Judging

    private func judge(
        _ cut: Witness.Cut, _ generation: Int, _ witness: Witness, _ tally: inout Tally
    ) async throws {
        tally.cuts += 1
        tally.atStake += cut.atStake
        let name =
            "generation \(generation), cut before a \(cut.call.name), loss of \(cut.loss.name), at stake \(cut.atStake)"
        let acknowledged = witness.acknowledged
        var problems: [String] = []
        do {
            let pool = try await open(cut.folder)
            let state = try await Ledger.state(of: pool)
            await pool.close()
            problems += state.problems
            let lost = acknowledged.prefix(cut.acknowledged).filter { state.operations[$0.seq] != $0.id }
            tally.lost += lost.count
            if lost.isEmpty { tally.lossless += 1 }
            if isNormal {
                // Only the last writes are missing.
                problems += lost.filter { $0.seq <= state.lastSeq }.map { "\($0.id) is missing from the middle" }
            } else {
                problems += lost.prefix(3).map { "the acknowledged write \($0.id) at \($0.seq) is lost" }
            }
            problems += strangers(state, acknowledged, witness.failed)
        } catch {
            problems.append("it cannot be opened: \(error)")
        }
        for problem in problems { report(&tally, "\(name): \(problem)") }
    }

    /// Writes that are there in another place than that at which they were committed.
    private func strangers(
        _ state: LedgerState, _ acknowledged: [(id: Int64, seq: Int64)], _ failed: Set<Int64>
    ) -> [String] {
        let places = Dictionary(acknowledged.map { ($0.id, $0.seq) }) { first, _ in first }
        return state.operations.compactMap { seq, id in
            id == 0 || places[id] == seq || failed.contains(id) ? nil : "the write \(id) is at \(seq)"
        }
    }

    private func report(_ tally: inout Tally, _ text: String) {
        tally.damaged += 1
        if way != .lying { Output.fail("power cut, \(way.rawValue), seed \(seed), \(text)") }
    }

    /// The content found after the cut, which must stay from then on. It may be more than was acknowledged, if a write
    /// was under way.
    private func kept(in folder: TemporaryFolder) async throws -> [(id: Int64, seq: Int64)] {
        let image = TemporaryFolder()
        copy(folder.path, to: image)
        guard let pool = try? await open(image.path) else {
            // The lying disk has damaged the file: begin with a new one.
            for suffix in ["", "-wal", "-journal"] { remove(folder.file("ledger.sqlite" + suffix)) }
            return []
        }
        let state = try await Ledger.state(of: pool)
        await pool.close()
        return state.operations.map { (id: $0.value, seq: $0.key) }
    }

    private func copy(_ folder: String, to other: TemporaryFolder) {
        for suffix in ["", "-wal", "-journal"] {
            guard let bytes = TemporaryFolder.bytes(ofFile: folder + "/ledger.sqlite" + suffix) else { continue }
            TemporaryFolder.write(bytes, toFile: other.file("ledger.sqlite" + suffix))
        }
    }
}
