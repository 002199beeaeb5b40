import Foundation
import Testing

/// Accounts of an outside issuer, from the command line: they come without a username and without a password.
@Suite(.serialized) final class IssuerCommandTests: CommandStory {
    private let issuer: Issuer

    init() async throws {
        issuer = try await Issuer()
        try await super.init(["--firebase-project", Issuer.project, "--firebase-keys", issuer.keysFile])
    }

    deinit { issuer.remove() }

    @Test func `an account of an issuer chooses a name, and proves itself with a token`() async throws {
        let token = try await issuer.tokenFile("ada")
        let uid = Issuer.subject("ada")
        func login(_ person: String, _ file: String) async throws -> Ending {
            try await server.run(person, "login", "--provider", "firebase", "--token-file", file)
        }
        expect(try await login("ada", token), 0, uid, "sonactl username claim")
        expect(try await server.run("ada", "whoami"), 0, "none yet", uid, "sonactl username claim")
        expect(try await server.run("ada", "people", "friends"), 77, "auth.username_required", "username claim")
        expect(try await server.run("ada", "profile"), 0, uid)
        expect(try await server.run("ada", "username", "change", "ada", "lovelace"), 77, "auth.username_required")
        expect(try await server.run("ada", "username", "claim", "ada"), 0, "@ada")
        expect(try await server.run("ada", "people", "friends"), 0)
        expect(try await login("laptop", token), 0, "ada")

        try age("ada")
        let other = try await issuer.tokenFile("eve")
        let export = ["account", "export", "--provider", "firebase", "--token-file"]
        func run(_ file: String) async throws -> Ending {
            try await RunningProgram("sonactl", export + [file], environment: server.environment("ada")).ending()
        }
        expect(try await run(other), 77, "auth.credentials_invalid")
        expect(try await run(token), 0, uid)
        expect(
            try await server.run("ada", "password", "change", "--new-password", Self.password), 1,
            "auth.email_required")
    }

    @Test func `tokens of others are refused`() async throws {
        let token = try await issuer.tokenFile("ada")
        let text = try String(contentsOfFile: token, encoding: .utf8)
        let cut = server.file("cut")
        try String(text.dropLast(20)).write(toFile: cut, atomically: true, encoding: .utf8)
        expect(
            try await server.run("ada", "login", "--provider", "firebase", "--token-file", cut), 77,
            "auth.token_invalid")
        expect(
            try await server.run("ada", "login", "--provider", "nobody", "--token-file", token), 64,
            "auth.provider_unknown")
        expect(try await server.run("ada", "whoami"), 77)
    }
}

/// Stands in for Firebase: a key of its own, a certificate in a file, and tokens signed with it (RFC 7515, RS256).
private final class Issuer: Sendable {
    static let project = "sona-story"
    private static let keyID = "story1"
    private let folder: URL

    init() async throws {
        folder = try Programs.temporaryFolder()
        try await run([
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=story", "-days", "1", "-keyout",
            file("key.pem"), "-out", file("certificate.pem"),
        ])
        let certificate = try String(contentsOfFile: file("certificate.pem"), encoding: .utf8)
        try JSONSerialization.data(withJSONObject: [Self.keyID: certificate])
            .write(to: URL(fileURLWithPath: keysFile))
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    var keysFile: String { file("keys.json") }

    /// The issuer's identifier of a person.
    static func subject(_ person: String) -> String {
        person + String(repeating: "0", count: 28 - person.utf8.count)
    }

    /// A file with a token that is valid for an hour.
    func tokenFile(_ person: String) async throws -> String {
        let now = Int(Date().timeIntervalSince1970)
        let head = try Self.part(["alg": "RS256", "kid": Self.keyID, "typ": "JWT"])
        let claims = try Self.part([
            "iss": "https://securetoken.google.com/\(Self.project)", "aud": Self.project,
            "sub": Self.subject(person), "iat": now, "auth_time": now, "exp": now + 3600,
        ])
        let signed = file("\(person).signed")
        try "\(head).\(claims)".write(toFile: signed, atomically: true, encoding: .utf8)
        let signature = file("\(person).signature")
        try await run(["dgst", "-sha256", "-sign", file("key.pem"), "-out", signature, signed])
        let token = file("\(person).token")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: signature))
        try "\(head).\(claims).\(Self.base64(bytes))\n".write(toFile: token, atomically: true, encoding: .utf8)
        return token
    }

    private func file(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func run(_ arguments: [String]) async throws {
        let ending = try await RunningProgram("openssl", arguments, at: "/usr/bin/openssl").ending()
        guard ending.status == 0 else { throw ProgramFault(description: "openssl: \(ending.errors)") }
    }

    private static func part(_ object: [String: Any]) throws -> String {
        base64(try JSONSerialization.data(withJSONObject: object))
    }

    /// Base64 for URLs, without padding (RFC 7515 §2).
    private static func base64(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
