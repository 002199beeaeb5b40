import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// Tests of the budgets of accounts.
struct AccountBudgetsTests {
    private let uid = RoomFixture.guest()

    private func wait(_ budgets: AccountBudgets, _ verb: String, _ uid: UserID, _ now: Int64) -> Int? {
        do throws(Refusal) { try budgets.take(verb, uid, now: now) } catch {
            guard let wait = error.retryAfterMilliseconds, error.code == .requestRateLimited else { return -1 }
            return Int(wait)
        }
        return nil
    }

    @Test(arguments: AccountBudgets.table.keys.sorted())
    func `a budget allows a burst, then one request per interval, and fills up again at rest`(verb: String) throws {
        let budgets = AccountBudgets()
        let budget = try #require(AccountBudgets.table[verb])
        let span = Int64(budget.burst) * budget.intervalMilliseconds
        for start in [0, 10 * span] {
            for _ in 0..<budget.burst { #expect(wait(budgets, verb, uid, start) == nil) }
            #expect(wait(budgets, verb, uid, start) == Int(budget.intervalMilliseconds))
            // A refused request does not count.
            #expect(wait(budgets, verb, uid, start + budget.intervalMilliseconds - 1) == 1)
            #expect(wait(budgets, verb, uid, start + budget.intervalMilliseconds) == nil)
            #expect(wait(budgets, verb, uid, start + budget.intervalMilliseconds) != nil)
        }
        #expect(wait(budgets, verb, RoomFixture.guest(), 0) == nil)
    }

    @Test func `the operator's factor multiplies burst and rate of every budget`() throws {
        let budgets = AccountBudgets(factor: 10)
        let budget = try #require(AccountBudgets.table["username.change"])
        for _ in 0..<budget.burst * 10 { #expect(wait(budgets, "username.change", uid, 0) == nil) }
        #expect(wait(budgets, "username.change", uid, 0) == Int(budget.intervalMilliseconds / 10))
    }

    /// Goal: in the long run an account gets what the table says. Way: it asks twice a second for a day.
    @Test func `in a day an account can change its name 7 times and export itself 101 times`() {
        for (verb, most) in [("username.change", 5 + 2), ("account.export", 6 + 95), ("room.create", 24 + 479)] {
            let budgets = AccountBudgets()
            let passed = (0..<172_800 as Range<Int64>).count { wait(budgets, verb, uid, $0 * 500) == nil }
            #expect(passed == most, "\(verb)")
        }
    }

    /// Way: for a day an account sends every kind of moderating request as fast as its budgets allow.
    @Test func `in a day an account can cause at most 5 320 lines of the journal`() {
        let budgets = AccountBudgets()
        var lines = 0
        for second in 0..<86_400 as Range<Int64> {
            for verb in AccountBudgets.journaled where wait(budgets, verb, uid, second * 1_000) == nil { lines += 1 }
        }
        #expect(5_300...5_320 ~= lines)
        #expect(wait(budgets, "auth.sign_in", uid, 86_400_000) == nil)
    }

    @Test func `a request without a line in the table is unlimited, and the clock may be set back`() {
        let budgets = AccountBudgets()
        for _ in 0..<1_000 { #expect(wait(budgets, "room.get", uid, 0) == nil) }
        #expect(budgets.count == 0)
        for _ in 0..<6 { #expect(wait(budgets, "account.export", uid, 1_000_000_000) == nil) }
        #expect(wait(budgets, "account.export", uid, 0) == 15 * 60_000)
    }

    @Test func `budgets of a million accounts take no more memory than the limit`() {
        let budgets = AccountBudgets()
        var users: [UserID] = []
        for number in 0..<AccountBudgets.countsMax + 1_000 {
            guard let user = UserID("user\(number)") else { continue }
            users.append(user)
            #expect(wait(budgets, "auth.refresh", user, 0) == nil)
        }
        #expect(budgets.count <= AccountBudgets.countsMax)
        // Budgets that are full again are forgotten first.
        #expect(wait(budgets, "auth.refresh", uid, 10_000) == nil)
    }

    @Test func `of a thousand concurrent requests exactly the burst gets through`() async {
        let budgets = AccountBudgets()
        let passed = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<1_000 { group.addTask { wait(budgets, "account.export", uid, 5) == nil } }
            return await group.reduce(into: 0) { if $1 { $0 += 1 } }
        }
        #expect(passed == 6)
    }

    @Test func `deploy shows the budget of every request`() throws {
        let file = String(#filePath.split(separator: "/Tests/")[0]) + "/deploy/limits.md"
        let bytes = try #require(TemporaryFolder.bytes(ofFile: file.hasPrefix("/") ? file : "/" + file))
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        for (verb, budget) in AccountBudgets.table {
            let line = try #require(lines.first { $0.contains("`\(verb)`") }, "\(verb)")
            #expect(line.contains("| \(budget.burst) at once, then "), "\(verb)")
        }
    }

    @Test func `sign-ins have a budget, and one account keeps at most a hundred`() async throws {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        let model = try await Model.opened(folder, calendar)
        let first = try await model.accounts.signUp("ada")
        calendar.advance(milliseconds: 1)
        var last = first
        for _ in 0..<60 { last = try await model.accounts.signIn("ada") }
        #expect(
            await refusal { try await model.accounts.signIn("ada") }
                == .tooMany(retryAfterMilliseconds: 60_000))
        for _ in 0..<60 {
            calendar.advance(seconds: 60)
            last = try await model.accounts.signIn("ada")
        }
        #expect(try await Model.rowCounts(folder)["refresh_tokens"] == RefreshTokenDAO.signInsMax)
        // The sign-ins that were used longest ago have ended, and events tell so.
        #expect(
            await refusal { try await model.accounts.refresh(first.refreshToken) }
                == .refreshInvalid)
        _ = try await model.accounts.refresh(last.refreshToken)
        await model.close()
    }
}
