internal import SonaDatabase

extension ModelSchema {
    /// Adds replays of rooms. Messages and plays say which one they belong to; those of none are pruned as before, by
    /// indexes of their own.
    @Sendable static func createReplays(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            ALTER TABLE rooms ADD COLUMN keeps_replays INTEGER NOT NULL DEFAULT 0 CHECK (keeps_replays IN (0, 1));

            CREATE TABLE room_replays (
                id TEXT NOT NULL PRIMARY KEY CHECK (length(CAST(id AS BLOB)) = 26),
                room_id TEXT NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
                start_ms INTEGER NOT NULL,
                end_ms INTEGER,
                silent_since_ms INTEGER,
                first_message INTEGER NOT NULL,
                reactions INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX room_replays_by_room ON room_replays (room_id, id DESC);
            CREATE INDEX room_replays_by_age ON room_replays (start_ms);
            CREATE INDEX room_replays_going_on ON room_replays (room_id) WHERE end_ms IS NULL;

            CREATE TABLE room_replay_passages (
                replay_id TEXT NOT NULL REFERENCES room_replays (id) ON DELETE CASCADE,
                number INTEGER NOT NULL CHECK (number >= 1),
                at_ms INTEGER NOT NULL,
                sounds INTEGER NOT NULL CHECK (sounds IN (0, 1)),
                play INTEGER,
                position_us INTEGER NOT NULL CHECK (position_us >= 0),
                PRIMARY KEY (replay_id, number)
            ) STRICT;

            CREATE TABLE room_replay_reactions (
                replay_id TEXT NOT NULL REFERENCES room_replays (id) ON DELETE CASCADE,
                at_s INTEGER NOT NULL CHECK (at_s >= 0),
                emoji TEXT NOT NULL CHECK (length(CAST(emoji AS BLOB)) BETWEEN 1 AND 32),
                count INTEGER NOT NULL CHECK (count >= 1),
                PRIMARY KEY (replay_id, at_s, emoji)
            ) STRICT;

            ALTER TABLE room_chat ADD COLUMN replay_id TEXT REFERENCES room_replays (id) ON DELETE SET NULL;
            CREATE INDEX room_chat_by_replay ON room_chat (replay_id, at_ms, id) WHERE replay_id IS NOT NULL;
            CREATE INDEX room_chat_of_none ON room_chat (room_id, id) WHERE replay_id IS NULL;

            ALTER TABLE room_history ADD COLUMN music TEXT;
            ALTER TABLE room_history ADD COLUMN replay_id TEXT REFERENCES room_replays (id) ON DELETE SET NULL;
            CREATE INDEX room_history_by_replay ON room_history (replay_id) WHERE replay_id IS NOT NULL;
            CREATE INDEX room_history_of_none ON room_history (room_id, id) WHERE replay_id IS NULL;
            """)
    }

    /// Adds recordings of hosts.
    @Sendable static func createRecordings(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE room_recordings (
                id TEXT NOT NULL PRIMARY KEY CHECK (length(CAST(id AS BLOB)) = 26),
                room_id TEXT NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
                host_uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                start_ms INTEGER NOT NULL,
                length_ms INTEGER NOT NULL CHECK (length_ms >= 0),
                bytes INTEGER NOT NULL CHECK (bytes >= 0),
                is_open INTEGER NOT NULL CHECK (is_open IN (0, 1))
            ) STRICT;
            CREATE INDEX room_recordings_by_room ON room_recordings (room_id, start_ms);
            CREATE INDEX room_recordings_by_host ON room_recordings (host_uid);
            CREATE INDEX room_recordings_going_on ON room_recordings (room_id) WHERE is_open = 1;
            """)
    }
}
