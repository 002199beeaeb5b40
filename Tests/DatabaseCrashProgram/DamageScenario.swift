import SonaBase
import SonaDatabase
import SonaTestSupport

/// Opens, reads and writes files that were damaged while they were closed. It may fail with a `DatabaseError` at any of
/// these, and must neither crash nor hang.
struct DamageScenario {
    private enum Damage: CaseIterable {
        case bits, bytes, zeroes, otherPage, cut, noise
    }

    let seed: UInt64
    let rounds: Int

    func run() async throws {
        FaultyDisk.install()
        let folder = TemporaryFolder()
        let path = folder.file("ledger.sqlite")
        let good = try await makeFile(path)
        var dice = SeededGenerator(seed: seed)
        var ends: [String: Int] = [:]
        for round in 0..<rounds {
            let bad = damaged(good, &dice)
            TemporaryFolder.write(bad, toFile: path)
            for suffix in ["-wal", "-shm"] { TemporaryFolder.write([], toFile: path + suffix) }
            let end = await use(path, isChecked: round.isMultiple(of: 2), seed: seed &+ UInt64(round))
            ends[end, default: 0] += 1
        }
        let summary = ends.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        Output.say("done \(summary)")
    }

    private func makeFile(_ path: String) async throws -> [UInt8] {
        let pool = try await Ledger.open(path)
        var client = Client(
            run: 1, task: 0, load: Client.Load(bytes: 100...30_000, groupsMax: 60), groups: [], seed: seed)
        for _ in 0..<200 {
            let operation = client.next()
            guard operation.refusal == nil else { continue }
            try await pool.write { db in _ = try operation.perform(&db) }
            client.acknowledge(operation)
        }
        await pool.close()
        return TemporaryFolder.bytes(ofFile: path) ?? []
    }

    private func damaged(_ good: [UInt8], _ dice: inout SeededGenerator) -> [UInt8] {
        var bytes = good
        let pages = good.count / 4_096
        let page = Int.random(in: 0..<pages, using: &dice) * 4_096
        switch Damage.allCases.randomElement(using: &dice) ?? .bits {
        case .bits:
            for _ in 0..<Int.random(in: 1...8, using: &dice) {
                bytes[Int.random(in: bytes.indices, using: &dice)] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
            }
        case .bytes:
            // The header of a page and the directory of its cells.
            for place in page..<page + 40 where Bool.random(using: &dice) {
                bytes[place] = UInt8.random(in: 0...255, using: &dice)
            }
        case .zeroes: for place in page..<page + 4_096 { bytes[place] = 0 }
        case .otherPage:
            let other = Int.random(in: 0..<pages, using: &dice) * 4_096
            bytes.replaceSubrange(page..<page + 4_096, with: good[other..<other + 4_096])
        case .cut: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &dice))
        case .noise: for place in page..<page + 4_096 { bytes[place] = UInt8.random(in: 0...255, using: &dice) }
        }
        return bytes
    }

    /// - Returns: How far it came.
    private func use(_ path: String, isChecked: Bool, seed: UInt64) async -> String {
        var options = DatabaseOptions()
        if !isChecked { options.alwaysCheckedBytesMax = 0 }
        let pool: DatabasePool
        do throws(DatabaseError) {
            pool = try await Ledger.open(path, options: options)
        } catch {
            return "\(name(error)) when opening"
        }
        var end = "unnoticed"
        do {
            let state = try await Ledger.state(of: pool)
            if !state.problems.isEmpty { end = "contents differ" }
        } catch {
            end = "\(name(error)) when reading"
        }
        var client = Client(run: 9, task: 0, load: .small, groups: [], seed: seed)
        for _ in 0..<10 {
            let operation = client.next()
            do {
                try await pool.write { db in _ = try operation.perform(&db) }
            } catch  where operation.isExpected(error) {
            } catch {
                if end == "unnoticed" { end = "\(name(error)) when writing" }
            }
        }
        await pool.close()
        return end
    }

    private func name(_ error: any Error) -> String {
        guard let error = error as? DatabaseError else {
            Output.fail("seed \(seed): \(error)")
            return "?"
        }
        switch error.kind {
        case .schemaMismatch: return "schemaMismatch"
        case .badValue: return "badValue"
        case .unique: return "unique"
        case .notNull: return "notNull"
        case .check: return "check"
        case .newerVersion: return "newerVersion"
        case .foreignApplication: return "foreignApplication"
        default: return "\(error.kind)"
        }
    }
}
