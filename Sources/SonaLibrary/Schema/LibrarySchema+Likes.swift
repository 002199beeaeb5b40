internal import SonaDatabase

extension LibrarySchema {
    /// Adds what accounts like, and how they rate music.
    @Sendable static func createLikes(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE track_opinions (
                uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                track INTEGER NOT NULL REFERENCES tracks (number) ON DELETE CASCADE,
                liked_ms INTEGER,
                rating INTEGER CHECK (rating BETWEEN 1 AND 5),
                PRIMARY KEY (uid, track),
                CHECK (liked_ms IS NOT NULL OR rating IS NOT NULL)
            ) STRICT;
            CREATE INDEX track_opinions_by_track ON track_opinions (track);
            CREATE INDEX track_likes ON track_opinions (uid, liked_ms DESC, track DESC) WHERE liked_ms IS NOT NULL;
            CREATE TABLE album_opinions (
                uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                album INTEGER NOT NULL REFERENCES albums (number) ON DELETE CASCADE,
                liked_ms INTEGER,
                rating INTEGER CHECK (rating BETWEEN 1 AND 5),
                PRIMARY KEY (uid, album),
                CHECK (liked_ms IS NOT NULL OR rating IS NOT NULL)
            ) STRICT;
            CREATE INDEX album_opinions_by_album ON album_opinions (album);
            CREATE INDEX album_likes ON album_opinions (uid, liked_ms DESC, album DESC) WHERE liked_ms IS NOT NULL;
            CREATE TABLE artist_opinions (
                uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                artist INTEGER NOT NULL REFERENCES artists (number) ON DELETE CASCADE,
                liked_ms INTEGER,
                rating INTEGER CHECK (rating BETWEEN 1 AND 5),
                PRIMARY KEY (uid, artist),
                CHECK (liked_ms IS NOT NULL OR rating IS NOT NULL)
            ) STRICT;
            CREATE INDEX artist_opinions_by_artist ON artist_opinions (artist);
            CREATE INDEX artist_likes ON artist_opinions (uid, liked_ms DESC, artist DESC) WHERE liked_ms IS NOT NULL;
            """)
    }

    /// Adds which playlists accounts like.
    @Sendable static func createPlaylistLikes(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE playlist_opinions (
                uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                playlist INTEGER NOT NULL REFERENCES playlists (number) ON DELETE CASCADE,
                liked_ms INTEGER,
                rating INTEGER CHECK (rating BETWEEN 1 AND 5),
                PRIMARY KEY (uid, playlist),
                CHECK (liked_ms IS NOT NULL OR rating IS NOT NULL)
            ) STRICT;
            CREATE INDEX playlist_opinions_by_playlist ON playlist_opinions (playlist);
            CREATE INDEX playlist_likes ON playlist_opinions (uid, liked_ms DESC, playlist DESC) WHERE liked_ms IS NOT NULL;
            """)
    }
}
