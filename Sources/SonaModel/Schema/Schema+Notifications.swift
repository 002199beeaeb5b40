internal import SonaDatabase

extension ModelSchema {
    /// Adds what accounts are told of.
    @Sendable static func createNotifications(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE notifications (
                number INTEGER PRIMARY KEY,
                uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                kind TEXT NOT NULL CHECK (length(CAST(kind AS BLOB)) BETWEEN 1 AND 32),
                key TEXT CHECK (length(CAST(key AS BLOB)) BETWEEN 1 AND 200),
                from_uid TEXT REFERENCES users (uid) ON DELETE CASCADE,
                room_id TEXT,
                track TEXT,
                album TEXT,
                playlist TEXT,
                title TEXT CHECK (length(CAST(title AS BLOB)) BETWEEN 1 AND 500),
                result TEXT CHECK (length(CAST(result AS BLOB)) BETWEEN 1 AND 32),
                text TEXT CHECK (length(CAST(text AS BLOB)) BETWEEN 1 AND 1000),
                created_ms INTEGER NOT NULL,
                read_ms INTEGER,
                told INTEGER NOT NULL CHECK (told IN (0, 1))
            ) STRICT;
            CREATE INDEX notifications_by_user ON notifications (uid, number);
            CREATE INDEX notifications_by_sender ON notifications (from_uid) WHERE from_uid IS NOT NULL;
            CREATE UNIQUE INDEX notifications_by_key ON notifications (uid, key) WHERE key IS NOT NULL;
            CREATE INDEX unread_notifications ON notifications (uid) WHERE read_ms IS NULL;
            CREATE INDEX untold_notifications ON notifications (uid) WHERE told = 0;
            CREATE INDEX notifications_by_age ON notifications (created_ms);
            CREATE TABLE notification_preferences (
                uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                kind TEXT NOT NULL CHECK (length(CAST(kind AS BLOB)) BETWEEN 1 AND 32),
                shown INTEGER NOT NULL CHECK (shown IN (0, 1)),
                mailed INTEGER NOT NULL CHECK (mailed IN (0, 1)),
                PRIMARY KEY (uid, kind)
            ) STRICT;
            """)
    }
}
