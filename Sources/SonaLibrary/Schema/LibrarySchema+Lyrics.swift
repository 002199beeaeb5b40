internal import SonaDatabase

extension LibrarySchema {
    /// Adds lyrics. The next scan looks for them in every file, since none has a time of lyrics yet.
    @Sendable static func createLyrics(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE lyrics (
                track INTEGER PRIMARY KEY REFERENCES tracks (number) ON DELETE CASCADE,
                synced INTEGER NOT NULL CHECK (synced IN (0, 1)),
                words TEXT NOT NULL
            ) STRICT;
            ALTER TABLE music_files ADD COLUMN lyrics_ns INTEGER;
            """)
    }
}
