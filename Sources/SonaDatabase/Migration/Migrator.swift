/// Brings a file to the newest version of its schema.
///
/// `user_version` counts the migrations applied, the table `schema_migrations` names them, `application_id` says whose
/// file it is. All three change in the transaction of the migration itself, so a crash leaves a whole number of them.
struct Migrator {
    let applicationID: Int32
    let migrations: [Migration]

    struct FileState {
        let version: Int
        let isNew: Bool
    }

    /// Reads whose file it is and how old. Changes nothing.
    func identify(_ connection: Connection) throws(DatabaseError) -> FileState {
        let objects = try connection.ask("SELECT count(*) FROM sqlite_schema", as: Int.self) ?? 0
        let id = try connection.ask("PRAGMA application_id", as: Int64.self) ?? 0
        let version = try connection.ask("PRAGMA user_version", as: Int.self) ?? 0
        let isNew = objects == 0 && id == 0 && version == 0
        guard isNew || id == Int64(applicationID) else {
            throw DatabaseError(kind: .foreignApplication(id: Int32(truncatingIfNeeded: id)))
        }
        guard version <= migrations.count else {
            throw DatabaseError(kind: .newerVersion(found: version, known: migrations.count))
        }
        guard version >= 0 else { throw DatabaseError(kind: .schemaMismatch("user_version is negative")) }
        return FileState(version: version, isNew: isNew)
    }

    func migrate(_ connection: Connection, from state: FileState) throws(DatabaseError) {
        precondition(applicationID != 0, "0 is the application_id of every file that was never given one.")
        precondition(Set(migrations.map(\.name)).count == migrations.count, "Two migrations have one name.")
        if state.isNew { try prepareNewFile(connection) }
        try checkNames(connection, applied: state.version)
        guard state.version < migrations.count else { return }
        try connection.control("PRAGMA foreign_keys = OFF")
        for position in state.version..<migrations.count {
            try transaction(on: connection) { () throws(DatabaseError) in
                try apply(migrations[position], at: position, on: connection)
            }
        }
        try connection.control("PRAGMA foreign_keys = ON")
    }

    private func prepareNewFile(_ connection: Connection) throws(DatabaseError) {
        try transaction(on: connection) { () throws(DatabaseError) in
            try connection.executeScript(
                """
                CREATE TABLE schema_migrations (
                    position INTEGER PRIMARY KEY,
                    name TEXT NOT NULL UNIQUE
                ) STRICT
                """)
            try connection.setNumber("application_id", applicationID)
        }
    }

    private func checkNames(_ connection: Connection, applied: Int) throws(DatabaseError) {
        for position in 0..<applied {
            let name: String? = try connection.ask(
                "SELECT name FROM schema_migrations WHERE position = \(position + 1)")
            guard name == migrations[position].name else {
                throw DatabaseError(
                    kind: .schemaMismatch(
                        "migration \(position + 1) of the file is \"\(name ?? "")\", here \"\(migrations[position].name)\""
                    ))
            }
        }
    }

    private func apply(_ migration: Migration, at position: Int, on connection: Connection) throws(DatabaseError) {
        do {
            var access = WriteAccess(connection)
            try migration.body(&access)
        } catch {
            throw error as? DatabaseError
                ?? DatabaseError(kind: .other, detail: "The migration \"\(migration.name)\" failed: \(error)")
        }
        let dangling: String? = try connection.ask("PRAGMA foreign_key_check")
        guard dangling == nil else { throw DatabaseError(kind: .foreignKey, detail: "in \(dangling ?? "")") }
        _ = try connection.execute(
            "INSERT INTO schema_migrations (position, name) VALUES (\(position + 1), \(migration.name))")
        try connection.setNumber("user_version", Int32(clamping: position + 1))
    }

    private func transaction(
        on connection: Connection, _ body: () throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        try connection.control("BEGIN IMMEDIATE")
        do {
            try body()
            try connection.control("COMMIT")
        } catch {
            if connection.isInTransaction { try? connection.control("ROLLBACK") }
            throw error
        }
    }
}
