internal import CSQLite

/// One database file, one thread that writes, several connections that read.
///
/// ```swift
/// let pool = try await DatabasePool.open(path, applicationID: 0x4D55_5349, migrations: timeline)
/// try await pool.write { db in try db.insert(album) }
/// let album = try await pool.read { db in try db.first(Album.self, key: 7) }
/// await pool.close()
/// ```
///
/// A write that returned is on the disk (WAL, `synchronous=FULL`), and writes that wait at the same time share one
/// sync. Reads run on the calling task's thread with a connection out of the pool, and never wait for a write.
///
/// Dropping the last reference closes the file in the background; `close` does it and waits.
public final class DatabasePool: DatabaseWriter {
    /// The options of a pool are those of every database.
    public typealias Options = DatabaseOptions

    /// The writer, the readers and the observers of this pool. Has no public members.
    public let engine: DatabaseEngine

    init(_ engine: DatabaseEngine) { self.engine = engine }

    /// Opens the file, or makes it with mode 0600, and applies the migrations it does not have yet.
    ///
    /// A file of another application or of a newer program is refused before anything in it is changed.
    ///
    /// - Parameters:
    ///   - path: In a folder that exists and that only this process writes to. Not on a network file system.
    ///   - applicationID: Written into a new file, and demanded of an old one. Not 0, which is every file's default.
    ///   - migrations: The whole timeline, oldest first.
    /// - Throws: `cannotOpen`, `notADatabase`, `corrupt`, `foreignApplication`, `newerVersion`, `schemaMismatch`, `busy`, or
    ///   what a migration throws as a `DatabaseError`.
    public static func open(
        _ path: String, applicationID: Int32, migrations: [Migration], options: DatabaseOptions = DatabaseOptions()
    ) async throws(DatabaseError) -> DatabasePool {
        let pool = DatabasePool(DatabaseEngine(path: path, options: options, hasReaders: true))
        try await pool.engine.open(SchemaTimeline(applicationID: applicationID, migrations: migrations))
        return pool
    }

    /// The same with the application's DAOs: every table they declare is set up before anything else happens.
    ///
    /// - Parameter daos: A struct whose stored properties are the DAOs; being one is the registration.
    /// - Throws: The same, and `setUp` with the name of the table that could not be set up.
    public static func open<All: DAOs>(
        _ path: String, applicationID: Int32, daos: All.Type, migrations: [Migration] = [],
        options: DatabaseOptions = DatabaseOptions()
    ) async throws(DatabaseError) -> (database: DatabasePool, daos: All) {
        let pool = DatabasePool(DatabaseEngine(path: path, options: options, hasReaders: true))
        let all = All(pool)
        let tables = try SchemaSetUp.tables(of: all)
        try await pool.engine.open(
            SchemaTimeline(applicationID: applicationID, migrations: migrations, tables: tables))
        return (pool, all)
    }

    /// The version of SQLite in use, for the log.
    public static var sqliteVersion: String { String(cString: sqlite3_libversion()) }
}
