import Glibc
import SonaDatabase
import SonaTestSupport
import Testing

/// Goal: whatever the disk refuses, a write is there if it was acknowledged and is not there if it was refused, and the
/// error says why. Way: a program over a disk that fails on demand (Tests/FaultyDisk) runs one load again and again, and
/// each time another call fails: the first write, the second, and so on; then each sync, each read and the rest.
struct DiskFaultTests {
    /// - Parameter trials: Calls of each kind that are failed, spread evenly; all of them with long tests.
    private func run(_ scenario: String, _ start: String, trials: Int, trialsLong: Int = 100_000) async throws {
        let seed = UInt64.random(in: 0...999_999)
        let ending = try await CrashProgram.run(
            scenario, start, "\(seed)", "\(CrashProgram.isLong ? trialsLong : trials)", within: .seconds(900))
        #expect(ending.failures.prefix(10).isEmpty, "seed \(seed)")
        #expect(ending.isGood, "seed \(seed): \(ending.status), \(ending.lines.suffix(3))")
    }

    @Test(arguments: ["sequential", "blocking", "concurrent"])
    func `whichever call to the disk fails, acknowledged writes stay and refused ones leave nothing`(
        _ work: String
    ) async throws {
        try await run("faults", work, trials: 16)
    }

    @Test func `a disk that fails while the log is copied into the file loses nothing`() async throws {
        try await run("faults", "copying", trials: 8, trialsLong: 250)
    }

    @Test(arguments: ["missing", "old", "killed", "declared"])
    func `whichever call to the disk fails, a database that did not open opens afterwards and is whole`(
        _ start: String
    ) async throws {
        try await run("opening-faults", start, trials: 20)
    }

    @Test func `damaged files are refused or read in part, and end no process`() async throws {
        let seed = UInt64.random(in: 0...999_999)
        let ending = try await CrashProgram.run(
            "damage", "\(seed)", CrashProgram.isLong ? "5000" : "150", within: .seconds(900))
        #expect(ending.isGood, "seed \(seed): \(ending.status), \(ending.lines.suffix(3))")
        let last = ending.lines.last ?? ""
        #expect(last.contains("corrupt when opening") && last.contains("corrupt when reading"), "\(last)")
    }
}

/// Real limits of the system: refused writes report them, and writing goes on once there is room.
struct SystemLimitTests {
    /// A shell in a world of its own, where it may mount disks; `nil` where the system forbids that, as most containers
    /// do.
    private static let mounting: [String]? = {
        for arguments in [["-m"], ["-rm"]] {
            let folder = TemporaryFolder()
            let command = ["/usr/bin/unshare"] + arguments + ["/bin/sh", "-c"]
            let probe = try? CrashProgram(
                command + ["mount -t tmpfs none \(folder.path)"], output: folder.file("output"))
            if probe?.blockingStatus() == 0 { return command }
        }
        return nil
    }()

