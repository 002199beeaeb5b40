import Foundation
import SonaTestSupport
import Testing

/// A server with its own certificate, and all that people do with it over TLS.
@Suite(.serialized) struct TLSCommandTests {
    private let made = TestCertificate.shared
    private var options: [String] { ["--tls-cert", made.certificate(), "--tls-key", made.key()] }

    @Test func `people sign up, play, hear and show themselves over TLS`() async throws {
        let server = try await TestServer(options)
        #expect(server.address.hasPrefix("https://127.0.0.1:"))
        let trusting = ["--ca-cert", made.authority]
        func run(_ person: String, _ words: String...) async throws -> Ending {
            try await RunningProgram("sonactl", trusting + words, environment: server.environment(person)).ending()
        }
        let signup = try await run(
            "ada", "signup", "--email", "ada@example.org", "--username", "ada", "--password", "correct horse")
        try #require(signup.status == 0, "\(signup)")
        let music = server.file("music.opus")
        try await Sources.opus(music, seconds: 4)
        let host = try RunningProgram(
            "sonactl", trusting + ["broadcast", music], environment: server.environment("ada"))
        let room = try await host.line()
        // The room's link is enough: no server is named, and the system's certificates are replaced.
        let link = "\(server.address)/r/\(room)"
        let listener = try RunningProgram(
            "sonactl", ["listen", link, "--output", server.file("heard.opus")],
            environment: [
                "XDG_CONFIG_HOME": server.file("bob"), "SONA_SERVER": "", "SSL_CERT_FILE": made.authority,
            ])
        for ending in await [host.ending(), listener.ending()] { #expect(ending.status == 0, "\(ending)") }
        let played = try Sources.packets(music, skippingPreroll: false)
        #expect(try Sources.packets(server.file("heard.opus"), skippingPreroll: false) == played)

        let picture = server.file("me.png")
        try PictureFile.png(side: 200).write(to: URL(fileURLWithPath: picture))
        let photo = try await run("ada", "profile", "photo", picture)
        #expect(photo.status == 0, "\(photo)")
        #expect(await server.stop().status == 0)
    }

    @Test func `a server that can't prove its identity is refused`() async throws {
        let server = try await TestServer(options)
        made.sign("impostor", for: "DNS:somewhere.example")
        let impostor = try await TestServer([
            "--tls-cert", made.certificate("impostor"), "--tls-key", made.key("impostor"),
        ])
        let unknown = try await server.run("ada", "rooms", "list")
        #expect(unknown.status == 69 && unknown.errors.contains("certificate"), "\(unknown)")
        let other = try await impostor.run("ada", "--ca-cert", made.authority, "rooms", "list")
        #expect(other.status == 69 && other.errors.contains("certificate"), "\(other)")
        let plain = try await server.run(
            "ada", "--server", server.address.replacingOccurrences(of: "https:", with: "http:"), "rooms", "list")
        #expect(plain.status == 69 && plain.errors.contains("https://"), "\(plain)")
        let missing = try await server.run("ada", "--ca-cert", server.file("none.pem"), "rooms", "list")
        #expect(missing.status == 66 && missing.errors.contains("none.pem"), "\(missing)")
    }

    @Test func `plain HTTP is redirected, health stays readable here, and sessions are resumed`() async throws {
        let server = try await TestServer(options)
        func curl(_ arguments: String...) async throws -> String {
            try await RunningProgram("curl", ["-sS", "-m", "10"] + arguments, at: "/usr/bin/curl").ending().output
        }
        let plain = "http://127.0.0.1:\(server.port)"
        let moved = try await curl("-i", "\(plain)/r/room?a=b")
        #expect(moved.contains("308") && moved.contains("location: \(server.address)/r/room?a=b\r\n"), "\(moved)")
        for path in ["/healthz", "/readyz"] {
            #expect(try await curl("-w", "%{http_code}", plain + path).hasSuffix("200"))
        }
        #expect(try await curl(server.metrics).contains("# TYPE"))
        #expect(try await curl("-L", "--cacert", made.authority, "\(plain)/").contains("<html"))
        let session = server.file("session")
        func visit(_ option: String) -> String {
            TestCertificate.run(
                ["s_client", "-connect", "127.0.0.1:\(server.port)", option, session, "-ign_eof"],
                input: "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        }
        #expect(visit("-sess_out").contains("New, TLSv1.3"))
        #expect(visit("-sess_in").contains("Reused, TLSv1.3"))
    }

    @Test func `browsers are told to keep to TLS, over TLS alone, and SIGHUP changes for how long`() async throws {
        let file = try Programs.temporaryFolder().appendingPathComponent("sona.conf").path
        func write(_ text: String) { FileManager.default.createFile(atPath: file, contents: Data(text.utf8)) }
        write("hsts-days = 2\n")
        let server = try await TestServer(options + ["--config", file])
        func heads(_ address: String) async throws -> String {
            try await RunningProgram(
                "curl", ["-sSi", "-m", "10", "--cacert", made.authority, address], at: "/usr/bin/curl"
            ).ending().output.lowercased()
        }
        let line = "\r\nstrict-transport-security: max-age="
        for path in ["/", "/healthz", "/nowhere", "/v1/rpc/none"] {
            #expect(try await heads(server.address + path).contains("\(line)172800\r\n"), "\(path)")
        }
        let plain = "http://127.0.0.1:\(server.port)"
        for path in ["/", "/healthz"] { #expect(try await !heads(plain + path).contains("strict-transport")) }
        write("hsts-days = 0\n")
        server.process.signal(SIGHUP)
        for _ in 0..<100 where try await heads(server.address).contains(line) {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(try await !heads(server.address).contains(line))
        #expect(await server.stop().status == 0)
    }

    @Test func `an unusable certificate keeps the server from starting`() async throws {
        let folder = try Programs.temporaryFolder().appendingPathComponent("data")
        made.sign("another", for: "DNS:localhost")
        for (certificate, key, word) in [
            (made.certificate(), "/dev/null", "private key"), (made.certificate(), made.key("another"), "belong"),
            ("/nowhere.pem", made.key(), "/nowhere.pem"),
        ] {
            let server = try RunningProgram(
                "sona",
                [
                    "serve", "--data", folder.path, "--listen", "127.0.0.1:0", "--tls-cert", certificate, "--tls-key",
                    key,
                ])
            let ending = await server.ending()
            #expect(ending.status == 78 && ending.errors.contains(word) && ending.output.isEmpty, "\(ending)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        let half = try RunningProgram("sona", ["serve", "--data", folder.path, "--tls-cert", made.certificate()])
        #expect(await half.ending().status == 64)
    }
}
