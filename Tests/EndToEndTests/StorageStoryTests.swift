import Foundation
import SonaTestSupport
import Testing

/// What an operator sees of a disk that takes nothing: log, `/readyz` and metrics, until it is over by itself.
@Suite(.serialized) struct StorageStoryTests {
    /// A server on a disk of 8 MiB in a world of its own, and a shell there that fills and empties the disk.
    private final class SmallDisk {
        let folder = TemporaryFolder()
        let commands = Pipe()
        let process: RunningProgram
        let address: String

        /// - Parameter world: `unshare` with its options.
        init(_ world: [String]) async throws {
            mkdir(folder.file("disk"), 0o755)
            let disk = folder.file("disk")
            let script = """
                mount -t tmpfs -o size=8m,mode=755 none \(disk)
                \(Programs.folder.path)/sona serve --data \(disk)/data --listen 127.0.0.1:0 --loops 1 </dev/null &
                while read command; do
                    case $command in
                        fill) cat /dev/zero >\(disk)/fill 2>/dev/null; echo filled ;;
                        free) rm \(disk)/fill; echo freed ;;
                    esac
                done
                kill $! && wait $!
                """
            process = try RunningProgram(
                world[0], Array(world[1...]) + [script], at: world[0], input: commands.fileHandleForReading)
            address = try await process.line(beginning: "listening on ")
        }

        func tell(_ command: String, answer: String) async throws {
            commands.fileHandleForWriting.write(Data("\(command)\n".utf8))
            _ = try await process.line(beginning: answer)
        }

        func stop() async -> Ending {
            try? commands.fileHandleForWriting.close()
            return await process.ending()
        }
    }

    /// `unshare` with the options by which it may mount disks; `nil` where the system forbids that, as most containers
    /// do.
    private static let mounting: [String]? = {
        for options in [["-m"], ["-rm"]] {
            let world = ["/usr/bin/unshare"] + options + ["/bin/sh", "-c"]
            let probe = Process()
            probe.executableURL = URL(fileURLWithPath: world[0])
            let folder = TemporaryFolder()
            probe.arguments = Array(world[1...]) + ["mount -t tmpfs none \(folder.path)"]
            probe.standardError = FileHandle.nullDevice
            guard (try? probe.run()) != nil else { continue }
            probe.waitUntilExit()
            if probe.terminationStatus == 0 { return world }
        }
        return nil
    }()

    private static func curl(_ arguments: String...) async throws -> String {
        try await RunningProgram("curl", ["-sS", "-m", "30"] + arguments, at: "/usr/bin/curl").ending().output
    }

