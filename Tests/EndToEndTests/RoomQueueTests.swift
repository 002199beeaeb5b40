import Foundation
import Testing

/// A room's queue, used by everybody in it.
@Suite(.serialized) final class RoomQueueTests: RoomStory {
    private func track(_ title: String) -> [String: Any] { ["title": title, "artist": "Ada"] }

    private func queue(_ reader: SocketClient) async throws -> [String: Any] { try await reader.call("queue.get") }

    private func titles(_ reader: SocketClient, approved: Bool = true) async throws -> [String] {
        let entries = try await queue(reader)["entries"] as? [[String: Any]] ?? []
        return entries.filter { $0["approved"] as? Bool == approved }.compactMap { entry in
            (entry["track"] as? [String: Any])?["title"] as? String
        }
    }

    private func suggest(_ person: SocketClient, _ title: String) async throws -> Int {
        let result = try await person.call("queue.suggest", ["track": track(title)])
        let entry = try #require((result["entries"] as? [[String: Any]])?.first)
        return try #require(entry["id"] as? Int)
    }

    /// Three people in a room of the first one, who may all send at once.
    private func party(_ rules: [String: Any] = [:]) async throws -> (people: [SocketClient], room: String) {
        let people = try await newcomers("ada", "bob", "cleo")
        let id = try await room(people[0], "Party")
        for person in people { try await person.call("room.join", ["room": id, "audio": false]) }
        try await people[0].call("queue.set_rules", ["rules": ["dwell_s": 0].merging(rules) { $1 }])
        return (people, id)
    }

    @Test func `a suggestion is approved, moved, played and skipped, and everybody is told`() async throws {
        let (people, id) = try await party()
        let (ada, bob, cleo) = (people[0], people[1], people[2])
        let first = try await suggest(bob, "First")
        let second = try await suggest(cleo, "Second")
        #expect(try await titles(bob, approved: false) == ["First", "Second"])
        #expect(try await bob.refusal("queue.approve", ["id": first])?.code == "room.forbidden")
        try await ada.call("queue.approve", ["id": first])
        try await ada.call("queue.approve", ["id": second])
        try await ada.call("queue.move", ["id": second, "first": true])
        #expect(try await titles(cleo) == ["Second", "First"])
        try await ada.call("queue.next")
        try await bob.call("queue.vote_skip", ["id": second])
        try await cleo.call("queue.vote_skip", ["id": second])
        let now = try #require(try await queue(ada)["now"] as? [String: Any])
        #expect((now["entry"] as? [String: Any])?["id"] as? Int == first)
        #expect(try await bob.refusal("queue.started", ["id": first])?.code == "host.not_host")
        try await play(ada, id, title: "First", artist: "Ada")
        try await ada.call("queue.started", ["id": first])
        try await ada.call("queue.finished", ["id": first])
        #expect(try await queue(bob)["now"] is NSNull)
        try await becomes("all have heard the same") {
            let counts = people.map { $0.events("queue.changed").count }
            return Set(counts).count == 1
        }
        let told = people.map { $0.events("queue.changed").map(\.sequence) }
        #expect(told[0] == told[1] && told[1] == told[2])
        #expect(await server.stop().status == 0)
    }

