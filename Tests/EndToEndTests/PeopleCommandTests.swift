import Foundation
import Testing

/// Profiles, photos, and who follows whom, from the command line.
@Suite(.serialized) final class PeopleCommandTests: CommandStory {
    @Test func `people follow, find and block one another`() async throws {
        for person in ["ada", "bob"] { try await server.signUp(person) }
        expect(
            try await server.run("ada", "profile", "set", "--display-name", "Ada Lovelace", "--public"), 0,
            "everybody")
        expect(try await server.run("bob", "people", "search", "love"), 0, "@ada", "Ada Lovelace")
        expect(try await server.run("bob", "people", "follow", "@ada"), 0, "you follow them")
        expect(try await server.run("ada", "people", "followers"), 0, "@bob")
        expect(try await server.run("ada", "people", "follow", "bob", "--json"), 0, #""followed_by":true"#)
        expect(try await server.run("ada", "people", "friends"), 0, "@bob")
        let bob = try await identifier("bob")
        expect(try await server.run("ada", "profile", "show", bob), 0, "@bob", "friends")
        expect(try await server.run("guest", "profile", "show", "ada"), 0, "Ada Lovelace")
        expect(try await server.run("bob", "people", "following", "ada"), 0, "@bob")

        expect(try await server.run("ada", "people", "block", bob), 0, "blocked")
        expect(try await server.run("bob", "profile", "show", "ada"), 66, "user.not_found")
        expect(try await server.run("ada", "people", "follow", "bob"), 1, "sonactl people unblock")
        expect(try await server.run("ada", "people", "blocked", "--json"), 0, "\"bob\"")
        expect(try await server.run("ada", "people", "unblock", "bob"), 0, "none")
        expect(try await server.run("ada", "people", "following", "bob"), 77, "user.private")
        expect(try await server.run("ada", "people", "follow", "ada"), 64, "your own account")
        expect(try await server.run("ada", "people", "follow", "no body"), 66, "no body")
        expect(try await server.run("ada", "people", "followers"), 0, "There is nobody.")
    }

    @Test func `lists go over many pages, and say when there is more`() async throws {
        for person in ["ada", "bob", "cleo", "dora"] { try await server.signUp(person) }
        for person in ["bob", "cleo", "dora"] {
            expect(try await server.run(person, "people", "follow", "ada"), 0)
        }
        let two = try await server.run("ada", "people", "followers", "--limit", "2")
        expect(two, 0, "There are more")
        #expect(two.output.split(separator: "\n").count == 2)
        let all = try await server.run("ada", "people", "followers", "--limit", "3")
        #expect(all.output == "@dora\n@cleo\n@bob\n")
        #expect(all.errors.isEmpty)
        expect(try await server.run("ada", "people", "followers", "--limit", "0"), 64)
    }

    @Test func `followers see who is live, if that is allowed`() async throws {
        for person in ["ada", "bob"] { try await server.signUp(person) }
        let music = server.file("music.opus")
        try await Sources.opus(music, seconds: 2)
        expect(try await server.run("bob", "people", "follow", "ada"), 0)
        let broadcast = try server.start("ada", "broadcast", music, "--loop", "--title", "Evening")
        let room = try await broadcast.line()
        expect(try await server.run("bob", "people", "presence"), 0, "Nobody")
        expect(try await server.run("ada", "settings", "set", "--presence", "followers"), 0, "followers")
        expect(try await server.run("bob", "people", "presence"), 0, "@ada", "live", room, "Evening")
        broadcast.signal(SIGINT)
        #expect(await broadcast.ending().status == 130)
    }

    @Test func `text of others cannot control the terminal`() async throws {
        try await server.signUp("ada")
        expect(
            try await server.run(
                "ada", "profile", "set", "--bio", "one\ntwo", "--link",
                "Label=https://label.example/?a=b", "--link", "https://ada.example", "--public"), 0)
        expect(try await server.run("ada", "profile", "set", "--bio", "two\u{1B}[2J\u{9B}5m"), 64)
        let shown = try await server.run("guest", "profile", "show", "ada")
        expect(shown, 0, "bio", "one", "two", "https://label.example/?a=b (Label)", "https://ada.example")
        let object = try await server.run("guest", "profile", "show", "ada", "--json")
        expect(object, 0, #"one\ntwo"#)
        for text in [shown.output, object.output] {
            #expect(!text.unicodeScalars.contains { $0.value == 0x1B || 0x7F...0x9F ~= $0.value })
        }
        expect(try await server.run("ada", "profile", "set", "--no-links", "--bio", ""), 0)
        let after = try await server.run("ada", "profile", "show", "--json")
        expect(after, 0, #""links":[]"#, #""bio":null"#, #""public":true"#)
        expect(try await server.run("ada", "profile", "set"), 64)
        expect(try await server.run("ada", "profile", "set", "--link", "ftp://x"), 64)
    }

    @Test func `a photo is sent over HTTP, and an invalid one is refused with its reason`() async throws {
        try await server.signUp("ada")
        let image = server.file("photo.png")
        try PictureFile.png(side: 40).write(to: URL(fileURLWithPath: image))
        try age("ada")
        let sent = try json(try await server.run("ada", "profile", "photo", image, "--json"))
        let id = try #require((sent["photo"] as? [String: Any])?["id"] as? String)
        expect(try await server.run("ada", "profile"), 0, "\(server.address)/v1/photos/\(id)/full")
        let text = server.file("photo.txt")
        try "no picture at all".write(toFile: text, atomically: true, encoding: .utf8)
        expect(try await server.run("ada", "profile", "photo", text), 65, "photo.type_unsupported")
        try Data(count: 5_242_881).write(to: URL(fileURLWithPath: text))
        expect(try await server.run("ada", "profile", "photo", text), 65, "5 MiB")
        expect(try await server.run("ada", "profile", "photo", server.file("missing")), 66, "missing")
        expect(try await server.run("ada", "profile", "photo"), 64)
        expect(try await server.run("guest", "profile", "photo", image), 77)
        expect(try await server.run("ada", "profile", "photo", "--remove", "--json"), 0, #""photo":null"#)
    }
}
