internal import SonaDatabase

extension ModelSchema {
    /// Adds the covers of tracks that hosts play in rooms.
    @Sendable static func createCovers(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE room_covers (
                id TEXT NOT NULL PRIMARY KEY CHECK (length(CAST(id AS BLOB)) BETWEEN 1 AND 64),
                room_id TEXT NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
                digest TEXT NOT NULL CHECK (length(CAST(digest AS BLOB)) BETWEEN 64 AND 64),
                color INTEGER NOT NULL CHECK (color BETWEEN 0 AND 16777215),
                foreground INTEGER NOT NULL CHECK (foreground BETWEEN 0 AND 16777215),
                width INTEGER NOT NULL,
                height INTEGER NOT NULL,
                created_ms INTEGER NOT NULL,
                px32 BLOB NOT NULL,
                px64 BLOB NOT NULL,
                px_full BLOB NOT NULL,
                UNIQUE (room_id, digest)
            ) STRICT;
            CREATE INDEX room_covers_by_age ON room_covers (room_id, created_ms);
            """)
    }
}
