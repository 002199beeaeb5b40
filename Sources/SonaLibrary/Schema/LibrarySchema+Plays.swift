internal import SonaDatabase

extension LibrarySchema {
    /// Adds plays, counters of artists, and the popularity of tracks. Nothing was played before, so the counters begin at 0.
    @Sendable static func createPlays(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE plays (
                number INTEGER PRIMARY KEY,
                uid TEXT REFERENCES users (uid) ON DELETE SET NULL,
                track INTEGER NOT NULL REFERENCES tracks (number) ON DELETE CASCADE,
                at_ms INTEGER NOT NULL,
                heard_ms INTEGER NOT NULL CHECK (heard_ms BETWEEN 0 AND 9223372036854775807),
                source TEXT NOT NULL CHECK (source IN ('alone', 'room')),
                room TEXT,
                key TEXT CHECK (length(CAST(key AS BLOB)) BETWEEN 1 AND 100)
            ) STRICT;
            CREATE INDEX plays_by_user ON plays (uid, at_ms DESC, number DESC) WHERE uid IS NOT NULL;
            CREATE INDEX plays_by_track ON plays (track, uid, at_ms);
            CREATE UNIQUE INDEX plays_by_key ON plays (uid, key) WHERE uid IS NOT NULL AND key IS NOT NULL;
            CREATE TABLE play_settings (
                uid TEXT NOT NULL PRIMARY KEY REFERENCES users (uid) ON DELETE CASCADE,
                private INTEGER NOT NULL CHECK (private IN (0, 1)),
                share_plays INTEGER NOT NULL CHECK (share_plays IN (0, 1)),
                share_taste INTEGER NOT NULL CHECK (share_taste IN (0, 1)),
                keep_days INTEGER NOT NULL CHECK (keep_days BETWEEN 0 AND 3650),
                shared_since_ms INTEGER
            ) STRICT;
            CREATE INDEX limited_plays ON play_settings (uid) WHERE keep_days > 0;
            ALTER TABLE tracks ADD COLUMN popularity REAL;
            CREATE INDEX popular_tracks ON tracks (popularity DESC, number DESC) WHERE popularity IS NOT NULL;
            ALTER TABLE artists ADD COLUMN plays INTEGER NOT NULL DEFAULT 0;
            CREATE INDEX artists_by_plays ON artists (plays DESC, number DESC);
            """)
    }
}
