import Foundation
import SonaTestSupport
import Testing

/// The filter of words, in all texts that people write.
@Suite(.serialized) struct WordStoryTests {
    @Test func `words are refused, masked and reported wherever somebody writes`() async throws {
        let story = try await CommandStory()
        let server = story.server
        try await story.makeAdmin()
        try await server.signUp("ada")
        let bob = try await SocketClient.newcomer(server, "bob")
        let made = try await bob.call("room.create", ["title": "Evening", "visibility": "public"])
        let room = try #require((made["room"] as? [String: Any])?["id"] as? String)
        _ = try await bob.call("room.join", ["room": room])

        story.expect(try await server.run("ada", "words", "add", "awful"), 77, "auth.forbidden")
        story.expect(try await server.run("chief", "words", "add", "awful"), 0)
        story.expect(try await server.run("chief", "words", "add", "spam*", "--action", "mask"), 0)
        story.expect(try await server.run("chief", "words", "add", "buy now", "--action", "flag"), 0)
        story.expect(try await server.run("chief", "words", "add", "b*d"), 64, "request.invalid")
        story.expect(try await server.run("chief", "words", "list"), 0, "awful  refuse", "buy now  flag", "spam*  mask")

        func refused(_ type: String, _ data: [String: Any], _ field: String) async throws {
            let refusal = try await bob.refusal(type, data)
            #expect(refusal?.code == "content.refused" && refusal?.field == field, "\(type) \(data)")
        }
        // A Cyrillic а in place of the Latin one.
        try await refused("chat.send", ["text": "How \u{430}wful!"], "data.text")
        try await refused("room.create", ["title": "Awful"], "data.title")
        try await refused("room.update", ["room": room, "description": "an AWFUL room"], "data.description")
        try await refused("room.update", ["room": room, "tags": ["awful"]], "data.tags")
        try await refused("profile.update", ["bio": "awful"], "data.bio")
        try await refused("profile.update", ["display_name": "Mr. Awful"], "data.display_name")
        try await refused("username.change", ["old_username": "bob", "username": "awful-bob"], "data.username")
        // In a username nothing can be masked.
        try await refused("username.change", ["old_username": "bob", "username": "spammer"], "data.username")
        try await refused("queue.add", ["tracks": [["track": ["title": "Awful song"]]]], "data.tracks[0].track.title")
        let anybody = try await SocketClient(server, auth: nil)
        let signUp: [String: Any] = [
            "email": "x@example.org", "password": CommandStory.password, "username": "awful.one",
        ]
        #expect(try await anybody.refusal("auth.sign_up", signUp)?.code == "content.refused")

        let masked = try await bob.call("chat.send", ["text": "No spammers here"])
        #expect((masked["message"] as? [String: Any])?["text"] as? String == "No ****mers here")
        let edited = try await bob.call("chat.edit", ["id": 1, "text": "No SPAM, buy - now"])
        #expect((edited["message"] as? [String: Any])?["text"] as? String == "No ****, buy - now")
        let updated = try await bob.call("room.update", ["room": room, "title": "Spam evening"])
        #expect((updated["room"] as? [String: Any])?["title"] as? String == "**** evening")
        story.expect(
            try await server.run("chief", "report", "list"), 0, "words", "message 1", "No ****, buy - now", "buy now")

        story.expect(try await server.run("chief", "words", "remove", "AWFUL"), 0)
        _ = try await bob.call("chat.send", ["text": "awful"])
        let journal = try await server.run("chief", "journal", "--json")
        #expect(journal.output.matches(of: /"kind":"word_added"/).count == 3 && !journal.output.contains("awful"))
        #expect(await server.stop().status == 0)
    }
}
