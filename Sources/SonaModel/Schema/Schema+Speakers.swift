internal import SonaDatabase

extension ModelSchema {
    /// Adds players that speak Snapcast's protocol.
    @Sendable static func createSpeakers(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE speakers (
                id TEXT NOT NULL PRIMARY KEY CHECK (length(CAST(id AS BLOB)) BETWEEN 1 AND 64),
                name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 64),
                room_id TEXT REFERENCES rooms (id) ON DELETE SET NULL,
                volume INTEGER NOT NULL CHECK (volume BETWEEN 0 AND 100),
                is_muted INTEGER NOT NULL CHECK (is_muted IN (0, 1)),
                latency_ms INTEGER NOT NULL CHECK (latency_ms BETWEEN -10000 AND 10000),
                seen_ms INTEGER
            ) STRICT;
            CREATE INDEX speakers_by_room ON speakers (room_id, seen_ms);
            """)
    }
}
