internal import SonaDatabase

extension ModelSchema {
    /// Adds rooms that play by themselves.
    @Sendable static func createAutoplay(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE room_autoplay (
                room_id TEXT NOT NULL PRIMARY KEY REFERENCES rooms (id) ON DELETE CASCADE,
                playlist TEXT
            ) STRICT;
            """)
    }

    /// Adds jingles between tracks.
    @Sendable static func createJingles(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE room_jingles (
                room_id TEXT NOT NULL PRIMARY KEY REFERENCES rooms (id) ON DELETE CASCADE,
                playlist TEXT NOT NULL,
                every_tracks INTEGER CHECK (every_tracks BETWEEN 1 AND 100),
                every_min INTEGER CHECK (every_min BETWEEN 1 AND 1440),
                tracks INTEGER NOT NULL CHECK (tracks >= 0),
                since_ms INTEGER,
                last_track TEXT
            ) STRICT;
            """)
    }

    /// Adds rooms that visitors may ask for tracks.
    @Sendable static func createSongRequests(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE room_song_requests (
                room_id TEXT NOT NULL PRIMARY KEY REFERENCES rooms (id) ON DELETE CASCADE,
                playlist TEXT
            ) STRICT;
            """)
    }
}
