import SonaCrypto
import SonaDatabase
import SonaTestSupport
import Testing

@testable import SonaModel

/// A table is made by its record's declaration in a new file, and by migrations in an old one.
struct SchemaTests {
    @Test func `the declarations and the migrations make exactly the same tables`() throws {
        #expect(try DatabaseQueue.schemaDifferences(ModelDAOs.self, migrations: ModelSchema.timeline) == [])
    }

    /// Goal: the test above can fail. Way: a further migration that changes one thing.
    @Test func `a migration that leaves a table different from its declaration is reported`() throws {
        func told(_ steps: SQL..., difference: String) throws {
            let step = Migration("otherwise") { db in for step in steps { try db.execute(step) } }
            let differences = try DatabaseQueue.schemaDifferences(
                ModelDAOs.self, migrations: ModelSchema.timeline + [step])
            #expect(differences.contains { $0.hasPrefix(difference) }, "\(difference): \(differences)")
        }
        try told("DROP INDEX rooms_by_age", difference: "rooms: the index rooms_by_age is missing")
        try told("CREATE INDEX more ON rooms (title)", difference: "rooms: the index more is not declared")
        try told(
            "DROP INDEX public_rooms_by_age",
            "CREATE INDEX public_rooms_by_age ON rooms (created_ms DESC, id DESC) WHERE visibility = 'private'",
            difference: "rooms: the index public_rooms_by_age is CREATE")
        try told("ALTER TABLE rooms ADD COLUMN pinned INTEGER", difference: "rooms: the column pinned is not declared")
        try told("ALTER TABLE users RENAME COLUMN role TO rank", difference: "users: the column role is missing")
        try told("DROP TABLE room_playback", difference: "the table room_playback is in no migration")
        try told("CREATE TABLE forgotten (i INTEGER) STRICT", difference: "the table forgotten is not declared")
        try told("CREATE VIEW forgotten AS SELECT uid FROM users", difference: "the view forgotten is not declared")
        try told(
            "CREATE TRIGGER forgotten AFTER DELETE ON users BEGIN DELETE FROM rooms WHERE owner_uid = old.uid; END",
            difference: "the trigger forgotten is not declared")

        func settings(_ delivery: SQL, difference: String) throws {
            try told(
                "DROP TABLE settings",
                """
                CREATE TABLE settings (
                    uid TEXT NOT NULL PRIMARY KEY REFERENCES users (uid) ON DELETE CASCADE,
                    delivery TEXT NOT NULL \(delivery),
                    visibility TEXT NOT NULL DEFAULT 'public' CHECK (visibility IN ('public', 'private')),
                    locale TEXT NOT NULL DEFAULT 'en_US' CHECK (locale IN ('en_US', 'pl_PL', 'es_ES')),
                    theme TEXT NOT NULL DEFAULT 'system' CHECK (theme IN ('system', 'light', 'dark')),
                    shading INTEGER NOT NULL DEFAULT 0 CHECK (shading IN (0, 1)),
                    presence TEXT NOT NULL DEFAULT 'nobody' CHECK (presence IN ('nobody', 'friends', 'followers'))
                ) STRICT
                """, difference: "settings: \(difference)")
        }
        try settings("DEFAULT 'party'", difference: "CHECK (delivery IN ( 'interactive' , 'party' )) is missing")
        try settings("DEFAULT 'party' CHECK (delivery IN ('interactive', 'party', 'x'))", difference: "CHECK")
        try settings("DEFAULT 'Party' CHECK (delivery IN ('interactive', 'party'))", difference: "the column delivery")
        try settings("CHECK (delivery IN ('interactive', 'party'))", difference: "the column delivery")

        func families(_ family: SQL, _ until: SQL, _ kind: SQL = "STRICT", difference: String) throws {
            try told(
                "DROP TABLE revoked_families",
                "CREATE TABLE revoked_families (family \(family), until_ms \(until)) \(kind)",
                difference: "revoked_families: \(difference)")
        }
        let (text, number): (SQL, SQL) = ("TEXT NOT NULL PRIMARY KEY", "INTEGER NOT NULL")
        try families("TEXT NOT NULL", number, difference: "the column family")
        try families(text, "INTEGER", difference: "the column until_ms")
        try families(text, "REAL NOT NULL", difference: "the column until_ms")
        try families(text, "INTEGER NOT NULL UNIQUE", difference: "UNIQUE (until_ms) is not declared")
        try families(text, number, "", difference: "the table is not STRICT")

        try told("DROP INDEX follows_by_followed", difference: "follows: the index follows_by_followed is missing")
        try told("ALTER TABLE bans DROP COLUMN reason", difference: "bans: the column reason is missing")
        try told("DROP TABLE username_looks", difference: "the table username_looks is in no migration")
        try told("DROP TABLE journal_head", difference: "the table journal_head is in no migration")
        try told("DROP TABLE directory", difference: "the table directory is in no migration")

        func profiles(_ reference: SQL, difference: String) throws {
            try told(
                "DROP TABLE profiles",
                """
                CREATE TABLE profiles (
                    uid TEXT NOT NULL PRIMARY KEY \(reference),
                    display_name TEXT CHECK (length(CAST(display_name AS BLOB)) BETWEEN 1 AND 100),
                    bio TEXT CHECK (length(CAST(bio AS BLOB)) <= 2000),
                    is_public INTEGER NOT NULL DEFAULT 0 CHECK (is_public IN (0, 1)),
                    links TEXT NOT NULL DEFAULT '[]'
                ) STRICT
                """, difference: "profiles: the foreign key (\(difference)")
        }
        try profiles("", difference: "uid → users(uid) CASCADE) is missing")
        try profiles("REFERENCES users (uid)", difference: "uid → users(uid) NO ACTION) is not declared")
        try profiles("REFERENCES rooms (id) ON DELETE CASCADE", difference: "uid → rooms(id) CASCADE) is not declared")
    }

