internal import SonaDatabase

extension LibrarySchema {
    /// Adds the services to which accounts send what they hear.
    @Sendable static func createScrobbling(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE scrobble_connections (
                number INTEGER PRIMARY KEY,
                uid TEXT NOT NULL REFERENCES users (uid) ON DELETE CASCADE,
                service TEXT NOT NULL CHECK (length(CAST(service AS BLOB)) BETWEEN 1 AND 32),
                address TEXT NOT NULL,
                name TEXT NOT NULL,
                secret BLOB NOT NULL,
                is_refused INTEGER NOT NULL CHECK (is_refused IN (0, 1)),
                since_ms INTEGER NOT NULL,
                sent INTEGER NOT NULL,
                refused INTEGER NOT NULL,
                sent_ms INTEGER,
                failures INTEGER NOT NULL,
                next_ms INTEGER,
                error TEXT CHECK (length(CAST(error AS BLOB)) BETWEEN 1 AND 32),
                error_ms INTEGER
            ) STRICT;
            CREATE UNIQUE INDEX scrobble_connections_by_user ON scrobble_connections (uid, service, address);
            CREATE TABLE scrobbles (
                number INTEGER PRIMARY KEY,
                connection INTEGER NOT NULL REFERENCES scrobble_connections (number) ON DELETE CASCADE,
                key TEXT NOT NULL CHECK (length(CAST(key AS BLOB)) BETWEEN 1 AND 200),
                at_s INTEGER NOT NULL,
                title TEXT NOT NULL,
                artist TEXT NOT NULL,
                album TEXT NOT NULL,
                duration_ms INTEGER NOT NULL,
                sent_ms INTEGER
            ) STRICT;
            CREATE UNIQUE INDEX scrobbles_by_key ON scrobbles (connection, key);
            CREATE UNIQUE INDEX scrobbles_by_time ON scrobbles (connection, at_s);
            CREATE INDEX waiting_scrobbles ON scrobbles (connection, number) WHERE sent_ms IS NULL;
            CREATE INDEX sent_scrobbles ON scrobbles (sent_ms) WHERE sent_ms IS NOT NULL;
            """)
    }
}
