internal import SonaDatabase

extension ModelSchema {
    /// Adds descriptions, tags, rules for guests and private rooms, closing, and pictures of rooms.
    @Sendable static func describeRooms(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            ALTER TABLE rooms ADD COLUMN description TEXT CHECK (length(CAST(description AS BLOB)) BETWEEN 1 AND 1000);
            ALTER TABLE rooms ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
            ALTER TABLE rooms ADD COLUMN accepts_guests INTEGER NOT NULL DEFAULT 1 CHECK (accepts_guests IN (0, 1));
            ALTER TABLE rooms ADD COLUMN on_private TEXT NOT NULL DEFAULT 'stay' CHECK (on_private IN ('stay', 'leave'));
            ALTER TABLE rooms ADD COLUMN closed_ms INTEGER;

            CREATE TABLE room_pictures (
                room_id TEXT NOT NULL PRIMARY KEY REFERENCES rooms (id) ON DELETE CASCADE,
                id TEXT NOT NULL UNIQUE CHECK (length(CAST(id AS BLOB)) BETWEEN 1 AND 64),
                color INTEGER NOT NULL CHECK (color BETWEEN 0 AND 16777215),
                foreground INTEGER NOT NULL CHECK (foreground BETWEEN 0 AND 16777215),
                width INTEGER NOT NULL,
                height INTEGER NOT NULL,
                created_ms INTEGER NOT NULL,
                px32 BLOB NOT NULL,
                px64 BLOB NOT NULL,
                px_full BLOB NOT NULL
            ) STRICT;
            """)
    }
}