    /// The digest of the tables after each released migration, as SQLite stores them. Append to it, never edit it.
    @Test func `released migrations are unchanged`() async throws {
        for (count, digest) in [
            (1, "968f5485537747ac"), (2, "1bcd72321fe8a3c9"), (3, "a464708c9ba084b"),
            (4, "7ce92d017c0b05c8"),
        ] {
            let folder = TemporaryFolder()
            let pool = try await DatabasePool.open(
                folder.file("x.sqlite"), applicationID: ModelSchema.applicationID,
                migrations: Array(ModelSchema.timeline.prefix(count)))
            let text = try await pool.read { db in
                try db.values(
                    """
                    SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name <> 'schema_migrations' ORDER BY name
                    """, as: String.self)
            }.joined(separator: "\n")
            #expect(hex(Digest.sha256(text.utf8).prefix(8)) == digest)
            await pool.close()
        }
        #expect(
            ModelSchema.timeline.map(\.name) == [
                "2026-11 accounts", "2026-11 rooms", "2026-11 journal", "2026-11 people", "2026-11 directory",
                "2026-11 belonging", "2026-11 queue", "2026-11 history", "2026-11 limits",
                "2026-11 queue rows", "2026-11 address bans", "2026-11 reports", "2026-11 covers",
                "2026-11 registration", "2026-11 transfers", "2026-11 sightings", "2026-11 words",
                "2026-11 setup", "2026-11 curators", "2026-11 notifications", "2026-11 plans", "2026-11 autoplay",
                "2026-11 moments",
                "2026-11 schedules", "2026-11 replays", "2026-11 jingles", "2026-11 audiences",
                "2026-11 djs", "2026-11 song requests", "2026-11 data saver", "2026-11 recordings",
                "2026-11 source keys", "2026-11 app passwords", "2026-11 webhooks", "2026-11 speakers",
            ])
    }

    private func hex(_ bytes: ArraySlice<UInt8>) -> String {
        String(bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }, radix: 16)
    }
}
