import Glibc
import SonaCrypto
import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// Files that were made before the program declared its tables.
struct UpgradeTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.file("data/sona.sqlite") }
    private let ada = "0123456789012345678901234567"
    private let token = String(repeating: "t", count: 43)

    /// A file as the release with the two migrations leaves it, with rows in every table. `step` comes on top.
    private func makeOldFile(_ step: @escaping @Sendable (inout WriteAccess) throws -> Void = { _ in }) async throws {
        mkdir(folder.file("data"), 0o700)
        let pool = try await DatabasePool.open(
            path, applicationID: Schema.applicationID, migrations: Array(Schema.timeline.prefix(2)))
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

    private func opened(
        _ events: Monitor<[String]> = Monitor([])
    ) async throws(DatabaseError) -> (database: DatabasePool, daos: SonaDAOs) {
        var options = DatabaseOptions()
        options.log = { event in events.withLock { $0.append("\(event)") } }
        return try await DatabasePool.open(
            path, applicationID: Schema.applicationID, daos: SonaDAOs.self, migrations: Schema.timeline,
            options: options)
    }

    /// The text of the schema and every row of every table, migrations included.
    private func contents() async throws -> [[DatabaseValue]] {
        let pool = try await DatabasePool.open(
            path, applicationID: Schema.applicationID, migrations: Array(Schema.timeline.prefix(2)))
        let contents = try await pool.read { db in
            let schema = try db.all("SELECT name, sql FROM sqlite_schema ORDER BY name", Self.values)
            let names = try db.values("SELECT name FROM sqlite_schema WHERE type = 'table'", as: String.self)
            return try names.reduce(into: schema) { rows, name in
                rows += try db.all("SELECT * FROM \(try SQL.identifier(name))", Self.values)
            }
        }
        await pool.close()
        return contents
    }

    @Sendable private static func values(_ row: inout Row) throws -> [DatabaseValue] {
        var values: [DatabaseValue] = []
        for _ in 0..<row.columnCount { values.append(try row.next()) }
        return values
    }

    // MARK: Tests

    @Test func `a file made by the released migrations is taken as it is, and nothing in it is lost`() async throws {
        try await makeOldFile()
        let before = try await contents()
        #expect(before.count > 20)
        let events = Monitor<[String]>([])
        let (database, daos) = try await opened(events)
        #expect(try await daos.rooms.owned(by: try #require(Username("ADA"))).count == 2)
        await database.close()
        #expect(events.withLock { $0 } == [])
        #expect(try await contents() == before)
    }

    @Test func `who had an account before has it still, with rooms, tokens and revocations`() async throws {
        try await makeOldFile()
        let model = try await Model.opened(folder)
        let account = try await model.accounts.signIn("ada").account
        #expect(account.uid.rawValue == ada && account.username?.rawValue == "Ada")
        let profile = try await model.accounts.profile(of: account.uid)
        #expect(profile == ("Ada@example.org", "Ada", "Löwe\0", true))
        #expect(try await model.accounts.refresh(token).account == account)
        #expect(model.accounts.isRevoked("gone") && !model.accounts.isRevoked("family"))
        #expect(try await model.accounts.systemAccount(username: "DEMO").uid.rawValue == "demo")
        let rooms = try await model.rooms.list(publicOnly: false, owner: account.uid, after: nil, limit: 9)
        #expect(rooms.map(\.title) == ["", "One"] && rooms.map(\.delivery) == ["interactive", "party"])
        #expect(rooms.map(\.isPublic) == [false, true] && rooms.map(\.lastLiveMilliseconds) == [nil, 20])
        #expect(rooms[0].playback == nil)
        #expect(
            rooms[1].playback
                == RoomStore.StoredPlayback(
                    state: 2, positionMicroseconds: -7, ratePPM: 1_000_000, anchorMonotonicMicroseconds: 8,
                    clockID: "abc", anchorWallMilliseconds: 9, revision: .max, hasAudio: true))
        await model.close()
    }

    @Test func `a new file is made from the declarations and counts as migrated`() async throws {
        try await Model.opened(folder).close()
        let new = try await contents()
        let names = new.filter { $0.count == 2 && $0[0] == .integer(1) || $0[0] == .integer(2) }
        #expect(names == [[.integer(1), .text("2026-11 accounts")], [.integer(2), .text("2026-11 rooms")]])
        // The declaration quotes every name; the migrations quote none.
        let users = try #require(new.first { $0[0] == .text("users") })
        guard case .text(let text) = users[1] else {
            Issue.record("\(users)")
            return
        }
        #expect(text.hasPrefix(#"CREATE TABLE "users" ("uid" TEXT NOT NULL PRIMARY KEY"#))
    }

    @Test func `a table that is not what it should be stops the start, with its name and the cause`() async throws {
        try await makeOldFile { db in try db.execute("ALTER TABLE rooms RENAME COLUMN title TO name") }
        let before = try await contents()
        let error = await failure { () throws(ModelError) in try await Model.opened(folder) }
        guard case .databaseDamaged(path, let detail) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(detail == "table rooms: the column title is missing and needs a migration")
        #expect(error?.sentence.contains(detail) == true)
        #expect(try await contents() == before)
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
