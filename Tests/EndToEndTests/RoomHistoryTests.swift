import Foundation
import Testing

/// The present track of a room and its history, by clients that speak the protocol themselves.
@Suite(.serialized) final class RoomHistoryTests: RoomStory {
    /// Begins a broadcast that is followed by position only. Its tracks count as heard when they are announced.
    private func broadcast(
        _ host: SocketClient, _ room: String, _ track: [String: Any], position: Int = 0
    ) async throws {
        try await host.call("room.join", ["room": room, "audio": false])
        try await start(host, track, position: position)
    }

    private func start(_ host: SocketClient, _ track: [String: Any], position: Int = 0) async throws {
        try await host.call("host.start", ["pacing": "server", "track": track, "position_us": position])
    }

    private func plays(_ reader: SocketClient, _ request: [String: Any]) async throws -> [[String: Any]] {
        try #require(try await reader.call("room.history", request)["plays"] as? [[String: Any]])
    }

    private func titles(_ reader: SocketClient, _ room: String) async throws -> [String] {
        try await plays(reader, ["room": room]).map { ($0["track"] as? [String: Any])?["title"] as? String ?? "" }
    }

    @Test func `heard tracks are listed a page at a time, with host and broadcast`() async throws {
        let (ada, bob) = (try await newcomer("ada"), try await newcomer("bob"))
        let id = try await room(ada, "Evening")
        #expect(try await plays(bob, ["room": id]).isEmpty)
        let artwork = "https://example.org/a.jpg"
        try await broadcast(ada, id, ["title": "One", "artist": "X", "artwork": artwork, "duration_us": 5_000_000])
        try await ada.call("host.track", ["track": ["title": "Two"]])
        try await ada.call("host.track", ["track": ["title": "Two", "artist": "Y"]])
        try await ada.call("host.stop")
        try await start(ada, ["title": "Three"])
        try await becomes("three plays") { try await self.titles(bob, id) == ["Three", "Two", "One"] }
        let all = try await plays(bob, ["room": id])
        #expect(all.map { $0["session"] as? Int } == [3, 1, 1])
        let one = try #require(all.last)
        let track = try #require(one["track"] as? [String: Any])
        #expect(track["artwork"] as? String == artwork && track["duration_us"] as? Int == 5_000_000)
        #expect((one["host"] as? [String: Any])?["username"] as? String == "ada")
        let now = Date().timeIntervalSince1970 * 1000
        #expect(abs(try #require(one["at_ms"] as? Double) - now) < 60_000)

        let first = try await bob.call("room.history", ["room": id, "limit": 2])
        let before = try #require(first["next_before"] as? Int)
        let second = try await bob.call("room.history", ["room": id, "before": before])
        #expect((second["plays"] as? [[String: Any]])?.count == 1 && second["next_before"] is NSNull)
        // The same without naming the room, for a member inside, and over HTTP.
        #expect(try await plays(ada, [:]).count == 3)
        #expect(try await bob.refusal("room.history")?.code == "room.not_joined")
        let body = try JSONSerialization.data(withJSONObject: ["room": id])
        let answer = try await http("POST", "/v1/rpc/room.history", token: bob.token, body: body)
        #expect(answer.status == 200 && String(decoding: answer.body, as: UTF8.self).contains("Three"))
    }