    @Test func `a server killed during a party goes on with queue, votes and rules`() async throws {
        let (people, id) = try await party(["ordering": "votes", "needs_approval": false])
        let (ada, bob, cleo) = (people[0], people[1], people[2])
        var ids: [Int] = []
        for title in ["A", "B", "C"] { ids.append(try await suggest(bob, title)) }
        try await cleo.call("queue.vote", ["id": ids[2], "vote": "up"])
        try await bob.call("queue.vote", ["id": ids[0], "vote": "down"])
        try await ada.call("queue.set_repeat", ["repeat": "all"])
        try await ada.call("queue.next")
        try await cleo.call("queue.vote", ["id": ids[1], "vote": "up"])
        try await bob.call("queue.vote_skip", ["id": ids[2]])
        let before = try await queue(cleo)
        server.process.signal(SIGKILL)
        _ = await server.process.ending()

        let again = try await TestServer(folder: server.folder, RoomStory.options, port: server.port)
        let back = try await SocketClient(again, auth: ["token": cleo.token])
        try await back.call("room.join", ["room": id, "audio": false])
        let after = try await queue(back)
        for key in ["rules", "repeat", "now", "entries", "order", "your_votes", "skip_votes"] {
            #expect(
                NSDictionary(dictionary: [key: before[key] ?? 0]) == NSDictionary(dictionary: [key: after[key] ?? 0]),
                "\(key)")
        }
        #expect(try #require(after["revision"] as? Int) >= #require(before["revision"] as? Int))
        let bobAgain = try await SocketClient(again, auth: ["token": bob.token])
        try await bobAgain.call("room.join", ["room": id, "audio": false])
        #expect(try await suggest(bobAgain, "D") > ids[2])
        #expect(await again.stop().status == 0)
    }

    @Test func `a member who floods the queue moves nothing beyond their share`() async throws {
        let (people, _) = try await party(["needs_approval": false, "waiting_per_person_max": 3])
        let (bob, cleo) = (people[1], people[2])
        let calls = try (0..<50).map { try bob.begin("queue.suggest", ["track": track("Flood \($0)")]) }
        var refusals = 0
        for call in calls {
            do { _ = try await bob.reply(call) } catch let refusal as SocketClient.Refusal {
                #expect(refusal.code == "queue.person_limit" || refusal.code == "request.rate_limited")
                refusals += 1
            }
        }
        #expect(refusals == 47)
        #expect(try await titles(cleo).count == 3)
        _ = try await suggest(cleo, "Mine")
        let (_, body) = try await metrics()
        let line = String(decoding: body, as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix("sona_request_errors_total") }
        let counted = try #require(line?.split(separator: " ").last.flatMap { Int($0) })
        #expect(counted >= 47)
        #expect(await server.stop().status == 0)
    }

    @Test func `votes of members who left lapse, and fewer listeners need fewer votes`() async throws {
        let (people, id) = try await party(["grace_s": 0, "needs_approval": false, "skip_percent": 100])
        let (ada, bob, cleo) = (people[0], people[1], people[2])
        let first = try await suggest(bob, "A")
        let second = try await suggest(bob, "B")
        try await cleo.call("queue.vote", ["id": second, "vote": "up"])
        try await cleo.call("room.leave")
        try await becomes("the vote has lapsed") {
            let entries = try await queue(bob)["entries"] as? [[String: Any]] ?? []
            return entries.last?["upvotes"] as? Int == 0
        }
        try await cleo.call("room.join", ["room": id, "audio": false])
        try await ada.call("queue.next")
        for person in [ada, bob] { try await person.call("queue.vote_skip", ["id": first]) }
        #expect(try await queue(bob)["skip_votes_needed"] as? Int == 3)
        try await cleo.call("room.leave")
        try await becomes("two of two skip it") {
            let now = try await queue(bob)["now"] as? [String: Any]
            return (now?["entry"] as? [String: Any])?["id"] as? Int == second
        }
        #expect(await server.stop().status == 0)
    }

    @Test func `a party from the command line`() async throws {
        for person in ["ada", "bob"] { try await server.signUp(person) }
        let made = try await server.run("ada", "rooms", "create", "--title", "Party")
        expect(made, 0)
        let id = String(made.output.dropLast())
        expect(
            try await server.run("bob", "queue", "suggest", id, "--title", "Early"), 1, "room.not_joined",
            "sonactl listen")
        let chat = try server.start("bob", "chat", id)
        try await becomes("bob inside") { chat.errors.contains("Party") }
        expect(try await server.run("bob", "queue", "suggest", id, "--title", "Early"), 75, "queue.too_new")
        expect(try await server.run("ada", "queue", "rules", id, "--dwell", "0s", "--skip-percent", "40"), 0, "dwell_s")
        expect(try await server.run("ada", "queue", "rules", id, "--skip-percent", "101"), 64, "skip_percent")
        expect(try await server.run("ada", "queue", "rules", id, "--json"), 0, #""skip_percent":40"#)
        expect(try await server.run("bob", "queue", "suggest", id, "--title", "Prelude", "--artist", "X"), 0, "? ", "1")
        expect(try await server.run("bob", "queue", "suggest", id, "--source", "file:///etc/passwd"), 65, "queue.track")
        expect(try await server.run("bob", "queue", "suggest", id), 64, "--title")
        expect(try await server.run("bob", "queue", "approve", id, "1"), 77, "room.forbidden", "control")
        expect(try await server.run("ada", "queue", "approve", id, "1"), 0, "Entry 1")
        expect(try await server.run("ada", "queue", "add", id, "--title", "Fugue", "--first"), 0, "Fugue")
        expect(try await server.run("bob", "queue", "vote", id, "1", "up"), 0)
        expect(try await server.run("guest", "queue", "show", id), 0, "Fugue", "Prelude by X", "+1 -0", "@bob")
        expect(try await server.run("ada", "queue", "next", id), 0)
        expect(try await server.run("bob", "queue", "skip", id), 0, "1 of 2")
        expect(try await server.run("ada", "queue", "shuffle", id, "--seed", "42"), 0, "42")
        expect(try await server.run("ada", "queue", "repeat", id, "all"), 0)
        expect(try await server.run("ada", "queue", "next", id), 0)
        expect(try await server.run("ada", "queue", "show", id), 0, "> ", "Prelude")
        expect(try await server.run("ada", "queue", "previous", id), 0)
        expect(try await server.run("ada", "queue", "remove", id, "99"), 66, "queue.entry_not_found")
        expect(try await server.run("ada", "queue", "clear", id), 0)
        let shown = try json(try await server.run("ada", "queue", "show", id, "--json"))
        #expect(shown["waiting"] as? Int == 0)
        chat.signal(SIGINT)
        _ = await chat.ending(within: 10)
        #expect(await server.stop().status == 0)
    }

    /// Goal: a queue is not only stored but heard. Way: a host with three files follows the queue while somebody
    /// records; the entries are by source, by title, and of a missing file.
    @Test func `a host that follows the queue plays the chosen entry, and waits while there is none`() async throws {
        for person in ["ada", "bob"] { try await server.signUp(person) }
        let folder = server.file("music")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, frame) in [("prelude", "20"), ("fugue", "40"), ("toccata", "60")] {
            try await Sources.opus("\(folder)/\(name).opus", seconds: 2, frame: frame)
        }
        let host = try server.start("ada", "broadcast", "--queue", folder, "--title", "Party")
        let id = try await host.line()
        try await becomes("it waits") { host.errors.contains("The queue is empty") }
        #expect(!host.errors.contains("is live"), "nothing plays yet")
        let listener = try server.start("bob", "listen", id, "--output", server.file("heard.opus"))
        try await becomes("bob inside") { listener.errors.contains("Party") }
        expect(try await server.run("ada", "queue", "add", id, "--source", "fugue"), 0)
        try await becomes("the first is played") { host.errors.contains("Playing Tune 40") }
        expect(try await server.run("ada", "queue", "add", id, "--title", "Nobody has this"), 0)
        expect(try await server.run("ada", "queue", "add", id, "--title", "TUNE 20"), 0)
        try await becomes("what is not there is passed over") { host.errors.contains("is not among the files") }
        try await becomes("what is called so is played") { host.errors.contains("Playing Tune 20") }
        expect(try await server.run("ada", "pause", id), 0)
        expect(try await server.run("ada", "play", id), 0)
        // On a slow machine the tune is over before it is paused. Then more output follows the line that the queue is
        // empty.
        try await becomes("it waits again") {
            host.errors.components(separatedBy: "Playing Tune 20").last?.contains("is empty") == true
        }
        expect(try await server.run("ada", "queue", "add", id, "--source", "toccata"), 0)
        expect(try await server.run("ada", "queue", "next", id), 0)
        try await becomes("it goes on") { host.errors.contains("Playing Tune 60") }
        host.signal(SIGINT)
        #expect(await host.ending(within: 10).status == 130)
        #expect(await listener.ending(within: 20).status == 0)
        #expect(try await Sources.complaints(server.file("heard.opus")) == [])
        #expect(await server.stop().status == 0)
    }
}
