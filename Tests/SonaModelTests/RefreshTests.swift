import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

struct RefreshTests {
    @Test func `a refresh token works once, and its successor continues the sign-in`() async throws {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        let model = try await Model.opened(folder, calendar)
        var grant = try await model.accounts.signUp("ada")
        for _ in 0..<5 {
            calendar.advance(seconds: 1_000)
            #expect(throws: Refusal.tokenExpired) {
                try model.accounts.authenticate(accessToken: grant.accessToken)
            }
            let next = try await model.accounts.refresh(grant.refreshToken)
            #expect(next.account == grant.account && next.refreshToken != grant.refreshToken)
            #expect(try model.accounts.authenticate(accessToken: next.accessToken) == grant.account)
            grant = next
        }
        await model.close()
    }

    /// Goal: reuse of an older token ends its family, and no other. Way: a thief and an owner have the same token. One
    /// of them goes on, and the other shows it later: after a minute, or after two generations.
    @Test(arguments: [0, 1])
    func `reuse of a token ends its family at once and across a restart, and no other`(
        rotations: Int
    ) async throws {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        var model = try await Model.opened(folder, calendar)
        let stolen = try await model.accounts.signUp("ada")
        let elsewhere = try await model.accounts.signIn("ada")
        var thief = try await model.accounts.refresh(stolen.refreshToken)
        for _ in 0..<rotations { thief = try await model.accounts.refresh(thief.refreshToken) }
        if rotations == 0 { calendar.advance(milliseconds: RefreshToken.repeatMilliseconds + 1) }
        #expect(
            await refusal { try await model.accounts.refresh(stolen.refreshToken) }
                == .refreshInvalid)
        for restart in [false, true] {
            if restart {
                await model.close()
                model = try await Model.opened(folder, calendar)
            }
            let accounts = model.accounts
            #expect(
                await refusal { try await accounts.refresh(thief.refreshToken) }
                    == .refreshInvalid)
            for token in [stolen.accessToken, thief.accessToken] {
                #expect(throws: Refusal.tokenInvalid) { try accounts.authenticate(accessToken: token) }
            }
            #expect(try accounts.authenticate(accessToken: elsewhere.accessToken) == elsewhere.account)
        }
        _ = try await model.accounts.refresh(elsewhere.refreshToken)
        await model.close()
    }

    @Test func `for a minute a used token returns the same successor again`() async throws {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        var model = try await Model.opened(folder, calendar)
        let first = try await model.accounts.signUp("ada")
        let lost = try await model.accounts.refresh(first.refreshToken)
        calendar.advance(milliseconds: RefreshToken.repeatMilliseconds)
        let again = try await model.accounts.refresh(first.refreshToken)
        #expect(again.refreshToken == lost.refreshToken && again.account == first.account)
        #expect(try model.accounts.authenticate(accessToken: again.accessToken) == first.account)
        // Also across a restart.
        await model.close()
        model = try await Model.opened(folder, calendar)
        #expect(try await model.accounts.refresh(first.refreshToken).refreshToken == lost.refreshToken)
        let next = try await model.accounts.refresh(again.refreshToken)
        #expect(next.refreshToken != lost.refreshToken)
        await model.close()
    }

    @Test func `after the successor was used, its predecessor counts as reuse even within the minute`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let first = try await model.accounts.signUp("ada")
        let second = try await model.accounts.refresh(first.refreshToken)
        let third = try await model.accounts.refresh(second.refreshToken)
        let accounts = model.accounts
        for token in [first.refreshToken, third.refreshToken] {
            #expect(await refusal { try await accounts.refresh(token) } == .refreshInvalid)
        }
        #expect(try await model.journal.page(kind: .tokenReused).count == 1)
        await model.close()
    }

    /// Goal: concurrent uses of one token lead to one successor. Way: fifty at once. All that succeed get the same
    /// successor, those beyond the budget are told to wait, and the sign-in goes on.
    @Test func `fifty concurrent uses of a token give one successor`() async throws {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        let model = try await Model.opened(folder, calendar)
        let grant = try await model.accounts.signUp("ada")
        let accounts = model.accounts
        let outcomes = await withTaskGroup(of: Result<String, Refusal>.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    do throws(Refusal) {
                        return .success(try await accounts.refresh(grant.refreshToken).refreshToken)
                    } catch { return .failure(error) }
                }
            }
            return await group.reduce(into: [Result<String, Refusal>]()) { $0.append($1) }
        }
        let successors = Set(outcomes.compactMap { try? $0.get() })
        #expect(successors.count == 1)
        for case .failure(let error) in outcomes { #expect(error.code == .requestRateLimited) }
        calendar.advance(seconds: 60)
        _ = try await accounts.refresh(try #require(successors.first))
        await model.close()
    }

    @Test func `refreshing in a loop stores no more tokens, and is limited to once in ten seconds`() async throws {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        let model = try await Model.opened(folder, calendar)
        var grant = try await model.accounts.signUp("ada")
        var refusals = 0
        for _ in 0..<300 {
            calendar.advance(seconds: 1)
            do throws(Refusal) {
                grant = try await model.accounts.refresh(grant.refreshToken)
            } catch {
                #expect(error.code == .requestRateLimited)
                refusals += 1
            }
        }
        #expect(264...270 ~= refusals)
        #expect(try await Model.rowCounts(folder)["refresh_tokens"] == 2)
        await model.close()
    }

    /// Tokens of older servers have 43 letters and digits and do not contain their family.
    @Test func `a token of an older server is accepted, and its successor returned again`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let grant = try await model.accounts.signUp("ada")
        let old = try #require(RefreshToken(String(repeating: "x", count: 43)))
        let family = try #require(grant.account.family)
        let beside = try await Model.look(folder)
        try await beside.write { db in
            try db.execute("UPDATE refresh_tokens SET hash = \(old.hash) WHERE family = \(family)")
        }
        await beside.close()
        let next = try await model.accounts.refresh(old.text)
        #expect(try await model.accounts.refresh(old.text).refreshToken == next.refreshToken)
        _ = try await model.accounts.refresh(next.refreshToken)
        await model.close()
    }

    @Test func `an invented token with the name of a family ends nothing`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let grant = try await model.accounts.signUp("ada")
        let family = try #require(grant.account.family)
        let accounts = model.accounts
        for text in [family + String(repeating: "x", count: 65), family, grant.refreshToken.dropLast() + "_"] {
            #expect(await refusal { try await accounts.refresh(text) } == .refreshInvalid)
            try await accounts.signOut(refreshToken: text)
        }
        _ = try await accounts.refresh(grant.refreshToken)
        await model.close()
    }

    @Test func `a sign-out ends the family and its access tokens at once`() async throws {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        let model = try await Model.opened(folder, calendar)
        let grant = try await model.accounts.signUp("ada")
        let other = try await model.accounts.signIn("ada")
        try await model.accounts.signOut(refreshToken: grant.refreshToken)
        try await model.accounts.signOut(refreshToken: grant.refreshToken)
        try await model.accounts.signOut(refreshToken: "never seen")
        #expect(throws: Refusal.tokenInvalid) { try model.accounts.authenticate(accessToken: grant.accessToken) }
        #expect(
            await refusal { try await model.accounts.refresh(grant.refreshToken) }
                == .refreshInvalid)
        #expect(try model.accounts.authenticate(accessToken: other.accessToken) == other.account)
        // After the access tokens have expired, the revocation is deleted.
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

    @Test func `a refresh token is valid for 60 days and not a millisecond longer`() async throws {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        let model = try await Model.opened(folder, calendar)
        let grant = try await model.accounts.signUp("ada")
        let other = try await model.accounts.signIn("ada")
        calendar.advance(seconds: 60 * 86_400 - 1)
        _ = try await model.accounts.refresh(grant.refreshToken)
        calendar.advance(seconds: 1)
        #expect(
            await refusal { try await model.accounts.refresh(other.refreshToken) }
                == .refreshInvalid)
        await model.close()
    }

    @Test func `texts that are not refresh tokens are refused`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        for text in ["", "x", "' OR 1=1 --", "\0", String(repeating: "x", count: 1 << 20)] {
            #expect(
                await refusal { try await model.accounts.refresh(text) } == .refreshInvalid)
        }
        await model.close()
    }
}
