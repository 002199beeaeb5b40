internal import SonaDatabase

extension ModelSchema {
    /// Adds the filter of words.
    @Sendable static func filterWords(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE filtered_words (
                word TEXT NOT NULL PRIMARY KEY CHECK (length(CAST(word AS BLOB)) BETWEEN 1 AND 64),
                action TEXT NOT NULL CHECK (action IN ('refuse', 'mask', 'flag')),
                created_ms INTEGER NOT NULL,
                by_uid TEXT REFERENCES users (uid) ON DELETE SET NULL
            ) STRICT;
            CREATE INDEX filtered_words_by_user ON filtered_words (by_uid);
            """)
    }
}
