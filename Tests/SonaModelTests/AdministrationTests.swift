import SonaBase
import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// Bans, roles and lists of accounts.
struct AdministrationTests {
    private let folder = TemporaryFolder()
    private let calendar = ManualCalendar()

    private func opened() async throws -> Model { try await Model.opened(folder, calendar) }

    private func authenticate(_ model: Model, _ token: String) -> Refusal? {
        do throws(Refusal) {
            _ = try model.accounts.authenticate(accessToken: token)
            return nil
        } catch {
            return error
        }
    }

    // MARK: Bans

    @Test func `a ban refuses every token at once, outlives a restart, and ends by itself`() async throws {
        var model = try await opened()
        let admin = try await model.accounts.signUp("ada")
        _ = try await model.accounts.setRole(of: .id(admin.account.uid), to: .admin, by: nil)
        let bob = try await model.accounts.signUp("bob")
        let events = Monitor<[AccountEvent]>([])
        model.accounts.onEvent { event in events.withLock { $0.append(event) } }
        let summary = try await model.accounts.ban(
            .id(bob.account.uid), seconds: 600, reason: "Noise.", by: admin.account)
        let until = calendar.clock.nowMilliseconds() + 600_000
        #expect(summary.ban == Ban(untilMilliseconds: until, reason: "Noise."))
        #expect(events.withLock { $0 }.contains(.expelled(bob.account.uid)))
        for passed in [0, 599] as [Int64] {
            calendar.advance(seconds: passed)
            let wait = Refusal.banned(retryAfterMilliseconds: Int(600 - passed) == 600 ? 600_000 : 1_000)
            #expect(authenticate(model, bob.accessToken) == wait)
            #expect(
                await refusal { try await model.accounts.refresh(bob.refreshToken) } == wait)
            #expect(authenticate(model, admin.accessToken) == nil)
            await model.close()
            model = try await opened()
        }
        calendar.advance(seconds: 1)
        #expect(try await model.accounts.signIn("bob").account == bob.account)
        let line = try #require(try await model.journal.page(kind: .banned).first)
        #expect(line.actor == admin.account.uid.rawValue && line.subject == bob.account.uid.rawValue)
        // The journal omits the reason: it may contain anything, and is deleted with the ban.
        #expect(line.detail == #"{"seconds":600}"#)
        await model.close()
    }

    @Test func `a ban replaces the former one, and lifting a missing ban is not an error`() async throws {
        let model = try await opened()
        let bob = try await model.accounts.signUp("bob")
        let reference = UserReference.id(bob.account.uid)
        _ = try await model.accounts.ban(reference, seconds: nil, reason: "For good.", by: nil)
        let shorter = try await model.accounts.ban(reference, seconds: 10, reason: "", by: nil)
        #expect(shorter.ban?.reason == nil && shorter.ban?.untilMilliseconds != nil)
        calendar.advance(seconds: 10)
        _ = try await model.accounts.signIn("bob")
        for _ in 0..<2 { #expect(try await model.accounts.unban(reference, by: nil).ban == nil) }
        #expect(try await model.journal.page(kind: .unbanned).count == 1)
        await model.close()
    }

    @Test func `an administrator's target must exist and must not be themselves`() async throws {
        let model = try await opened()
        let ada = try await model.accounts.signUp("ada").account
        let nobody = try #require(UserReference("@nobody.here"))
        let (oneself, name) = (UserReference.id(ada.uid), try #require(UserReference("@ADA")))
        for (reference, expected) in [
            (nobody, Refusal.userUnknown), (oneself, .oneself), (name, .oneself),
        ] {
            #expect(
                await refusal {
                    try await model.accounts.ban(reference, seconds: nil, reason: nil, by: ada)
                } == expected)
            #expect(
                await refusal {
                    try await model.accounts.setRole(of: reference, to: .admin, by: ada)
                } == expected)
        }
        #expect(
            await refusal { try await model.accounts.unban(nobody, by: ada) } == .userUnknown
        )
        // The operator may do it.
        #expect(try await model.accounts.setRole(of: name, to: .admin, by: nil).role == .admin)
        await model.close()
    }

    @Test func `the longest ban does not overflow the clock`() async throws {
        let model = try await opened()
        let bob = try await model.accounts.signUp("bob")
        for seconds in [0, -1, .min, .max, Int64.max / 1_000 + 1] as [Int64] {
            let ban = try await model.accounts.ban(.id(bob.account.uid), seconds: seconds, reason: nil, by: nil).ban
            let until = try #require(ban?.untilMilliseconds)
            #expect(until > calendar.clock.nowMilliseconds() && until < .max / 2)
        }
        await model.close()
    }

    // MARK: Roles

    @Test func `a new role holds at once, for old tokens too, and after a restart`() async throws {
        var model = try await opened()
        let admin = try await model.accounts.signUp("ada").account
        _ = try await model.accounts.setRole(of: .id(admin.uid), to: .admin, by: nil)
        let bob = try await model.accounts.signUp("bob")
        for role in [AccountRole.admin, .curator, .user] {
            #expect(try await model.accounts.setRole(of: .id(bob.account.uid), to: role, by: admin).role == role)
            for _ in 0..<2 {
                #expect(try model.accounts.authenticate(accessToken: bob.accessToken).role == role)
                await model.close()
                model = try await opened()
            }
            let signedIn = try await model.accounts.signIn("bob")
            #expect(try model.accounts.authenticate(accessToken: signedIn.accessToken).role == role)
            #expect(try await model.people.own(bob.account.uid).role == role)
        }
        // Setting the current role again changes nothing.
        _ = try await model.accounts.setRole(of: .id(bob.account.uid), to: .user, by: admin)
        let lines = try await model.journal.page(kind: .roleChanged).filter { $0.actor != nil }
        #expect(
            lines.map(\.detail) == [
                #"{"from":"curator","to":"user"}"#, #"{"from":"admin","to":"curator"}"#,
                #"{"from":"user","to":"admin"}"#,
            ])
        #expect(lines.allSatisfy { $0.actor == admin.uid.rawValue && $0.subject == bob.account.uid.rawValue })
        await model.close()
    }

    /// Goal: authentication agrees with the database after concurrent changes. Way: name and role of one account change
    /// many times at once. Afterwards the oldest token must show what is stored.
    @Test func `of concurrent changes the last committed one counts`() async throws {
        let model = try await opened()
        let bob = try await model.accounts.signUp("bob")
        let (accounts, reference) = (model.accounts, UserReference.id(bob.account.uid))
        for round in 0..<25 {
            await withTaskGroup(of: Void.self) { group in
                for role in [AccountRole.admin, .user, .curator] {
                    group.addTask { _ = try? await accounts.setRole(of: reference, to: role, by: nil) }
                }
                group.addTask {
                    guard let old = try? accounts.authenticate(accessToken: bob.accessToken).username else { return }
                    _ = try? await accounts.change(username: "bob\(round)", from: old, bob.account)
                }
                group.addTask { _ = try? await accounts.ban(reference, seconds: nil, reason: nil, by: nil) }
                group.addTask { _ = try? await accounts.unban(reference, by: nil) }
            }
            let isBanned = try await accounts.summary(of: reference).ban != nil
            #expect((authenticate(model, bob.accessToken) != nil) == isBanned)
            _ = try await accounts.unban(reference, by: nil)
            let (told, stored) = (
                try accounts.authenticate(accessToken: bob.accessToken), try await accounts.summary(of: reference)
            )
            #expect(told.role == stored.role && told.username == stored.user.username)
        }
        await model.close()
    }

    // MARK: Lists

    @Test func `accounts are listed newest first, by name, role and ban`() async throws {
        let model = try await opened()
        var uids: [String: UserID] = [:]
        for name in ["ada", "Bob", "bobby", "cyd", "dan"] {
            calendar.advance(seconds: 1)
            uids[name] = try await model.accounts.signUp(name).account.uid
        }
        func names(_ filter: Accounts.Filter, limit: Int = 100) async throws -> [String] {
            var names: [String] = []
            var cursor: (createdMs: Int64, uid: UserID)?
            while true {
                let page = try await model.accounts.list(filter, after: cursor, limit: limit)
                names += page.compactMap { $0.user.username?.rawValue }
                guard page.count == limit, let last = page.last else { return names }
                cursor = (last.createdMilliseconds, last.user.uid)
            }
        }
        _ = try await model.accounts.setRole(of: .id(try #require(uids["cyd"])), to: .admin, by: nil)
        _ = try await model.accounts.ban(.id(try #require(uids["dan"])), seconds: nil, reason: nil, by: nil)
        _ = try await model.accounts.ban(.id(try #require(uids["ada"])), seconds: 5, reason: nil, by: nil)
        for limit in [1, 2, 5, 100] {
            #expect(try await names(Accounts.Filter(), limit: limit) == ["dan", "cyd", "bobby", "Bob", "ada"])
            #expect(try await names(Accounts.Filter(query: "BOB"), limit: limit) == ["bobby", "Bob"])
            #expect(try await names(Accounts.Filter(isBanned: true), limit: limit) == ["dan", "ada"])
            #expect(try await names(Accounts.Filter(role: .user, isBanned: false), limit: limit) == ["bobby", "Bob"])
        }
        #expect(try await names(Accounts.Filter(role: .admin)) == ["cyd"])
        for odd in ["%", "'", "_ob", "\0", "b%"] { #expect(try await names(Accounts.Filter(query: odd)) == []) }
        // The list does not search e-mail addresses.
        #expect(try await names(Accounts.Filter(query: "ada@example.org")) == [])
        calendar.advance(seconds: 5)
        #expect(try await names(Accounts.Filter(isBanned: true)) == ["dan"])
        await model.close()
    }

    @Test func `an account is found by its whole identifier, whatever characters it has`() async throws {
        let model = try await opened()
        for name in ["ada", "bob", "cyd"] {
            let uid = try await model.accounts.signUp(name).account.uid
            let found = try await model.accounts.list(Accounts.Filter(query: uid.rawValue), after: nil, limit: 10)
            #expect(found.map(\.user.uid) == [uid])
            #expect(try await model.accounts.summary(of: .id(uid)).user.uid == uid)
            #expect(try await model.accounts.summary(of: .username(try #require(Username(name)))).user.uid == uid)
        }
        await model.close()
    }

    @Test func `the operator's new account is confirmed and has the given role`() async throws {
        let model = try await opened()
        let made = try await model.accounts.create(
            email: "root@example.org", password: "12345678", username: "Grace", role: .admin)
        #expect(made.role == .admin && made.user.username?.rawValue == "Grace")
        let grant = try await model.accounts.signIn(email: "root@example.org", password: "12345678", address: nil)
        #expect(grant.account.role == .admin && grant.account.uid == made.user.uid)
        #expect(try await model.people.own(made.user.uid).isEmailConfirmed)
        let again = await refusal {
            try await model.accounts.create(
                email: "other@example.org", password: "12345678", username: "6race", role: .user)
        }
        #expect(again == nil)
        let taken = await refusal {
            try await model.accounts.create(
                email: "ROOT@example.org", password: "12345678", username: "someone2", role: .user)
        }
        #expect(taken == .emailTaken)
        await model.close()
    }
}
