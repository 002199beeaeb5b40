internal import SonaDatabase

extension ModelSchema {
    /// Adds the moment of a track to notifications.
    @Sendable static func addMoments(_ db: inout WriteAccess) throws {
        try db.executeScript(
            "ALTER TABLE notifications ADD COLUMN at_s INTEGER CHECK (at_s BETWEEN 1 AND 999999);")
    }
}
