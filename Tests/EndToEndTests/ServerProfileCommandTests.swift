import Foundation
import SonaTestSupport
import Testing

/// What an operator says of a server, as people and programs meet it.
@Suite(.serialized) struct ServerProfileCommandTests {
    private let folder = TemporaryFolder()
    private var file: String { folder.file("sona.conf") }

    private func write(_ text: String) { TemporaryFolder.write(Array(text.utf8), toFile: file) }

    private static func curl(_ arguments: String...) async throws -> String {
        try await RunningProgram("curl", ["-sS", "-m", "10"] + arguments, at: "/usr/bin/curl").ending().output
    }

    private static func until(_ condition: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while try await !condition() {
            try #require(ContinuousClock.now < deadline)
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test func `name, logo, contact and robots are shown, and new ones come at SIGHUP to who is there`() async throws {
        let logo = folder.file("logo.svg")
        TemporaryFolder.write(Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8), toFile: logo)
        write("name = Ada's server\nlogo = \(logo)\ncontact = ada@sona.example\n")
        let server = try await TestServer(["--config", file])
        let shown = try await server.run("ada", "server")
        for words in ["Ada's server", "ada@sona.example", "anybody may sign up", "may come", "is not sent"] {
            #expect(shown.output.contains(words), "\(shown)")
        }
        let info = try await Self.curl("\(server.address)/v1/rpc/server.info", "--json", "{}")
        let path = try #require(info.firstMatch(of: /"logo":"([^"]+)"/)?.1)
        let picture = try await Self.curl("-i", "\(server.address)\(path)")
        #expect(
            picture.contains("image/svg+xml") && picture.contains("default-src 'none'")
                && picture.hasSuffix("<svg xmlns=\"http://www.w3.org/2000/svg\"/>"))
        #expect(try await Self.curl("\(server.address)/robots.txt") == "User-agent: *\nDisallow: /\n")

        let guest = try await SocketClient.guest(server)
        write("name = Bo's server\nbanner = Back at 18:00.\nrobots = allow\n")
        server.process.signal(SIGHUP)
        try await Self.until { !guest.events("server.changed").isEmpty }
        let told = guest.events("server.changed").first?.data["server"] as? [String: Any]
        #expect(told?["title"] as? String == "Bo's server" && told?["banner"] as? String == "Back at 18:00.")
        #expect(told?["logo"] is NSNull && told?["contact"] is NSNull)
        #expect(try await Self.curl("-o", "/dev/null", "-w", "%{http_code}", "\(server.address)\(path)") == "404")
        #expect(try await Self.curl("\(server.address)/robots.txt") == "User-agent: *\nDisallow: /v1/\n")
        server.process.signal(SIGHUP)
        try await Self.until { server.process.errors.contains("no key has changed") }
        #expect(guest.events("server.changed").count == 1)
        #expect(await server.stop().status == 0)
    }

    @Test func `a logo that is no picture keeps the server from starting`() async throws {
        write("logo = \(file)\n")
        let check = try await RunningProgram("sona", ["config", "check", "--config", file]).ending()
        #expect(check.status == 78 && check.errors.contains("is not a PNG, JPEG, WebP or SVG"), "\(check)")
    }

    @Test func `registration, terms and guests are as the operator says`() async throws {
        let server = try await TestServer([
            "--config", "/dev/null", "--policy-url", "https://sona.example/terms", "--terms-required", "--no-guests",
        ])
        let signUp = ["signup", "--email", "ada@example.org", "--username", "ada", "--password", "correct horse"]
        func run(_ arguments: [String]) async throws -> Ending {
            try await RunningProgram("sonactl", arguments, environment: server.environment("ada")).ending()
        }
        let refused = try await run(signUp)
        #expect(refused.status != 0 && refused.errors.contains("auth.terms_required"), "\(refused)")
        #expect(try await run(signUp + ["--accept-terms"]).status == 0)
        let guest = try await server.run("bob", "login", "--guest")
        #expect(guest.status == 77 && guest.errors.contains("auth.account_required"), "\(guest)")
        await #expect(throws: SocketClient.Refusal.self) { _ = try await SocketClient.guest(server) }
        let anonymous = try await SocketClient(server, auth: nil)
        #expect(try await anonymous.refusal("auth.guest")?.code == "auth.account_required")
        #expect(try await anonymous.refusal("room.search")?.code == "auth.required")
        #expect(await server.stop().status == 0)
    }

    /// A host plays to a listener, then the server goes into maintenance.
    @Test func `in maintenance a live room goes on, and nobody but administrators does anything else`() async throws {
        write("")
        let server = try await TestServer(["--config", file])
        try await server.signUp("ada")
        let host = try await SocketClient.newcomer(server, "bob")
        let room = try #require((try await host.call("room.create", ["title": "Evening"]))["room"] as? [String: Any])
        let id = try #require(room["id"] as? String ?? room["room"] as? String)
        let listener = try await SocketClient.guest(server)
        _ = try await host.call("room.join", ["room": id])
        _ = try await listener.call("room.join", ["room": id])
        write("maintenance = yes\n")
        server.process.signal(SIGHUP)
        try await Self.until { !listener.events("server.changed").isEmpty }
        #expect(try await listener.refusal("chat.send", ["text": "hello"])?.code == "server.maintenance")
        #expect(try await host.refusal("room.create", ["title": "Another"])?.code == "server.maintenance")
        let newcomer = try await SocketClient.guest(server)
        #expect(try await newcomer.refusal("room.join", ["room": id])?.code == "server.maintenance")
        _ = try await listener.call("room.leave")
        _ = try await host.call("user.me")
        let promoted = try await RunningProgram(
            "sona", ["user", "set-role", "@ada", "admin", "--data", server.file("data")]
        ).ending()
        #expect(promoted.status == 0, "\(promoted)")
        let made = try await server.run("ada", "rooms", "create", "--title", "Mine")
        #expect(made.status == 0, "\(made)")
        write("")
        server.process.signal(SIGHUP)
        try await Self.until { listener.events("server.changed").count == 2 }
        _ = try await host.call("room.create", ["title": "Another"])
        #expect(await server.stop().status == 0)
    }
}
