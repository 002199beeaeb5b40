import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// The age and the owner of proofs of identity.
struct ReauthenticationTests {
    /// Every request that needs a proof, with its answer to a valid one.
    private func sensitive(_ model: Model, _ account: Accounts.Account) async -> [Refusal?] {
        let accounts = model.accounts
        return [
            await refusal { try await accounts.export(account) },
            await refusal {
                try await accounts.changeEmail(account, to: "new@example.org", address: nil)
            },
            await refusal {
                try await accounts.remove(account, code: String(repeating: "x", count: 43))
            },
            await refusal { try await accounts.changePassword(account, to: "new-password") },
        ]
    }

    private let wanted = [Refusal?](repeating: .reauthenticationRequired, count: 4)
    private let good: [Refusal?] = [nil, nil, .codeInvalid, nil]

    private func proof(_ accounts: Accounts, _ token: String) throws -> Accounts.Account {
        try accounts.authenticate(accessToken: token)
    }

    @Test func `a proof is valid for 300 seconds, and not a second longer`() async throws {
        for (seconds, expected) in [(300 as Int64, good), (301, wanted)] {
            let folder = TemporaryFolder()
            let calendar = ManualCalendar()
            let model = try await Model.opened(folder, calendar)
            let grant = try await model.accounts.signUp("ada")
            calendar.advance(seconds: seconds)
            let account = try proof(model.accounts, grant.accessToken)
            #expect(await sensitive(model, account) == expected)
            await model.close()
        }
    }

    @Test func `a refreshed token carries no proof, and a new proof does`() async throws {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        let model = try await Model.opened(folder, calendar)
        let grant = try await model.accounts.signUp("ada")
        let refreshed = try await model.accounts.refresh(grant.refreshToken)
        let account = try proof(model.accounts, refreshed.accessToken)
        #expect(account.authenticatedAt == nil && refreshed.account.authenticatedAt == nil)
        #expect(await sensitive(model, account) == wanted)
        calendar.advance(seconds: 800)
        let access = try await model.accounts.reauthenticate(account, password: "pass-ada-word", address: nil)
        #expect(access.account == account && access.account.family == account.family)
        let proved = try proof(model.accounts, access.accessToken)
        #expect(proved.authenticatedAt == calendar.clock.nowMilliseconds() / 1_000)
        #expect(await sensitive(model, proved) == good)
        await model.close()
    }

    @Test func `a change of name does not renew the proof`() async throws {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        let model = try await Model.opened(folder, calendar)
        let grant = try await model.accounts.signUp("ada")
        calendar.advance(seconds: 299)
        let access = try await model.accounts.change(
            username: "grace", from: try #require(Username("ada")), grant.account)
        #expect(try proof(model.accounts, access.accessToken).authenticatedAt == grant.account.authenticatedAt)
        calendar.advance(seconds: 2)
        #expect(await sensitive(model, try proof(model.accounts, access.accessToken)) == wanted)
        await model.close()
    }

    @Test func `a guest's token carries no proof`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let guest = try proof(model.accounts, model.accounts.guest().accessToken)
        #expect(await sensitive(model, guest) == wanted)
        #expect(
            await refusal {
                try await model.accounts.reauthenticate(guest, password: "pass-ada-word", address: nil)
            } == .userUnknown)
        await model.close()
    }

    @Test func `another user's password is refused and counts as a failure`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        // The network is known, so that the delay for one account does not apply.
        let ada = try await model.accounts.signUp("ada", address: "192.0.2.1").account
        let people = [ada, try await model.accounts.signUp("bob").account]
        func prove(_ password: String) async -> Refusal? {
            await refusal {
                try await model.accounts.reauthenticate(people[0], password: password, address: "192.0.2.1")
            }
        }
        for password in ["pass-bob-word", "", "PASS-ADA-WORD", String(repeating: "x", count: 10_000)] {
            #expect(await prove(password) == .credentialsInvalid)
        }
        let line = try #require(try await model.journal.line(.signInFailed))
        #expect(line.subject == people[0].uid.rawValue)
        for _ in 4..<20 { #expect(await prove("wrong word") == .credentialsInvalid) }
        #expect(await prove("pass-ada-word")?.code == .authRateLimited)
        await model.close()
    }

    /// A sign-in refuses a password with a NUL, because scrypt would ignore the NUL at its end.
    @Test func `a password with a NUL at its end does not match the one without`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let account = try await model.accounts.signUp("ada").account
        let error = await refusal {
            try await model.accounts.reauthenticate(account, password: "pass-ada-word\0", address: nil)
        }
        #expect(error == .credentialsInvalid)
        await model.close()
    }

    @Test func `an outside account needs its own issuer's token as a proof, and no other token counts`() async throws {
        let fixture = try await SignInFixture(.firebase)
        let (ada, bob) = (try await fixture.prove().account, try await fixture.prove("bob").account)
        let local = try await fixture.accounts.signUp("cyd").account
        func prove(_ account: Accounts.Account, _ token: String) async -> Refusal? {
            await refusal {
                try await fixture.accounts.reauthenticate(
                    account, provider: "firebase", token: token, address: SignInFixture.address)
            }
        }
        #expect(await prove(ada, fixture.token("ada")) == nil)
        #expect(await prove(bob, fixture.token("ada")) == .credentialsInvalid)
        #expect(await prove(local, fixture.token("ada")) == .credentialsInvalid)
        #expect(await prove(local, fixture.token("cyd")) == .credentialsInvalid)
        #expect(await prove(ada, fixture.token("ada", signer: .second)) == .tokenInvalid)
        // A proof does not make an account.
        #expect(try await Model.rowCounts(fixture.folder)["users"] == 3)
        // The account has no password.
        for password in ["", "pass-ada-word"] {
            let error = await refusal {
                try await fixture.accounts.reauthenticate(ada, password: password, address: nil)
            }
            #expect(error == .credentialsInvalid)
        }
        await fixture.model.close()
    }

    @Test func `a valid token of another user counts as a failure`() async throws {
        let fixture = try await SignInFixture(.firebase)
        let bob = try await fixture.prove("bob").account
        var last: Refusal?
        for _ in 0..<21 {
            last = await refusal {
                try await fixture.accounts.reauthenticate(
                    bob, provider: "firebase", token: fixture.token("ada"), address: SignInFixture.address)
            }
        }
        #expect(last?.code == .authRateLimited)
        await fixture.model.close()
    }

    @Test func `a removed account cannot prove its identity`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let account = try await model.accounts.signUp("ada").account
        try await model.accounts.remove(account, code: try await model.accounts.export(account).code)
        #expect(
            await refusal {
                try await model.accounts.reauthenticate(account, password: "pass-ada-word", address: nil)
            } == .userUnknown)
        let error = await refusal { try await model.accounts.export(account) }
        #expect(error == .userUnknown)
        await model.close()
    }
}
