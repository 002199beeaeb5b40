import SonaDatabase
import SonaTestSupport
import SonaText
import SonaWire
import Testing

@testable import SonaModel

/// Conversion of database errors, and the plans of frequent queries.
struct StorageTests {
    @Test func `a taken address and a taken name are distinguished by the violated index`() async throws {
        let queue = try await DatabaseQueue.inMemory(daos: ModelDAOs.self)
        func add(_ uid: String, _ name: String, _ email: String) async throws -> Refusal? {
            let user = UserRecord(
                try #require(UserID(uid)), username: Username(name),
                email: EmailAddress(email), passwordHash: "$", createdMilliseconds: 1)
            let look = try UsernameRules.ascii.check(name)
            return await refusal {
                try await queue.daos.users.write { db in
                    try UserDAO.add(user, look, in: &db)
                }
            }
        }
        #expect(try await add("1", "ada", "ada@example.org") == nil)
        #expect(try await add("2", "bob", "ADA@example.org") == .emailTaken)
        #expect(try await add("3", "ADA", "bob@example.org") == .usernameTaken)
        // A similar name violates another index.
        #expect(try await add("4", "aida", "aida@example.org") == nil)
        #expect(try await add("5", "alda", "alda@example.org") == .usernameTaken)
        // The same identifier twice: a guest who is an account already.
        #expect(try await add("1", "cyd", "cyd@example.org") == .tokenInvalid)
        // An account is stored completely or not at all.
        let counts = try await queue.database.read { db in
            [
                try db.count(UserRecord.self), try db.count(ProfileRecord.self), try db.count(SettingsRecord.self),
                try db.count(UsernameLookRecord.self),
            ]
        }
        #expect(counts == [2, 2, 2, 2])
        await queue.database.close()
    }

    @Test func `the database's error is kept for the log and never sent`() async throws {
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let uid = try await model.accounts.signUp("ada").account.uid
        let beside = try await Model.look(folder)
        try await beside.write { db in
            try db.execute("ALTER TABLE users RENAME TO people")
            try db.execute("ALTER TABLE rooms RENAME TO places")
        }
        await beside.close()
        let account = await refusal { try await model.accounts.signIn("ada") }
        guard let error = account?.cause else {
            Issue.record("\(String(describing: account))")
            return
        }
        #expect(error.detail == "no such table: users")
        #expect(account?.code == .serverStorageFailed)
        #expect(!"\(account!)".contains("no such table"))
        let room = await refusal {
            try await model.rooms.create(RoomSettings(title: "x"), owner: uid)
        }
        guard room?.cause != nil else {
            Issue.record("\(String(describing: room))")
            return
        }
        #expect(room?.code == .serverStorageFailed)
        await model.close()
    }

    @Test func `errors of a busy or closed database have their own codes`() async throws {
        let busy = DatabaseError(kind: .busy)
        #expect(Refusal(busy) == .busy(retryAfterMilliseconds: 1_000))
        #expect(RoomDAO.meaning(of: DatabaseError(kind: .check("lead_ms"))) == .invalid)
        for kind in [.full, .io, .closed, .foreignKey, .unique(table: "rooms", columns: ["id"])] as [DatabaseError.Kind]
        {
            let error = DatabaseError(kind: kind)
            #expect(Refusal(error) == nil)
            #expect(UserDAO.meaning(of: error) == nil)
            #expect(RoomDAO.meaning(of: error) == nil)
        }
        let folder = TemporaryFolder()
        let model = try await Model.opened(folder)
        let room = try #require(RoomID("abcdefghij0123456789"))
        await model.close()
        let error = await refusal { try await model.rooms.room(room) }
        #expect(error == .storage(DatabaseError(kind: .closed)))
    }

    @Test func `frequent queries use an index and sort nothing`() async throws {
        let (queue, _) = try await DatabaseQueue.inMemory(daos: ModelDAOs.self)
        func plan(_ sql: SQL) async throws -> [String] {
            try await queue.read { db in
                try db.all("EXPLAIN QUERY PLAN \(sql)") { row in try row[3] as String }
            }
        }
        let email = UserRecord.filter(UserRecord.emailKey == "ada@example.org")
        #expect(try await plan(email.sql) == ["SEARCH users USING INDEX sqlite_autoindex_users_2 (email_key=?)"])
        let owner = UserID("ada")
        let id = try #require(RoomID("abcdefghij0123456789"))
        for (publicOnly, by, index) in [
            (false, nil, "rooms_by_age"), (true, nil, "public_rooms_by_age"), (false, owner, "rooms_by_owner"),
        ] {
            for (cursor, asker) in [(nil, nil), ((createdMs: 5 as Int64, id: id), nil), (nil, owner)] {
                let rest = RoomDAO.page(
                    publicOnly: publicOnly, owner: by, hiddenFrom: asker, after: cursor, limit: 5)
                let plan = try await plan("\(RoomStore.StoredRoom.select) \(rest)")
                #expect(plan.contains { $0.contains("rooms USING INDEX \(index)") }, "\(plan)")
                #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
            }
        }
        await queue.close()
    }
}
