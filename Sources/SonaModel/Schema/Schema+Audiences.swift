internal import SonaDatabase

extension ModelSchema {
    /// Adds how many have listened to broadcasts.
    @Sendable static func createAudiences(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE room_audiences (
                room_id TEXT NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
                from_ms INTEGER NOT NULL,
                until_ms INTEGER,
                updated_ms INTEGER NOT NULL,
                salt BLOB,
                accounts INTEGER NOT NULL CHECK (accounts >= 0),
                guests INTEGER NOT NULL CHECK (guests >= 0),
                peak INTEGER NOT NULL CHECK (peak >= 0),
                peak_ms INTEGER,
                listened_ms INTEGER NOT NULL CHECK (listened_ms >= 0),
                PRIMARY KEY (room_id, from_ms)
            ) STRICT;
            CREATE INDEX room_audiences_open ON room_audiences (updated_ms) WHERE until_ms IS NULL;
            CREATE TABLE room_listener_marks (
                room_id TEXT NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
                high INTEGER NOT NULL,
                low INTEGER NOT NULL,
                PRIMARY KEY (room_id, high, low)
            ) STRICT;
            """)
    }
}
