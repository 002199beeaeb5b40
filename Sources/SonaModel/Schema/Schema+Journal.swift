internal import SonaDatabase

extension ModelSchema {
    /// `journal` has one row per line and is append-only; `journal_head` says where it ends. The triggers that refuse
    /// changes are made by `JournalDAO.prepare`, not here.
    @Sendable static func createJournal(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE journal (
                id INTEGER PRIMARY KEY CHECK (id >= 1),
                at_ms INTEGER NOT NULL,
                kind TEXT NOT NULL CHECK (length(CAST(kind AS BLOB)) BETWEEN 1 AND 64),
                actor TEXT CHECK (length(CAST(actor AS BLOB)) BETWEEN 1 AND 128),
                subject TEXT CHECK (length(CAST(subject AS BLOB)) BETWEEN 1 AND 128),
                detail TEXT NOT NULL CHECK (length(CAST(detail AS BLOB)) BETWEEN 2 AND 4096),
                mac BLOB NOT NULL CHECK (length(mac) = 32)
            ) STRICT;
            CREATE INDEX journal_by_kind ON journal (kind);
            CREATE INDEX journal_by_actor ON journal (actor) WHERE actor IS NOT NULL;
            CREATE INDEX journal_by_subject ON journal (subject) WHERE subject IS NOT NULL;

            CREATE TABLE journal_head (
                id INTEGER PRIMARY KEY CHECK (id = 1),
                count INTEGER NOT NULL CHECK (count >= 0),
                mac BLOB NOT NULL CHECK (length(mac) = 32),
                key_id TEXT NOT NULL CHECK (length(CAST(key_id AS BLOB)) BETWEEN 16 AND 16),
                since_id INTEGER NOT NULL CHECK (since_id >= 1),
                seal BLOB NOT NULL CHECK (length(seal) = 32)
            ) STRICT;
            """)
    }
}