    @Test func `a recap covers the last broadcast, another one, or a time, in three forms`() async throws {
        let ada = try await newcomer("ada")
        let guest = try await SocketClient.guest(server)
        let id = try await room(ada, "Late night")
        func recap(_ more: [String: Any] = [:]) async throws -> [String: Any] {
            try await guest.call("room.recap", more.merging(["room": id]) { $1 })
        }
        #expect(try await recap()["count"] as? Int == 0)
        try await broadcast(ada, id, ["title": "One", "artist": "X"])
        try await ada.call("host.track", ["track": ["title": "Two", "duration_us": 61_000_000]])
        try await ada.call("host.stop")
        try await start(ada, ["title": "Three"])
        try await becomes("three plays") { try await self.titles(guest, id).count == 3 }

        let last = try await recap()
        #expect(last["media_type"] as? String == "application/json" && last["count"] as? Int == 1)
        let m3u = try await recap(["session": 1, "format": "m3u"])
        #expect(
            m3u["text"] as? String == """
                #EXTM3U
                #PLAYLIST:Late night
                #EXTINF:-1,X - One
                ./X - One
                #EXTINF:61,Two
                ./Two

                """)
        #expect(m3u["media_type"] as? String == "audio/x-mpegurl")
        let jspf = try await recap(["from_ms": 0, "format": "jspf"])
        #expect(jspf["count"] as? Int == 3 && jspf["media_type"] as? String == "application/jspf+json")
        let list = try JSONSerialization.jsonObject(with: Data((jspf["text"] as? String ?? "").utf8))
        let tracks = ((list as? [String: Any])?["playlist"] as? [String: Any])?["track"] as? [[String: Any]]
        #expect(tracks?.map { $0["title"] as? String } == ["One", "Two", "Three"])
        #expect(try await recap(["to_ms": 1])["count"] as? Int == 0)
        #expect(try await recap(["session": 99])["count"] as? Int == 0)
        #expect(try await guest.refusal("room.recap", ["room": id, "format": "pls"])?.field == "data.format")
    }

    @Test func `a user who may not see a room does not see its history`() async throws {
        let (ada, bob) = (try await newcomer("ada"), try await newcomer("bob"))
        let id = try await room(ada, "Cellar", ["visibility": "private"])
        try await broadcast(ada, id, ["title": "Secret"])
        for type in ["room.history", "room.recap"] {
            #expect(try await bob.refusal(type, ["room": id])?.code == "room.not_found")
            let nobody = try await SocketClient(server, auth: nil)
            #expect(try await nobody.refusal(type, ["room": id])?.code == "auth.required")
        }
        try await becomes("written") { try await self.titles(ada, id) == ["Secret"] }
    }

    @Test func `the room announces the present and the next track`() async throws {
        let (ada, bob) = (try await newcomer("ada"), try await newcomer("bob"))
        let id = try await room(ada, "Evening", ["lead_ms": 3_000])
        try await play(ada, id, title: "Soon", artist: "X")
        let waiting = try await bob.call("room.get", ["room": id])
        #expect(waiting["now_playing"] is NSNull)
        let upcoming = try #require(waiting["upcoming_tracks"] as? [[String: Any]])
        #expect(upcoming.map { ($0["track"] as? [String: Any])?["title"] as? String } == ["Soon"])
        let snapshot = try await bob.call("room.join", ["room": id])
        #expect((snapshot["upcoming_tracks"] as? [[String: Any]])?.count == 1)
        #expect(
            (snapshot["stream"] as? [String: Any])?["start_us"] as? Int == upcoming.first?["at_us"] as? Int)
        // No packet came, so the track is not in the history.
        #expect(try await plays(bob, [:]).isEmpty)
    }

    @Test func `artwork is an address of the web or a path of the server`() async throws {
        let ada = try await newcomer("ada")
        let id = try await room(ada, "Evening")
        try await broadcast(ada, id, ["title": "One"])
        for text in [
            "javascript:alert(1)", "//example.org/a", "a.jpg", "https://x/" + String(repeating: "y", count: 1_015),
        ] {
            let refusal = try await ada.refusal("host.track", ["track": ["artwork": text]])
            #expect(refusal?.code == "request.invalid" && refusal?.field == "data.track.artwork", "\(text)")
        }
        try await ada.call("host.track", ["track": ["title": "One", "artwork": "/v1/photos/abc/320"]])
        let now = try await ada.call("room.get", ["room": id])["now_playing"] as? [String: Any]
        #expect((now?["track"] as? [String: Any])?["artwork"] as? String == "/v1/photos/abc/320")
    }

    @Test func `entering the same room again is granted twice, and then every five seconds`() async throws {
        let (ada, bob) = (try await newcomer("ada"), try await newcomer("bob"))
        let (id, other) = (try await room(ada, "Evening"), try await room(ada, "Other"))
        try await bob.call("room.join", ["room": id])
        try await bob.call("room.join", ["room": id, "audio": false])
        try await bob.call("room.leave")
        try await bob.call("room.join", ["room": id])
        let refused = try #require(try await bob.refusal("room.join", ["room": id]))
        #expect(refused.code == "room.resync_limited")
        #expect(1...5_001 ~= refused.retryAfterMilliseconds ?? 0)
        // The refusal changes nothing and affects neither other people nor other rooms.
        try await bob.call("playback.get")
        try await again(bob).call("room.join", ["room": id])
        try await bob.call("room.join", ["room": other])
        try await bob.call("room.join", ["room": id])
    }
}

