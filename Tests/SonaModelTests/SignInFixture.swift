import SonaDatabase
import SonaTestSupport
import SonaWire

@testable import SonaModel

/// All sign-in strategies. One suite makes the same demands on each.
enum StrategyUnderTest: String, CaseIterable, CustomStringConvertible {
    case local, guest, firebase

    var description: String { rawValue }
    /// Whether its users have accounts and refresh tokens.
    var makesAccounts: Bool { self != .guest }

    static let ofAccounts = allCases.filter(\.makesAccounts)
}

/// A model with two people who can sign in by one strategy.
final class SignInFixture {
    static let address = "203.0.113.7"
    static let subjects = ["ada": "vTqN4hIm2bVY0xL5zKc8dQe1rSw2", "bob": "k9PdQe1rSw2vTqN4hIm2bVY0xL5z"]

    /// The result of a sign-in.
    struct Pass {
        let account: Accounts.Account
        let accessToken: String
        /// `nil` for guests.
        let refreshToken: String?

        init(_ grant: Accounts.Grant) {
            (account, accessToken, refreshToken) = (grant.account, grant.accessToken, grant.refreshToken)
        }
        init(_ access: Accounts.Access) {
            (account, accessToken, refreshToken) = (access.account, access.accessToken, nil)
        }
    }

    /// An invalid proof and its refusal.
    struct WrongProof {
        let name: String
        let refusal: Refusal
        let show: (Accounts) async throws -> Void
    }

    let folder = TemporaryFolder()
    let strategy: StrategyUnderTest
    let firebase: FirebaseFixture
    let mail = Mailbox()
    private(set) var model: Model
    var calendar: ManualCalendar { firebase.calendar }
    var accounts: Accounts { model.accounts }

    init(_ strategy: StrategyUnderTest) async throws {
        guard let firebase = FirebaseFixture() else { preconditionFailure("FirebaseFixture refused its own project.") }
        self.strategy = strategy
        self.firebase = firebase
        model = try await Model.opened(folder, firebase.calendar, mail: mail, firebase: firebase.tokens)
        if strategy == .local { for name in Self.subjects.keys { _ = try await model.accounts.signUp(name) } }
    }

    func reopen() async throws {
        await model.close()
        model = try await Model.opened(folder, calendar, mail: mail, firebase: firebase.tokens)
    }

    func prove(_ name: String = "ada", address: String? = address) async throws(Refusal) -> Pass {
        switch strategy {
        case .local: Pass(try await accounts.signIn(name, address: address))
        case .guest: Pass(accounts.guest())
        case .firebase:
            Pass(try await accounts.exchange(provider: "firebase", token: token(name), address: address))
        }
    }

    /// Makes an ID token of one of the two people, or of a third one.
    func token(_ name: String, _ changes: [String: String?] = [:], signer: FirebaseSigner = .first) -> String {
        let own = [
            "sub": "\"\(Self.subjects[name] ?? name)\"", "email": "\"\(name)@firebase.example\"",
            "auth_time": "\(firebase.now)",
        ]
        let claims = firebase.claims(own.mapValues { Optional($0) }.merging(changes) { $1 })
        return firebase.token(claims, signer: signer)
    }

    var wrongProofs: [WrongProof] {
        switch strategy {
        case .local: localWrongProofs
        case .guest: []
        case .firebase: firebaseWrongProofs
        }
    }

    private var localWrongProofs: [WrongProof] {
        [
            ("ada@example.org", "pass-bob-word"), ("ada@example.org", "PASS-ada-word"), ("ada@example.org", ""),
            ("ada@example.org", "pass-ada-word "), ("ada@example.org", "pass-ada-word\0"),
            ("nobody@example.org", "pass-ada-word"), ("", ""), ("ada", "pass-ada-word"),
        ].map { email, password in
            WrongProof(name: "\(email) \(password)", refusal: .credentialsInvalid) { accounts in
                _ = try await accounts.signIn(email: email, password: password, address: Self.address)
            }
        }
    }

    private var firebaseWrongProofs: [WrongProof] {
        let right = token("ada")
        let proofs: [(String, String, Refusal)] = [
            ("mangled", String(right.dropLast(4)) + "AAAA", .tokenInvalid),
            ("cut", String(right.dropLast(20)), .tokenInvalid), ("nothing", "", .tokenInvalid),
            ("too long", right + String(repeating: "A", count: 9_000), .tokenInvalid),
            ("another project's", token("ada", ["aud": #""sona-demo-2""#]), .tokenInvalid),
            ("another key's", token("ada", signer: .second), .tokenInvalid),
            ("unsigned", firebase.unsigned(header: #"{"alg":"none"}"#) + ".", .tokenInvalid),
            ("one of ours", accounts.guest().accessToken, .tokenInvalid),
            ("of yesterday", token("ada", ["exp": "\(firebase.now)"]), .tokenExpired),
            ("nobody's", token("ada", ["sub": nil]), .tokenInvalid),
        ]
        return proofs.map { name, token, refusal in
            WrongProof(name: name, refusal: refusal) { accounts in
                _ = try await accounts.exchange(provider: "firebase", token: token, address: Self.address)
            }
        }
    }

    /// Returns the journal's lines of a kind, newest first.
    func lines(_ kind: JournalEntry.Kind) async throws -> [JournalLine] { try await model.journal.page(kind: kind) }
}

extension Journal {
    /// Waits for a line. Failures are journaled some time after their answer, in any order.
    func line(_ kind: JournalEntry.Kind, detail: String? = nil) async throws -> JournalLine? {
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline {
            let lines = try await page(limit: 100, kind: kind)
            if let line = lines.first(where: { detail == nil || $0.detail == detail }) { return line }
            try await Task.sleep(for: .milliseconds(10))
        }
        return nil
    }
}
