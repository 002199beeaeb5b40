import SonaBase
import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// Demands on every strategy.
struct SignInStrategyTests {
    @Test(arguments: StrategyUnderTest.allCases)
    func `a valid proof gives a token with the user's identity`(_ strategy: StrategyUnderTest) async throws {
        let fixture = try await SignInFixture(strategy)
        let pass = try await fixture.prove()
        let account = try fixture.accounts.authenticate(accessToken: pass.accessToken)
        #expect(account == pass.account && account.isGuest == !strategy.makesAccounts && account.role == .user)
        #expect(account.family?.isEmpty == false)
        #expect((pass.refreshToken != nil) == strategy.makesAccounts)
        // A guest's token carries no proof.
        #expect(account.authenticatedAt == (strategy.makesAccounts ? fixture.firebase.now : nil))
        if strategy.makesAccounts { _ = try await fixture.model.people.own(account.uid) }
        await fixture.model.close()
    }

    @Test(arguments: StrategyUnderTest.allCases)
    func `the same person gets the same account again, and a guest always a new one`(
        _ strategy: StrategyUnderTest
    ) async throws {
        let fixture = try await SignInFixture(strategy)
        let first = try await fixture.prove()
        let second = try await fixture.prove()
        let other = try await fixture.prove("bob")
        #expect((first.account.uid == second.account.uid) == strategy.makesAccounts)
        #expect(first.account.uid != other.account.uid && second.account.uid != other.account.uid)
        #expect(first.accessToken != second.accessToken && first.account.family != second.account.family)
        try await fixture.reopen()
        let later = try await fixture.prove()
        #expect((later.account.uid == first.account.uid) == strategy.makesAccounts)
        await fixture.model.close()
    }

    @Test(arguments: StrategyUnderTest.allCases)
    func `an invalid proof is refused with its code, counts as a failure, and changes nothing but the journal`(
        _ strategy: StrategyUnderTest
    ) async throws {
        let fixture = try await SignInFixture(strategy)
        let before = try await Model.rowCounts(fixture.folder)
        for wrong in fixture.wrongProofs {
            let error = await refusal { try await wrong.show(fixture.accounts) }
            #expect(error == wrong.refusal, "\(wrong.name)")
        }
        var after = try await Model.rowCounts(fixture.folder)
        after["journal"] = before["journal"]
        #expect(after == before)
        if let wrong = fixture.wrongProofs.last {
            let first = #"{"failures":1,"from":"203.0.113.0/24"}"#
            let line = try #require(try await fixture.model.journal.line(.signInFailed, detail: first))
            #expect(line.actor == nil)
            for _ in fixture.wrongProofs.count..<20 {
                _ = await refusal { try await wrong.show(fixture.accounts) }
            }
            let closed = await refusal { try await fixture.prove() }
            #expect(closed?.code == .authRateLimited)
        } else {
            #expect(strategy == .guest)
        }
        _ = try await fixture.prove(address: "198.51.100.1")
        await fixture.model.close()
    }

    /// Only the journal contains the account that was tried. The answer does not reveal it.
    @Test func `the journal names the account that a failed sign-in was aimed at`() async throws {
        let fixture = try await SignInFixture(.local)
        let uid = try await fixture.prove().account.uid
        for email in ["nobody@example.org", "ADA@example.org"] {
            let error = await refusal {
                try await fixture.accounts.signIn(email: email, password: "wrong one", address: "192.0.2.9")
            }
            #expect(error == .credentialsInvalid)
        }
        let first = #"{"failures":1,"from":"192.0.2.0/24"}"#
        for _ in 0..<1_000 where try await fixture.lines(.signInFailed).count < 2 {
            try await Task.sleep(for: .milliseconds(10))
        }
        let lines = try await fixture.lines(.signInFailed)
        #expect(Set(lines.map(\.subject)) == [nil, uid.rawValue])
        #expect(lines.allSatisfy { $0.detail == first && $0.actor == nil })
        await fixture.model.close()
    }

    @Test(arguments: StrategyUnderTest.ofAccounts)
    func `a banned user is refused with the time that is left, and can sign in afterwards`(
        _ strategy: StrategyUnderTest
    ) async throws {
        let fixture = try await SignInFixture(strategy)
        let uid = try await fixture.prove().account.uid
        func refused() async -> Refusal? {
            await refusal { try await fixture.prove() }
        }
        _ = try await fixture.accounts.ban(.id(uid), seconds: 60, reason: nil, by: nil)
        fixture.calendar.advance(seconds: 59)
        let before = try await Model.rowCounts(fixture.folder)
        #expect(await refused() == .banned(retryAfterMilliseconds: 1_000))
        #expect(try await Model.rowCounts(fixture.folder) == before)
        _ = try await fixture.prove("bob")
        fixture.calendar.advance(seconds: 1)
        #expect(try await fixture.prove().account.uid == uid)

        _ = try await fixture.accounts.ban(.id(uid), seconds: nil, reason: "Noise.", by: nil)
        #expect(await refused() == .banned(retryAfterMilliseconds: nil))
        try await fixture.reopen()
        #expect(await refused() == .banned(retryAfterMilliseconds: nil))
        _ = try await fixture.accounts.unban(.id(uid), by: nil)
        #expect(try await fixture.prove().account.uid == uid)
        await fixture.model.close()
    }