/// The same across a kill of the server.
@Suite(.serialized) struct RoomHistoryRestartTests {
    @Test func `a track that was audible a moment ago survives a SIGKILL`() async throws {
        let folder = try Programs.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await TestServer(folder: folder)
        let ada = try await SocketClient.newcomer(server, "ada")
        let made = try await ada.call("room.create", ["title": "Evening"])
        let id = try #require((made["room"] as? [String: Any])?["id"] as? String)
        try await ada.call("room.join", ["room": id])
        for number in 1...20 {
            try await ada.call("host.start", ["pacing": "server", "track": ["title": "\(number)"]])
        }
        _ = try await SocketClient.eventually("twenty plays") {
            (try await ada.call("room.history", ["room": id])["plays"] as? [[String: Any]])?.count == 20 ? true : nil
        }
        server.process.signal(SIGKILL)
        _ = await server.process.ending()

        let again = try await TestServer(folder: folder)
        let back = try await SocketClient(again, auth: ["token": ada.token])
        try await back.call("room.join", ["room": id])
        // The host goes on with its track and its broadcast, and then with another track.
        try await back.call(
            "host.start", ["pacing": "server", "track": ["title": "20"], "position_us": 1_000_000])
        try await back.call("host.track", ["track": ["title": "21"]])
        let plays = try await SocketClient.eventually("the next play") {
            let plays = try await back.call("room.history", ["room": id])["plays"] as? [[String: Any]]
            return plays?.count == 21 ? plays : nil
        }
        #expect(
            plays.compactMap { ($0["track"] as? [String: Any])?["title"] as? String }
                == (1...21).reversed().map(String.init))
        #expect(Set(plays.compactMap { $0["session"] as? Int }) == [1])
        #expect(await again.stop().status == 0)
    }
}

/// The same from the command line, with sound.
@Suite(.serialized) final class HistoryCommandTests: CommandStory {
    @Test func `a broadcast leaves a history and a recap`() async throws {
        try await server.signUp("ada")
        let (one, two) = (server.file("one.opus"), server.file("two.opus"))
        try await Sources.opus(one, seconds: 2)
        try await Sources.opus(two, seconds: 2, frame: "60")
        let host = try server.start("ada", "broadcast", one, two, "--title", "Evening", "--artwork", "https://h/a.jpg")
        let id = try await host.line()
        let ending = await host.ending(within: 30)
        expect(ending, 0)
        try await Task.sleep(for: .seconds(2))
        let table = try await server.run("guest", "history", id)
        expect(table, 0, "Tune 20 by Tester", "Tune 60 by Tester", "0:02", "@ada")
        #expect(table.output.split(separator: "\n").first?.contains("Tune 60") == true, "newest first")
        let page = try json(try await server.run("guest", "history", "@ada", "--limit", "1", "--json"))
        let plays = try #require(page["plays"] as? [[String: Any]])
        #expect(plays.count == 1 && (plays[0]["track"] as? [String: Any])?["artwork"] as? String == "https://h/a.jpg")
        #expect(page["next_before"] as? Int == 2)

        let recap = try json(try await server.run("guest", "recap", id))
        let tracks = try #require(recap["tracks"] as? [[String: Any]])
        #expect(tracks.map { $0["title"] as? String } == ["Tune 20", "Tune 60"])
        let times = tracks.compactMap { $0["at_ms"] as? Int }
        // On a busy machine the host may be late with its second file.
        #expect(times.count == 2 && (1_900..<6_000).contains(times[1] - times[0]), "as it sounded: \(times)")
        expect(
            try await server.run("guest", "recap", id, "--format", "m3u"), 0, "#EXTM3U\n", "#EXTINF:2,Tester - Tune 20")
        let file = server.file("evening.jspf")
        let written = try await server.run("guest", "recap", id, "--format", "jspf", "-o", file)
        expect(written, 0, "2 tracks")
        #expect(written.output.isEmpty)
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains(#""creator":"Tester""#))
        expect(try await server.run("guest", "recap", id, "-o", "/nowhere/x"), 74)
        expect(try await server.run("guest", "recap", id, "--format", "pls"), 64)
        expect(try await server.run("guest", "history", "nowhere"), 66)
        expect(try await server.run("ada", "broadcast", one, "--artwork", "file:///etc/passwd"), 64, "--artwork")
    }

    @Test func `a room in which nothing was played says so`() async throws {
        try await server.signUp("ada")
        let id = String(try await server.run("ada", "rooms", "create").output.dropLast())
        expect(try await server.run("ada", "history", id), 0, "Nothing was played")
        expect(try await server.run("ada", "recap", id), 0, #""tracks":[]"#)
    }
}
