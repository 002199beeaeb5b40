import Foundation
import SonaTestSupport
import Testing

/// `sonaload` from its command line, against a server of its own.
@Suite(.serialized) struct SonaLoadCommandTests {
    private func load(_ server: TestServer, _ arguments: String...) throws -> RunningProgram {
        try RunningProgram(
            "sonaload", ["--server", server.address] + arguments, environment: server.environment("load"))
    }

    private func figures(_ server: TestServer) throws -> [String: Any] {
        let data = try Data(contentsOf: URL(fileURLWithPath: server.file("run.json")))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private func count(_ figures: [String: Any], _ key: String) -> Int {
        let own = figures[key] ?? (figures["details"] as? [String: Any])?[key]
        return (own as? NSNumber)?.intValue ?? -1
    }

    /// Usernames of all accounts on the server.
    private func accounts(_ server: TestServer) async throws -> [String] {
        let ending = try await RunningProgram("sona", ["user", "list", "--data", server.file("data"), "--json"])
            .ending()
        try #require(ending.status == 0, "\(ending)")
        return ending.output.split(separator: "\n").map { String($0) }.filter { $0.contains("load_") }
    }

    private func waitFor(_ run: RunningProgram, _ words: String) async -> Bool {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            if run.errors.contains(words) { return true }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return false
    }

    @Test func `a run accounts for every packet and leaves nothing behind`() async throws {
        let server = try await TestServer()
        let run = try load(
            server, "--rooms", "2", "--listeners", "40", "--seconds", "3", "--seed", "5", "--json",
            server.file("run.json"),
            "--server-pid", "\(server.process.identifier)", "--fail-if", "lost>0", "--fail-if", "duplicates>0")
        let ending = await run.ending(within: 90)
        #expect(ending.status == 0, "\(ending)")
        #expect(ending.output.contains("seed 5"))
        let figures = try figures(server)
        // 40 listeners, 3 s of 50 packets a second; the ends of the seconds add or cost a packet.
        #expect((5800...6300).contains(count(figures, "expected")), "\(count(figures, "expected"))")
        #expect(count(figures, "received") == count(figures, "expected"))
        #expect(count(figures, "joins") == 40 && count(figures, "listeners_max") == 40)
        #expect(count(figures, "listeners_missing") == 0 && ending.output.contains("40 of 40  got in"), "\(ending)")
        #expect(
            (figures["intervals"] as? [[String: Any]])?.reduce(0) { $0 + count($1, "received") }
                == count(figures, "received"))
        let delay = try #require(figures["delay_ms"] as? [String: Any])
        #expect(count(delay, "count") == count(figures, "received"))
        #expect(((figures["server"] as? [String: Any])?["us_per_delivery"] as? Double ?? 0) > 0)
        #expect(((figures["harness"] as? [String: Any])?["us_per_delivery"] as? Double ?? 0) > 0)
        #expect((figures["limits"] as? [String: String])?["nofile"] != nil)
        #expect(try await accounts(server) == [])
    }

    @Test func `a missed condition is exit code 1`() async throws {
        let server = try await TestServer()
        let run = try load(server, "--listeners", "2", "--seconds", "1", "--fail-if", "received>0")
        let ending = await run.ending(within: 60)
        #expect(ending.status == 1 && ending.output.contains("received>0"), "\(ending)")
        #expect(try await accounts(server) == [])
    }

    @Test func `a search for the limit has exit code 1 if it finds none, else 0`() async throws {
        let server = try await TestServer()
        let small = ["limit", "--to", "2", "--from", "2", "--seconds", "1", "--repetitions", "1", "--json", "-"]
        // No packet takes less than a thousandth of a microsecond.
        let none = try RunningProgram(
            "sonaload", small + ["--server", server.address, "--delay-p99", "0.000001"],
            environment: server.environment("load"))
        let ending = await none.ending(within: 120)
        #expect(ending.status == 1 && ending.errors.contains("No number of listeners was borne"), "\(ending)")
        #expect(ending.output.contains(#""repetitions":[0]"#) && !ending.output.contains(#""failure""#), "\(ending)")
        let some = try RunningProgram(
            "sonaload", small + ["--server", server.address, "--delay-p99", "60000", "--join-p99", "60000"],
            environment: server.environment("load"))
        let found = await some.ending(within: 120)
        #expect(found.status == 0 && found.output.contains(#""repetitions":[2]"#), "\(found)")
        #expect(try await accounts(server) == [])
    }

