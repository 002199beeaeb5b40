internal import SonaDatabase

extension LibrarySchema {
    /// Adds what accounts play alone.
    @Sendable static func createPlayers(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE players (
                uid TEXT NOT NULL PRIMARY KEY REFERENCES users (uid) ON DELETE CASCADE,
                revision INTEGER NOT NULL CHECK (revision BETWEEN 1 AND 9223372036854775807),
                queue_revision INTEGER NOT NULL CHECK (queue_revision BETWEEN 0 AND 9223372036854775807),
                count INTEGER NOT NULL CHECK (count BETWEEN 0 AND 10000),
                place INTEGER NOT NULL CHECK (place BETWEEN 0 AND 10000),
                position_ms INTEGER NOT NULL CHECK (position_ms BETWEEN 0 AND 604800000),
                at_ms INTEGER NOT NULL,
                playing INTEGER NOT NULL CHECK (playing IN (0, 1)),
                speed_percent INTEGER NOT NULL CHECK (speed_percent BETWEEN 25 AND 400),
                shuffle INTEGER NOT NULL CHECK (shuffle IN (0, 1)),
                repeat TEXT NOT NULL CHECK (repeat IN ('off', 'all', 'one')),
                device TEXT CHECK (length(CAST(device AS BLOB)) BETWEEN 1 AND 64),
                device_name TEXT CHECK (length(CAST(device_name AS BLOB)) BETWEEN 1 AND 100)
            ) STRICT;
            CREATE TABLE player_queues (
                uid TEXT NOT NULL PRIMARY KEY REFERENCES users (uid) ON DELETE CASCADE,
                queue TEXT NOT NULL
            ) STRICT;
            """)
    }
}
