internal import SonaDatabase

extension ModelSchema {
    /// Numbers the broadcast of each track. The table was empty before.
    @Sendable static func tellBroadcasts(_ db: inout WriteAccess) throws {
        try db.executeScript(
            "ALTER TABLE room_history ADD COLUMN session INTEGER NOT NULL DEFAULT 1 CHECK (session >= 1);")
    }
}
