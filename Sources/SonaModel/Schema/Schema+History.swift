internal import SonaDatabase

extension Schema {
    /// Which tracks were of one broadcast. Nothing was written to the table before.
    @Sendable static func tellBroadcasts(_ db: inout WriteAccess) throws {
        try db.executeScript(
            "ALTER TABLE room_history ADD COLUMN session INTEGER NOT NULL DEFAULT 1 CHECK (session >= 1);")
    }
}
