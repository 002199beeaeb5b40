import SonaDatabase
import SonaTestSupport
import Testing

@testable import SonaModel

struct RefreshTests {
    @Test func `a refresh token works once and its successor goes on`() async throws {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        let model = try await Model.opened(folder, calendar)
        var grant = try await model.accounts.signUp("ada")
        for _ in 0..<5 {
            calendar.advance(seconds: 1_000)
            #expect(throws: AccountError.tokenExpired) {
                try model.accounts.authenticate(accessToken: grant.accessToken)
            }
            let next = try await model.accounts.refresh(grant.refreshToken)
            #expect(next.account == grant.account && next.refreshToken != grant.refreshToken)
            #expect(try model.accounts.authenticate(accessToken: next.accessToken) == grant.account)
            grant = next
        }
        await model.close()
    }

    @Test func `a used token that comes again ends its family, at once and through a restart, and no other`()
        async throws
    {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        var model = try await Model.opened(folder, calendar)
        let stolen = try await model.accounts.signUp("ada")
        let elsewhere = try await model.accounts.signIn("ada")
        let thief = try await model.accounts.refresh(stolen.refreshToken)
        #expect(
            await failure { () throws(AccountError) in try await model.accounts.refresh(stolen.refreshToken) }
                == .refreshInvalid)
        for restart in [false, true] {
            if restart {
                await model.close()
                model = try await Model.opened(folder, calendar)
            }
            let accounts = model.accounts
            #expect(
                await failure { () throws(AccountError) in try await accounts.refresh(thief.refreshToken) }
                    == .refreshInvalid)
            for token in [stolen.accessToken, thief.accessToken] {
                #expect(throws: AccountError.tokenInvalid) { try accounts.authenticate(accessToken: token) }
            }
            #expect(try accounts.authenticate(accessToken: elsewhere.accessToken) == elsewhere.account)
        }
        _ = try await model.accounts.refresh(elsewhere.refreshToken)
        await model.close()
    }

    /// Goal: of two that use one token at the same moment never both go on. Way: fifty at once; one wins, the next is
    /// reuse.
    @Test func `one token used fifty times at once buys one pair, and then the family ends`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let grant = try await model.accounts.signUp("ada")
        let accounts = model.accounts
        let grants = await withTaskGroup(of: Accounts.Grant?.self) { group in
            for _ in 0..<50 { group.addTask { try? await accounts.refresh(grant.refreshToken) } }
            return await group.reduce(into: [Accounts.Grant]()) { if let grant = $1 { $0.append(grant) } }
        }
        #expect(grants.count == 1)
        let winner = try #require(grants.first)
        #expect(
            await failure { () throws(AccountError) in try await accounts.refresh(winner.refreshToken) }
                == .refreshInvalid)
        await model.close()
    }

    @Test func `signing out ends the family and its access tokens at once`() async throws {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        let model = try await Model.opened(folder, calendar)
        let grant = try await model.accounts.signUp("ada")
        let other = try await model.accounts.signIn("ada")
        try await model.accounts.signOut(refreshToken: grant.refreshToken)
        try await model.accounts.signOut(refreshToken: grant.refreshToken)
        try await model.accounts.signOut(refreshToken: "never seen")
        #expect(throws: AccountError.tokenInvalid) { try model.accounts.authenticate(accessToken: grant.accessToken) }
        #expect(
            await failure { () throws(AccountError) in try await model.accounts.refresh(grant.refreshToken) }
                == .refreshInvalid)
        #expect(try model.accounts.authenticate(accessToken: other.accessToken) == other.account)
        // Once the access tokens have expired by themselves, the revocation is forgotten.
        calendar.advance(seconds: 3_600)
        try await model.accounts.signOut(refreshToken: other.refreshToken)
        await model.close()
        let stored = try await Model.look(folder)
        let counts = try await stored.read { db in
            try db.first("SELECT (SELECT count(*) FROM revoked_families), (SELECT count(*) FROM refresh_tokens)") {
                row in
                [try row.next(), try row.next()] as [Int]
            }
        }
        #expect(counts == [1, 0])
        await stored.close()
    }

    @Test func `a refresh token lives 60 days and not a millisecond more`() async throws {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        let model = try await Model.opened(folder, calendar)
        let grant = try await model.accounts.signUp("ada")
        let other = try await model.accounts.signIn("ada")
        calendar.advance(seconds: 60 * 86_400 - 1)
        _ = try await model.accounts.refresh(grant.refreshToken)
        calendar.advance(seconds: 1)
        #expect(
            await failure { () throws(AccountError) in try await model.accounts.refresh(other.refreshToken) }
                == .refreshInvalid)
        await model.close()
    }

    @Test func `texts that are no refresh token are refused`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        for text in ["", "x", "' OR 1=1 --", "\0", String(repeating: "x", count: 1 << 20)] {
            #expect(
                await failure { () throws(AccountError) in try await model.accounts.refresh(text) } == .refreshInvalid)
        }
        await model.close()
    }
}
