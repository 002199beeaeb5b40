internal import SonaDatabase

extension LibrarySchema {
    /// Adds tracks that were submitted, what was decided about them, and contents that were taken down.
    @Sendable static func createSubmissions(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE submissions (
                number INTEGER PRIMARY KEY,
                track INTEGER UNIQUE REFERENCES tracks (number) ON DELETE SET NULL,
                owner_uid TEXT REFERENCES users (uid) ON DELETE SET NULL,
                state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'rejected')),
                reason TEXT CHECK (length(CAST(reason AS BLOB)) BETWEEN 1 AND 500),
                submitted_ms INTEGER NOT NULL,
                decided_ms INTEGER,
                decided_by TEXT REFERENCES users (uid) ON DELETE SET NULL
            ) STRICT;
            CREATE INDEX submissions_by_owner ON submissions (owner_uid, number);
            CREATE INDEX submissions_by_state ON submissions (state, number);
            CREATE INDEX submissions_by_decider ON submissions (decided_by) WHERE decided_by IS NOT NULL;
            CREATE TABLE refused_contents (
                number INTEGER PRIMARY KEY,
                content BLOB NOT NULL UNIQUE,
                title TEXT NOT NULL CHECK (length(CAST(title AS BLOB)) BETWEEN 1 AND 500),
                reason TEXT CHECK (length(CAST(reason AS BLOB)) BETWEEN 1 AND 500),
                at_ms INTEGER NOT NULL,
                by_uid TEXT REFERENCES users (uid) ON DELETE SET NULL
            ) STRICT;
            CREATE INDEX refused_contents_by_user ON refused_contents (by_uid) WHERE by_uid IS NOT NULL;
            """)
    }
}
