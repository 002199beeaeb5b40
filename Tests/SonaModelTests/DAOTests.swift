import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

struct DAOTests {
    private func user(_ name: String, passwordHash: String? = "old") throws -> UserRecord {
        UserRecord(
            try #require(UserID(name)), username: try #require(Username(name)),
            email: EmailAddress("\(name)@example.org"), passwordHash: passwordHash, createdMilliseconds: 1)
    }

    private func token(_ user: UserRecord, now: Int64) -> RefreshTokenRecord {
        RefreshTokenRecord(.random(), family: "\(user.uid) \(now)", uid: user.uid, now: now)
    }

    @Test func `a sign-in that another password or the end of the account has overtaken is refused`() async throws {
        let (database, daos) = try await DatabaseQueue.inMemory(daos: SonaDAOs.self)
        let (ada, bob) = (try user("ada"), try user("bob"))
        for user in [ada, bob] { try await daos.users.signUp(user, displayName: nil, token: token(user, now: 1)) }
        func signIn(_ user: UserRecord, newHash: String? = nil) async -> AccountError? {
            await failure { () throws(AccountError) in
                try await daos.users.signIn(user, newHash: newHash, token: token(user, now: 2))
            }
        }
        func tokens() async throws -> Int { try await database.read { db in try db.count(RefreshTokenRecord.self) } }
        #expect(await signIn(ada) == nil)
        #expect(await signIn(ada, newHash: "new") == nil)
        #expect(try await daos.users.profile(ada.uid)?.user.passwordHash == "new")
        #expect(try await daos.users.profile(bob.uid)?.user.passwordHash == "old")
        #expect(try await tokens() == 4)
        // It was checked against the hash that has just been replaced.
        #expect(await signIn(ada) == .credentialsInvalid)
        #expect(await signIn(ada, newHash: "newer") == .credentialsInvalid)
        _ = try await database.write { db in try db.delete(UserRecord.self, key: bob.uid) }
        #expect(await signIn(bob) == .credentialsInvalid)
        #expect(try await daos.users.profile(ada.uid)?.user.passwordHash == "new")
        #expect(try await tokens() == 3)
        await database.close()
    }

    @Test func `a token that is added clears what of its user has expired, and nobody else's`() async throws {
        let (database, daos) = try await DatabaseQueue.inMemory(daos: SonaDAOs.self)
        let (ada, bob) = (try user("ada"), try user("bob"))
        for user in [ada, bob] { try await daos.users.signUp(user, displayName: nil, token: token(user, now: 1)) }
        func families(_ user: UserRecord) async throws -> [String] {
            try await database.read { db in
                try db.all(
                    RefreshTokenRecord.filter(RefreshTokenRecord.uid == user.uid)
                        .order(RefreshTokenRecord.created.ascending)
                ).map(\.family)
            }
        }
        let last = 1 + RefreshToken.lifetimeMilliseconds
        try await daos.users.signIn(ada, newHash: nil, token: token(ada, now: last - 1))
        #expect(try await families(ada) == ["ada 1", "ada \(last - 1)"])
        try await daos.users.signIn(ada, newHash: nil, token: token(ada, now: last))
        #expect(try await families(ada) == ["ada \(last - 1)", "ada \(last)"])
        #expect(try await families(bob) == ["bob 1"])
        await database.close()
    }

    @Test func `the longer of two revocations counts, and one that is over is forgotten`() async throws {
        let (database, daos) = try await DatabaseQueue.inMemory(daos: SonaDAOs.self)
        func add(_ family: String, until: Int64, now: Int64) async throws {
            let record = RevokedFamilyRecord(family: family, untilMilliseconds: until)
            try await database.write { db in try RevokedFamilyDAO.add(record, now: now, in: &db) }
        }
        func current(now: Int64) async throws -> [String: Int64] {
            let records = try await daos.revokedFamilies.current(now: now)
            return Dictionary(uniqueKeysWithValues: records.map { ($0.family, $0.untilMilliseconds) })
        }
        try await add("a", until: 10, now: 0)
        try await add("b", until: 20, now: 0)
        try await add("a", until: 5, now: 0)
        try await add("b", until: 30, now: 0)
        #expect(try await current(now: 9) == ["a": 10, "b": 30])
        #expect(try await current(now: 10) == ["b": 30])
        try await add("c", until: 40, now: 30)
        #expect(try await current(now: 0) == ["c": 40])
        await database.close()
    }

    @Test func `the server's own account is made once, and nobody can sign in to it`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let demo = try await model.accounts.systemAccount(username: "Demo")
        #expect(demo.username?.rawValue == "Demo" && !demo.isGuest && demo.family == nil)
        #expect(try await model.accounts.systemAccount(username: "dEMO") == demo)
        #expect(try await model.accounts.profile(of: demo.uid) == (nil, nil, nil, false))
        _ = try await model.accounts.signUp("ada")
        #expect(
            await failure { () throws(AccountError) in try await model.accounts.systemAccount(username: "Ada") }
                == .usernameTaken)
        #expect(
            await failure { () throws(AccountError) in try await model.accounts.systemAccount(username: "a b") }
                == .usernameInvalid)
        #expect(await failure { () throws(AccountError) in try await model.accounts.signUp("demo") } == .usernameTaken)
        #expect(
            await failure { () throws(AccountError) in try await model.accounts.signIn("demo") } == .credentialsInvalid)
        await model.close()
    }
}
