import Foundation
import SonaTestSupport
import Testing

/// Somebody reports a message, and an administrator decides.
@Suite(.serialized) struct ReportStoryTests {
    @Test func `a report comes to the administrators, and is decided once`() async throws {
        let story = try await CommandStory()
        let server = story.server
        try await story.makeAdmin()
        let owner = try await SocketClient.newcomer(server, "bob")
        let made = try await owner.call("room.create", ["title": "Bad words", "visibility": "public"])
        let room = try #require((made["room"] as? [String: Any])?["id"] as? String)
        _ = try await owner.call("room.join", ["room": room])
        _ = try await owner.call("chat.send", ["text": "Buy now"])

        func report(_ text: String) async throws -> Ending {
            try await server.run("ada", "report", "room", room, "--message", "1", "--kind", "spam", "--text", text)
        }
        try await server.signUp("ada")
        story.expect(try await report("Again and again."), 0, "Reported.")
        // The same report once more replaces the text, and is no second one.
        story.expect(try await report("Every evening."), 0, "Reported.")
        story.expect(try await server.run("ada", "report", "user", "@bob", "--kind", "abuse"), 0, "Reported.")
        story.expect(try await server.run("ada", "report", "room", room, "--message", "99"), 66, "chat.not_found")
        story.expect(try await server.run("ada", "report", "user", "@nobody-here"), 66, "user.not_found")
        story.expect(try await server.run("ada", "report", "list"), 77, "auth.forbidden")
        #expect(try await owner.refusal("report.send", ["kind": "spam"])?.code == "request.invalid")
        #expect(try await owner.refusal("report.send", ["kind": "spam", "message": 1])?.code == "request.invalid")

        // What was reported stays readable.
        _ = try await owner.call("chat.delete", ["id": 1])
        let listed = try await server.run("chief", "report", "list")
        story.expect(listed, 0, "Buy now", "Every evening.", "spam", "abuse")
        #expect(!listed.output.contains("Again and again."))
        #expect(listed.output.split(separator: "\n").count == 2, "\(listed)")

        story.expect(
            try await server.run("chief", "report", "resolve", "1", "--note", "Talked to bob."), 0, "Talked to bob.")
        story.expect(try await server.run("chief", "report", "resolve", "1"), 69, "report.resolved")
        story.expect(try await server.run("chief", "report", "resolve", "9"), 69, "report.not_found")
        let open = try await server.run("chief", "report", "list", "--json")
        #expect(open.output.contains("\"id\":2") && !open.output.contains("\"id\":1,"), "\(open)")
        story.expect(try await server.run("chief", "report", "list", "--all"), 0, "Talked to bob.")

        // A guest who never wrote anything can be reported while they are there.
        let guest = try await SocketClient.guest(server)
        let identity = try await guest.call("user.me")
        let uid = try #require((identity["user"] as? [String: Any])?["uid"] as? String)
        _ = try await guest.call("room.join", ["room": room])
        story.expect(
            try await server.run(
                "ada", "report", "user", uid, "--in", room, "--kind", "abuse", "--text", "Comes each day."),
            0, "Reported.")
        story.expect(try await server.run("ada", "report", "user", uid, "--kind", "abuse"), 0, "Reported.")
        story.expect(try await server.run("chief", "report", "list"), 0, "room \(room)  user \(uid)", "Comes each day.")
        _ = try await guest.call("room.leave")
        story.expect(try await server.run("ada", "report", "user", uid, "--in", room), 66, "user.not_found")
        guest.endSending()
        #expect(
            try await owner.refusal("report.send", ["kind": "abuse", "user": uid, "room": room, "message": 1])?.code
                == "request.invalid")

        // Decided, the same thing may be reported again.
        story.expect(try await server.run("ada", "report", "user", "@bob", "--kind", "abuse"), 0, "Reported.")
        let journal = try await server.run("chief", "journal", "--json")
        #expect(journal.output.matches(of: /"kind":"report_resolved"/).count == 1, "\(journal)")
        #expect(!journal.output.contains("Buy now") && !journal.output.contains("evening"))
        #expect(await server.stop().status == 0)
    }
}