    /// Goal: a run that loses nothing because nobody was let in must not pass. Way: two other runs take most of the 512
    /// connections that the server grants an address, so that 30 listeners are too many.
    @Test func `listeners who never get in are counted, and fail a run if that is asked for`() async throws {
        let server = try await TestServer()
        let others = try (0..<2).map { _ in
            try load(server, "--listeners", "249", "--seconds", "600", "--frame-ms", "120", "--bitrate", "16")
        }
        for other in others { #expect(await waitFor(other, "p99 "), "\(other.errors)") }
        let run = try load(
            server, "--listeners", "30", "--join-rate", "30", "--seconds", "3", "--json", server.file("run.json"),
            "--fail-if", "listeners_missing>0")
        let ending = await run.ending(within: 90)
        for other in others { other.signal(SIGINT) }
        for other in others { _ = await other.ending(within: 60) }
        #expect(ending.status == 1, "\(ending)")
        let figures = try figures(server)
        let (joins, missing) = (count(figures, "joins"), count(figures, "listeners_missing"))
        #expect(missing > 0 && joins + missing == 30, "\(ending)")
        #expect(ending.output.contains("Only \(joins) of 30 listeners got in"), "\(ending)")
        #expect(ending.output.contains("(listeners.missing)"), "\(ending)")
        #expect(count(figures, "received") + count(figures, "lost") == count(figures, "expected"), "\(ending)")
        #expect(try await accounts(server) == [])
    }

    @Test func `storms of all kinds lose nothing unaccounted for, and leave nothing behind`() async throws {
        let server = try await TestServer()
        let run = try load(
            server, "--rooms", "2", "--listeners", "40", "--slow", "2", "--dead", "2", "--seconds", "6", "--churn", "5",
            "--chat",
            "3", "--reactions", "5", "--reconnect", "50%", "--sign-ups", "1", "--json", server.file("run.json"))
        let ending = await run.ending(within: 120)
        #expect(ending.status == 0, "\(ending)")
        let figures = try figures(server)
        #expect(count(figures, "expected") > 4000)
        #expect(count(figures, "received") + count(figures, "lost") == count(figures, "expected"), "\(ending)")
        // On a busy machine a listener who is away for longer than the sound reaches has missed some of it.
        #expect(count(figures, "lost_unexplained") == 0 && count(figures, "duplicates") == 0, "\(ending)")
        // 36 listeners are neither slow nor dead; a listener who is just coming in is not cut.
        #expect((14...18).contains(count(figures, "reconnects")), "\(figures["details"] ?? "")")
        #expect(count(figures, "resumed") == count(figures, "reconnects"))
        #expect(count(figures, "chat_confirmed") > 0 && count(figures, "reactions_confirmed") > 0)
        #expect(count(figures, "sign_ups_begun") == 6 && count(figures, "sign_ups_done") > 0)
        #expect((60...70).contains(count(figures, "joins")), "40, and 30 who take the places of others")
        #expect(count(figures, "listeners_missing") == 0, "\(ending)")
        #expect((figures["intervals"] as? [[String: Any]])?.contains { $0["phase"] as? String == "reconnect" } == true)
        #expect(try await accounts(server) == [])
    }

    @Test func `Ctrl-C ends a run early, prints what was measured and removes what was made`() async throws {
        let server = try await TestServer()
        let run = try load(server, "--listeners", "10", "--seconds", "600", "--json", server.file("run.json"))
        #expect(await waitFor(run, "p99 "))
        run.signal(SIGINT)
        let ending = await run.ending(within: 60)
        #expect(ending.status == 130, "\(ending)")
        #expect(ending.output.contains("expected") && ending.output.contains("seed"))
        let figures = try figures(server)
        #expect(figures["end"] as? String == "interrupted")
        #expect(count(figures, "received") == count(figures, "expected") && count(figures, "expected") > 0)
        #expect(try await accounts(server) == [])
    }

    @Test func `another machine's server is refused with a sentence`() async throws {
        // Addresses for documentation (RFC 5737): nobody is there.
        let run = try RunningProgram("sonaload", ["--server", "http://192.0.2.1:8337", "--listeners", "1"])
        let ending = await run.ending()
        #expect(ending.status == 64 && ending.output.isEmpty, "\(ending)")
        #expect(ending.errors.contains("load.remote_refused") && ending.errors.contains("--i-own-this-server"))
    }

    @Test func `wrong usage, a missing file and a server that is not there have codes of their own`() async throws {
        let folder = try Programs.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let bad = folder.appendingPathComponent("bad.json").path
        try #"{"phases":[{"seconds":1,"lisners":2}]}"#.write(toFile: bad, atomically: true, encoding: .utf8)
        let cases: [([String], Int32, String)] = [
            (["--listeners", "many"], 64, "many"), (["--frame-ms", "30", "--server", "127.0.0.1:9"], 64, "120 ms"),
            (["--slow", "5", "--listeners", "4"], 64, "not more"), (["--seconds", "0"], 64, "above 0"),
            (["--fail-if", "delay.p98>5"], 64, "delay.p98"), (["--reconnect", "101"], 64, "--reconnect"),
            (["--scenario", bad], 64, "lisners"),
            (["--scenario", folder.appendingPathComponent("none").path], 66, "none"),
            (["--json", folder.path + "/no/where"], 74, "no/where"),
            // Port 9 discards all data, if anything listens there at all.
            (["--server", "http://127.0.0.1:9"], 69, "load.unreachable"),
            (["--server-pid", "999999999"], 64, "999999999"), (["limit", "--from", "0"], 64, "--from"),
        ]
        for (arguments, status, words) in cases {
            let ending = await
                (try RunningProgram("sonaload", arguments, environment: ["SONA_SERVER": "http://127.0.0.1:9"])).ending()
            #expect(ending.status == status && ending.errors.contains(words), "\(arguments): \(ending)")
        }
    }

    @Test func `with a token the rooms belong to that account and are closed at the end`() async throws {
        let server = try await TestServer()
        try await server.signUp("ada")
        let credentials = server.file("config-ada/sona/127.0.0.1_\(server.port).json")
        let kept = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: credentials)))
        let token = try #require((kept as? [String: Any])?["access_token"] as? String)
        let ending = await (try load(server, "--rooms", "2", "--listeners", "6", "--seconds", "1", "--token", token))
            .ending(within: 60)
        #expect(ending.status == 0, "\(ending)")
        let rooms = try await server.run("ada", "rooms", "list", "--mine", "--json")
        #expect(rooms.status == 0 && !rooms.output.contains("sonaload"), "\(rooms)")
        let tooMany = await (try load(server, "--rooms", "9", "--listeners", "1", "--token", token)).ending(within: 60)
        #expect(tooMany.status == 69 && tooMany.errors.contains("room.limit_reached"), "\(tooMany)")
        let after = try await server.run("ada", "rooms", "list", "--mine", "--json")
        #expect(!after.output.contains("sonaload"), "\(after)")
    }

    @Test func `over TLS the server must prove who it is`() async throws {
        let made = TestCertificate.shared
        let server = try await TestServer(["--tls-cert", made.certificate(), "--tls-key", made.key()])
        let trusting = await
            (try load(
                server, "--listeners", "10", "--seconds", "2", "--ca-cert", made.authority, "--fail-if", "lost>0",
                "--fail-if",
                "expected<500")).ending(within: 90)
        #expect(trusting.status == 0, "\(trusting)")
        let doubting = await (try load(server, "--listeners", "10", "--seconds", "2")).ending(within: 60)
        #expect(doubting.status == 69 && doubting.errors.contains("load.certificate"), "\(doubting)")
        #expect(try await accounts(server) == [])
    }
}
