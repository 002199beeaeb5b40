import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// Accounts of those whom an outside issuer vouches for.
struct OutsideIssuerTests {
    private func exchange(
        _ fixture: SignInFixture, _ name: String = "ada", _ changes: [String: String?] = [:]
    ) async throws(Refusal) -> Accounts.Grant {
        let token = fixture.token(name, changes)
        return try await fixture.accounts.exchange(provider: "firebase", token: token, address: nil)
    }

    @Test func `the first time makes an account under the issuer's name, without one of ours`() async throws {
        let fixture = try await SignInFixture(.firebase)
        let account = try await exchange(fixture).account
        #expect(account.uid.rawValue == SignInFixture.subjects["ada"] && account.username == nil)
        let own = try await fixture.model.people.own(account.uid)
        #expect(own.email == "ada@firebase.example" && own.isEmailConfirmed)
        #expect(own.profile == Profile(displayName: "Ada Löwe"))
        // Nobody has to be mailed about what the issuer has confirmed.
        #expect(fixture.mail.all.isEmpty)
        await fixture.model.close()
    }

    @Test func `an address is taken over only if it is confirmed and free`() async throws {
        let fixture = try await SignInFixture(.firebase)
        _ = try await fixture.accounts.signUp("bob")
        let people: [(String, [String: String?], String?)] = [
            ("unconfirmed", ["email_verified": "false"], nil), ("silent", ["email_verified": nil], nil),
            ("none", ["email": nil], nil), ("odd", ["email": #""no address""#], nil),
            ("taken", ["email": #""BOB@Example.org""#], nil), ("free", [:], "free@firebase.example"),
        ]
        for (name, changes, email) in people {
            let uid = try await exchange(fixture, name, changes).account.uid
            let own = try await fixture.model.people.own(uid)
            #expect(own.email == email && own.isEmailConfirmed == (email != nil), "\(name)")
        }
        // Who had the address is who they were.
        #expect(try await fixture.accounts.signIn("bob").account.username?.rawValue == "bob")
        // Nobody gets in by a password that was never set.
        let error = await refusal {
            try await fixture.accounts.signIn(email: "free@firebase.example", password: "12345678", address: nil)
        }
        #expect(error == .credentialsInvalid)
        await fixture.model.close()
    }

    @Test func `an issuer's name that is somebody's here makes another account, always the same`() async throws {
        let fixture = try await SignInFixture(.firebase)
        let bob = try await fixture.accounts.signUp("bob").account
        let outsider = try await exchange(fixture, bob.uid.rawValue).account
        #expect(outsider.uid != bob.uid && outsider.username == nil)
        #expect(try await exchange(fixture, bob.uid.rawValue).account == outsider)
        await fixture.model.close()
    }

    @Test func `of twenty first exchanges at once one makes the account, and all get in`() async throws {
        let fixture = try await SignInFixture(.firebase)
        let (accounts, token) = (fixture.accounts, fixture.token("ada"))
        let uids = try await withThrowingTaskGroup(of: UserID.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await accounts.exchange(provider: "firebase", token: token, address: nil).account.uid
                }
            }
            return try await group.reduce(into: [UserID]()) { $0.append($1) }
        }
        #expect(uids.count == 20 && Set(uids).count == 1)
        let counts = try await Model.rowCounts(fixture.folder)
        #expect(counts["users"] == 1 && counts["identities"] == 1 && counts["refresh_tokens"] == 20)
        await fixture.model.close()
    }

    @Test func `a name at the issuer's that can't be shown is left out`() async throws {
        let fixture = try await SignInFixture(.firebase)
        let long = String(repeating: "é", count: 51)
        for (number, name) in [#""\#(long)""#, #""a\u202Eb""#, #""\u0000""#, #""   ""#].enumerated() {
            let uid = try await exchange(fixture, "person\(number)", ["name": name]).account.uid
            let shown = try await fixture.model.people.own(uid).profile.displayName
            #expect(shown == nil || (shown?.utf8.count ?? 0) <= 100 && !name.contains(shown ?? ""), "\(name)")
            #expect(shown?.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E } != true)
        }
        await fixture.model.close()
    }

    @Test func `without keys nobody is let in, and nobody is blamed`() async throws {
        let fixture = try await SignInFixture(.firebase)
        fixture.firebase.site.publish(document: nil)
        for _ in 0..<25 {
            let error = await refusal { try await fixture.prove() }
            #expect(error == .providerUnavailable)
        }
        fixture.firebase.site.publish(.first)
        fixture.calendar.advance(seconds: 3_600)
        _ = try await fixture.prove()
        // Lines of failures come after the answer; one of them would have come by now.
        try await Task.sleep(for: .milliseconds(300))
        #expect(try await fixture.lines(.signInFailed).isEmpty)
        await fixture.model.close()
    }

    @Test func `an issuer that is none, or not configured, is told apart`() async throws {
        let fixture = try await SignInFixture(.firebase)
        for provider in ["", "google", "Firebase", "local", "guest"] {
            let error = await refusal {
                try await fixture.accounts.exchange(provider: provider, token: "x", address: SignInFixture.address)
            }
            #expect(error == .providerUnknown, "\(provider)")
        }
        await fixture.model.close()
        let folder = TemporaryFolder()
        let without = try await Model.opened(folder)
        let error = await refusal {
            try await without.accounts.exchange(provider: "firebase", token: fixture.token("ada"), address: nil)
        }
        #expect(error == .providerUnknown)
        await without.close()
    }

    /// Goal: a proof is as old as it is. Way: ID tokens are renewed for months without anybody typing anything; the
    /// time when somebody did is `auth_time`.
    @Test func `a token of an issuer proves what was proved to the issuer, and when`() async throws {
        let fixture = try await SignInFixture(.firebase)
        let old = ["auth_time": "\(fixture.firebase.now - 30 * 86_400)"].mapValues { Optional($0) }
        let grant = try await exchange(fixture, "ada", old)
        #expect(grant.account.authenticatedAt == fixture.firebase.now - 30 * 86_400)
        #expect(
            await refusal { try await fixture.accounts.export(grant.account) }
                == .reauthenticationRequired)
        func prove(_ seconds: Int64) async -> Refusal? {
            let token = fixture.token("ada", ["auth_time": "\(fixture.firebase.now - seconds)"])
            return await refusal {
                try await fixture.accounts.reauthenticate(
                    grant.account, provider: "firebase", token: token, address: SignInFixture.address)
            }
        }
        #expect(await prove(30 * 86_400) == .reauthenticationRequired)
        #expect(await prove(301) == .reauthenticationRequired)
        #expect(await prove(300) == nil)
        // A clock that is a little ahead makes no proof of tomorrow.
        let ahead = try await fixture.accounts.reauthenticate(
            grant.account, provider: "firebase",
            token: fixture.token("ada", ["auth_time": "\(fixture.firebase.now + 50)"]), address: nil)
        #expect(ahead.account.authenticatedAt == fixture.firebase.now)
        _ = try await fixture.accounts.export(ahead.account)
        fixture.calendar.advance(seconds: 301)
        #expect(await prove(301) == .reauthenticationRequired)
        await fixture.model.close()
    }
}
