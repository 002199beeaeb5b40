internal import SonaDatabase

extension ModelSchema {
    /// Limits the growth of the database: adds held names, and indexes that find expired rows without a scan.
    @Sendable static func limitGrowth(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE held_names (
                look TEXT NOT NULL PRIMARY KEY,
                username_key TEXT NOT NULL,
                uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                until_ms INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX held_names_by_username_key ON held_names (username_key);
            CREATE INDEX held_names_by_until_ms ON held_names (until_ms);
            CREATE INDEX held_names_by_user ON held_names (uid, until_ms DESC);

            CREATE INDEX refresh_tokens_by_expiry ON refresh_tokens (expires_ms);
            CREATE INDEX account_codes_by_expiry ON account_codes (expires_ms);
            CREATE INDEX users_with_role ON users (role) WHERE role <> 'user';
            CREATE INDEX rooms_by_closing ON rooms (closed_ms) WHERE closed_ms IS NOT NULL;
            CREATE INDEX closed_rooms_by_owner ON rooms (owner_uid, closed_ms DESC, id DESC)
                WHERE closed_ms IS NOT NULL;
            """)
    }
}
