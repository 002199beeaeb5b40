import Foundation
import Testing

/// Entering rooms and moderating them, from the command line.
@Suite(.serialized) final class RoomSocialCommandTests: CommandStory {
    private func create(_ person: String, _ options: String...) async throws -> String {
        let program = try RunningProgram(
            "sonactl", ["rooms", "create"] + options, environment: server.environment(person))
        let ending = await program.ending()
        try #require(ending.status == 0, "\(ending)")
        return String(ending.output.dropLast())
    }

    private func link(_ person: String, _ room: String, _ options: String...) async throws -> String {
        let program = try RunningProgram(
            "sonactl", ["rooms", "invite", room] + options, environment: server.environment(person))
        let ending = await program.ending()
        try #require(ending.status == 0, "\(ending)")
        #expect(ending.output.hasPrefix("\(server.address)/r/\(room)#") && ending.output.hasSuffix("\n"))
        return String(ending.output.dropLast())
    }

    private func becomes(_ what: String, within seconds: Double = 20, _ isSo: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < deadline {
            if try await isSo() { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw ProgramFault(description: "\(what) did not come about")
    }

    @Test func `an invite opens a private room, is counted, and is taken back`() async throws {
        for person in ["ada", "bob", "cleo"] { try await server.signUp(person) }
        let id = try await create("ada", "--private", "--title", "Cellar")
        expect(try await server.run("bob", "listen", id, "--seconds", "1"), 66, "room.not_found")
        let link = try await link("ada", id, "--role", "vote", "--uses", "1", "--label", "Friday", "--expires", "12h")
        let code = String(link.split(separator: "#")[1])

        let bob = try server.start("bob", "listen", link)
        try await becomes("bob inside") { bob.errors.contains("Cellar") }
        expect(try await server.run("ada", "rooms", "members", id), 0, "@bob", "member")
        expect(try await server.run("bob", "rooms", "members", link), 0, "@bob")
        expect(try await server.run("bob", "position", link), 0, "stopped")
        let invites = try await server.run("ada", "rooms", "invites", link)
        expect(invites, 0, "vote", "1/1", "used up", "@ada", "Friday")
        #expect(!(invites.output + invites.errors).contains(code), "the code is told once")
        expect(try await server.run("cleo", "listen", id, "--invite", code, "--seconds", "1"), 77, "invite.used_up")
        expect(
            try await server.run("cleo", "listen", id, "--invite", "i1.guess", "--seconds", "1"), 77,
            "invite.invalid")
        expect(try await server.run("cleo", "rooms", "invites", id), 66, "room.not_found")

        let invite = String(invites.output.prefix { $0 != " " })
        expect(try await server.run("ada", "rooms", "revoke", id, invite), 0, invite)
        expect(try await server.run("ada", "rooms", "revoke", id, invite), 0)
        expect(try await server.run("ada", "rooms", "revoke", id, "nonesuch"), 77, "invite.invalid")
        expect(try await server.run("ada", "rooms", "revoke", id, "no such"), 66, "no such")
        expect(try await server.run("ada", "rooms", "invites", id), 0, "revoked")
        expect(try await server.run("ada", "rooms", "members", id), 0, "nobody")
        expect(await bob.ending(within: 10), 77, "The invite you came by was taken back")
        expect(try await server.run("bob", "listen", link, "--seconds", "1"), 77, "invite.revoked")
    }

    @Test func `standing is given and taken, and nobody acts against a higher standing`() async throws {
        for person in ["ada", "bob", "cleo"] { try await server.signUp(person) }
        let id = try await create("ada")
        expect(try await server.run("cleo", "rooms", "ban", id, "bob"), 77, "room.forbidden", "moderate")
        expect(try await server.run("ada", "rooms", "standing", id, "bob", "moderator"), 0, "@bob", "moderator", "away")
        expect(try await server.run("ada", "rooms", "members", id), 0, "nobody")
        let members = try json(try await server.run("bob", "rooms", "members", id, "--absent", "--json"))
        let standings = try #require(members["members"] as? [[String: Any]]).compactMap { $0["standing"] as? String }
        #expect(standings.contains("moderator"))
        expect(try await server.run("bob", "rooms", "standing", id, "cleo", "member"), 77, "room.forbidden", "host")
        expect(try await server.run("bob", "rooms", "kick", id, "ada"), 77, "room.forbidden")
        expect(try await server.run("ada", "rooms", "standing", id, "bob", "owner"), 64)
        expect(try await server.run("ada", "rooms", "standing", id, "bob", "listener"), 0, "listener")
        expect(try await server.run("bob", "rooms", "bans", id), 77, "room.forbidden")
    }

    @Test func `bans have a reason and an end, and are lifted`() async throws {
        for person in ["ada", "bob"] { try await server.signUp(person) }
        let id = try await create("ada")
        expect(try await server.run("ada", "rooms", "bans", id), 0, "Nobody")
        expect(
            try await server.run("ada", "rooms", "ban", id, "@bob", "--for", "1h", "--reason", "Too loud"), 0, "bob")
        expect(try await server.run("ada", "rooms", "bans", id), 0, "@bob", "Too loud", "@ada", "Z")
        let refused = try await server.run("bob", "listen", id, "--seconds", "1")
        expect(refused, 77, "room.banned", "The ban ends at")
        expect(refused, 77, "Too loud")
        expect(try await server.run("ada", "rooms", "ban", id, "bob"), 0)
        expect(try await server.run("ada", "rooms", "bans", id), 0, "for good")
        expect(try await server.run("ada", "rooms", "bans", id, "--json"), 0, #""until_ms":null"#)
        expect(try await server.run("ada", "rooms", "unban", id, "bob"), 0)
        expect(try await server.run("ada", "rooms", "unban", id, "bob"), 0)
        expect(try await server.run("bob", "listen", id, "--seconds", "0.2"), 0)
        let kicked = try await server.run("ada", "rooms", "kick", id, "bob")
        expect(kicked, 66, "user.not_found")
    }

    @Test func `a listener who is put out is told the reason, and the program ends`() async throws {
        for person in ["ada", "bob"] { try await server.signUp(person) }
        let id = try await create("ada", "--private")
        let link = try await link("ada", id)
        func listener(_ person: String) async throws -> RunningProgram {
            let program = try server.start(person, "listen", link)
            try await becomes("inside") { program.errors.contains("is idle") }
            return program
        }
        let kicked = try await listener("bob")
        expect(try await server.run("ada", "rooms", "kick", id, "bob", "--reason", "Wrong room"), 0)
        let ending = await kicked.ending(within: 10)
        expect(ending, 77, "put out", "Wrong room")
        #expect(ending.output.isEmpty)

        let banned = try await listener("bob")
        let talker = try server.start("bob", "chat", link)
        try await becomes("talking") { talker.errors.contains("This is") }
        let watcher = try server.start("bob", "position", link, "--watch")
        _ = try await watcher.line()
        expect(try await server.run("ada", "rooms", "ban", id, "bob", "--for", "1h", "--reason", "Too loud"), 0)
        expect(await banned.ending(within: 10), 77, "banned from the room: Too loud", "You may come again at")
        expect(await talker.ending(within: 10), 77, "Too loud")
        expect(await watcher.ending(within: 10), 77, "Too loud")
        expect(try await server.run("bob", "listen", link, "--seconds", "1"), 77, "room.banned")
        let again = try await server.run("guest", "listen", link, "--seconds", "0.2")
        expect(again, 77, "room.banned")
        expect(try await server.run("ada", "rooms", "unban", id, "bob"), 0)
        let gone = try await listener("bob")
        expect(try await server.run("ada", "rooms", "close", id, "--yes"), 0)
        expect(await gone.ending(within: 10), 66, "closed")
    }

    @Test func `a host who is put out is told the reason, and the broadcast ends`() async throws {
        for person in ["ada", "bob"] { try await server.signUp(person) }
        let id = try await create("ada")
        expect(try await server.run("ada", "rooms", "standing", id, "bob", "cohost"), 0)
        let tune = server.file("tune.opus")
        try await Sources.opus(tune, seconds: 2)
        let host = try server.start("bob", "broadcast", tune, "--room", id, "--loop")
        _ = try await host.line(beginning: id)
        expect(try await server.run("ada", "rooms", "kick", id, "bob", "--reason", "Too loud"), 0)
        expect(await host.ending(within: 10), 77, "put out of the room: Too loud")
    }

    @Test func `a banned guest cannot come again by the same link`() async throws {
        try await server.signUp("ada")
        let id = try await create("ada", "--private")
        let link = try await link("ada", id)
        let other = try await self.link("ada", id)
        let guest = try server.start("guest", "listen", link)
        try await becomes("the guest inside") { guest.errors.contains("is idle") }
        let members = try json(try await server.run("ada", "rooms", "members", id, "--json"))
        let member = try #require((members["members"] as? [[String: Any]])?.first?["user"] as? [String: Any])
        let uid = try #require((member["user"] as? [String: Any])?["uid"] as? String)
        expect(try await server.run("ada", "rooms", "ban", id, uid, "--for", "1d"), 0)
        expect(await guest.ending(within: 10), 77, "You were banned from the room.")
        expect(try await server.run("guest", "listen", link, "--seconds", "1"), 77, "room.banned")
        expect(try await server.run("guest", "listen", other, "--seconds", "0.2"), 0)
        expect(try await server.run("ada", "rooms", "bans", id), 0, uid)
        expect(try await server.run("ada", "rooms", "unban", id, uid), 0)
        expect(try await server.run("guest", "listen", link, "--seconds", "0.2"), 0)
    }

    @Test func `people talk both ways, and a muted one cannot`() async throws {
        for person in ["ada", "bob"] { try await server.signUp(person) }
        let id = try await create("ada", "--private", "--title", "Cellar")
        let link = try await link("ada", id)
        expect(try await server.run("ada", "chat", id, "--send", "Early\u{1B}[2J"), 65, "control characters")
        let first = try await server.run("ada", "chat", id, "--send", "Early")
        expect(first, 0, "@ada: Early")

        let ada = try server.start("ada", "chat", id)
        try await becomes("the history") { ada.output.contains("Early") }
        let lines = server.file("lines")
        try "Hello, @ada\n\n  \n\(String(repeating: "x", count: 501))\nlast".write(
            toFile: lines, atomically: true, encoding: .utf8)
        let sonactl = Programs.folder.appendingPathComponent("sonactl").path
        let bob = try RunningProgram(
            "sh", ["-c", #"exec "$0" chat "$1" <"$2""#, sonactl, link, lines],
            environment: server.environment("bob"), at: "/bin/sh")
        try await becomes("both lines") { ada.output.contains("@bob: last") }
        #expect(ada.output.contains("@bob: Hello, @ada\n"))
        #expect(ada.output.split(separator: "\n").count == 3, "\(ada.output)")
        expect(try await server.run("ada", "chat", id, "--send", "Hello, bob"), 0)
        try await becomes("the answer") { bob.output.contains("@ada: Hello, bob") }
        #expect(bob.output.contains("Early") && bob.errors.contains("Not sent: A message has"))
        #expect(bob.errors.contains("This is \"Cellar\"."))

        expect(try await server.run("ada", "rooms", "mute", id, "bob", "--for", "1h"), 0)
        try await becomes("the mute") { bob.errors.contains("@bob: mute until") }
        try await becomes("what ada hears of it") { ada.errors.contains("@bob: mute by @ada until") }
        expect(try await server.run("bob", "chat", id, "--send", "But"), 77, "chat.muted", "You may write again at")
        expect(try await server.run("ada", "rooms", "members", id), 0, "muted until")
        expect(try await server.run("ada", "rooms", "unmute", id, "bob"), 0)
        let object = try json(try await server.run("bob", "chat", id, "--send", "Thanks", "--json"))
        #expect(object["text"] as? String == "Thanks" && object["deleted"] as? Bool == false)

        expect(try await server.run("ada", "rooms", "update", id, "--slow-mode", "60"), 0)
        expect(try await server.run("bob", "chat", id, "--send", "Again"), 75, "chat.slow_mode", "Try again in")
        expect(try await server.run("ada", "rooms", "update", id, "--slow-mode", "0", "--chat", "off"), 0)
        expect(try await server.run("bob", "chat", id, "--send", "Again"), 77, "chat.off")
        for program in [ada, bob] {
            program.signal(SIGINT)
            #expect(await program.ending(within: 10).status == 130)
        }
        expect(try await server.run("guest", "chat", id, "--send", "Me too"), 66, "room.not_found")
    }

    @Test func `only people who are let in pass a waiting room`() async throws {
        for person in ["ada", "bob", "cleo"] { try await server.signUp(person) }
        let id = try await create("ada", "--title", "Door")
        expect(try await server.run("ada", "rooms", "update", id, "--waiting-room", "--private"), 0)
        expect(try await server.run("ada", "rooms", "waiting", id), 0, "Nobody waits")
        let inside = try server.start("ada", "chat", id)
        try await becomes("ada inside") { inside.errors.contains("This is") }
        let bob = try server.start("bob", "listen", id)
        let cleo = try server.start("cleo", "chat", id)
        let guest = try server.start("guest", "listen", id)
        for program in [bob, cleo, guest] {
            try await becomes("waiting") { program.errors.contains("Waiting to be let in") }
        }
        try await becomes("the knock") { inside.errors.contains("@bob waits to be let in.") }
        let waiting = try json(try await server.run("ada", "rooms", "waiting", id, "--json"))
        let users = try #require(waiting["users"] as? [[String: Any]]).compactMap { $0["user"] as? [String: Any] }
        #expect(users.count == 3)
        let stranger = try #require(users.first { $0["guest"] as? Bool == true }?["uid"] as? String)
        expect(try await server.run("bob", "rooms", "admit", id, "cleo"), 66, "room.not_found")

        expect(try await server.run("ada", "rooms", "admit", id, "bob"), 0)
        try await becomes("bob inside") { bob.errors.contains("\"Door\" is idle") }
        expect(try await server.run("ada", "rooms", "deny", id, "cleo"), 0)
        expect(await cleo.ending(within: 10), 77, "You were not let in.")
        expect(try await server.run("ada", "rooms", "admit", id, stranger), 0)
        try await becomes("the guest inside") { guest.errors.contains("\"Door\" is idle") }
        expect(try await server.run("ada", "rooms", "waiting", id), 0, "Nobody waits")
        expect(try await server.run("ada", "rooms", "admit", id, "cleo"), 66, "user.not_found")
        expect(try await server.run("cleo", "listen", id, "--seconds", "0.5"), 75, "Nobody has let you in")
        let link = try await link("ada", id)
        expect(try await server.run("cleo", "listen", link, "--seconds", "0.2"), 0, "Door")
        // Members need not wait again.
        for person in ["bob", "cleo"] { expect(try await server.run(person, "listen", id, "--seconds", "0.2"), 0) }
        for program in [bob, guest, inside] {
            program.signal(SIGINT)
            #expect(await program.ending(within: 10).status == 130)
        }
    }

    @Test func `turning the waiting room off lets in everybody who waits`() async throws {
        try await server.signUp("ada")
        let id = try await create("ada", "--title", "Door")
        expect(try await server.run("ada", "rooms", "update", id, "--waiting-room"), 0)
        let guest = try server.start("guest", "listen", id, "--seconds", "4")
        try await becomes("waiting") { guest.errors.contains("Waiting to be let in") }
        expect(try await server.run("ada", "rooms", "update", id, "--no-waiting-room"), 0)
        let ending = await guest.ending()
        expect(ending, 0, "\"Door\" is idle")
    }

    @Test func `the rules of a room are changed and shown`() async throws {
        try await server.signUp("ada")
        let id = try await create("ada")
        expect(try await server.run("ada", "rooms", "show", id), 0, "chat", "everyone")
        expect(
            try await server.run(
                "ada", "rooms", "update", id, "--waiting-room", "--chat", "members", "--slow-mode", "30"), 0,
            "waiting room", "members, one in 30 s")
        let shown = try json(try await server.run("ada", "rooms", "show", id, "--json"))
        #expect(shown["waiting_room"] as? Bool == true && shown["chat"] as? String == "members")
        #expect(shown["slow_mode_s"] as? Int == 30)
        let open = try await server.run("ada", "rooms", "update", id, "--no-waiting-room", "--slow-mode", "0")
        expect(open, 0, "members")
        #expect(!open.output.contains("waiting room") && !open.output.contains("one in"))
    }

    @Test func `meaningless arguments are refused before the server is asked`() async throws {
        let id = String(repeating: "a", count: 20)
        for wrong in [
            ["invite", id, "--expires", "59s"], ["invite", id, "--expires", "91d"],
            ["invite", id, "--expires", "soon"],
            ["invite", id, "--expires", "9223372036854775807w"], ["invite", id, "--uses", "0"],
            ["invite", id, "--uses", "100001"], ["invite", id, "--role", "owner"], ["invite", id, "--label", ""],
            ["invite", id, "--label", "a\u{7}"], ["invite", id, "--label", String(repeating: "x", count: 61)],
            ["ban", id, "bob", "--for", "0s"], ["ban", id, "bob", "--for", "522w", "--reason", "x"],
            ["ban", id, "bob", "--for", "d"], ["ban", id, "bob", "--for", "-1d"],
            ["kick", id, "bob", "--reason", String(repeating: "x", count: 201)], ["mute", id, "bob", "--for", "1y"],
            ["update", id, "--chat", "nobody"], ["update", id, "--slow-mode", "3601"], ["kick", id], ["admit", id],
        ] {
            let program = try RunningProgram(
                "sonactl", ["rooms"] + wrong, environment: server.environment("nobody"))
            let ending = await program.ending()
            #expect(ending.status == 64, "\(wrong): \(ending)")
        }
        expect(try await server.run("nobody", "rooms", "invite", id), 77, "Nobody is signed in")
        let ending = try await server.run("nobody", "listen", "\(server.address)/x/\(id)#i1.secret")
        expect(ending, 66, "There is no room")
        #expect(!ending.errors.contains("i1.secret"))
    }
}
