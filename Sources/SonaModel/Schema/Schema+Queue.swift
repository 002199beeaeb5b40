internal import SonaDatabase

extension ModelSchema {
    /// Raises the length limit of a queue, because one with the votes of ten thousand people was too long. The table
    /// was empty before.
    @Sendable static func widenQueue(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            DROP TABLE room_queue;
            CREATE TABLE room_queue (
                room_id TEXT NOT NULL PRIMARY KEY REFERENCES rooms (id) ON DELETE CASCADE,
                state TEXT NOT NULL CHECK (length(CAST(state AS BLOB)) BETWEEN 1 AND 4194304),
                revision INTEGER NOT NULL CHECK (revision >= 0)
            ) STRICT;
            """)
    }
}
