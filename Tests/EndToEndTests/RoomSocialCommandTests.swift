import Foundation
import Testing

/// Who comes into a room, and what is done about it, from the command line.
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
        expect(try await server.run("bob", "listen", link, "--seconds", "1"), 77, "invite.revoked")
        bob.signal(SIGINT)
        _ = await bob.ending()
    }

    @Test func `standing is given and taken, and nobody acts against their better`() async throws {
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
        withKnownIssue("room.banned does not have the reason in its message (joining.md, \"The way in\")") {
            expect(refused, 77, "Too loud")
        }
        expect(try await server.run("ada", "rooms", "ban", id, "bob"), 0)
        expect(try await server.run("ada", "rooms", "bans", id), 0, "for good")
        expect(try await server.run("ada", "rooms", "bans", id, "--json"), 0, #""until_ms":null"#)
        expect(try await server.run("ada", "rooms", "unban", id, "bob"), 0)
        expect(try await server.run("ada", "rooms", "unban", id, "bob"), 0)
        expect(try await server.run("bob", "listen", id, "--seconds", "0.2"), 0)
        let kicked = try await server.run("ada", "rooms", "kick", id, "bob")
        withKnownIssue("room.kick of somebody who is not there is answered (roles.md, \"room.kick\")") {
            expect(kicked, 66, "user.not_found")
        }
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

    @Test func `what cannot be meant is refused before anybody is asked`() async throws {
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
