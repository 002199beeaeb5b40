import CFaultyDisk
import SonaDatabase
import SonaTestSupport

/// Fails each call to the disk in turn while a database is opened, and opens it again on a disk that works.
struct OpeningFaultScenario {
    /// The state of the file before the opening.
    enum Start: String {
        /// No file.
        case missing
        /// A file with the first of the migrations, closed.
        case old
        /// The same with writes in the log, as a process leaves it that was killed.
        case killed
        /// A file whose tables lack a column and an index that are declared now.
        case declared
    }

    let start: Start
    let seed: UInt64
    let trialsMax: Int

    /// The files of that state, by the end of their names.
    private typealias Files = [(suffix: String, bytes: [UInt8])]

    func run() async throws {
        FaultyDisk.install()
        let files = try await makeFiles()
        let counts = try await countCalls(files)
        var summary: [String] = []
        for call in FaultyDiskCall.allCases {
            guard let count = counts[call], count > 0 else { continue }
            var refusals = 0
            var trials = 0
            for var fault in call.faults {
                for nth in FaultScenario.spread(count, trialsMax, seed) {
                    fault.nth = nth
                    trials += 1
                    if try await isRefused(files, fault) { refusals += 1 }
                }
            }
            summary.append("\(call.name) \(refusals)/\(trials) of \(count)")
        }
        Output.say("done \(start.rawValue), refused: \(summary.joined(separator: ", "))")
    }

    private func countCalls(_ files: Files) async throws -> [FaultyDiskCall: Int] {
        let folder = lay(files)
        FaultyDisk.fail(FaultyDisk.Fault(call: .open, nth: .max))
        try await open(folder).close()
        return Dictionary(uniqueKeysWithValues: FaultyDiskCall.allCases.map { ($0, FaultyDisk.count($0)) })
    }

    private func isRefused(_ files: Files, _ fault: FaultyDisk.Fault) async throws -> Bool {
        func fail(_ text: String) { Output.fail("opening, \(start.rawValue), \(fault), seed \(seed): \(text)") }
        let folder = lay(files)
        FaultyDisk.fail(fault)
        var refusal: DatabaseError?
        do throws(DatabaseError) {
            let pool = try await open(folder)
            await pool.close()
        } catch {
            refusal = error
        }
        let hasFired = FaultyDisk.fired > 0
        FaultyDisk.heal()
        if let refusal {
            if !hasFired { fail("refused for no reason: \(refusal)") }
            if !isTyped(refusal, fault) { fail("refused with \(refusal)") }
        }
        do {
            let pool = try await open(folder)
            for problem in try await problems(pool) { fail(problem) }
            await pool.close()
        } catch {
            fail("it cannot be opened afterwards: \(error)")
        }
        return refusal != nil
    }

    private func isTyped(_ error: DatabaseError, _ fault: FaultyDisk.Fault) -> Bool {
        guard error.extendedCode == fault.code, error.detail != nil else { return false }
        return switch error.kind {
        case .io: fault.error == .IO && fault.call != .open
        case .full: fault.error == .full
        case .cannotOpen: fault.call == .open
        // Names the table, with the cause beside it.
        case .setUp: start == .declared
        default: false
        }
    }

    // MARK: Files

    private func lay(_ files: Files) -> TemporaryFolder {
        let folder = TemporaryFolder()
        for file in files { TemporaryFolder.write(file.bytes, toFile: folder.file("ledger.sqlite" + file.suffix)) }
        FaultyDisk.watch(folder.path)
        return folder
    }

    private func makeFiles() async throws -> Files {
        if start == .missing { return [] }
        let folder = TemporaryFolder()
        let left = TemporaryFolder()
        FaultyDisk.watch(folder.path)
        if start == .declared {
            let queue = try await DatabaseQueue.open(
                folder.file("ledger.sqlite"), applicationID: Ledger.applicationID, daos: OldShelf.self)
            _ = try await queue.daos.books.create(OldBook(id: 1, title: "Walden"))
            await queue.database.close()
            return [("", TemporaryFolder.bytes(ofFile: folder.file("ledger.sqlite")) ?? [])]
        }
        let pool = try await Ledger.open(folder.file("ledger.sqlite"), steps: 1)
        try await pool.write { db in
            for seq in 1...200 {
                try db.execute("INSERT INTO log VALUES (\(seq), \(seq), 0, \(seq), 1)")
                try db.execute("DELETE FROM log WHERE seq = \(seq)")
            }
        }
        if start == .killed { _ = faulty_disk_cut(left.path, .nothing, seed) }
        await pool.close()
        let source = start == .killed ? left : folder
        return ["", "-wal"].compactMap { suffix in
            TemporaryFolder.bytes(ofFile: source.file("ledger.sqlite" + suffix)).map { (suffix, $0) }
        }
    }

    private func open(_ folder: TemporaryFolder) async throws(DatabaseError) -> DatabasePool {
        guard start == .declared else { return try await Ledger.open(folder.file("ledger.sqlite")) }
        return try await DatabasePool.open(
            folder.file("ledger.sqlite"), applicationID: Ledger.applicationID, daos: Shelf.self
        ).database
    }

    private func problems(_ pool: DatabasePool) async throws -> [String] {
        guard start == .declared else { return try await Ledger.state(of: pool).problems }
        let book = try await pool.first(Book.self, key: 1)
        let integrity: String? = try await pool.read { db in try db.value("PRAGMA integrity_check") }
        return (book == Book(id: 1, title: "Walden", year: 0) ? [] : ["the book is \(String(describing: book))"])
            + (integrity == "ok" ? [] : ["integrity_check: \(integrity ?? "")"])
    }
}
