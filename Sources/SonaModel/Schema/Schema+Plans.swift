internal import SonaDatabase

extension ModelSchema {
    /// Adds plans, by which accounts may take more of the server than others, or less.
    @Sendable static func createPlans(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            CREATE TABLE plans (
                name TEXT NOT NULL PRIMARY KEY CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 32),
                storage_bytes INTEGER,
                uploads_per_day INTEGER,
                rooms INTEGER,
                bit_rate INTEGER
            ) STRICT;
            CREATE TABLE account_plans (
                uid TEXT NOT NULL PRIMARY KEY REFERENCES users (uid) ON DELETE CASCADE,
                plan TEXT NOT NULL REFERENCES plans (name) ON DELETE CASCADE
            ) STRICT;
            CREATE INDEX account_plans_by_plan ON account_plans (plan);
            """)
    }
}
