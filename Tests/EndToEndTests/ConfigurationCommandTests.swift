import Foundation
import SonaTestSupport
import Testing

/// A server's configuration: `sona config`, the file beside flags and environment, and SIGHUP.
@Suite(.serialized) struct ConfigurationCommandTests {
    private let folder = TemporaryFolder()
    private var file: String { folder.file("sona.conf") }

    private func write(_ text: String) { TemporaryFolder.write(Array(text.utf8), toFile: file) }

    private func sona(_ arguments: String..., environment: [String: String] = [:]) async throws -> Ending {
        try await RunningProgram("sona", arguments, environment: environment).ending()
    }

    @Test func `the documented file is what the program writes, and says nothing that is not so already`() async throws
    {
        let doc = try await sona("config", "doc")
        let committed = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../deploy/sona.conf")
        #expect(try String(contentsOf: committed, encoding: .utf8) == doc.output)
        #expect(doc.status == 0 && doc.errors.isEmpty)
        let lines = doc.output.split(separator: "\n").filter {
            $0.hasPrefix("#") && !$0.hasPrefix("# ") && !$0.hasPrefix("##")
        }
        #expect(lines.count > 20)
        write(lines.map { String($0.dropFirst()) }.joined(separator: "\n"))
        let said = try await sona("config", "show", "--config", file)
        let unsaid = try await sona("config", "show", "--config", "/dev/null")
        func values(_ ending: Ending) -> [String] {
            ending.output.split(separator: "\n").map { String($0.split(separator: "  #")[0]) }.map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
        #expect(said.status == 0 && values(said) == values(unsaid))
    }

    @Test func `show tells each value and its source, and no secret`() async throws {
        write("loops = 2\nmail-from = sona@sona.example\nsmtp = smtp://mail.example\nsmtp-password = hush\n")
        let environment = ["SONA_LOOPS": "3", "SONA_POLICY_URL": "https://a.example/terms", "SONA_CONFIG": file]
        let shown = try await sona("config", "show", "--listen", "[::1]:0", environment: environment)
        #expect(shown.status == 0 && !shown.output.contains("hush"), "\(shown)")
        let lines = shown.output.split(separator: "\n").map { $0.replacing(/\ +/, with: " ") }
        for line in [
            "listen = [::1]:0 # --listen", "loops = 3 # SONA_LOOPS",
            "policy-url = https://a.example/terms # SONA_POLICY_URL",
            "mail-from = sona@sona.example # \(file):2", "smtp-password = (secret) # \(file):4",
            "resume-seconds = 60 # default",
        ] { #expect(lines.contains { $0 == line }, "\(line) in \(lines)") }
        let json = try await sona("config", "show", "--json", environment: environment)
        let objects = try json.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let loops = try #require(objects.first { $0["key"] as? String == "loops" })
        #expect(loops["values"] as? [String] == ["3"] && loops["origin"] as? String == "SONA_LOOPS")
        #expect(objects.contains { $0["key"] as? String == "firebase-keys" && $0["values"] as? [String] == [] })
    }

    @Test func `check tells every fault with its place, and a server does not start with one`() async throws {
        write("lopps = 2\nresume-seconds = soon\n# fine\ntls-cert = /nowhere\n")
        let check = try await sona("config", "check", "--config", file)
        let data = folder.file("data")
        let serve = try await sona("serve", "--data", data, "--listen", "127.0.0.1:0", "--config", file)
        for ending in [check, serve] {
            #expect(ending.status == 78 && ending.output.isEmpty, "\(ending)")
            #expect(ending.errors.contains("sona: \(file):1: there is no key \"lopps\"; did you mean \"loops\"?\n"))
            #expect(ending.errors.contains("sona: \(file):2 takes a number from 0 to 600, not \"soon\".\n"))
        }
        #expect(!FileManager.default.fileExists(atPath: data))
        write("tls-cert = /nowhere\ntls-key = /nowhere\n")
        let certificate = try await sona("config", "check", "--config", file)
        #expect(certificate.status == 78 && certificate.errors.contains("/nowhere can't be read"), "\(certificate)")
        let missing = try await sona("config", "check", "--config", "/nowhere/sona.conf")
        #expect(missing.status == 78 && missing.errors.contains("/nowhere/sona.conf can't be read"), "\(missing)")
        let variable = try await sona("config", "check", environment: ["SONA_LISTN": "127.0.0.1:0"])
        #expect(variable.status == 78 && variable.errors.contains("did you mean SONA_LISTEN?"), "\(variable)")
        let flag = try await sona("serve", "--loops", "0")
        #expect(flag.status == 64 && flag.errors.contains("--loops takes a number from 1 to"), "\(flag)")
        let unknown = try await sona("serve", "--lops", "2")
        #expect(unknown.status == 64 && unknown.errors.contains("--loops"), "\(unknown)")
        write("loops = 2\n")
        let fine = try await sona("config", "check", "--config", file)
        #expect(fine.status == 0 && fine.errors.isEmpty && fine.output == "The configuration is valid.\n", "\(fine)")
    }

    @Test func `--help has a flag for every key, under the heading of its section`() async throws {
        let help = try await sona("serve", "--help").output
        let doc = try await sona("config", "doc").output.split(separator: "\n")
        for title in doc.filter({ $0.hasPrefix("## ") }) {
            #expect(help.contains("\(title.dropFirst(3).uppercased()):"), "\(title)")
        }
        let keys = doc.compactMap { $0.wholeMatch(of: /#([a-z-]+) =.*/)?.1 }
        #expect(keys.count > 20)
        for key in keys { #expect(help.contains("--\(key)"), "\(key)") }
    }

    @Test func `the operator's commands find the folder by the same file`() async throws {
        write("data = \(folder.file("elsewhere"))\npublic-url = https://sona.example\nresume-seconds = wrong\n")
        let password = folder.file("password")
        TemporaryFolder.write(Array("correct horse\n".utf8), toFile: password)
        let created = try await sona(
            "user", "create", "--email", "ada@example.org", "--username", "ada", "--password-file", password,
            "--config", file)
        #expect(created.status == 0, "\(created)")
        #expect(FileManager.default.fileExists(atPath: folder.file("elsewhere/sona.sqlite")))
        let link = try await sona("user", "recovery-link", "@ada", environment: ["SONA_CONFIG": file])
        #expect(link.output.hasPrefix("https://sona.example/account/recover#"), "\(link)")
    }

    @Test func `SIGHUP takes over what can change, and says what cannot and what is wrong`() async throws {
        write("policy-url = https://a.example/\n")
        let server = try await TestServer(["--config", file])
        func policy() async throws -> String {
            let request = ["-sS", "\(server.address)/v1/rpc/server.info", "--json", "{}"]
            return try await RunningProgram("curl", request, at: "/usr/bin/curl").ending().output
        }
        #expect(try await policy().contains("https://a.example/"))
        write("policy-url = https://b.example/\nloops = 3\n")
        server.process.signal(SIGHUP)
        try await Self.until { server.process.errors.contains("need a restart: loops.") }
        #expect(server.process.errors.contains("Now in force: policy-url."), "\(server.process.errors)")
        #expect(try await policy().contains("https://b.example/"))
        write("policy-url = none\n")
        server.process.signal(SIGHUP)
        try await Self.until { server.process.errors.contains("stays as it was") }
        #expect(server.process.errors.contains("\(file):1 takes an address"), "\(server.process.errors)")
        #expect(try await policy().contains("https://b.example/"))
        #expect(await server.stop().status == 0)
    }

    /// A host keeps playing to a listener while the server's certificate is replaced by one of another kind of key.
    @Test func `a new certificate is used at SIGHUP, and connections that stand go on`() async throws {
        let made = TestCertificate()
        let files = (certificate: folder.file("cert.pem"), key: folder.file("key.pem"))
        func install(_ name: String) throws {
            for (from, to) in [(made.certificate(name), files.certificate), (made.key(name), files.key)] {
                TemporaryFolder.write(try #require(TemporaryFolder.bytes(ofFile: from)), toFile: to)
            }
        }
        made.sign("renewed", for: "DNS:localhost,IP:127.0.0.1", key: ["-newkey", "rsa:2048", "-nodes"])
        try install("server")
        let server = try await TestServer(["--tls-cert", files.certificate, "--tls-key", files.key])
        func subject(_ algorithm: String) -> String {
            TestCertificate.run(
                ["s_client", "-connect", "127.0.0.1:\(server.port)", "-tls1_2", "-cipher", algorithm], input: "")
        }
        #expect(subject("ECDHE-ECDSA-AES128-GCM-SHA256").contains("CN = server"))
        func start(_ person: String, _ words: String...) throws -> RunningProgram {
            try RunningProgram(
                "sonactl", ["--ca-cert", made.authority] + words, environment: server.environment(person))
        }
        let signup = try await start(
            "ada", "signup", "--email", "ada@example.org", "--username", "ada", "--password", "correct horse"
        ).ending()
        try #require(signup.status == 0, "\(signup)")
        let music = server.file("music.opus")
        try await Sources.opus(music, seconds: 4)
        let host = try start("ada", "broadcast", music)
        let room = try await host.line()
        let listener = try start("bob", "listen", room, "--output", server.file("heard.opus"))
        try await Task.sleep(for: .seconds(1))
        try install("renewed")
        server.process.signal(SIGHUP)
        try await Self.until { server.process.errors.contains("was read again") }
        #expect(subject("ECDHE-RSA-AES128-GCM-SHA256").contains("CN = renewed"))
        let old = subject("ECDHE-ECDSA-AES128-GCM-SHA256")
        #expect(!old.contains("CN = server"), "\(old)")
        for ending in await [host.ending(), listener.ending()] { #expect(ending.status == 0, "\(ending)") }
        let played = try Sources.packets(music, skippingPreroll: false)
        #expect(try Sources.packets(server.file("heard.opus"), skippingPreroll: false) == played)
        TemporaryFolder.write(Array("nonsense".utf8), toFile: files.key)
        server.process.signal(SIGHUP)
        try await Self.until { server.process.errors.contains("stays as it was") }
        #expect(subject("ECDHE-RSA-AES128-GCM-SHA256").contains("CN = renewed"))
        #expect(await server.stop().status == 0)
    }

    private static func until(_ condition: () -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while !condition() {
            try #require(ContinuousClock.now < deadline)
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
