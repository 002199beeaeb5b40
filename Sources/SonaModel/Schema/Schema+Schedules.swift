internal import SonaDatabase

extension ModelSchema {
    /// Adds schedules of rooms, and what has begun of them.
    @Sendable static func createSchedules(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE room_slots (
                id TEXT NOT NULL PRIMARY KEY CHECK (length(CAST(id AS BLOB)) = 26),
                room_id TEXT NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
                title TEXT CHECK (length(CAST(title AS BLOB)) BETWEEN 1 AND 200),
                start TEXT NOT NULL CHECK (length(CAST(start AS BLOB)) BETWEEN 16 AND 16),
                zone TEXT NOT NULL CHECK (length(CAST(zone AS BLOB)) BETWEEN 1 AND 64),
                duration_s INTEGER NOT NULL CHECK (duration_s BETWEEN 60 AND 86400),
                every TEXT CHECK (every IN ('day', 'week') OR every IS NULL),
                weekdays INTEGER CHECK (weekdays BETWEEN 1 AND 127),
                until TEXT CHECK (length(CAST(until AS BLOB)) BETWEEN 10 AND 10),
                playlist TEXT,
                changed_ms INTEGER NOT NULL,
                revision INTEGER NOT NULL CHECK (revision >= 0)
            ) STRICT;
            CREATE INDEX room_slots_by_room ON room_slots (room_id, id);
            CREATE TABLE room_slot_starts (
                slot_id TEXT NOT NULL REFERENCES room_slots (id) ON DELETE CASCADE,
                start_ms INTEGER NOT NULL,
                told_after TEXT,
                PRIMARY KEY (slot_id, start_ms)
            ) STRICT;
            CREATE INDEX room_slot_starts_by_age ON room_slot_starts (start_ms);
            """)
    }

    /// Adds who hosts slots.
    @Sendable static func nameDJs(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            ALTER TABLE room_slots ADD COLUMN dj_uid TEXT REFERENCES users (uid) ON DELETE SET NULL;
            ALTER TABLE room_slots ADD COLUMN dj_state TEXT
                CHECK (dj_state IN ('asked', 'accepted', 'declined') OR dj_state IS NULL);
            CREATE INDEX room_slots_by_dj ON room_slots (dj_uid) WHERE dj_uid IS NOT NULL;
            """)
    }
}
