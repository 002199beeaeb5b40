import Glibc
import SonaDatabase
import SonaTestSupport

/// Behaviour at limits that the system sets.
enum LimitScenario {
    private static let load = Client.Load(bytes: 30_000...60_000, groupsMax: 1_000)

    /// Writes until one fails.
    ///
    /// - Returns: The acknowledged writes, and the failure.
    private static func fill(
        _ pool: DatabasePool, _ client: inout Client, _ acknowledged: inout [Int64], _ refused: inout [Int64]
    ) async -> DatabaseError? {
        for _ in 0..<1_000 {
            let operation = client.next()
            do {
                try await pool.write { db in _ = try operation.perform(&db) }
                acknowledged.append(operation.id)
                client.acknowledge(operation)
            } catch {
                refused.append(operation.id)
                if !operation.isExpected(error) { return error as? DatabaseError }
            }
        }
        return nil
    }

    private static func check(
        _ pool: DatabasePool, _ acknowledged: [Int64], _ refused: [Int64], _ moment: String
    ) async {
        do {
            let state = try await Ledger.state(of: pool)
            for problem in state.problems + state.problems(acknowledged: acknowledged, refused: refused) {
                Output.fail("\(moment): \(problem)")
            }
        } catch {
            Output.fail("\(moment): \(error)")
        }
    }

    /// RLIMIT_FSIZE: no file may grow beyond the limit, for the log while writing and for the file when closing.
    static func fileSize(_ path: String) async throws {
        // Otherwise the signal would end the process before write() could say EFBIG.
        signal(SIGXFSZ, SIG_IGN)
        var pool = try await Ledger.open(path)
        var client = Client(run: 1, task: 0, load: load, groups: [], seed: 1)
        var acknowledged: [Int64] = []
        var refused: [Int64] = []
        for bytes in [300_000, 900_000] {
            limitFiles(to: bytes)
            let failure = await fill(pool, &client, &acknowledged, &refused)
            if failure?.kind != .io || failure?.extendedCode != 778 {
                Output.fail("the write at the limit of \(bytes) bytes ended with \(failure.debugDescription)")
            }
            await check(pool, acknowledged, refused, "at the limit")
            limitFiles(to: nil)
            await writeOnce(pool, &client, &acknowledged, &refused, "after the limit was lifted")
        }
        // The log cannot be copied into the file.
        limitFiles(to: 20_000)
        await pool.close()
        limitFiles(to: nil)
        pool = try await Ledger.open(path)
        await check(pool, acknowledged, refused, "after closing at the limit")
        await pool.close()
        Output.say("done acknowledged \(acknowledged.count)")
    }

    private static func limitFiles(to bytes: Int?) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        limit.rlim_cur = bytes.map(rlim_t.init) ?? limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    }

    /// In a folder on a separate disk of 8 MB.
    static func fullDisk(_ folder: String) async throws {
        let path = folder + "/ledger.sqlite"
        let ballast = (1...3).map { folder + "/ballast-\($0)" }
        for file in ballast { TemporaryFolder.write([UInt8](repeating: 1, count: 800_000), toFile: file) }
        var pool = try await Ledger.open(path)
        var client = Client(run: 1, task: 0, load: load, groups: [], seed: 1)
        var acknowledged: [Int64] = []
        var refused: [Int64] = []
        for (round, file) in ballast.enumerated() {
            let failure = await fill(pool, &client, &acknowledged, &refused)
            if failure?.kind != .full {
                Output.fail("the write on the full disk ended with \(failure.debugDescription)")
            }
            await check(pool, acknowledged, refused, "on the full disk")
            if round == 1 {
                // Closing may not be able to copy the log, and opening has to do with what there is.
                await pool.close()
                pool = try await openOnFullDisk(path, file)
                await check(pool, acknowledged, refused, "opened on the full disk")
            }
            remove(file)
            await writeOnce(pool, &client, &acknowledged, &refused, "once there is room")
        }
        await pool.close()
        pool = try await Ledger.open(path)
        await check(pool, acknowledged, refused, "opened again")
        await pool.close()
        Output.say("done acknowledged \(acknowledged.count)")
    }

    private static func openOnFullDisk(_ path: String, _ ballast: String) async throws -> DatabasePool {
        do throws(DatabaseError) {
            return try await Ledger.open(path)
        } catch {
            if error.kind != .full, error.kind != .io { Output.fail("opening on the full disk: \(error)") }
            Output.say("opening on the full disk: \(error)")
            remove(ballast)
            return try await Ledger.open(path)
        }
    }

    /// One write that is not meant to fail.
    private static func writeOnce(
        _ pool: DatabasePool, _ client: inout Client, _ acknowledged: inout [Int64], _ refused: inout [Int64],
        _ moment: String
    ) async {
        var operation = client.next()
        while operation.refusal != nil { operation = client.next() }
        let write = operation
        do {
            try await pool.write { db in _ = try write.perform(&db) }
            acknowledged.append(write.id)
            client.acknowledge(write)
        } catch {
            refused.append(write.id)
            Output.fail("the write \(moment): \(error)")
        }
    }

    static func create(_ path: String) async throws {
        let pool = try await Ledger.open(path)
        let operation = Operation(id: 1, kind: .insert, task: 0, group: 1, bytes: 1_000)
        try await pool.write { db in _ = try operation.perform(&db) }
        await pool.close()
        Output.say("done")
    }

    static func check(_ path: String) async throws {
        let pool = try await Ledger.open(path)
        await check(pool, [], [], "opened")
        await pool.close()
        Output.say("done")
    }

    /// A file that may not be written to: as the superuser's file, or on a disk that is read-only.
    static func readOnly(_ path: String) async throws {
        if getuid() == 0 { setuid(65_534) }
        do throws(DatabaseError) {
            let pool = try await Ledger.open(path)
            await pool.close()
            Output.fail("it was opened")
        } catch {
            if error.kind != .readOnly && error.kind != .cannotOpen || error.detail == nil { Output.fail("\(error)") }
            Output.say("refused: \(error), \(error.detail ?? "no detail")")
        }
        Output.say("done")
    }

    /// Holds the write lock until it is killed.
    static func hold(_ path: String) async throws {
        let pool = try await Ledger.open(path)
        try await pool.write { _ in
            Output.say("holding")
            while true { pause() }
        }
    }
}
