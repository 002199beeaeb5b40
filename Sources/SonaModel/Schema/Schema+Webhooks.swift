internal import SonaDatabase

extension ModelSchema {
    /// Adds addresses that are told what happens.
    @Sendable static func createWebhooks(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE webhooks (
                number INTEGER PRIMARY KEY,
                room_id TEXT REFERENCES rooms (id) ON DELETE CASCADE,
                url TEXT NOT NULL,
                form TEXT NOT NULL CHECK (form IN ('json', 'discord')),
                events TEXT NOT NULL,
                secret BLOB NOT NULL,
                is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
                created_ms INTEGER NOT NULL,
                delivered INTEGER NOT NULL,
                dropped INTEGER NOT NULL,
                failures INTEGER NOT NULL,
                failing_since_ms INTEGER,
                next_ms INTEGER,
                answers TEXT NOT NULL
            ) STRICT;
            CREATE INDEX webhooks_by_room_id ON webhooks (room_id);
            CREATE TABLE webhook_events (
                number INTEGER PRIMARY KEY,
                webhook INTEGER NOT NULL REFERENCES webhooks (number) ON DELETE CASCADE,
                event TEXT NOT NULL,
                kind TEXT NOT NULL,
                at_ms INTEGER NOT NULL,
                matter TEXT NOT NULL
            ) STRICT;
            CREATE INDEX webhook_events_by_webhook ON webhook_events (webhook, number);
            """)
    }
}
