internal import SonaDatabase

extension ModelSchema {
    /// Adds reports of what should not be there.
    @Sendable static func createReports(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE reports (
                id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 9223372036854775807),
                at_ms INTEGER NOT NULL,
                kind TEXT NOT NULL CHECK (length(CAST(kind AS BLOB)) BETWEEN 1 AND 64),
                room_id TEXT,
                message INTEGER,
                uid TEXT,
                quote TEXT CHECK (length(CAST(quote AS BLOB)) <= 4000),
                text TEXT CHECK (length(CAST(text AS BLOB)) <= 1000),
                by_uid TEXT,
                resolved_ms INTEGER,
                resolved_by TEXT,
                note TEXT CHECK (length(CAST(note AS BLOB)) <= 200)
            ) STRICT;
            CREATE INDEX open_reports ON reports (id) WHERE resolved_ms IS NULL;
            CREATE INDEX reports_by_reporter ON reports (by_uid, id);
            CREATE INDEX reports_by_decider ON reports (resolved_by) WHERE resolved_by IS NOT NULL;
            """)
    }
}
