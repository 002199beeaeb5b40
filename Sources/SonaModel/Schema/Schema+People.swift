internal import SonaDatabase
internal import SonaText
internal import SonaWire

extension ModelSchema {
    /// Adds looks of names, identities of outside issuers, bans, mailed codes, follows, blocks and photos.
    @Sendable static func createPeople(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            ALTER TABLE users ADD COLUMN email_confirmed INTEGER NOT NULL DEFAULT 0 CHECK (email_confirmed IN (0, 1));
            ALTER TABLE users ADD COLUMN changed_ms INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE profiles ADD COLUMN links TEXT NOT NULL DEFAULT '[]';
            ALTER TABLE settings ADD COLUMN locale TEXT NOT NULL DEFAULT 'en_US'
                CHECK (locale IN ('en_US', 'pl_PL', 'es_ES'));
            ALTER TABLE settings ADD COLUMN theme TEXT NOT NULL DEFAULT 'system'
                CHECK (theme IN ('system', 'light', 'dark'));
            ALTER TABLE settings ADD COLUMN shading INTEGER NOT NULL DEFAULT 0 CHECK (shading IN (0, 1));
            ALTER TABLE settings ADD COLUMN presence TEXT NOT NULL DEFAULT 'nobody'
                CHECK (presence IN ('nobody', 'friends', 'followers'));

            CREATE TABLE username_looks (
                look TEXT NOT NULL PRIMARY KEY,
                uid TEXT NOT NULL UNIQUE REFERENCES users (uid) ON DELETE CASCADE
            ) STRICT;

            CREATE TABLE identities (
                name TEXT NOT NULL PRIMARY KEY CHECK (length(CAST(name AS BLOB)) BETWEEN 3 AND 200),
                uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                created_ms INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX identities_by_uid ON identities (uid);

            CREATE TABLE bans (
                uid TEXT NOT NULL PRIMARY KEY REFERENCES users (uid) ON DELETE CASCADE,
                until_ms INTEGER,
                reason TEXT CHECK (length(CAST(reason AS BLOB)) BETWEEN 1 AND 200),
                created_ms INTEGER NOT NULL
            ) STRICT;

            CREATE TABLE account_codes (
                hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
                uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                purpose TEXT NOT NULL CHECK (purpose IN ('recovery', 'confirmation', 'removal')),
                email TEXT CHECK (length(CAST(email AS BLOB)) BETWEEN 3 AND 254),
                created_ms INTEGER NOT NULL,
                expires_ms INTEGER NOT NULL CHECK (expires_ms > created_ms)
            ) STRICT;
            CREATE INDEX account_codes_by_user ON account_codes (uid, purpose, created_ms);

            CREATE TABLE follows (
                follower_uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                followed_uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                created_ms INTEGER NOT NULL,
                PRIMARY KEY (follower_uid, followed_uid),
                CHECK (follower_uid <> followed_uid)
            ) STRICT;
            CREATE INDEX follows_by_follower ON follows (follower_uid, created_ms DESC, followed_uid DESC);
            CREATE INDEX follows_by_followed ON follows (followed_uid, created_ms DESC, follower_uid DESC);

            CREATE TABLE blocks (
                blocker_uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                blocked_uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                created_ms INTEGER NOT NULL,
                PRIMARY KEY (blocker_uid, blocked_uid),
                CHECK (blocker_uid <> blocked_uid)
            ) STRICT;
            CREATE INDEX blocks_by_blocker ON blocks (blocker_uid, created_ms DESC, blocked_uid DESC);
            CREATE INDEX blocks_by_blocked ON blocks (blocked_uid, created_ms DESC, blocker_uid DESC);

            CREATE TABLE photos (
                uid TEXT NOT NULL PRIMARY KEY REFERENCES users (uid) ON DELETE CASCADE,
                id TEXT NOT NULL UNIQUE CHECK (length(CAST(id AS BLOB)) BETWEEN 1 AND 64),
                color INTEGER NOT NULL CHECK (color BETWEEN 0 AND 16777215),
                foreground INTEGER NOT NULL CHECK (foreground BETWEEN 0 AND 16777215),
                width INTEGER NOT NULL,
                height INTEGER NOT NULL,
                created_ms INTEGER NOT NULL,
                px32 BLOB NOT NULL,
                px64 BLOB NOT NULL,
                px_full BLOB NOT NULL
            ) STRICT;
            """)
        try db.createTable(DirectoryRecord.self)
        try nameLooks(&db)
        try fillDirectory(&db)
    }

    /// The older of two similar names gets the look. The other user keeps their name without one.
    private static func nameLooks(_ db: inout WriteAccess) throws {
        let names = try db.all(
            "SELECT uid, username FROM users WHERE username IS NOT NULL ORDER BY created_ms, uid"
        ) { row in (uid: try row.next(UserID.self), name: try row.next(String.self)) }
        var seen: Set<String> = []
        for (uid, name) in names {
            let look = NameKey(name).text
            guard seen.insert(look).inserted else { continue }
            try db.execute("INSERT INTO username_looks VALUES (\(look), \(uid))")
        }
    }

    private static func fillDirectory(_ db: inout WriteAccess) throws {
        try db.execute(
            """
            INSERT INTO directory (uid, username, display_name)
            SELECT u.uid, u.username, coalesce(p.display_name, '') FROM users u JOIN profiles p ON p.uid = u.uid
            WHERE p.is_public AND u.username IS NOT NULL
            """)
    }
}