    /// Asks until the answer has the words.
    private static func until(_ words: String, _ body: () async throws -> String) async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        var answer = ""
        while !answer.contains(words) {
            try #require(ContinuousClock.now < deadline, "\(words) in \(answer)")
            answer = try await body()
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    @Test(.enabled(if: mounting != nil, "mounting a small disk is not allowed here"))
    func `a full disk is seen in the log, at readyz and in the metrics, and its end as well`() async throws {
        let server = try await SmallDisk(try #require(Self.mounting))
        func ask(_ type: String, _ data: String, _ more: String...) async throws -> String {
            let words = ["-sS", "-m", "30", "\(server.address)/v1/rpc/\(type)", "--json", data] + more
            return try await RunningProgram("curl", words, at: "/usr/bin/curl").ending().output
        }
        let signUp = try await ask(
            "auth.sign_up", #"{"email":"ada@example.org","username":"ada","password":"correct horse"}"#)
        let token = try #require(signUp.firstMatch(of: /"access_token":"([^"]+)"/)?.1)
        func rename(_ name: String) async throws -> String {
            // Longer than what the last page of the log may have left.
            let about = String(repeating: name, count: 10)
            return try await ask(
                "profile.update", #"{"display_name":"\#(name)","bio":"\#(about)"}"#, "-H",
                "Authorization: Bearer \(token)")
        }
        #expect(try await rename("Ada").contains(#""data":"#))
        #expect(try await Self.curl("\(server.address)/readyz").hasPrefix("ready\nwarning: "))

        try await server.tell("fill", answer: "filled")
        try await Self.until("server.storage_failed") { try await rename("Countess") }
        let ready = try await Self.curl("-w", "%{http_code}", "\(server.address)/readyz")
        #expect(ready.hasPrefix("not ready: the disk is full\n") && ready.hasSuffix("503"), "\(ready)")
        let metrics = try await Self.metrics(of: server)
        #expect(metrics.contains("sona_storage_ready 0\n"), "\(metrics)")
        #expect(metrics.contains(/sona_storage_failures_total\{reason="full"\} [1-9]/))
        try await Self.until(#""event":"storage.failed""#) { server.process.errors }

        try await server.tell("free", answer: "freed")
        // Nobody writes: the server finds out by itself.
        try await Self.until("ready\nwarning") { try await Self.curl("\(server.address)/readyz") }
        try await Self.until(#""event":"storage.resumed""#) { server.process.errors }
        #expect(try await Self.metrics(of: server).contains("sona_storage_ready 1\n"))
        #expect(try await rename("Lovelace").contains(#""data":"#))
        #expect(await server.stop().status == 0)
    }

    /// The socket of the operator is in a world of its own; `/proc` leads there.
    private static func metrics(of server: SmallDisk) async throws -> String {
        let disk = server.folder.file("disk")
        return try await curl(
            "--unix-socket", "/proc/\(server.process.identifier)/root\(disk)/data/admin.sock",
            "http://localhost/metrics")
    }

    @Test func `another process that holds the database is named, and let go of`() async throws {
        let server = try await TestServer()
        try await server.signUp("ada")
        let commands = Pipe()
        let holder = try RunningProgram(
            "sqlite3", [server.file("data/sona.sqlite")], at: "/usr/bin/sqlite3", input: commands.fileHandleForReading)
        commands.fileHandleForWriting.write(Data("BEGIN IMMEDIATE; SELECT 'held';\n".utf8))
        _ = try await holder.line(beginning: "held")
        let refused = try await server.run("ada", "profile", "set", "--display-name", "Countess")
        #expect(refused.status == 75 && refused.errors.contains("server.busy"), "\(refused)")
        let ready = try await Self.curl("\(server.address)/readyz")
        #expect(ready.hasPrefix("not ready: another process holds the database\n"), "\(ready)")
        try await Self.until("\(holder.identifier)") { server.process.errors }
        commands.fileHandleForWriting.write(Data("ROLLBACK;\n".utf8))
        try await Self.until("ready\nwarning") { try await Self.curl("\(server.address)/readyz") }
        try commands.fileHandleForWriting.close()
        #expect(await holder.ending().status == 0)
        #expect(await server.stop().status == 0)
    }

    @Test func `a folder whose database is gone is refused, and begun anew if the operator says so`() async throws {
        let first = try await TestServer()
        try await first.signUp("ada")
        #expect(await first.stop().status == 0)
        let database = first.file("data/sona.sqlite")
        for isEmptied in [false, true] {
            try FileManager.default.removeItem(atPath: database)
            if isEmptied { TemporaryFolder.write([], toFile: database) }
            let refused = await
                (try RunningProgram(
                    "sona", ["serve", "--data", first.file("data"), "--listen", "127.0.0.1:0"])).ending()
            #expect(refused.status == 65 && refused.errors.contains("--new-database"), "\(refused)")
            let list = await (try RunningProgram("sona", ["user", "list", "--data", first.file("data")])).ending()
            #expect(list.status == 65, "\(list)")
            let anew = try await TestServer(folder: first.folder, ["--new-database"])
            try await anew.signUp("ada\(isEmptied ? "2" : "3")")
            #expect(await anew.stop().status == 0)
            #expect(anew.process.errors.contains("A new database is made"))
        }
    }

    @Test func `wrong passwords are logged with the address, within bounds`() async throws {
        let server = try await TestServer(["--exempt", "127.0.0.1"])
        let body = #"{"email":"ada@example.org","password":"wrong horse"}"#
        for _ in 0..<3 {
            _ = try await Self.curl("\(server.address)/v1/rpc/auth.sign_in", "--json", body)
        }
        try await Self.until(#""event":"auth.failed""#) { server.process.errors }
        let line = try #require(server.process.errors.split(separator: "\n").first { $0.contains("auth.failed") })
        for words in [
            #""level":"warning""#, #""address":"127.0.0.1""#, #""code":"auth.credentials_invalid""#,
            #""type":"auth.sign_in""#,
        ] { #expect(line.contains(words), "\(line)") }
        #expect(!line.contains("ada") && !line.contains("horse"))
        #expect(await server.stop().status == 0)
    }
}
