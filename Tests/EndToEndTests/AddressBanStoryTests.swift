import Foundation
import SonaTestSupport
import Testing

/// Network addresses that the server answers nobody at. A proxy gives each client an address of its own.
@Suite(.serialized) struct AddressBanStoryTests {
    private static func curl(_ server: TestServer, _ address: String, _ arguments: String...) async throws -> String {
        let words = ["-sS", "-m", "10", "-H", "X-Forwarded-For: \(address)", "-w", " %{http_code}"] + arguments
        return try await RunningProgram("curl", words, at: "/usr/bin/curl").ending().output
    }

    private func story(
        _ body: (CommandStory, TestServer) async throws -> Void
    ) async throws {
        let story = try await CommandStory(["--trusted-proxy", "127.0.0.1"])
        try await story.makeAdmin()
        try await body(story, story.server)
        #expect(await story.server.stop().status == 0)
    }

    @Test func `a banned range gets 403 until the ban ends, over a restart too`() async throws {
        try await story { story, server in
            let banned = try await server.run(
                "chief", "addresses", "ban", "203.0.113.9/24", "--for", "1h", "--reason", "Noise.")
            story.expect(banned, 0, "203.0.113.0/24", "Noise.")
            for path in ["/", "/v1/rpc/server.info"] {
                let answer = try await Self.curl(server, "203.0.113.77", server.address + path, "--json", "{}")
                #expect(answer.contains("request.address_banned") && answer.hasSuffix(" 403"), "\(answer)")
            }
            let socket = try await Self.curl(
                server, "203.0.113.77", "\(server.address)/v1/ws", "-H", "Connection: Upgrade", "-H",
                "Upgrade: websocket",
                "-H", "Sec-WebSocket-Version: 13", "-H", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "-H",
                "Sec-WebSocket-Protocol: sona.v1")
            #expect(socket.hasSuffix(" 403"), "\(socket)")
            #expect(try await Self.curl(server, "203.0.113.77", "\(server.address)/healthz").hasSuffix(" 200"))
            #expect(try await Self.curl(server, "203.0.114.1", "\(server.address)/").hasSuffix(" 200"))
            #expect(await server.stop().status == 0)
            let again = try await TestServer(
                folder: server.folder, ["--trusted-proxy", "127.0.0.1"], port: server.port)
            #expect(try await Self.curl(again, "203.0.113.77", "\(again.address)/").hasSuffix(" 403"))
            let lifted = await
                (try RunningProgram(
                    "sona", ["address", "unban", "203.0.113.0/24", "--data", again.file("data")])).ending()
            story.expect(lifted, 0)
            #expect(try await Self.curl(again, "203.0.113.77", "\(again.address)/").hasSuffix(" 200"))
            #expect(await again.stop().status == 0)
        }
    }

    @Test func `who may not, and what is no range, is refused with the reason`() async throws {
        try await story { story, server in
            try await server.signUp("bob")
            story.expect(try await server.run("bob", "addresses", "list"), 77, "auth.forbidden")
            for (range, words) in [
                ("10.0.0.0/7", "at least /8"), ("nonsense", "not an address"), ("10.0.0.0/33", "not an address"),
            ] {
                story.expect(try await server.run("chief", "addresses", "ban", range), 64, words)
            }
            story.expect(try await server.run("chief", "addresses", "ban", "127.0.0.0/8"), 64, "yourself")
            story.expect(try await server.run("chief", "addresses", "ban"), 64, "either a range or --user")
            story.expect(
                try await server.run("chief", "addresses", "ban", "--user", "b2Nn4Kc8Jx1Zq6Wm0Rv5Ty7Ue3Pd"), 66,
                "not connected")
            let list = try await server.run("chief", "addresses", "list", "--json")
            #expect(list.output == "{\"bans\":[]}\n", "\(list)")
        }
    }

    /// Way: the guest comes from 127.0.0.2, the administrator from 127.0.0.1.
    @Test func `a guest who disturbs is banned by address, and the connection ends with 4403`() async throws {
        let story = try await CommandStory(["--listen", "127.0.0.2:0"])
        let server = story.server
        try await story.makeAdmin()
        let other = try await server.process.line(beginning: "listening on http://127.0.0.2:")
        let listener = try RunningProgram(
            "curl", ["-sS", "--interface", "127.0.0.2", "-m", "5", "http://127.0.0.2:\(other)/healthz"],
            at: "/usr/bin/curl")
        #expect(await listener.ending().output == "ok\n")
        let banned = await
            (try RunningProgram(
                "sona", ["address", "ban", "127.0.0.2", "--seconds", "3600", "--data", server.file("data")])).ending()
        story.expect(banned, 0, "127.0.0.2  until")
        let page = try RunningProgram(
            "curl",
            [
                "-sS", "--interface", "127.0.0.2", "-m", "5", "-o", "/dev/null", "-w", "%{http_code}",
                "http://127.0.0.2:\(other)/",
            ],
            at: "/usr/bin/curl")
        #expect(await page.ending().output == "403")

        let guest = try await SocketClient.guest(server)
        // The guest and the administrator are at one address here, so the operator does it.
        let body = "{\"user\":\"\(guest.uid)\"}"
        let made = try await RunningProgram(
            "curl",
            [
                "-sS", "--unix-socket", server.file("data/admin.sock"), "http://localhost/v1/operator/addresses.ban",
                "--json", body,
            ], at: "/usr/bin/curl"
        ).ending()
        #expect(made.output.contains("\"range\":\"127.0.0.1\""), "\(made)")
        let deadline = ContinuousClock.now + .seconds(20)
        while guest.closeCode == nil, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(20)) }
        #expect(guest.closeCode == 4403)
        let lifted = await
            (try RunningProgram(
                "sona", ["address", "unban", "127.0.0.1", "--data", server.file("data")])).ending()
        story.expect(lifted, 0)
        _ = try await SocketClient.guest(server)
        #expect(await server.stop().status == 0)
    }
}