    @Test(arguments: StrategyUnderTest.ofAccounts)
    func `a refresh token rotates, and its reuse ends its family and no other`(
        _ strategy: StrategyUnderTest
    ) async throws {
        let fixture = try await SignInFixture(strategy)
        let accounts = fixture.accounts
        let (first, elsewhere) = (try await fixture.prove(), try await fixture.prove())
        let old = try #require(first.refreshToken)
        let next = try await accounts.refresh(old)
        #expect(next.account == first.account && next.account.family == first.account.family)
        #expect(next.account.authenticatedAt == nil)
        fixture.calendar.advance(milliseconds: RefreshToken.repeatMilliseconds + 1)
        #expect(await refusal { try await accounts.refresh(old) } == .refreshInvalid)
        #expect(
            await refusal { try await accounts.refresh(next.refreshToken) }
                == .refreshInvalid)
        for token in [first.accessToken, next.accessToken] {
            #expect(throws: Refusal.tokenInvalid) { try accounts.authenticate(accessToken: token) }
        }
        #expect(try accounts.authenticate(accessToken: elsewhere.accessToken) == elsewhere.account)
        #expect(try await fixture.lines(.tokenReused).map(\.subject) == [first.account.uid.rawValue])
        await fixture.model.close()
    }

    @Test(arguments: StrategyUnderTest.ofAccounts)
    func `a sign-out ends one sign-in, or all of the account, also across a restart`(
        _ strategy: StrategyUnderTest
    ) async throws {
        let fixture = try await SignInFixture(strategy)
        var passes: [SignInFixture.Pass] = []
        for _ in 0..<3 { passes.append(try await fixture.prove()) }
        let bob = try await fixture.prove("bob")
        let ended = Monitor<[String]>([])
        fixture.accounts.onEvent { event in
            if case .signedOut(let family) = event { ended.withLock { $0.append(family) } }
        }
        try await fixture.accounts.signOut(refreshToken: try #require(passes[0].refreshToken))
        #expect(ended.withLock { $0 } == [passes[0].account.family])
        #expect(throws: Refusal.tokenInvalid) {
            try fixture.accounts.authenticate(accessToken: passes[0].accessToken)
        }
        #expect(try fixture.accounts.authenticate(accessToken: passes[1].accessToken) == passes[1].account)
        try await fixture.accounts.signOutEverywhere(passes[1].account)
        #expect(Set(ended.withLock { $0 }).isSuperset(of: passes.compactMap(\.account.family)))
        #expect(bob.account.family.map { family in ended.withLock { $0.contains(family) } } == false)
        for _ in 0..<2 {
            for pass in passes {
                #expect(throws: Refusal.tokenInvalid) {
                    try fixture.accounts.authenticate(accessToken: pass.accessToken)
                }
                let token = try #require(pass.refreshToken)
                #expect(
                    await refusal { try await fixture.accounts.refresh(token) }
                        == .refreshInvalid)
            }
            #expect(try fixture.accounts.authenticate(accessToken: bob.accessToken) == bob.account)
            try await fixture.reopen()
        }
        // A local account also has the sign-in of its sign-up.
        let count = strategy == .local ? 3 : 2
        #expect(try await fixture.lines(.signOutEverywhere).map(\.detail) == [#"{"sign_ins":\#(count)}"#])
        await fixture.model.close()
    }

    @Test(arguments: StrategyUnderTest.allCases)
    func `the journal has a line for each sign-in, and none for guests`(_ strategy: StrategyUnderTest) async throws {
        let fixture = try await SignInFixture(strategy)
        let before = try await fixture.model.journal.page().count
        let uid = try await fixture.prove().account.uid.rawValue
        let lines = try await fixture.model.journal.page()
        if strategy.makesAccounts {
            let line = try #require(lines.first { $0.kind == "sign_in" })
            #expect(line.actor == uid && line.subject == uid)
            #expect(line.detail == #"{"provider":"\#(strategy)"}"#)
        } else {
            #expect(lines.count == before)
        }
        #expect(try await fixture.model.journal.verify().firstFault == nil)
        await fixture.model.close()
    }

    @Test(arguments: StrategyUnderTest.ofAccounts)
    func `the journal has a line for each new account`(_ strategy: StrategyUnderTest) async throws {
        let fixture = try await SignInFixture(strategy)
        let uid = try await fixture.prove().account.uid.rawValue
        let subjects = try await fixture.lines(.signUp).map(\.subject)
        #expect(subjects.count { $0 == uid } == 1)
        await fixture.model.close()
    }
}
