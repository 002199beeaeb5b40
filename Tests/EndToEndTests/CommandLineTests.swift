import Foundation
import SonaTestSupport
import Testing

/// What a stranger to the command line meets: slips of the pen, and what can't be meant.
@Suite struct CommandLineTests {
    private func run(_ program: String, _ arguments: String...) async throws -> Ending {
        try await RunningProgram(program, arguments).ending()
    }

    @Test(
        arguments: [
            (["lisen", "@ada"], "has no command \"lisen\"; did you mean \"listen\"?"),
            (["rooms", "updat"], "sonactl rooms has no command \"updat\"; did you mean \"update\"?"),
            (["completely"], "has no command \"completely\". sonactl --help lists them."),
        ])
    func `a command that does not exist is named, with the one that was meant`(words: [String], said: String)
        async throws
    {
        let ending = try await RunningProgram("sonactl", words).ending()
        #expect(
            ending.status == 64 && ending.errors.hasPrefix("sonactl: ") && ending.errors.contains(said), "\(ending)")
    }

    @Test func `listen writes what the file's name says, or nothing`() async throws {
        let mp3 = try await run("sonactl", "listen", "@ada", "--output", "x.mp3")
        #expect(mp3.status == 64 && mp3.errors.contains(".opus, .ogg or .wav"), "\(mp3)")
        // `script` gives the program a terminal.
        let terminal = try await RunningProgram(
            "script", ["-qec", "\(Programs.folder.path)/sonactl listen @ada --output -", "/dev/null"],
            at: "/usr/bin/script"
        ).ending()
        #expect(terminal.status == 64 && terminal.output.contains("Standard output is a terminal"), "\(terminal)")
    }

    @Test func `an operator's command on a folder that is not there says so, and makes none`() async throws {
        let folder = TemporaryFolder().path + "/missing"
        for words in [["user", "list"], ["journal"], ["address", "list"]] {
            let ending = try await RunningProgram("sona", words + ["--data", folder]).ending()
            #expect(ending.status == 66 && ending.errors == "sona: There is no data folder \(folder).\n", "\(ending)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func `a message begins with the name of the program`() async throws {
        for (program, words) in [
            ("sona", ["serve", "--loops", "0"]), ("sona", ["sreve"]), ("sonactl", ["seek"]),
            ("sonaload", ["--rooms", "x"]),
        ] {
            let ending = try await RunningProgram(program, words).ending()
            #expect(ending.status == 64 && ending.errors.hasPrefix("\(program): "), "\(ending)")
        }
    }

    @Test func `of a user's rooms the one that they are in is meant`() async throws {
        let server = try await TestServer()
        let host = try await SocketClient.newcomer(server, "bob")
        func make(_ title: String) async throws -> String {
            let made = try await host.call("room.create", ["title": title])
            return try #require((made["room"] as? [String: Any])?["id"] as? String)
        }
        let waiting = try await make("Waiting")
        _ = try await make("Later, and idle")
        let named = try await host.call("room.get", ["room": "@bob"])
        #expect((named["room"] as? [String: Any])?["title"] as? String == "Later, and idle")
        _ = try await host.call("room.join", ["room": waiting])
        let now = try await host.call("room.get", ["room": "@bob"])
        #expect((now["room"] as? [String: Any])?["title"] as? String == "Waiting")
        #expect(await server.stop().status == 0)
    }
}
