import Glibc
import SonaCrypto
import SonaDatabase
import SonaTestSupport
import SonaText
import SonaWire
import Testing

@testable import SonaModel

/// Files of the releases before: the two migrations that are out, and what comes on top of them.
struct UpgradeTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.file("data/sona.sqlite") }
    private let ada = "0123456789012345678901234567"
    private let token = String(repeating: "t", count: 43)
    private static let released = 2

    /// A file as the release with the two migrations leaves it, with rows in every table, and its key beside it. `step`
    /// comes on top.
    private func makeOldFile(_ step: @escaping @Sendable (inout WriteAccess) throws -> Void = { _ in }) async throws {
        mkdir(folder.file("data"), 0o700)
        mkdir(folder.file("data/keys"), 0o700)
        _ = try SigningKey.loadOrCreate(atPath: folder.file("data/keys/signing.pem"))
        let pool = try await look(Self.released)
        let hash = try PasswordHash.hash("pass-ada-word", cost: .test)
        let (ada, token) = (ada, Digest.sha256(token.utf8))
        try await pool.write { db in
            try db.execute(
                """
                INSERT INTO users VALUES
                    (\(ada), 'Ada@example.org', 'ada@example.org', 'Ada', 'ada', \(hash), 'admin', 1),
                    ('demo', NULL, NULL, 'demo', 'demo', NULL, 'user', 2),
                    ('nobody', NULL, NULL, NULL, NULL, NULL, 'user', 3)
                """)
            try db.execute("INSERT INTO profiles VALUES (\(ada), 'Ada', \("Löwe\0"), 1), ('demo', NULL, NULL, 0)")
            try db.execute(
                "INSERT INTO settings VALUES (\(ada), 'interactive', 'private'), ('demo', 'party', 'public')")
            try db.execute("INSERT INTO refresh_tokens VALUES (\(token), 'family', \(ada), 5, 4000000000000, NULL)")
            try db.execute("INSERT INTO revoked_families VALUES ('gone', 4000000000000)")
            try db.execute(
                """
                INSERT INTO rooms VALUES
                    ('abcdefghij0123456789', \(ada), 'One', 'public', 'party', 600, 10, 20),
                    ('ABCDEFGHIJ0123456789', \(ada), '', 'private', 'interactive', 150, 11, NULL)
                """)
            try db.execute(
                "INSERT INTO room_playback VALUES ('abcdefghij0123456789', 2, -7, 1000000, 8, 'abc', 9, 4294967295, 1)")
            try step(&db)
        }
        await pool.close()
    }

    /// The file with the first migrations of the timeline, without what the model does.
    private func look(_ migrations: Int = ModelSchema.timeline.count) async throws(DatabaseError) -> DatabasePool {
        try await DatabasePool.open(
            path, applicationID: ModelSchema.applicationID, migrations: Array(ModelSchema.timeline.prefix(migrations)))
    }

    /// The text of the schema and every row of every table, migrations included.
    private func contents(_ migrations: Int) async throws -> [[DatabaseValue]] {
        let pool = try await look(migrations)
        let contents = try await pool.read { db in
            let schema = try db.all("SELECT name, sql FROM sqlite_schema ORDER BY name", Self.values)
            return try Self.tables(&db).reduce(into: schema) { rows, name in
                rows += try db.all("SELECT * FROM \(try SQL.identifier(name))", Self.values)
            }
        }
        await pool.close()
        return contents
    }

    private static func tables(_ db: inout ReadAccess) throws -> [String] {
        try db.values(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
            as: String.self)
    }

    @Sendable private static func values(_ row: inout Row) throws -> [DatabaseValue] {
        var values: [DatabaseValue] = []
        for _ in 0..<row.columnCount { values.append(try row.next()) }
        return values
    }

    /// An old user with profile and settings.
    private static func add(
        _ uid: String, _ name: String, created: Int64, displayName: String? = nil, isPublic: Bool = false,
        in db: inout WriteAccess
    ) throws {
        let hash = try PasswordHash.hash("pass-\(name)-word", cost: .test)
        let email = "\(name)@example.org"
        try db.execute(
            """
            INSERT INTO users VALUES
                (\(uid), \(email), \(email.lowercased()), \(name), \(name.lowercased()), \(hash), 'user', \(created))
            """)
        try db.execute("INSERT INTO profiles VALUES (\(uid), \(displayName), NULL, \(isPublic))")
        try db.execute("INSERT INTO settings (uid) VALUES (\(uid))")
    }

    @Test func `moderators of before are users, and curators take their place`() async throws {
        try await makeOldFile { db in try db.execute("UPDATE users SET role = 'moderator' WHERE uid = 'nobody'") }
        let pool = try await look()
        let roles = try await pool.read { db in
            try db.values("SELECT uid || ' ' || role FROM users ORDER BY role, uid", as: String.self)
        }
        #expect(roles == ["\(ada) admin", "demo user", "nobody user"])
        let rooms = try await pool.read { db in try db.value("SELECT count(*) FROM rooms", as: Int.self) }
        #expect(rooms == 2, "what refers to users stays")
        try await pool.write { db in try db.execute("UPDATE users SET role = 'curator' WHERE uid = 'demo'") }
        await #expect(throws: DatabaseError.self) {
            try await pool.write { db in try db.execute("UPDATE users SET role = 'moderator' WHERE uid = 'demo'") }
        }
        await pool.close()
    }

    @Test func `keys that there were not yet are made, and the one that there was is asked for`() async throws {
        try await makeOldFile()
        let signing = folder.file("data/keys/signing.pem")
        let key = try #require(TemporaryFolder.bytes(ofFile: signing))
        try #require(unlink(signing) == 0)
        let lost = await failure { () throws(ModelError) in try await Model.opened(folder) }
        #expect(lost == .keysLost(folder: folder.file("data/keys"), names: ["signing.pem"]))
        TemporaryFolder.write(key, toFile: signing)
        try await Model.opened(folder).close()
        for name in ["journal.key", "invites.key", "refresh.key", "sealing.key"] {
            #expect(TemporaryFolder.mode(ofFile: folder.file("data/keys/\(name)")) == 0o600, "\(name)")
        }
    }

    // MARK: What was there

    @Test func `nothing that a file of the released migrations holds is changed or lost`() async throws {
        try await makeOldFile()
        let old = try await look(Self.released)
        let tables = try await old.read { db in
            try Self.tables(&db).filter { $0 != "schema_migrations" }.map { name in
                let columns = try db.values(
                    "SELECT name FROM pragma_table_info(\(name)) ORDER BY cid", as: String.self)
                return (name: name, columns: columns, rows: try Self.rows(name, columns, &db))
            }
        }
        await old.close()
        #expect(tables.count == 7 && tables.allSatisfy { !$0.rows.isEmpty })

        try await Model.opened(folder).close()
        let new = try await look()
        for table in tables {
            let rows = try await new.read { db in try Self.rows(table.name, table.columns, &db) }
            #expect(rows == table.rows, "\(table.name)")
        }
        await new.close()
    }

    private static func rows(
        _ table: String, _ columns: [String], _ db: inout ReadAccess
    ) throws -> [[DatabaseValue]] {
        var list: SQL = ""
        for (place, column) in columns.enumerated() {
            list = place == 0 ? try SQL.identifier(column) : "\(list), \(try SQL.identifier(column))"
        }
        return try db.all("SELECT \(list) FROM \(try SQL.identifier(table)) ORDER BY 1, 2", Self.values)
    }

    @Test func `who had an account before has it still, with rooms, tokens and revocations`() async throws {
        try await makeOldFile()
        let model = try await Model.opened(folder)
        let account = try await model.accounts.signIn("ada").account
        #expect(account.uid.rawValue == ada && account.username?.rawValue == "Ada" && account.role == .admin)
        let own = try await model.people.own(account.uid)
        #expect(own.email == "Ada@example.org" && !own.isEmailConfirmed && own.role == .admin)
        #expect(own.profile == Profile(displayName: "Ada", bio: "Löwe\0", isPublic: true))
        #expect(
            own.settings
                == Settings(
                    locale: .englishUS, theme: .system, shading: false, delivery: .interactive, visibility: .private,
                    presence: .nobody))
        #expect(try await model.accounts.refresh(token).account == account)
        #expect(model.accounts.isRevoked("gone") && !model.accounts.isRevoked("family"))
        #expect(try await model.accounts.systemAccount(username: "DEMO").uid.rawValue == "demo")
        let rooms = try await model.rooms.list(publicOnly: false, owner: account.uid, after: nil, limit: 9)
        #expect(
            rooms.map(\.settings.title) == ["", "One"] && rooms.map(\.settings.delivery) == [.interactive, .party])
        #expect(
            rooms.map(\.settings.visibility) == [.private, .public] && rooms.map(\.lastLiveMilliseconds) == [nil, 20])
        #expect(rooms[0].playback == nil)
        #expect(
            rooms[1].playback
                == RoomStore.StoredPlayback(
                    state: .paused, positionMicroseconds: -7, ratePPM: 1_000_000, anchorMonotonicMicroseconds: 8,
                    clockID: "abc", anchorWallMilliseconds: 9, revision: .max, hasAudio: true))
        await model.close()
    }

    // MARK: What comes on top

    @Test func `a file brought up to date stays as it is at the next opening`() async throws {
        try await makeOldFile()
        try await Model.opened(folder).close()
        let once = try await contents(ModelSchema.timeline.count)
        try await Model.opened(folder).close()
        #expect(try await contents(ModelSchema.timeline.count) == once)
    }

    @Test func `of old names that look alike the oldest has the look, and all keep their names`() async throws {
        try await makeOldFile { db in
            try Self.add("late", "rnike", created: 30, in: &db)
            try Self.add("first", "mike", created: 20, in: &db)
            // Of the same moment: the identifier decides.
            try Self.add("b", "Aline", created: 40, in: &db)
            try Self.add("a", "AIine", created: 40, in: &db)
        }
        let model = try await Model.opened(folder)
        for (name, uid) in [("rnike", "late"), ("mike", "first"), ("Aline", "b"), ("AIine", "a")] {
            let account = try await model.accounts.signIn(name).account
            #expect(account.uid.rawValue == uid && account.username?.rawValue == name)
        }
        let beside = try await Model.look(folder)
        let looks = try await beside.read { db in try db.all(UsernameLookRecord.all) }
        await beside.close()
        let owners = Dictionary(uniqueKeysWithValues: looks.map { ($0.look, $0.uid.rawValue) })
        #expect(
            owners == [
                NameKey("Ada").text: ada, NameKey("demo").text: "demo", NameKey("mike").text: "first",
                NameKey("aline").text: "a",
            ])
        for name in ["m1ke", "MIKE", "RNIKE", "rn1ke", "a1ine", "4da"] {
            let expected: Refusal? = name == "4da" ? nil : .usernameTaken
            let other = Accounts.SignUp(email: "x@example.org", password: "12345678", username: name)
            #expect(await refusal { try await model.accounts.signUp(other) } == expected)
        }
        await model.close()
    }

    @Test func `who has a name without a look can still write it otherwise`() async throws {
        try await makeOldFile { db in
            try Self.add("first", "mike", created: 20, in: &db)
            try Self.add("late", "rnike", created: 30, in: &db)
        }
        let model = try await Model.opened(folder)
        let late = try await model.accounts.signIn("rnike").account
        let error = await refusal {
            try await model.accounts.change(username: "RNike", from: Self.name("rnike"), late)
        }
        #expect(error == nil)
        #expect(try await model.accounts.signIn("rnike").account.username?.key == "rnike")
        await model.close()
    }

    private static func name(_ text: String) throws(Refusal) -> Username {
        guard let name = Username(text) else { throw .usernameMismatch }
        return name
    }

    /// Goal: an old name stays hard to mistake. Way: who has the look goes; the other's name is as it was.
    @Test func `a name without a look is not to be imitated once the one with the look has gone`() async throws {
        try await makeOldFile { db in
            try Self.add("first", "mike", created: 20, in: &db)
            try Self.add("late", "rnike", created: 30, in: &db)
        }
        let calendar = ManualCalendar()
        let model = try await Model.opened(folder, calendar)
        let mike = try await model.accounts.signIn("mike").account
        _ = try await model.accounts.change(username: "someone.else", from: try #require(Username("mike")), mike)
        #expect(await refusal { try await model.accounts.signUp("m1ke") } == .usernameTaken)
        // While the name is held, its owner may have it back.
        #expect(try await model.accounts.check(username: "mike", for: mike, address: nil).refusal == nil)
        _ = try await model.accounts.change(username: "mike", from: try #require(Username("someone.else")), mike)
        #expect(await refusal { try await model.accounts.signUp("m1ke") } == .usernameTaken)
        _ = try await model.accounts.change(username: "someone.else", from: try #require(Username("mike")), mike)
        calendar.advance(milliseconds: HeldNameRecord.heldMilliseconds)
        #expect(await refusal { try await model.accounts.signUp("m1ke") } == .usernameTaken)
        #expect(try await model.accounts.check(username: "mike", for: mike, address: nil).refusal == .usernameTaken)
        await model.close()
    }

    @Test func `a look goes to the oldest name that has it until none is left`() async throws {
        try await makeOldFile { db in
            try Self.add("first", "mike", created: 20, in: &db)
            try Self.add("last", "MlKE", created: 40, in: &db)
            try Self.add("late", "rnike", created: 30, in: &db)
        }
        let model = try await Model.opened(folder)
        for (name, next) in [("mike", "late"), ("rnike", "last"), ("MlKE", nil)] as [(String, String?)] {
            let account = try await model.accounts.signIn(name).account
            try await model.accounts.remove(account, code: try await model.accounts.export(account).code)
            let beside = try await Model.look(folder)
            let look = try await beside.read { db in
                try db.first(UsernameLookRecord.self, key: NameKey("mike").text)
            }
            await beside.close()
            #expect(look?.uid.rawValue == next)
        }
        _ = try await model.accounts.signUp("m1ke")
        await model.close()
    }

    @Test func `who had a public profile and a name is found, and nobody else`() async throws {
        try await makeOldFile { db in
            try Self.add("seen", "Grace", created: 20, displayName: "Murray Höpper", isPublic: true, in: &db)
            try Self.add("unseen", "Graciela", created: 30, displayName: "Murray", in: &db)
            try Self.add("plain", "Murray2", created: 40, isPublic: true, in: &db)
            try db.execute("INSERT INTO profiles VALUES ('nobody', 'Murray', NULL, 1)")
        }
        let model = try await Model.opened(folder)
        let asker = try #require(UserID(ada))
        func found(_ query: String) async throws -> Set<String> {
            let page = try await model.people.search(query, for: asker, offset: nil, limit: 100)
            return Set(page.users.map(\.user.uid.rawValue))
        }
        #expect(try await found("gra") == ["seen"])
        #expect(try await found("höpper mur") == ["seen"])
        #expect(try await found("murr") == ["seen", "plain"])
        #expect(try await found("graciela") == ["unseen"])
        #expect(try await found("löwe") == [])
        #expect(try await found("ada") == [ada])
        await model.close()
    }

    @Test func `a new file is made from the declarations and counts as migrated`() async throws {
        try await Model.opened(folder).close()
        let pool = try await look()
        let (names, users) = try await pool.read { db in
            (
                try db.values("SELECT name FROM schema_migrations ORDER BY 1", as: String.self),
                try db.value("SELECT sql FROM sqlite_schema WHERE name = 'users'", as: String.self)
            )
        }
        await pool.close()
        #expect(names == ModelSchema.timeline.map(\.name).sorted())
        // The declaration quotes every name; the migrations quote none.
        #expect(users?.hasPrefix(#"CREATE TABLE "users" ("uid" TEXT NOT NULL PRIMARY KEY"#) == true)
    }

    @Test func `a table that is not what it should be stops the start, and the file stays as it is`() async throws {
        try await makeOldFile { db in try db.execute("ALTER TABLE rooms RENAME COLUMN title TO name") }
        let before = try await contents(Self.released)
        let error = await failure { () throws(ModelError) in try await Model.opened(folder) }
        guard case .databaseDamaged(path, let detail) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(detail == "table rooms: the column title is missing and needs a migration")
        #expect(error?.sentence.contains(detail) == true)
        #expect(try await contents(Self.released) == before, "the release that wrote it can open it again")
    }

    @Test func `a disk that is full while tables are made is not taken for damage`() {
        let full = DatabaseError(
            kind: .setUp(table: "rooms", reason: "full, database or disk is full"), extendedCode: 13,
            detail: "database or disk is full")
        #expect(ModelError(full, opening: "x.sqlite") == .storage(full))
        #expect(
            ModelError.storage(full).sentence
                == "The database could not be opened: table rooms: full, database or disk is full.")
        let corrupt = DatabaseError(kind: .setUp(table: "rooms", reason: "corrupt"), extendedCode: 267)
        #expect(ModelError(corrupt, opening: "x") == .databaseDamaged(path: "x", detail: "table rooms: corrupt"))
        let other = DatabaseError(kind: .setUp(table: "rooms", reason: "CHECK (a) is missing"))
        #expect(
            ModelError(other, opening: "x.sqlite").sentence
                == "The database x.sqlite is damaged or not Sona's (table rooms: CHECK (a) is missing); "
                + "restore it from a backup.")
    }
}
