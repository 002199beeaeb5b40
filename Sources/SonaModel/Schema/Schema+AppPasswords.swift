internal import SonaDatabase

extension ModelSchema {
    /// Adds passwords that apps sign in with.
    @Sendable static func createAppPasswords(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE app_passwords (
                id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991),
                uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 64),
                sealed BLOB NOT NULL CHECK (length(sealed) BETWEEN 1 AND 256),
                hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
                created_ms INTEGER NOT NULL,
                used_ms INTEGER,
                used_from TEXT CHECK (length(CAST(used_from AS BLOB)) BETWEEN 1 AND 64),
                client TEXT CHECK (length(CAST(client AS BLOB)) BETWEEN 1 AND 64)
            ) STRICT;
            CREATE INDEX app_passwords_by_user ON app_passwords (uid, created_ms);
            """)
    }
}
