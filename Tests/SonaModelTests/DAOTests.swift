import SonaBase
import SonaDatabase
import SonaTestSupport
import SonaText
import SonaWire
import Testing

@testable import SonaModel

struct DAOTests {
    private func user(_ name: String, passwordHash: String? = "old") throws -> UserRecord {
        UserRecord(
            try #require(UserID(name)), username: Username(name),
            email: EmailAddress("\(name)@example.org"), passwordHash: passwordHash, createdMilliseconds: 1)
    }

    /// Goal: a sign-in is decided by the password at its commit, not by the one that was checked. Way: the password
    /// threads are kept busy while the sign-in waits, and the database is changed meanwhile. A sign-in that is slower
    /// than the change is refused as well.
    @Test func `a sign-in is refused if the password or the account changed while it was checked`() async throws {
        let changes: [(SQL, signIns: Int)] = [
            ("UPDATE users SET password_hash = '$scrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAA'", 1),
            ("DELETE FROM users", 0),
        ]
        for (change, signIns) in changes {
            let folder = TemporaryFolder()
            let model = try await Model.opened(folder)
            _ = try await model.accounts.signUp("ada")
            let gate = Monitor(false)
            let workers = model.accounts.local.workers
            let error = try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 { group.addTask { try await workers.run { gate.wait { $0 ? () : nil } } } }
                try await Task.sleep(for: .milliseconds(100))
                async let refused = refusal { try await model.accounts.signIn("ada") }
                try await Task.sleep(for: .milliseconds(200))
                try await Model.execute(change, in: folder)
                gate.notify { $0 = true }
                return await refused
            }
            #expect(error == .credentialsInvalid)
            #expect(try await Model.rowCounts(folder)["refresh_tokens"] == signIns)
            await model.close()
        }
    }

    @Test func `adding a token deletes the expired tokens of its user, and nobody else's`() async throws {
        let (database, _) = try await DatabaseQueue.inMemory(daos: ModelDAOs.self)
        let (ada, bob) = (try user("ada"), try user("bob"))
        @Sendable func add(_ user: UserRecord, now: Int64, in db: inout WriteAccess) throws {
            let family = "\(user.uid) \(now)"
            guard let token = RefreshToken(family) else { return }
            try RefreshTokenDAO.add(RefreshTokenRecord(token, family: family, uid: user.uid, now: now), in: &db)
        }
        try await database.write { db in
            for user in [ada, bob] {
                try UserDAO.add(user, nil, in: &db)
                try add(user, now: 1, in: &db)
            }
        }
        func families(_ user: UserRecord) async throws -> [String] {
            try await database.read { db in
                try db.all(
                    RefreshTokenRecord.filter(RefreshTokenRecord.uid == user.uid)
                        .order(RefreshTokenRecord.created.ascending)
                ).map(\.family)
            }
        }
        let last = 1 + RefreshToken.lifetimeMilliseconds
        try await database.write { db in try add(ada, now: last - 1, in: &db) }
        #expect(try await families(ada) == ["ada 1", "ada \(last - 1)"])
        try await database.write { db in try add(ada, now: last, in: &db) }
        #expect(try await families(ada) == ["ada \(last - 1)", "ada \(last)"])
        #expect(try await families(bob) == ["bob 1"])
        await database.close()
    }

    @Test func `the longer of two revocations counts, and an expired one is deleted`() async throws {
        let (database, daos) = try await DatabaseQueue.inMemory(daos: ModelDAOs.self)
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
        func refused(_ name: String) async -> Refusal? {
            await refusal { try await model.accounts.systemAccount(username: name) }
        }
        let demo = try await model.accounts.systemAccount(username: "Demo")
        #expect(demo.username?.rawValue == "Demo" && !demo.isGuest && demo.family == nil)
        #expect(try await model.accounts.systemAccount(username: "dEMO") == demo)
        let own = try await model.people.own(demo.uid)
        #expect(own.email == nil && own.profile == Profile())
        _ = try await model.accounts.signUp("ada")
        #expect(await refused("Ada") == .usernameTaken)
        #expect(await refused("a b") == .usernameInvalid(.invalidCharacter(at: 1)))
        #expect(
            await refusal { try await model.accounts.signUp("demo") }
                == .usernameInvalid(.reserved))
        #expect(
            await refusal { try await model.accounts.signIn("demo") } == .credentialsInvalid)
        await model.close()
    }
}
