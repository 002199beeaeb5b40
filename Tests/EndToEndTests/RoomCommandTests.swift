import Foundation
import Testing

/// Rooms from the command line.
@Suite(.serialized) final class RoomCommandTests: CommandStory {
    private func create(_ person: String, _ options: String...) async throws -> String {
        let program = try RunningProgram(
            "sonactl", ["rooms", "create"] + options, environment: server.environment(person))
        let ending = await program.ending()
        try #require(ending.status == 0, "\(ending)")
        #expect(ending.output.count == 21, "the identifier alone: \(ending.output)")
        return String(ending.output.dropLast())
    }

    @Test func `a room is made, shown, changed and closed`() async throws {
        try await server.signUp("ada")
        let plain = try await create("ada")
        let simple = try json(try await server.run("guest", "rooms", "show", plain, "--json"))
        #expect(simple["title"] as? String == "ada's room" && simple["visibility"] as? String == "public")
        #expect(simple["guests"] as? Bool == true && simple["tags"] as? [String] == [])
        let id = try await create(
            "ada", "--title", "Café", "--tag", "ambient", "--tag", "a,b", "--description", "One\ntwo\u{1B}[2J",
            "--no-guests", "--on-private", "leave", "--delivery", "interactive", "--lead-ms", "200")
        let shown = try await server.run("guest", "rooms", "show", id)
        expect(
            shown, 0, "Café", "ambient, a,b", "One", "two", "may not enter", "listeners leave",
            "interactive, 200 ms ahead", "public", "@ada")
        #expect(!shown.output.unicodeScalars.contains("\u{1B}"))

        let link = "\(server.address)/r/\(id)"
        expect(
            try await server.run("ada", "rooms", "update", link, "--tags", "x, y", "--title", "Süd"), 0, "x, y", "Süd")
        let changed = try json(
            try await server.run(
                "ada", "rooms", "update", id, "--private", "--guests", "--on-private", "stay", "--description", "",
                "--lead-ms", "300", "--delivery", "party", "--json"))
        #expect(changed["visibility"] as? String == "private" && changed["guests"] as? Bool == true)
        #expect(changed["on_private"] as? String == "stay" && changed["description"] is NSNull)
        #expect(changed["lead_ms"] as? Int == 300 && changed["delivery"] as? String == "party")
        #expect(changed["tags"] as? [String] == ["x", "y"] && changed["title"] as? String == "Süd")
        expect(try await server.run("guest", "rooms", "show", id), 66, "room.not_found")
        expect(try await server.run("ada", "rooms", "update", id, "--public", "--no-tags"), 0, "public")
        expect(try await server.run("guest", "rooms", "show", id, "--json"), 0, #""tags":[]"#)

        expect(try await server.run("ada", "rooms", "close", id, "--yes"), 0, "Süd", "closed")
        expect(try await server.run("guest", "rooms", "show", id), 66, "room.closed")
        expect(try await server.run("ada", "rooms", "close", id, "--yes"), 66, "room.closed")
        expect(try await server.run("ada", "rooms", "list", "--mine"), 0, plain)
    }

    @Test func `invalid rooms, invalid settings and rooms of others are refused`() async throws {
        for person in ["ada", "bob"] { try await server.signUp(person) }
        let id = try await create("ada", "--title", "Evening")
        let long = String(repeating: "x", count: 201)
        for wrong in [
            ["--title", long], ["--title", "a\u{7}b"], ["--tag", ""], ["--tag", String(repeating: "é", count: 17)],
            ["--tags", "1,2,3,4,5,6,7,8,9"], ["--lead-ms", "149"], ["--delivery", "pigeon"], ["--on-private", "go"],
            ["--public", "--private"], ["--description", String(repeating: "x", count: 1_001)],
        ] {
            for command in [["create"], ["update", id]] {
                // An empty tag is not a tag.
                if wrong == ["--tag", ""], command == ["create"] { continue }
                let program = try RunningProgram(
                    "sonactl", ["rooms"] + command + wrong, environment: server.environment("ada"))
                let ending = await program.ending()
                #expect(wrong == ["--tag", ""] ? ending.status == 0 : ending.status == 64, "\(wrong): \(ending)")
            }
        }
        expect(try await server.run("ada", "rooms", "update", id), 64, "something")
        expect(try await server.run("ada", "rooms", "update", id, "--tag", "a", "--no-tags"), 64, "--no-tags")
        expect(try await server.run("bob", "rooms", "update", id, "--title", "Mine"), 77, "room.forbidden")
        expect(try await server.run("bob", "rooms", "close", id, "--yes"), 77, "room.forbidden")
        expect(try await server.run("guest", "rooms", "create"), 77)
        expect(try await server.run("ada", "rooms", "close", "no room", "--yes"), 66, "no room")
        // The confirmation is read from a pipe, without a terminal.
        let asked = try RunningProgram(
            "setsid", ["-w", Programs.folder.appendingPathComponent("sonactl").path, "rooms", "close", id],
            environment: server.environment("ada"), at: "/usr/bin/setsid")
        expect(await asked.ending(), 64, "--yes")
        expect(try await server.run("guest", "rooms", "list"), 0, "Evening")
    }

    @Test func `rooms are found, and lists mark private ones`() async throws {
        for person in ["ada", "bob"] { try await server.signUp(person) }
        let one = try await create("ada", "--title", "Night one", "--tag", "ambient")
        let two = try await create("ada", "--title", "Night two", "--private", "--no-guests")
        let three = try await create("bob", "--title", "Noon")
        expect(
            try await server.run("guest", "rooms", "search", "nigh"), 0, one, "idle", "@ada", "Night one", "#ambient")
        let own = try await server.run("ada", "rooms", "search", "night", "two")
        expect(own, 0, two, "private no guests")
        #expect(own.output.split(separator: "\n").count == 1)
        let all = try json(try await server.run("guest", "rooms", "search", "--json"))
        #expect(all["count"] as? Int == 2 && (all["rooms"] as? [[String: Any]])?.count == 2)
        let cut = try await server.run("ada", "rooms", "search", "--limit", "2")
        expect(cut, 0, "There are more")
        #expect(cut.output.split(separator: "\n").count == 2)
        expect(try await server.run("ada", "people", "follow", "bob"), 0)
        let followed = try await server.run("ada", "rooms", "search", "--scope", "following")
        #expect(followed.output.hasPrefix(three) && followed.output.split(separator: "\n").count == 1)
        expect(try await server.run("ada", "rooms", "search", "--scope", "friends"), 0, "There are no rooms.")
        expect(try await server.run("guest", "rooms", "search", "--scope", "friends"), 77)
        expect(try await server.run("ada", "rooms", "search", String(repeating: "x", count: 101)), 64)
        expect(try await server.run("ada", "rooms", "search", "--scope", "foes"), 64)
    }

    @Test func `a room has a picture`() async throws {
        for person in ["ada", "bob"] { try await server.signUp(person) }
        let id = try await create("ada")
        let image = server.file("picture.png")
        try PictureFile.png(side: 40).write(to: URL(fileURLWithPath: image))
        try age("ada")
        let sent = try json(try await server.run("ada", "rooms", "picture", "@ada", image, "--json"))
        let photo = try #require((sent["picture"] as? [String: Any])?["id"] as? String)
        expect(
            try await server.run("guest", "rooms", "show", id), 0, "\(server.address)/v1/photos/\(photo)/full")
        expect(try await server.run("bob", "rooms", "picture", id, image), 77, "room.forbidden")
        expect(try await server.run("bob", "rooms", "picture", id, "--remove"), 77, "room.forbidden")
        let text = server.file("picture.txt")
        try "no picture at all".write(toFile: text, atomically: true, encoding: .utf8)
        expect(try await server.run("ada", "rooms", "picture", id, text), 65, "photo.type_unsupported")
        expect(try await server.run("ada", "rooms", "picture", id, server.file("missing")), 66, "missing")
        expect(try await server.run("ada", "rooms", "picture", id), 64)
        expect(try await server.run("ada", "rooms", "picture", id, "--remove", "--json"), 0, #""picture":null"#)
    }
}
