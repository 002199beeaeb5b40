internal import SonaDatabase

extension LibrarySchema {
    /// Adds the state of a directory's cover, and the colours of covers. A scan fills in the former, a job the latter.
    @Sendable static func addCoverColors(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            ALTER TABLE music_directories ADD COLUMN cover_modified_ns INTEGER;
            ALTER TABLE music_directories ADD COLUMN cover_color INTEGER;
            ALTER TABLE music_files ADD COLUMN cover_color INTEGER;
            """)
    }
}
