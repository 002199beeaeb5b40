/// A database file that this process does not serve: another process may have it open, or nobody.
///
/// For programs that look after the file from outside, such as backups. SQLite's own locks keep both sides apart. Blocks
/// the thread where a function is not asynchronous.
public enum DatabaseFile {
    /// What a file says of itself.
    public struct Description: Sendable, Equatable {
        /// Zero for a file that belongs to no program.
        public let applicationID: Int32
        /// Migrations that were applied to the file.
        public let migrationCount: Int
        /// Bytes of the database, its log included as far as it is committed.
        public let bytes: Int64
    }

    /// Reads the header, as the last commit left it.
    ///
    /// - Throws: `cannotOpen`, `notADatabase`, `corrupt`, `busy`, `io`.
    public static func describe(_ path: String) throws(DatabaseError) -> Description {
        let connection = try reader(of: path)
        defer { connection.close() }
        let id = try connection.ask("PRAGMA application_id", as: Int64.self) ?? 0
        let version = try connection.ask("PRAGMA user_version", as: Int.self) ?? 0
        let pages = try connection.ask("PRAGMA page_count", as: Int64.self) ?? 0
        let pageBytes = try connection.ask("PRAGMA page_size", as: Int64.self) ?? 0
        return Description(
            applicationID: Int32(truncatingIfNeeded: id), migrationCount: version, bytes: pages * pageBytes)
    }

    /// Copies one state of the database, the one committed last, while other processes read and write it.
    ///
    /// The copy stands alone, has mode 0600, was checked (`quick_check`) and is on the disk before it takes its name.
    /// Same costs and same errors as `DatabaseReader.backup`.
    ///
    /// - Parameter target: The file to write, in a folder that exists. `<target>.partial` is used on the way.
    public static func copy(
        _ path: String, to target: String, pagesPerStep: Int = 256,
        progress: (@Sendable (_ fraction: Double) -> Void)? = nil
    ) async throws {
        let backup = try Backup(
            of: DatabaseFiles.resolved(path), to: target, pagesPerStep: pagesPerStep, progress: progress)
        try await MaintenanceThread.run { cancellation in
            let file = try PartialFile(for: target)
            try backup.copySnapshot(to: file, cancellation)
            try backup.finish(file, cancellation)
        }
    }

    /// Looks for pages that contradict each other, and for rows that refer to missing ones. Reads the whole file.
    ///
    /// - Throws: `corrupt`, `foreignKey`; the errors of `describe`.
    public static func check(_ path: String) throws(DatabaseError) {
        let connection = try reader(of: path)
        defer { connection.close() }
        let finding: String? = try connection.ask("PRAGMA integrity_check(1)")
        guard finding == "ok" else { throw DatabaseError(kind: .corrupt, detail: finding) }
        let dangling: String? = try connection.ask("PRAGMA foreign_key_check")
        if let dangling {
            throw DatabaseError(kind: .foreignKey, hint: "rows of \(dangling) refer to rows that are not there")
        }
    }

    /// The first value of a query; `nil` if it finds nothing or the table is not there.
    ///
    /// - Throws: The errors of `describe`.
    public static func text(_ query: SQL, ofTable table: String, in path: String) throws(DatabaseError) -> String? {
        let connection = try reader(of: path)
        defer { connection.close() }
        let count = try connection.ask(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = \(table)", as: Int.self)
        guard count == 1 else { return nil }
        return try connection.ask(query, as: String.self)
    }

    private static func reader(of path: String) throws(DatabaseError) -> Connection {
        let connection = try Connection(path: path, role: .reader, statementCacheSize: 1)
        try ConnectionSetup.prepareReader(connection, options: DatabaseOptions())
        return connection
    }
}
