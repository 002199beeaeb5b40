internal import SonaDatabase

extension ModelSchema {
    /// Notes which rooms offer their sound at a lower bit rate.
    @Sendable static func offerDataSaver(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            ALTER TABLE rooms ADD COLUMN offers_data_saver INTEGER NOT NULL DEFAULT 0
                CHECK (offers_data_saver IN (0, 1));
            """)
    }

    /// `rooms` changes rarely. `room_playback`, the last stored position of a room, changes while it plays. It is a
    /// table of its own so that those writes stay small.
    @Sendable static func createRooms(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE rooms (
                id TEXT NOT NULL PRIMARY KEY CHECK (length(CAST(id AS BLOB)) = 20),
                owner_uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                title TEXT NOT NULL CHECK (length(CAST(title AS BLOB)) <= 200),
                visibility TEXT NOT NULL CHECK (visibility IN ('public', 'private')),
                delivery TEXT NOT NULL CHECK (delivery IN ('interactive', 'party')),
                lead_ms INTEGER NOT NULL CHECK (lead_ms BETWEEN 150 AND 10000),
                created_ms INTEGER NOT NULL,
                last_live_ms INTEGER
            ) STRICT;
            CREATE INDEX rooms_by_owner ON rooms (owner_uid, created_ms DESC, id DESC);
            CREATE INDEX rooms_by_age ON rooms (created_ms DESC, id DESC);
            CREATE INDEX public_rooms_by_age ON rooms (created_ms DESC, id DESC) WHERE visibility = 'public';

            CREATE TABLE room_playback (
                room_id TEXT NOT NULL PRIMARY KEY REFERENCES rooms (id) ON DELETE CASCADE,
                state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 3),
                position_us INTEGER NOT NULL,
                rate_ppm INTEGER NOT NULL,
                anchor_monotonic_us INTEGER NOT NULL,
                clock_id TEXT NOT NULL,
                anchor_wall_ms INTEGER NOT NULL,
                revision INTEGER NOT NULL CHECK (revision BETWEEN 0 AND 4294967295),
                has_audio INTEGER NOT NULL CHECK (has_audio IN (0, 1))
            ) STRICT;
            """)
    }
}
