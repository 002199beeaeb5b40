import Foundation
import SonaTestSupport
import Testing

/// What an administrator takes down of others, over the wire and by the command line.
@Suite(.serialized) struct TakeDownStoryTests {
    @Test func `an administrator takes down text, picture, message, profile and at last the room`() async throws {
        let story = try await CommandStory()
        let server = story.server
        try await story.makeAdmin()
        let owner = try await SocketClient.newcomer(server, "bob")
        let made = try await owner.call(
            "room.create",
            ["title": "Bad words", "description": "More of them", "tags": ["worse"], "visibility": "private"])
        let room = try #require((made["room"] as? [String: Any])?["id"] as? String)
        _ = try await owner.call("room.join", ["room": room])
        _ = try await owner.call("chat.send", ["text": "Bad words again"])
        _ = try await owner.call(
            "profile.update",
            [
                "display_name": "Bad name", "bio": "Bad text", "links": [["title": "x", "url": "https://x.example"]],
                "public": true,
            ])

        // The room is private, and the administrator is not in it.
        story.expect(try await server.run("chief", "takedown", "room", room, "--text"), 0, "Taken down.")
        try await Self.until { !owner.events("room.updated").isEmpty }
        let told = owner.events("room.updated").last?.data["room"] as? [String: Any]
        #expect(
            told?["title"] as? String == "A room" && told?["description"] is NSNull
                && (told?["tags"] as? [String]) == [])

        story.expect(try await server.run("chief", "takedown", "message", room, "1"), 0)
        try await Self.until { !owner.events("chat.changed").isEmpty }
        let history = try await owner.call("chat.history", ["room": room])
        let message = (history["messages"] as? [[String: Any]])?.first
        #expect(message?["text"] as? String == "" && message?["deleted"] as? Bool == true, "\(history)")
        story.expect(try await server.run("chief", "takedown", "message", room, "1"), 0)
        story.expect(try await server.run("chief", "takedown", "message", room, "99"), 66, "chat.not_found")

        story.expect(try await server.run("chief", "takedown", "profile", "@bob"), 0)
        story.expect(try await server.run("chief", "takedown", "profile", "@bob", "--photo"), 0)
        let profile = (try await owner.call("user.me"))["profile"] as? [String: Any]
        #expect(
            profile?["display_name"] is NSNull && profile?["bio"] is NSNull
                && (profile?["links"] as? [Any])?.isEmpty == true)

        story.expect(try await server.run("chief", "takedown", "room", room), 64, "--yes")
        story.expect(try await server.run("chief", "takedown", "room", room, "--yes"), 0)
        try await Self.until { !owner.events("room.closed").isEmpty }
        #expect(owner.events("room.closed").last?.data["reason"] as? String == "taken_down")
        #expect(try await owner.refusal("room.join", ["room": room])?.code == "room.closed")
        story.expect(try await server.run("chief", "takedown", "room", room, "--yes"), 66, "room.not_found")

        let journal = try await server.run("chief", "journal", "--json")
        #expect(journal.output.matches(of: /"kind":"taken_down"/).count == 5, "\(journal)")
        #expect(!journal.output.contains("Bad"))
        #expect(await server.stop().status == 0)
    }

    @Test func `others may not, and a missing field is named`() async throws {
        let story = try await CommandStory()
        let server = story.server
        try await story.makeAdmin()
        try await server.signUp("ada")
        story.expect(try await server.run("ada", "takedown", "profile", "@chief-of-all"), 77, "auth.forbidden")
        for (body, field) in [
            ("{\"kind\":\"room\"}", "data.room"), ("{\"kind\":\"message\",\"room\":\"@ada\"}", "data.message"),
            ("{\"kind\":\"photo\"}", "data.user"), ("{\"kind\":\"song\"}", "data.kind"),
        ] {
            let answer = try await RunningProgram(
                "curl",
                [
                    "-sS", "--unix-socket", server.file("data/admin.sock"),
                    "http://localhost/v1/operator/content.take_down", "--json", body,
                ], at: "/usr/bin/curl"
            ).ending().output
            #expect(answer.contains("request.invalid") && answer.contains(field), "\(answer)")
        }
        #expect(await server.stop().status == 0)
    }

    private static func until(_ condition: () -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while !condition() {
            try #require(ContinuousClock.now < deadline)
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
