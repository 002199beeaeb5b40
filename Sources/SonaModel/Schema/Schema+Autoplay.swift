internal import SonaDatabase

extension ModelSchema {
    /// Adds rooms that play by themselves.
    @Sendable static func createAutoplay(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE room_autoplay (
                room_id TEXT NOT NULL PRIMARY KEY REFERENCES rooms (id) ON DELETE CASCADE,
                playlist TEXT
            ) STRICT;
            """)
    }
}
