import SonaCrypto
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// Passwords that apps sign in with.
struct AppPasswordTests {
    private static let address = "203.0.113.7"

    private let folder = TemporaryFolder()
    private let calendar = ManualCalendar()

    private func opened() async throws -> (Model, Accounts.Account) {
        let model = try await Model.opened(folder, calendar)
        return (model, try await model.accounts.signUp("ada").account)
    }

    private static func token(_ secret: String, _ salt: String) -> String {
        Digest.md5("\(secret)\(salt)".utf8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func proofs(_ secret: String, _ name: String = "ada") -> [Accounts.AppProof] {
        [
            .password(username: name, password: secret), .key(secret),
            .token(username: name, token: Self.token(secret, "salt"), salt: "salt"),
        ]
    }

    private func signIn(
        _ model: Model, _ proof: Accounts.AppProof, from address: String? = Self.address
    ) async throws(Refusal) -> Accounts.Account {
        try await model.accounts.signIn(proof, client: "Player", address: address, from: address ?? "127.0.0.1")
    }

    @Test func `an app password signs in by itself, by a token, and with a name`() async throws {
        let (model, ada) = try await opened()
        let made = try await model.accounts.makeAppPassword(ada, name: "Phone")
        #expect(made.secret.utf8.count == 23 && made.secret.split(separator: "-").count == 4)
        for proof in proofs(made.secret) { #expect(try await signIn(model, proof) == ada) }
        // It is the same after a restart: the key lies beside the database.
        await model.close()
        let again = try await Model.opened(folder, calendar)
        for proof in proofs(made.secret) { #expect(try await signIn(again, proof) == ada) }
        await again.close()
    }

    @Test func `wrong proofs are refused, whatever is wrong with them`() async throws {
        let (model, ada) = try await opened()
        _ = try await model.accounts.signUp("bob")
        let made = try await model.accounts.makeAppPassword(ada, name: "Phone")
        let wrong: [Accounts.AppProof] =
            proofs(made.secret + "x") + [
                .password(username: "bob", password: made.secret),
                .token(username: "bob", token: Self.token(made.secret, "salt"), salt: "salt"),
                .token(username: "ada", token: Self.token(made.secret, "salt"), salt: "other"),
                .token(username: "ada", token: "", salt: ""), .key(""), .password(username: "", password: made.secret),
                .password(username: "ada", password: "pass-ada-word"),
            ]
        for proof in wrong {
            await #expect(throws: Refusal.credentialsInvalid) { try await signIn(model, proof, from: nil) }
        }
        await model.close()
    }

    @Test func `where and by what it was used is noted, once a minute`() async throws {
        let (model, ada) = try await opened()
        let made = try await model.accounts.makeAppPassword(ada, name: "Phone")
        func used() async throws -> AppPassword? { try await model.accounts.appPasswords(of: ada.uid).first }
        #expect(try await used()?.usedMilliseconds == nil)
        _ = try await signIn(model, .key(made.secret))
        let deadline = ContinuousClock.now + .seconds(20)
        while try await used()?.usedMilliseconds == nil, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(5))
        }
        let first = try #require(try await used())
        #expect(first.usedFrom == "203.0.113.0/24" && first.client == "Player")
        calendar.advance(seconds: 30)
        _ = try await signIn(model, .key(made.secret))
        try await Task.sleep(for: .milliseconds(100))
        #expect(try await used()?.usedMilliseconds == first.usedMilliseconds)
        await model.close()
    }

    @Test func `revoking ends it, and so does whatever ends every sign-in`() async throws {
        let (model, ada) = try await opened()
        let bob = try await model.accounts.signUp("bob").account
        let made = try await model.accounts.makeAppPassword(ada, name: "Phone")
        await #expect(throws: Refusal(.appPasswordNotFound)) {
            try await model.accounts.revokeAppPassword(made.password.id, of: bob)
        }
        try await model.accounts.revokeAppPassword(made.password.id, of: ada)
        await #expect(throws: Refusal(.appPasswordNotFound)) {
            try await model.accounts.revokeAppPassword(made.password.id, of: ada)
        }
        await #expect(throws: Refusal.credentialsInvalid) { try await signIn(model, .key(made.secret)) }
        let more = try await model.accounts.makeAppPassword(ada, name: "Car")
        try await model.accounts.signOutEverywhere(ada)
        await #expect(throws: Refusal.credentialsInvalid) { try await signIn(model, .key(more.secret)) }
        await #expect(throws: Refusal.tokenInvalid) { try await model.accounts.makeAppPassword(ada, name: "Late") }
        let lines = try await model.journal.page(subject: ada.uid.rawValue)
        #expect(lines.count { $0.kind == "app_password_made" } == 2)
        #expect(lines.count { $0.kind == "app_password_revoked" } == 1)
        await model.close()
    }

    @Test func `a name shows something, and there are at most so many passwords`() async throws {
        let (model, ada) = try await opened()
        for name in ["", " ", "\u{200B}", String(repeating: "n", count: 65)] {
            await #expect(throws: Refusal.self) { try await model.accounts.makeAppPassword(ada, name: name) }
        }
        for number in 0..<Limits.appPasswordsMax {
            _ = try await model.accounts.makeAppPassword(ada, name: "App \(number)")
        }
        await #expect(throws: Refusal(.appPasswordLimitReached)) {
            try await model.accounts.makeAppPassword(ada, name: "One more")
        }
        await model.close()
    }

    @Test func `an old proof makes none`() async throws {
        let (model, ada) = try await opened()
        calendar.advance(seconds: 301)
        await #expect(throws: Refusal.reauthenticationRequired) {
            try await model.accounts.makeAppPassword(ada, name: "Phone")
        }
        await model.close()
    }

    /// Goal: an app with an old password does not lock out its household, and a stranger may not guess for ever.
    @Test func `after many failures only known networks are let in`() async throws {
        let (model, ada) = try await opened()
        let made = try await model.accounts.makeAppPassword(ada, name: "Phone")
        _ = try await signIn(model, .key(made.secret))
        for _ in 0..<60 {
            for address in [Self.address, "198.51.100.9"] {
                await #expect(throws: Refusal.credentialsInvalid) {
                    try await signIn(model, .key("wrong"), from: address)
                }
            }
        }
        await #expect { try await signIn(model, .key("wrong")) } throws: { ($0 as? Refusal)?.code == .authRateLimited }
        #expect(try await signIn(model, .key(made.secret)) == ada)
        await #expect { try await signIn(model, .key(made.secret), from: "198.51.100.9") } throws: {
            ($0 as? Refusal)?.code == .authRateLimited
        }
        calendar.advance(seconds: 15 * 60 + 1)
        #expect(try await signIn(model, .key(made.secret), from: "198.51.100.9") == ada)
        await model.close()
    }
}
