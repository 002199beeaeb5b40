import SonaBase
import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// Sign-ups of guests, whose identifier becomes the account's.
struct GuestUpgradeTests {
    @Test func `a guest who signs up keeps the identifier, and the guest's token ends`() async throws {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        var model = try await Model.opened(folder, calendar)
        let guest = model.accounts.guest()
        let ended = Monitor<[AccountEvent]>([])
        model.accounts.onEvent { event in ended.withLock { $0.append(event) } }
        let account = try model.accounts.authenticate(accessToken: guest.accessToken)
        let grant = try await model.accounts.signUp(.named("ada", guest: account))
        #expect(grant.account.uid == guest.account.uid && !grant.account.isGuest)
        #expect(grant.account.family != guest.account.family)
        let family = try #require(guest.account.family)
        #expect(ended.withLock { $0 } == [.signedOut(family: family)])
        #expect(try await model.accounts.signIn("ada").account.uid == guest.account.uid)
        #expect(
            try await model.journal.page(kind: .signUp).map(\.detail) == [#"{"provider":"local","was_guest":true}"#])
        // Remembered for the lifetime of a guest's token: a day, not the minutes of an account's.
        for _ in 0..<3 {
            #expect(throws: Refusal.tokenInvalid) {
                try model.accounts.authenticate(accessToken: guest.accessToken)
            }
            calendar.advance(seconds: 28_000)
            await model.close()
            model = try await Model.opened(folder, calendar)
        }
        calendar.advance(seconds: 2_401)
        #expect(throws: Refusal.self) { try model.accounts.authenticate(accessToken: guest.accessToken) }
        await model.close()
    }

    @Test func `a guest can become only one account, however often they sign up`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let guest = model.accounts.guest().account
        let outcomes = await withTaskGroup(of: Refusal?.self) { group in
            for name in ["ada", "bob", "cyd", "dan", "eve"] {
                group.addTask {
                    await refusal {
                        try await model.accounts.signUp(.named(name, guest: guest))
                    }
                }
            }
            return await group.reduce(into: [Refusal?]()) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1 && outcomes.count { $0 == .tokenInvalid } == 4)
        let later = await refusal {
            try await model.accounts.signUp(.named("fay", guest: guest))
        }
        #expect(later == .tokenInvalid)
        let counts = try await Model.rowCounts(folder)
        #expect(counts["users"] == 1 && counts["profiles"] == 1 && counts["username_looks"] == 1)
        await model.close()
    }

    @Test func `a guest whose sign-up is refused is still a guest`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        _ = try await model.accounts.signUp("bob")
        let guest = model.accounts.guest()
        for name in ["bob", "b0b"] {
            var request = Accounts.SignUp.named(name, guest: guest.account)
            if name == "b0b" { request.email = "other@example.org" }
            #expect(await refusal { try await model.accounts.signUp(request) } != nil)
        }
        #expect(try model.accounts.authenticate(accessToken: guest.accessToken) == guest.account)
        #expect(try await Model.rowCounts(folder)["revoked_families"] == 0)
        await model.close()
    }

    @Test func `a guest who became an account that was removed does not come back`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let guest = model.accounts.guest().account
        let account = try await model.accounts.signUp(.named("ada", guest: guest)).account
        try await model.accounts.remove(account, code: try await model.accounts.export(account).code)
        let error = await refusal {
            try await model.accounts.signUp(.named("bob", guest: guest))
        }
        #expect(error == .tokenInvalid)
        await model.close()
    }

    @Test func `an account can't become another by signing up`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let grant = try await model.accounts.signUp("ada")
        let error = await refusal {
            try await model.accounts.signUp(.named("bob", guest: grant.account))
        }
        #expect(error == .tokenInvalid)
        #expect(try model.accounts.authenticate(accessToken: grant.accessToken) == grant.account)
        await model.close()
    }
}
