/// Brings a file to the newest version of its schema.
///
/// `user_version` counts the migrations applied, the table `schema_migrations` names them, `application_id` says whose
/// file it is. All pending migrations, and what the declared tables need on top, are one transaction: an opening that
/// fails or crashes leaves the file as it was, so that the program that wrote it can open it again.
///
/// A new file is made from the declared tables, if there are any, and counts as migrated: the timeline is for files that
/// are older than the program. `SchemaSetUp.differences` holds the two ways against each other.
struct Migrator {
    let schema: SchemaTimeline
    let log: (@Sendable (DatabaseEvent) -> Void)?

    private var migrations: [Migration] { schema.migrations }

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
        guard isNew || id == Int64(schema.applicationID) else {
            throw DatabaseError(kind: .foreignApplication(id: Int32(truncatingIfNeeded: id)))
        }
        guard version <= migrations.count else {
            throw DatabaseError(kind: .newerVersion(found: version, known: migrations.count))
        }
        guard version >= 0 else { throw DatabaseError(kind: .schemaMismatch("user_version is negative")) }
        return FileState(version: version, isNew: isNew)
    }

    func migrate(_ connection: Connection, from state: FileState) throws(DatabaseError) {
        precondition(schema.applicationID != 0, "0 is the application_id of every file that was never given one.")
        precondition(Set(migrations.map(\.name)).count == migrations.count, "Two migrations have one name.")
        let setUp = SchemaSetUp(tables: schema.tables, log: log)
        var version = state.version
        if state.isNew {
            let isMade = try makeNewFile(connection, setUp)
            if isMade, !schema.tables.isEmpty { return }
            version = try identify(connection).version
        }
        try checkNames(connection, applied: version)
        if version < migrations.count {
            try applyPending(connection, setUp)
        } else if !schema.tables.isEmpty {
            try connection.transaction { () throws(DatabaseError) in try setUp.adapt(connection) }
        }
    }

    private func applyPending(_ connection: Connection, _ setUp: SchemaSetUp) throws(DatabaseError) {
        // SQLite ignores this inside a transaction.
        try connection.set("PRAGMA foreign_keys = OFF")
        try connection.transaction { () throws(DatabaseError) in
            // Another process may have migrated the same file since its version was read.
            let version = try identify(connection).version
            for position in version..<migrations.count {
                try apply(migrations[position], at: position, on: connection)
            }
            if !schema.tables.isEmpty { try setUp.adapt(connection) }
            try checkForeignKeys(connection)
        }
        try connection.set("PRAGMA foreign_keys = ON")
    }

    /// All tables in one transaction, or none and no file of ours.
    ///
    /// - Returns: False if somebody else was faster.
    private func makeNewFile(_ connection: Connection, _ setUp: SchemaSetUp) throws(DatabaseError) -> Bool {
        var isMade = false
        try connection.transaction { () throws(DatabaseError) in
            guard try identify(connection).isNew else { return }
            isMade = true
            try connection.executeScript(
                """
                CREATE TABLE schema_migrations (
                    position INTEGER PRIMARY KEY,
                    name TEXT NOT NULL UNIQUE
                ) STRICT
                """)
            try connection.setNumber("application_id", schema.applicationID)
            guard !schema.tables.isEmpty else { return }
            try setUp.create(connection)
            for position in migrations.indices { try record(position, on: connection) }
        }
        return isMade
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
        try checkForeignKeys(connection)
        try record(position, on: connection)
    }

    private func checkForeignKeys(_ connection: Connection) throws(DatabaseError) {
        let dangling: String? = try connection.ask("PRAGMA foreign_key_check")
        guard dangling == nil else { throw DatabaseError(kind: .foreignKey, detail: "in \(dangling ?? "")") }
    }

    private func record(_ position: Int, on connection: Connection) throws(DatabaseError) {
        _ = try connection.execute(
            "INSERT INTO schema_migrations (position, name) VALUES (\(position + 1), \(migrations[position].name))")
        try connection.setNumber("user_version", Int32(clamping: position + 1))
    }
}

extension Connection {
    func transaction(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
        try control(.beginImmediate)
        do {
            try body()
            try control(.commit)
        } catch {
            if isInTransaction { try? control(.rollback) }
            throw error
        }
    }
}
