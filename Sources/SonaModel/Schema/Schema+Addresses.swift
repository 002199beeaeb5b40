internal import SonaDatabase

extension ModelSchema {
    /// Adds bans of network addresses.
    @Sendable static func banAddresses(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE address_bans (
                range TEXT NOT NULL PRIMARY KEY CHECK (length(CAST(range AS BLOB)) BETWEEN 2 AND 64),
                until_ms INTEGER,
                reason TEXT CHECK (length(CAST(reason AS BLOB)) BETWEEN 1 AND 200),
                created_ms INTEGER NOT NULL,
                by_uid TEXT REFERENCES users (uid) ON DELETE SET NULL
            ) STRICT;
            CREATE INDEX address_bans_by_user ON address_bans (by_uid);
            """)
    }
}
