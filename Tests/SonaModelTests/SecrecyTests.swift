import Glibc
import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// Passwords, tokens and codes must not be in any file. E-mail addresses must not be in errors or the journal.
struct SecrecyTests {
    /// Every secret text of two accounts that have used every operation.
    private struct Secrets {
        var passwords = ["pass-ada-word", "new-password", "third-password", "wrong-password"]
        var tokens: [String] = []
        var codes: [String] = []
        let addresses = ["ada@example.org", "ada@new.example", "ada@firebase.example"]
        var hidden: [String] { passwords + tokens + codes }
    }

    private func live(_ fixture: SignInFixture) async throws -> Secrets {
        var secrets = Secrets()
        let accounts = fixture.accounts
        func keep(_ grant: Accounts.Grant) { secrets.tokens += [grant.accessToken, grant.refreshToken] }
        var grant = try await accounts.signUp("ada")
        keep(grant)
        _ = await refusal {
            try await accounts.signIn(email: "ada@example.org", password: "wrong-password", address: "192.0.2.1")
        }
        secrets.codes += fixture.mail.codes(to: "ada@example.org")
        try await accounts.confirmEmail(code: try #require(secrets.codes.last))
        try await accounts.changeEmail(grant.account, to: "ada@new.example", address: "192.0.2.1")
        secrets.codes += fixture.mail.codes(to: "ada@new.example")
        try await accounts.confirmEmail(code: try #require(secrets.codes.last))
        grant = try await accounts.changePassword(grant.account, to: "new-password")
        keep(grant)
        try accounts.requestRecovery(email: "ada@new.example", address: nil)
        secrets.codes.append(try #require(await fixture.mail.code(2, to: "ada@new.example")))
        grant = try await accounts.recover(code: try #require(secrets.codes.last), password: "third-password")
        keep(grant)
        keep(try await accounts.refresh(grant.refreshToken))
        fixture.calendar.advance(milliseconds: RefreshToken.repeatMilliseconds + 1)
        _ = await refusal { try await accounts.refresh(grant.refreshToken) }
        grant = try await accounts.signIn(email: "ada@new.example", password: "third-password", address: nil)
        keep(grant)
        secrets.codes.append(try await accounts.export(grant.account).code)
        secrets.codes.append(try await accounts.recoveryCode(for: .id(grant.account.uid)))
        let token = fixture.token("ada")
        secrets.tokens.append(token)
        let outside = try await accounts.exchange(provider: "firebase", token: token, address: nil)
        keep(outside)
        _ = try await accounts.claim(username: "grace", outside.account)
        _ = try await accounts.setRole(of: .id(grant.account.uid), to: .admin, by: nil)
        _ = try await accounts.ban(.id(outside.account.uid), seconds: 60, reason: "ada@example.org", by: grant.account)
        return secrets
    }

    @Test func `no file of the folder contains a password, a token or a code`() async throws {
        let fixture = try await SignInFixture(.firebase)
        let secrets = try await live(fixture)
        #expect(secrets.codes.count == 5 && secrets.tokens.count == 13)
        let names = [
            "sona.sqlite", "sona.sqlite-wal", "sona.lock", "keys/signing.pem", "keys/journal.key", "keys/refresh.key",
            "keys/sealing.key",
        ]
        for isOpen in [true, false] {
            if !isOpen { await fixture.model.close() }
            for name in isOpen ? names : names + ["keys/journal.head"] {
                guard let bytes = TemporaryFolder.bytes(ofFile: fixture.folder.file("data/" + name)) else {
                    #expect(!isOpen && name.hasSuffix("-wal"), "\(name)")
                    continue
                }
                for secret in secrets.hidden { #expect(!bytes.contains(secret), "\(name)") }
            }
        }
        // The test can fail: texts that are not secret are found.
        let file = try #require(TemporaryFolder.bytes(ofFile: fixture.folder.file("data/sona.sqlite")))
        #expect(file.contains("ada@new.example") && file.contains("$scrypt$"))
    }

    @Test func `the journal contains no names, addresses or secrets`() async throws {
        let fixture = try await SignInFixture(.firebase)
        let secrets = try await live(fixture)
        #expect(try await fixture.model.journal.line(.signInFailed) != nil)
        let lines = try await fixture.model.journal.page(limit: 500)
        #expect(Set(lines.map(\.kind)).count >= 11)
        for line in lines {
            let text = "\(line)"
            for hidden in secrets.hidden + secrets.addresses + ["scrypt", "192.0.2.1", "@", "\"ada\"", "grace"] {
                #expect(!text.contains(hidden), "\(line.kind)")
            }
        }
        #expect(try await fixture.model.journal.verify().firstFault == nil)
        await fixture.model.close()
    }

    /// Every error that account operations can be made to throw here, in all forms that may be logged.
    @Test func `no error contains an address or a secret`() async throws {
        let fixture = try await SignInFixture(.firebase)
        let accounts = fixture.accounts
        let grant = try await accounts.signUp("ada")
        let code = try await accounts.export(grant.account).code
        try await Model.execute("ALTER TABLE refresh_tokens RENAME TO moved", in: fixture.folder)
        let wrong = fixture.token("ada", signer: .second)
        let errors = [
            await refusal { try await accounts.signUp("ada") },
            await refusal { try await accounts.signUp("Bob") },
            await refusal { try await accounts.signIn("ada") },
            await refusal {
                try await accounts.signIn(email: "ada@example.org", password: "wrong-password", address: nil)
            },
            await refusal { try await accounts.refresh(grant.refreshToken) },
            await refusal { try await accounts.remove(grant.account, code: code) },
            await refusal {
                try await accounts.exchange(provider: "firebase", token: wrong, address: nil)
            },
            await refusal {
                try await accounts.exchange(provider: "firebase", token: fixture.token("ada"), address: nil)
            },
            await refusal {
                try accounts.authenticate(accessToken: grant.accessToken + "x")
            },
            await refusal {
                try await accounts.changePassword(grant.account, to: "new-password")
            },
            await refusal {
                try await accounts.recover(code: code, password: "new-password")
            },
        ]
        let secrets = [
            "ada@example.org", "bob@example.org", "pass-ada-word", "wrong-password", "new-password", code, wrong,
            grant.refreshToken, grant.accessToken, "scrypt",
        ]
        var codes: Set<ErrorCode> = []
        for error in errors {
            guard let error else {
                Issue.record("One of the operations succeeded; all should be refused.")
                continue
            }
            codes.insert(error.code)
            var text = "\(error) \(String(reflecting: error)) \(error.code.text)"
            if let cause = error.cause { text += " \(cause.description) \(cause.detail ?? "")" }
            for secret in secrets { #expect(!text.contains(secret), "\(error.code)") }
        }
        #expect(codes.contains(.serverStorageFailed) && codes.count >= 4)
        await fixture.model.close()
    }
}

extension [UInt8] {
    /// Whether the bytes contain a text.
    fileprivate func contains(_ text: String) -> Bool {
        let needle = Array(text.utf8)
        return withUnsafeBufferPointer { bytes in
            var start = 0
            while start + needle.count <= bytes.count, let base = bytes.baseAddress,
                let found = memchr(base + start, Int32(needle[0]), bytes.count - needle.count - start + 1)
            {
                if memcmp(found, needle, needle.count) == 0 { return true }
                start = UnsafeRawPointer(found) - UnsafeRawPointer(base) + 1
            }
            return false
        }
    }
}
