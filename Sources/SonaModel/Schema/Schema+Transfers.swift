internal import SonaDatabase

extension ModelSchema {
    /// Adds offers of rooms to other accounts.
    @Sendable static func createTransfers(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE room_transfers (
                room_id TEXT NOT NULL PRIMARY KEY REFERENCES rooms (id) ON DELETE CASCADE,
                from_uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                to_uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                created_ms INTEGER NOT NULL,
                expires_ms INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX room_transfers_by_giver ON room_transfers (from_uid);
            CREATE INDEX room_transfers_by_receiver ON room_transfers (to_uid);
            CREATE INDEX room_transfers_by_end ON room_transfers (expires_ms);
            """)
    }

    /// Adds when accounts were last seen. What is known of older accounts is that they are seen now.
    @Sendable static func noteSightings(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE account_sightings (
                uid TEXT NOT NULL PRIMARY KEY REFERENCES users (uid) ON DELETE CASCADE,
                seen_ms INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX account_sightings_by_time ON account_sightings (seen_ms);
            INSERT INTO account_sightings (uid, seen_ms) SELECT uid, unixepoch() * 1000 FROM users;
            """)
    }
}
