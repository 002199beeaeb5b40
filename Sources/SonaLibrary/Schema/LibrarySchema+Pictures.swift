internal import SonaDatabase

extension LibrarySchema {
    /// Adds playlists' own pictures.
    @Sendable static func createPlaylistPictures(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE playlist_pictures (
                playlist INTEGER PRIMARY KEY REFERENCES playlists (number) ON DELETE CASCADE,
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
