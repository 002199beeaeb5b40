internal import SonaDatabase

extension ModelSchema {
    /// `users` are the accounts, `profiles` what they show, `settings` what they chose, and `refresh_tokens` their
    /// sign-ins. `_key` columns hold the folded text that is compared; the column beside each holds the text as typed.
    @Sendable static func createAccounts(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE users (
                uid TEXT NOT NULL PRIMARY KEY CHECK (length(CAST(uid AS BLOB)) BETWEEN 1 AND 128),
                email TEXT CHECK (length(CAST(email AS BLOB)) BETWEEN 3 AND 254),
                email_key TEXT UNIQUE,
                username TEXT CHECK (length(CAST(username AS BLOB)) BETWEEN 3 AND 24),
                username_key TEXT UNIQUE,
                password_hash TEXT,
                role TEXT NOT NULL DEFAULT 'user' CHECK (role IN ('user', 'moderator', 'admin')),
                created_ms INTEGER NOT NULL,
                CHECK ((email IS NULL) = (email_key IS NULL)),
                CHECK ((username IS NULL) = (username_key IS NULL)),
                CHECK (password_hash IS NULL OR email IS NOT NULL)
            ) STRICT;

            CREATE TABLE profiles (
                uid TEXT NOT NULL PRIMARY KEY REFERENCES users (uid) ON DELETE CASCADE,
                display_name TEXT CHECK (length(CAST(display_name AS BLOB)) BETWEEN 1 AND 100),
                bio TEXT CHECK (length(CAST(bio AS BLOB)) <= 2000),
                is_public INTEGER NOT NULL DEFAULT 0 CHECK (is_public IN (0, 1))
            ) STRICT;

            CREATE TABLE settings (
                uid TEXT NOT NULL PRIMARY KEY REFERENCES users (uid) ON DELETE CASCADE,
                delivery TEXT NOT NULL DEFAULT 'party' CHECK (delivery IN ('interactive', 'party')),
                visibility TEXT NOT NULL DEFAULT 'public' CHECK (visibility IN ('public', 'private'))
            ) STRICT;

            CREATE TABLE refresh_tokens (
                hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
                family TEXT NOT NULL,
                uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                created_ms INTEGER NOT NULL,
                expires_ms INTEGER NOT NULL CHECK (expires_ms > created_ms),
                used_ms INTEGER
            ) STRICT;
            CREATE INDEX refresh_tokens_by_family ON refresh_tokens (family);
            CREATE INDEX refresh_tokens_by_user ON refresh_tokens (uid, expires_ms);

            CREATE TABLE revoked_families (
                family TEXT NOT NULL PRIMARY KEY,
                until_ms INTEGER NOT NULL
            ) STRICT;
            """)
    }
}