    private func run(inSmallDisk commands: (_ program: String, _ disk: String) -> String) async throws
        -> CrashProgram.Ending
    {
        let folder = TemporaryFolder()
        mkdir(folder.file("disk"), 0o755)
        let script =
            "mount -t tmpfs -o size=8m,mode=755 none \(folder.file("disk")) && "
            + commands(CrashProgram.path, folder.file("disk"))
        let shell = try CrashProgram(try #require(Self.mounting) + [script], output: folder.file("output"))
        return try await shell.ending(within: .seconds(120))
    }

    @Test(.enabled(if: mounting != nil, "mounting a small disk is not allowed here"))
    func `a full disk refuses writes with full, keeps what it acknowledged, and takes writes once there is room`()
        async throws
    {
        let ending = try await run(inSmallDisk: { "exec \($0) full-disk \($1)" })
        #expect(ending.isGood, "\(ending.status), \(ending.lines.suffix(5))")
    }

    @Test(.enabled(if: mounting != nil, "mounting a small disk is not allowed here"))
    func `a disk that is read-only is an error when opening`() async throws {
        let ending = try await run(inSmallDisk: { program, disk in
            """
            \(program) create \(disk)/a.sqlite && mount -o remount,bind,ro \(disk) &&
            \(program) read-only \(disk)/a.sqlite && exec \(program) read-only \(disk)/missing.sqlite
            """
        })
        #expect(ending.isGood, "\(ending.status), \(ending.lines.suffix(5))")
    }

    @Test(arguments: [(0o444, 0o755), (0o666, 0o755), (0o444, 0o777), (0o000, 0o777)] as [(mode_t, mode_t)])
    func `a file or a folder that may not be written to is an error when opening`(
        file: mode_t, folder mode: mode_t
    ) async throws {
        let folder = TemporaryFolder()
        let path = folder.file("ledger.sqlite")
        #expect(try await CrashProgram.run("create", path).isGood)
        let before = TemporaryFolder.bytes(ofFile: path)
        chmod(path, file)
        // Without the right to write, whoever runs the tests: the program gives up being the superuser.
        chmod(folder.path, getuid() == 0 ? mode : mode & 0o577)
        let ending = try await CrashProgram.run("read-only", path)
        chmod(folder.path, 0o700)
        chmod(path, 0o600)
        #expect(ending.isGood, "\(ending.status), \(ending.lines)")
        #expect(TemporaryFolder.bytes(ofFile: path) == before)
    }

    @Test func `a limit on the size of files is an error of each write beyond it, and nothing is lost`() async throws {
        let folder = TemporaryFolder()
        let ending = try await CrashProgram.run("file-size", folder.file("ledger.sqlite"))
        #expect(ending.isGood, "\(ending.status), \(ending.lines.suffix(5))")
    }

    @Test func `a write that another process keeps out says which process that is`() async throws {
        let folder = TemporaryFolder()
        var options = DatabaseOptions()
        options.busyTimeoutMilliseconds = 50
        let path = folder.file("other.sqlite")
        let holder = try CrashProgram([CrashProgram.path, "hold", path], output: folder.file("output"))
        _ = try await holder.line(beginning: "holding")
        let first = try await DatabasePool.open(
            path, applicationID: 0x4C45_4447, migrations: names(["log", "groups and parts", "counters"]),
            options: options)
        await #expect {
            try await first.write { db in try db.execute("INSERT INTO steps VALUES (4)") }
        } throws: {
            isBusy($0, because: holder)
        }
        #expect(try await first.read { db in try db.value("SELECT count(*) FROM steps") } == 3, "reading goes on")
        await first.close()
        // So does an opening that has something to write.
        let more = names(["log", "groups and parts", "counters", "more"])
        await #expect {
            _ = try await DatabasePool.open(path, applicationID: 0x4C45_4447, migrations: more, options: options)
        } throws: {
            isBusy($0, because: holder)
        }
        holder.kill()
        _ = try await holder.ending()
        let second = try await DatabasePool.open(
            path, applicationID: 0x4C45_4447, migrations: more, options: options)
        try await second.write { db in try db.execute("INSERT INTO steps VALUES (4)") }
        await second.close()
    }

    @Test func `a database left by a killed process of a newer program is refused and stays whole`() async throws {
        let folder = TemporaryFolder()
        let path = folder.file("ledger.sqlite")
        let holder = try CrashProgram([CrashProgram.path, "hold", path], output: folder.file("output"))
        _ = try await holder.line(beginning: "holding")
        holder.kill()
        _ = try await holder.ending()
        #expect(!(TemporaryFolder.bytes(ofFile: path + "-wal") ?? []).isEmpty, "it left a log")
        await #expect {
            _ = try await DatabasePool.open(path, applicationID: 0x4C45_4447, migrations: names(["log"]))
        } throws: {
            ($0 as? DatabaseError)?.kind == .newerVersion(found: 3, known: 1)
        }
        let ending = try await CrashProgram.run("check", path)
        #expect(ending.isGood, "\(ending.lines)")
    }

    /// The timeline of the program's ledger, or a part of it, for a file that has it already.
    private func names(_ names: [String]) -> [Migration] { names.map { Migration($0) { _ in } } }

    private func isBusy(_ error: any Error, because holder: CrashProgram) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        // The system keeps 15 bytes of a program's name.
        return error.kind == .busy
            && error.hint == "the file is locked by process \(holder.pid) (DatabaseCrashPr)"
    }
}
