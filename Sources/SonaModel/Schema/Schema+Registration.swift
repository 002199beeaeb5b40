internal import SonaDatabase

extension ModelSchema {
    /// Adds invites to make an account, and accounts that wait for approval.
    @Sendable static func createRegistration(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE registration_invites (
                id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 9223372036854775807),
                code TEXT NOT NULL UNIQUE CHECK (length(CAST(code AS BLOB)) BETWEEN 1 AND 64),
                uses_max INTEGER CHECK (uses_max >= 1 AND uses <= uses_max),
                uses INTEGER NOT NULL CHECK (uses >= 0),
                expires_ms INTEGER NOT NULL,
                created_ms INTEGER NOT NULL,
                revoked_ms INTEGER,
                note TEXT CHECK (length(CAST(note AS BLOB)) BETWEEN 1 AND 200),
                by_uid TEXT REFERENCES users (uid) ON DELETE SET NULL
            ) STRICT;
            CREATE INDEX registration_invites_by_end ON registration_invites (expires_ms);
            CREATE INDEX registration_invites_by_user ON registration_invites (by_uid);
            CREATE TABLE waiting_accounts (
                uid TEXT NOT NULL PRIMARY KEY REFERENCES users (uid) ON DELETE CASCADE,
                since_ms INTEGER NOT NULL,
                introduction TEXT CHECK (length(CAST(introduction AS BLOB)) BETWEEN 1 AND 1000),
                rejected_ms INTEGER,
                reason TEXT CHECK (length(CAST(reason AS BLOB)) BETWEEN 1 AND 200)
            ) STRICT;
            CREATE INDEX waiting_accounts_by_age ON waiting_accounts (since_ms, uid);
            """)
    }
}
