import Foundation
import Testing

@Suite(.serialized) struct RestartTests {
    @Test func `after SIGKILL everything acknowledged is there and the host goes on with its room`() async throws {
        let folder = try Programs.temporaryFolder()
        let server = try await TestServer(folder: folder)
        try await server.signUp("ada")
        try await server.signUp("bob")
        let me = try await server.run("ada", "whoami", "--json").output
        let music = server.file("music.opus")
        try await Sources.opus(music, seconds: 12)
        let host = try server.start("ada", "broadcast", music, "--title", "Evening")
        let room = try await host.line()
        try await Task.sleep(for: .seconds(2))
        let before = try await server.run("bob", "rooms", "show", room, "--json").output
        server.process.signal(SIGKILL)
        _ = await server.process.ending()

        let again = try await TestServer(folder: folder, port: server.port)
        #expect(try await again.run("ada", "whoami", "--json").output == me)
        let after = try await again.run("bob", "rooms", "show", room, "--json")
        #expect(after.status == 0, "\(after)")
        for field in [#""title":"Evening""#, #""id":"\#(room)""#, #""username":"ada""#] {
            #expect(before.contains(field) && after.output.contains(field))
        }
        // The host comes back by itself and plays to the end, for a listener who came after the restart.
        let listener = try again.start("bob", "listen", room, "--output", again.file("after.opus"))
        #expect(await host.ending(within: 60).status == 0)
        #expect(await listener.ending().status == 0)
        #expect(try await Sources.complaints(again.file("after.opus")) == [])
        let played = try Sources.packets(music, skippingPreroll: false)
        let heard = try Sources.packets(again.file("after.opus"), skippingPreroll: true)
        #expect(heard.count > 100)
        #expect(heard == Array(played.suffix(heard.count)))
        #expect(await again.stop().status == 0)
    }

    @Test func `without its keys a server starts on its database only with --new-keys`() async throws {
        let server = try await TestServer()
        try await server.signUp("ada")
        #expect(await server.stop().status == 0)
        let (key, away) = (server.file("data/keys/signing.pem"), server.file("away.pem"))
        try FileManager.default.moveItem(atPath: key, toPath: away)
        for arguments in [["serve", "--listen", "127.0.0.1:0"], ["user", "list"]] {
            let refused = try await RunningProgram("sona", arguments + ["--data", server.file("data")]).ending()
            #expect(refused.status == 65 && refused.errors.contains("signing.pem"), "\(refused)")
            #expect(refused.errors.contains("--new-keys"))
        }
        // Signed-in users get another access token of the new key.
        let again = try await TestServer(folder: server.folder, ["--new-keys"], port: server.port)
        #expect(again.process.errors.contains("signing.pem"))
        #expect(try await again.run("ada", "whoami").status == 0)
        #expect(await again.stop().status == 0)
        #expect(FileManager.default.contents(atPath: key) != FileManager.default.contents(atPath: away))
        let last = try await TestServer(folder: server.folder, port: server.port)
        #expect(!last.process.errors.contains("folder.notice"), "\(last.process.errors)")
        #expect(await last.stop().status == 0)
    }

    @Test func `a server does not start on a data folder that everybody may write to`() async throws {
        let folder = try Programs.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(chmod(folder.path, 0o777) == 0)
        let refused = try await RunningProgram("sona", ["serve", "--listen", "127.0.0.1:0", "--data", folder.path])
            .ending()
        #expect(refused.status == 77 && refused.errors.contains(folder.path), "\(refused)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test(arguments: [SIGTERM, SIGINT]) func `a polite signal drains and ends with 0`(signal: Int32) async throws {
        let server = try await TestServer(["--demo"])
        let listener = try server.start(
            "bob", "listen", "@demo", "--output", server.file("a.opus"), "--retry", "0")
        try await Task.sleep(for: .seconds(1.5))
        let begin = ContinuousClock.now
        server.process.signal(signal)
        #expect(await server.process.ending(within: 15).status == 0)
        #expect(ContinuousClock.now - begin < .seconds(10))
        let ended = await listener.ending(within: 15)
        #expect(ended.status == 75, "come back later: \(ended)")
        #expect(try await Sources.complaints(server.file("a.opus")) == [], "what was heard until then is whole")
        let files = try FileManager.default.contentsOfDirectory(atPath: server.file("data"))
        #expect(!files.contains { $0.hasSuffix("-wal") }, "the log has been written into the database")
    }

