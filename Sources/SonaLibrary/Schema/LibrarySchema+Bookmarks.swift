internal import SonaDatabase

extension LibrarySchema {
    /// Adds bookmarks.
    @Sendable static func createBookmarks(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE bookmarks (
                uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                track INTEGER NOT NULL REFERENCES tracks (number) ON DELETE CASCADE,
                position_ms INTEGER NOT NULL CHECK (position_ms BETWEEN 0 AND 9007199254740991),
                comment TEXT CHECK (length(CAST(comment AS BLOB)) BETWEEN 1 AND 500),
                created_ms INTEGER NOT NULL,
                changed_ms INTEGER NOT NULL,
                PRIMARY KEY (uid, track)
            ) STRICT;
            CREATE INDEX bookmarks_by_track ON bookmarks (track);
            """)
    }
}
