internal import SonaDatabase

extension ModelSchema {
    /// Adds the code for setting the server up.
    @Sendable static func createSetup(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE setup_codes (
                id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 1),
                hash BLOB NOT NULL CHECK (length(hash) = 32),
                expires_ms INTEGER NOT NULL
            ) STRICT;
            """)
    }
}
