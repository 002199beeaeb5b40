import Foundation
import Testing

/// Administrators' actions from the command line.
@Suite(.serialized) final class AdministrationCommandTests: CommandStory {
    @Test func `an admin bans, and the banned are out at once`() async throws {
        try await makeAdmin()
        try await server.signUp("gus")
        expect(try await server.run("gus", "users", "list"), 77, "auth.forbidden", "users.list")
        expect(try await server.run("gus", "journal"), 77, "auth.forbidden")
        let music = server.file("music.opus")
        try await Sources.opus(music, seconds: 2)
        let broadcast = try server.start("gus", "broadcast", music, "--loop")
        _ = try await broadcast.line()

        let banned = try await server.run("chief", "users", "ban", "gus", "--for", "2h", "--reason", "too loud")
        expect(banned, 0, "@gus", "until 20", "too loud")
        #expect(await broadcast.ending(within: 20).status == 77)
        expect(try await server.run("gus", "whoami"), 77, "auth.banned", "The ban ends at 20")
        expect(
            try await server.run("gus", "login", "--email", "gus@example.org", "--password", Self.password), 77,
            "auth.banned")
        expect(try await server.run("chief", "users", "list", "--banned"), 0, "@gus")
        let others = try await server.run("chief", "users", "list", "--no-banned", "--json")
        #expect(!others.output.contains("\"gus\"") && others.output.contains("chief-of-all"))
        expect(try await server.run("chief", "users", "unban", "gus"), 0, "no")
        expect(try await server.run("gus", "login", "--email", "gus@example.org", "--password", Self.password), 0)

        expect(try await server.run("chief", "users", "ban", "chief-of-all"), 64, "your own account")
        for time in ["3y", "-1s", "0s", "", "99999999999999999999s", "10000w"] {
            expect(try await server.run("chief", "users", "ban", "gus", "--for=\(time)"), 64)
        }
        expect(try await server.run("chief", "users", "set-role", "gus", "admin"), 0, "admin")
        expect(try await server.run("gus", "users", "search", "chief"), 0, "@chief-of-all")
        expect(try await server.run("gus", "users", "show", "chief-of-all", "--json"), 0, #""role":"admin""#)
        expect(try await server.run("gus", "users", "show", "chief-of"), 66)
        expect(try await server.run("chief", "users", "set-role", "gus", "moderator"), 64)
    }

    @Test func `the journal is read and checked, and an altered line is found`() async throws {
        try await makeAdmin()
        try await server.signUp("gus")
        expect(try await server.run("chief", "users", "ban", "gus"), 0, "for good")
        let gus = try json(try await server.run("chief", "users", "show", "gus", "--json"))
        let uid = try #require((gus["user"] as? [String: Any])?["uid"] as? String)
        expect(try await server.run("chief", "journal", "--kind", "banned"), 0, "banned", uid)
        let lines = try await server.run("chief", "journal", "--user", "gus", "--limit", "1")
        #expect(lines.output.split(separator: "\n").count == 1)
        #expect(lines.errors.contains("There are more"))
        expect(try await server.run("chief", "journal", "--user", "nobody-here"), 66)
        expect(try await server.run("chief", "journal", "--kind", "no_such_kind"), 0, "no such lines")
        let all = try json(try await server.run("chief", "journal", "list", "--json"))
        let count = try #require((all["entries"] as? [Any])?.count)
        expect(try await server.run("chief", "journal", "verify"), 0, "intact, \(count) lines")

        let tampering = try RunningProgram(
            "sqlite3",
            [
                "-cmd", ".timeout 5000", server.file("data/sona.sqlite"),
                """
                DROP TRIGGER journal_refuses_update;
                UPDATE journal SET subject = actor WHERE kind = 'banned';
                """,
            ], at: "/usr/bin/sqlite3")
        expect(await tampering.ending(), 0)
        expect(try await server.run("chief", "journal", "verify"), 1, "not intact")
        expect(try await server.run("chief", "journal", "verify", "--json"), 1, #""intact":false"#)
    }
}