    @Test func `the last changes of a room are stored at the end, however slow the disk is`() async throws {
        let server = try await TestServer()
        let lock: RunningProgram
        let id: String
        do {
            let ada = try await SocketClient.newcomer(server, "ada")
            let made = try await ada.call("room.create", ["title": "Evening"])
            id = try #require((made["room"] as? [String: Any])?["id"] as? String)
            try await ada.call("room.join", ["room": id, "audio": false])
            try await ada.call("host.start", ["pacing": "server", "position_us": 10_000_000])
            try await Task.sleep(for: .milliseconds(500))
            // Nobody else can write meanwhile.
            lock = try RunningProgram(
                "sqlite3",
                [
                    // The output of sqlite3 comes when it ends.
                    "-bail", server.file("data/sona.sqlite"), "BEGIN IMMEDIATE",
                    ".shell echo locked; sleep 2", "ROLLBACK",
                ], at: "/usr/bin/sqlite3")
            _ = try await lock.line(beginning: "locked")
            try await ada.call("host.pause", ["position_us": 42_000_000])
            try await ada.call("host.pause", ["position_us": 43_000_000])
            // She leaves at once, so that nothing else is waited for.
        }
        #expect(await server.stop().status == 0)
        #expect(await lock.ending().status == 0)

        let again = try await TestServer(folder: server.folder)
        let bob = try await SocketClient.newcomer(again, "bob")
        let playback = try await bob.call("room.join", ["room": id])["playback"] as? [String: Any]
        #expect(playback?["position_us"] as? Int == 43_000_000)
        #expect(await again.stop().status == 0)
    }

    @Test func `the last changes of rooms are stored once others release the database`() async throws {
        let server = try await TestServer()
        let ada = try await SocketClient.newcomer(server, "ada")
        var rooms: [String] = []
        var hosts: [SocketClient] = []
        for _ in 0..<3 {
            let made = try await ada.call("room.create", ["title": "Evening"])
            rooms.append(try #require((made["room"] as? [String: Any])?["id"] as? String))
        }
        for room in rooms {
            let host = try await SocketClient(server, auth: ["token": ada.token])
            try await host.call("room.join", ["room": room, "audio": false])
            try await host.call("host.start", ["pacing": "server", "position_us": 10_000_000])
            hosts.append(host)
        }
        try await Task.sleep(for: .milliseconds(500))
        let lock = try RunningProgram(
            "sqlite3",
            [
                "-bail", server.file("data/sona.sqlite"), "BEGIN IMMEDIATE",
                // Longer than a write waits.
                ".shell echo locked; sleep 8", "ROLLBACK",
            ], at: "/usr/bin/sqlite3")
        _ = try await lock.line(beginning: "locked")
        for (number, host) in hosts.enumerated() {
            try await host.call("host.pause", ["position_us": 42_000_000 + number])
        }
        #expect(await lock.ending(within: 20).status == 0)
        try await Task.sleep(for: .seconds(2.5))
        server.process.signal(SIGKILL)
        _ = await server.process.ending()

        let again = try await TestServer(folder: server.folder)
        let bob = try await SocketClient.newcomer(again, "bob")
        for (number, room) in rooms.enumerated() {
            let playback = try await bob.call("room.join", ["room": room])["playback"] as? [String: Any]
            #expect(playback?["position_us"] as? Int == 42_000_000 + number)
        }
        #expect(await again.stop().status == 0)
    }
}
