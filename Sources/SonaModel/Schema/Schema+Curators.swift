internal import SonaDatabase

extension ModelSchema {
    /// Puts the role `curator` in the place of `moderator`, which was reserved and allowed what `user` does. SQLite changes
    /// no CHECK, so the column is made anew, at the end of the table.
    @Sendable static func nameCurators(_ db: inout WriteAccess) throws {
        try db.executeScript(
            """
            DROP INDEX users_with_role;
            ALTER TABLE users RENAME COLUMN role TO former_role;
            ALTER TABLE users ADD COLUMN role TEXT NOT NULL DEFAULT 'user' CHECK (role IN ('user', 'curator', 'admin'));
            UPDATE users SET role = former_role WHERE former_role <> 'moderator';
            ALTER TABLE users DROP COLUMN former_role;
            CREATE INDEX users_with_role ON users (role) WHERE role <> 'user';
            """)
    }
}
