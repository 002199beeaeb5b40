import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// Accounts of an outside issuer's users.
struct OutsideIssuerTests {
    private func exchange(
        _ fixture: SignInFixture, _ name: String = "ada", _ changes: [String: String?] = [:]
    ) async throws(Refusal) -> Accounts.Grant {
        let token = fixture.token(name, changes)
        return try await fixture.accounts.exchange(provider: "firebase", token: token, address: nil)
    }

    @Test func `the first exchange makes an account under the issuer's identifier, without a username`() async throws {
        let fixture = try await SignInFixture(.firebase)
        let account = try await exchange(fixture).account
        #expect(account.uid.rawValue == SignInFixture.subjects["ada"] && account.username == nil)
        let own = try await fixture.model.people.own(account.uid)
        #expect(own.email == "ada@firebase.example" && own.isEmailConfirmed)
        #expect(own.profile == Profile(displayName: "Ada Löwe"))
        // No confirmation is mailed, because the issuer has confirmed the address.
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
        // The former owner of the address keeps their account.
        #expect(try await fixture.accounts.signIn("bob").account.username?.rawValue == "bob")
        // A password sign-in fails, because no password was set.
        let error = await refusal {
            try await fixture.accounts.signIn(email: "free@firebase.example", password: "12345678", address: nil)
        }
        #expect(error == .credentialsInvalid)
        await fixture.model.close()
    }

    @Test func `an issuer's identifier that is taken here leads to a new account, always the same one`() async throws {
        let fixture = try await SignInFixture(.firebase)
        let bob = try await fixture.accounts.signUp("bob").account
        let outsider = try await exchange(fixture, bob.uid.rawValue).account
        #expect(outsider.uid != bob.uid && outsider.username == nil)
        #expect(try await exchange(fixture, bob.uid.rawValue).account == outsider)
        await fixture.model.close()
    }

    @Test func `twenty concurrent first exchanges make one account, and all succeed`() async throws {
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

    @Test func `an issuer's display name that can't be shown is left out`() async throws {
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

    @Test func `without keys no token is accepted, and no failure is counted`() async throws {
        let fixture = try await SignInFixture(.firebase)
        fixture.firebase.site.publish(document: nil)
        for _ in 0..<25 {
            let error = await refusal { try await fixture.prove() }
            #expect(error == .providerUnavailable)
        }
        fixture.firebase.site.publish(.first)
        fixture.calendar.advance(seconds: 3_600)
        _ = try await fixture.prove()
        // Lines of failures are written after the answer. One would be there by now.
        try await Task.sleep(for: .milliseconds(300))
        #expect(try await fixture.lines(.signInFailed).isEmpty)
        await fixture.model.close()
    }

    @Test func `an unknown or unconfigured issuer is refused as unknown`() async throws {
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

    /// Goal: the age of a proof is that of the real sign-in. ID tokens are renewed for months without one; its time is
    /// `auth_time`.
    @Test func `an issuer's token proves identity as of the sign-in at the issuer`() async throws {
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
        // An issuer's clock that is ahead does not make a proof from the future.
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
