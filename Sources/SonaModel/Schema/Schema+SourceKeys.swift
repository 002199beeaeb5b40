internal import SonaDatabase

extension ModelSchema {
    /// Adds keys by which programs that speak Icecast host rooms.
    @Sendable static func createSourceKeys(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE room_source_keys (
                room_id TEXT NOT NULL PRIMARY KEY REFERENCES rooms (id) ON DELETE CASCADE,
                uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                digest TEXT NOT NULL CHECK (length(CAST(digest AS BLOB)) BETWEEN 43 AND 43),
                made_ms INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX room_source_keys_by_user ON room_source_keys (uid);
            """)
    }
}
