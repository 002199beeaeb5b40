import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// Things that happen to one account at the same time. Whichever comes first, what is left agrees with itself.
struct CrossingTests {
    private static let rounds = 15

    /// Goal: a password that was changed leaves one way in. Way: sign-ins and refreshes cross the change; whoever got
    /// through is either ended by it or came after it with the new password.
    @Test func `of sign-ins that cross a new password none with the old one is left`() async throws {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        let model = try await Model.opened(folder, calendar)
        let accounts = model.accounts
        _ = try await accounts.signUp("ada")
        var (password, crossed) = ("pass-ada-word", 0)
        for round in 0..<Self.rounds {
            // The budget of sign-ins is another matter.
            calendar.advance(seconds: 600)
            let (old, new) = (password, "new-password-\(round)")
            let grant = try await accounts.signIn(email: "ada@example.org", password: old, address: nil)
            let others = await withTaskGroup(of: [Accounts.Grant].self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let first = try? await accounts.signIn(email: "ada@example.org", password: old, address: nil)
                        guard let first, let second = try? await accounts.refresh(first.refreshToken) else {
                            return [first].compactMap(\.self)
                        }
                        return [first, second]
                    }
                }
                group.addTask {
                    try? await Task.sleep(for: .microseconds(300 * round))
                    _ = try? await accounts.changePassword(grant.account, to: new)
                    return []
                }
                return await group.reduce(into: [Accounts.Grant]()) { $0 += $1 }
            }
            crossed += others.count
            for other in others {
                #expect(throws: Refusal.tokenInvalid) {
                    try accounts.authenticate(accessToken: other.accessToken)
                }
                let error = await refusal { try await accounts.refresh(other.refreshToken) }
                #expect(error == .refreshInvalid)
            }
            #expect(try await Model.rowCounts(folder)["refresh_tokens"] == 1)
            password = new
        }
        #expect(crossed > 0, "no sign-in got through before a change: there was nothing to end")
        await model.close()
    }

    @Test(arguments: StrategyUnderTest.ofAccounts)
    func `of sign-ins that cross a ban none is of any use`(_ strategy: StrategyUnderTest) async throws {
        let fixture = try await SignInFixture(strategy)
        let accounts = fixture.accounts
        let first = try await fixture.prove()
        let reference = UserReference.id(first.account.uid)
        let token = fixture.token("ada")
        var crossed = 0
        for round in 0..<Self.rounds {
            let grants = await withTaskGroup(of: Accounts.Grant?.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        strategy == .local
                            ? try? await accounts.signIn("ada")
                            : try? await accounts.exchange(provider: "firebase", token: token, address: nil)
                    }
                }
                group.addTask {
                    // A little later in each round: at first the ban comes before all, in the end behind some.
                    try? await Task.sleep(for: .microseconds(300 * round))
                    _ = try? await accounts.ban(reference, seconds: nil, reason: nil, by: nil)
                    return nil
                }
                return await group.reduce(into: [Accounts.Grant]()) { if let grant = $1 { $0.append(grant) } }
            }
            crossed += grants.count
            for grant in grants {
                #expect(throws: Refusal.banned(retryAfterMilliseconds: nil)) {
                    try accounts.authenticate(accessToken: grant.accessToken)
                }
                let error = await refusal { try await accounts.refresh(grant.refreshToken) }
                #expect(error?.code == .authBanned || error == .refreshInvalid)
            }
            _ = try await accounts.unban(reference, by: nil)
            // The budget of refreshes is another matter.
            fixture.calendar.advance(seconds: 40)
        }
        #expect(crossed > 0, "no sign-in got through before a ban: there was nothing to end")
        await fixture.model.close()
    }

    /// An account of an outside issuer comes back under its old identifier: nothing of before may come back with it.
    @Test func `who was removed and comes again has neither the old name nor the old role`() async throws {
        let fixture = try await SignInFixture(.firebase)
        // Somebody who stays, or the last administrator could not leave.
        let chief = try await fixture.accounts.signUp("chief").account
        _ = try await fixture.accounts.setRole(of: .id(chief.uid), to: .admin, by: nil)
        for _ in 0..<Self.rounds {
            let accounts = fixture.accounts
            var account = try await fixture.prove().account
            #expect(account.username == nil && account.role == .user)
            account = try await accounts.claim(username: "AdaLovelace", account).account
            _ = try await accounts.setRole(of: .id(account.uid), to: .admin, by: nil)
            let code = try await accounts.export(account).code
            let leaving = account
            await withTaskGroup(of: Void.self) { group in
                group.addTask { try? await accounts.remove(leaving, code: code) }
                group.addTask { _ = try? await accounts.setRole(of: .id(leaving.uid), to: .curator, by: nil) }
                group.addTask {
                    guard let old = Username("AdaLovelace") else { return }
                    _ = try? await accounts.change(username: "Countess", from: old, leaving)
                }
            }
            let again = try await fixture.prove()
            let seen = try accounts.authenticate(accessToken: again.accessToken)
            #expect(seen.username == nil && seen.role == .user)
            try await accounts.remove(seen, code: try await accounts.export(seen).code)
        }
        await fixture.model.close()
    }

    @Test func `a removal under way does not lift a ban`() async throws {
        let fixture = try await SignInFixture(.firebase)
        let account = try await fixture.prove().account
        let code = try await fixture.accounts.export(account).code
        _ = try await fixture.accounts.ban(.id(account.uid), seconds: nil, reason: nil, by: nil)
        let error = await refusal {
            try await fixture.accounts.remove(account, code: code)
        }
        #expect(error == .banned(retryAfterMilliseconds: nil))
        #expect(
            await refusal { try await fixture.prove() }
                == .banned(retryAfterMilliseconds: nil))
        await fixture.model.close()
    }

    @Test func `of sign-ups that cross with one address or one look exactly one is made`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        for round in 0..<Self.rounds {
            let outcomes = await withTaskGroup(of: Refusal?.self) { group in
                for number in 0..<6 {
                    group.addTask {
                        let name = number < 3 ? "mill\(round)" : "rni11\(round)"
                        let email = number % 2 == 0 ? "one\(round)@a" : "ONE\(round)@A"
                        return await refusal {
                            try await model.accounts.signUp(
                                Accounts.SignUp(email: email, password: "12345678", username: name))
                        }
                    }
                }
                return await group.reduce(into: [Refusal?]()) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == nil } == 1)
            #expect(outcomes.allSatisfy { $0 == nil || $0 == .emailTaken || $0 == .usernameTaken })
        }
        let counts = try await Model.rowCounts(folder)
        for table in ["users", "profiles", "settings", "username_looks", "refresh_tokens"] {
            #expect(counts[table] == Self.rounds, "\(table)")
        }
        await model.close()
    }

    /// A token alone, without the refresh token, must not be made to last by changing the name to and fro.
    @Test func `a new name prolongs no token`() async throws {
        let folder = TemporaryFolder()
        let calendar = ManualCalendar()
        let model = try await Model.opened(folder, calendar)
        let grant = try await model.accounts.signUp("ada")
        var (token, name) = (grant.accessToken, try #require(Username("ada")))
        for round in 0..<8 {
            calendar.advance(seconds: 100)
            let account = try model.accounts.authenticate(accessToken: token)
            let access = try await model.accounts.change(username: "ada\(round)", from: name, account)
            #expect(access.expiresInSeconds == 900 - 100 * (round + 1))
            token = access.accessToken
            name = try #require(access.account.username)
        }
        calendar.advance(seconds: 100)
        #expect(throws: Refusal.tokenExpired) { try model.accounts.authenticate(accessToken: token) }
        await model.close()
    }
}
