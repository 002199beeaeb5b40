/// One database with one connection: all accesses run one after another, on one thread.
///
/// Meant for a database in memory, which only the connection that made it can see, and for files with few users at a
/// time, as in a tool or a test. It has the same accesses as a `DatabasePool` and the same group commit. A read,
/// however, waits for the writes queued before it, and sees them.
///
/// Dropping the last reference closes it in the background; a database in memory is gone then.
public final class DatabaseQueue: DatabaseWriter {
    /// The one connection and the observers of this queue. Has no public members.
    public let engine: DatabaseEngine

    init(_ engine: DatabaseEngine) { self.engine = engine }

    /// Opens the file, or makes it. See `DatabasePool.open`.
    public static func open(
        _ path: String, applicationID: Int32, migrations: [Migration], options: DatabaseOptions = DatabaseOptions()
    ) async throws(DatabaseError) -> DatabaseQueue {
        let queue = DatabaseQueue(DatabaseEngine(path: path, options: options, hasReaders: false))
        try await queue.engine.open(SchemaTimeline(applicationID: applicationID, migrations: migrations))
        return queue
    }

    /// The same with the application's DAOs. See `DatabasePool.open`.
    public static func open<All: DAOs>(
        _ path: String, applicationID: Int32, daos: All.Type, migrations: [Migration] = [],
        options: DatabaseOptions = DatabaseOptions()
    ) async throws(DatabaseError) -> (database: DatabaseQueue, daos: All) {
        let queue = DatabaseQueue(DatabaseEngine(path: path, options: options, hasReaders: false))
        let all = All(queue)
        let tables = try SchemaSetUp.tables(of: all)
        try await queue.engine.open(
            SchemaTimeline(applicationID: applicationID, migrations: migrations, tables: tables))
        return (queue, all)
    }

    /// A new database that lives as long as the queue.
    public static func inMemory(
        migrations: [Migration] = [], options: DatabaseOptions = DatabaseOptions()
    ) async throws(DatabaseError) -> DatabaseQueue {
        try await open(memoryPath, applicationID: 1, migrations: migrations, options: options)
    }

    /// The same with the application's DAOs.
    public static func inMemory<All: DAOs>(
        daos: All.Type, options: DatabaseOptions = DatabaseOptions()
    ) async throws(DatabaseError) -> (database: DatabaseQueue, daos: All) {
        try await open(memoryPath, applicationID: 1, daos: daos, options: options)
    }

    static let memoryPath = ":memory:"
}
