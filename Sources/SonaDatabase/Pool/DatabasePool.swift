internal import CSQLite

/// One database file, one thread that writes, several connections that read.
///
/// ```swift
/// let pool = try await DatabasePool.open(path, applicationID: 0x4D55_5349, migrations: timeline)
/// try await pool.write { db in try db.execute("INSERT INTO albums (id, name) VALUES (\(id), \(name))") }
/// let name = try await pool.read { db in try db.value("SELECT name FROM albums WHERE id = \(id)", as: String.self) }
/// await pool.close()
/// ```
///
/// A write that returned is on the disk (WAL, `synchronous=FULL`), and writes that wait at the same time share one
/// sync. Reads run on the calling task's thread with a connection out of the pool, never behind a write.
///
/// Dropping the last reference closes the file in the background; `close` does it and waits.
public final class DatabasePool: Sendable {
    public struct Options: Sendable {
        /// Connections that read.
        public var readers = 4
        /// How long a statement waits for another process.
        public var busyTimeoutMilliseconds: Int32 = 5_000
        /// Prepared statements kept per connection.
        public var statementCacheSize = 256
        /// Writes in one commit.
        public var batchWritesMax = 512
        /// Writes waiting; one more is refused with `busy`.
        public var queuedWritesMax = 16_384
        /// Reads waiting; one more is refused with `busy`.
        public var waitingReadsMax = 16_384
        /// A file that was not closed is checked page by page when it is opened again, up to this size.
        public var checkedBytesMax = 200 << 20
        /// Up to this size it is checked at every opening: that takes some milliseconds.
        public var alwaysCheckedBytesMax = 16 << 20

        public init() {}
    }

    /// Where the file is.
    public let path: String
    private let writer: Writer
    private let readers: ReaderPool

    private init(path: String, writer: Writer, readers: ReaderPool) {
        self.path = path
        self.writer = writer
        self.readers = readers
    }

    deinit { writer.beginClosing() }

    /// Opens the file, or makes it with mode 0600, and applies the migrations it does not have yet.
    ///
    /// A file of another application or of a newer program is refused before anything in it is changed.
    ///
    /// - Parameters:
    ///   - path: In a folder that exists and that only this process writes to. Not on a network file system.
    ///   - applicationID: Written into a new file, and demanded of an old one. Not 0, which is every file's default.
    ///   - migrations: The whole timeline, oldest first.
    /// - Throws: `cannotOpen`, `notADatabase`, `corrupt`, `foreignApplication`, `newerVersion`, `schemaMismatch`, or what a
    ///   migration throws as a `DatabaseError`.
    public static func open(
        _ path: String, applicationID: Int32, migrations: [Migration], options: Options = Options()
    ) async throws(DatabaseError) -> DatabasePool {
        let writer = Writer(options: options)
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<[Connection], DatabaseError>, Never>) in
            let started = WorkerThread.start("database") {
                do throws(DatabaseError) {
                    let connection = try openConnections(
                        path, applicationID, migrations, options
                    ) { readers in continuation.resume(returning: .success(readers)) }
                    writer.work(consume connection)
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            if !started {
                continuation.resume(
                    returning: .failure(DatabaseError(kind: .other, detail: "The system has no thread to give.")))
            }
        }
        let readers = ReaderPool(try result.get(), waitersMax: options.waitingReadsMax)
        return DatabasePool(path: path, writer: writer, readers: readers)
    }

    /// A function of its own, so that nothing on the writer's thread keeps the readers once they are handed over: the
    /// log goes away when the last connection does.
    private static func openConnections(
        _ path: String, _ applicationID: Int32, _ migrations: [Migration], _ options: Options,
        handOver: ([Connection]) -> Void
    ) throws(DatabaseError) -> Connection {
        let opened = try Opening(path: path, applicationID: applicationID, migrations: migrations, options: options)
        handOver(opened.readers)
        return opened.writer
    }

    /// Reads one state of the database.
    ///
    /// On the calling task's thread once a reader is free: keep it short, since a scan would hold a thread of the
    /// cooperative pool. A read inside a read takes a second reader and may wait for it for ever.
    ///
    /// - Throws: `CancellationError` when the task is cancelled, which also ends a running statement; `closed`; `busy`
    ///   when too many wait; what `body` throws.
    public func read<Value: Sendable>(
        _ body: @Sendable (inout ReadAccess) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let connection = try await readers.checkOut()
        let lease = ReaderLease(connection)
        connection.lease = lease
        defer {
            lease.end()
            connection.lease = nil
            readers.checkIn(connection)
        }
        do {
            return try await withTaskCancellationHandler {
                try Self.readSnapshot(connection, body)
            } onCancel: {
                lease.cancel()
            }
        } catch let error as DatabaseError where error.kind == .interrupted && Task.isCancelled {
            throw CancellationError()
        }
    }

    /// The same for code that is not async: blocks the thread until a reader is free.
    ///
    /// Not for an event loop, and not for tasks: one waiting here could hold the thread that the holder of the reader
    /// needs to go on.
    @available(*, noasync, message: "await read instead")
    public func readNow<Value>(_ body: (inout ReadAccess) throws -> Value) throws -> Value {
        let connection = try readers.checkOutBlocking()
        defer { readers.checkIn(connection) }
        return try Self.readSnapshot(connection, body)
    }

    /// Writes, all of `body` or nothing, and returns when it is on the disk.
    ///
    /// On the writer's thread, after the writes queued before. `body` must not wait for anything: everybody else's
    /// writes wait for it.
    ///
    /// - Throws: What `body` throws, after undoing it alone; `closed`; `busy` when too many wait; `full`, `io` and their
    ///   like if the commit failed, and then nothing of it was kept; `CancellationError` if the task was cancelled
    ///   before the write began. One that has begun is finished.
    @discardableResult
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (inout WriteAccess) throws -> Value
    ) async throws -> Value {
        try await WriteJobOf(body).run { job in writer.enqueue(job) }
    }

    /// The version of SQLite in use, for the log.
    public static var sqliteVersion: String { String(cString: sqlite3_libversion()) }

    /// The error after which nothing is written any more, if there was one: a sync failed, and only opening the file
    /// again tells what the disk holds. Worth ending the process for.
    public var fatalError: DatabaseError? { writer.failure }

    /// Refuses new accesses, finishes those queued, empties the log into the file and closes it. May be called twice.
    public func close() async {
        await readers.close()
        await writer.close()
    }

    private static func readSnapshot<Value>(
        _ connection: Connection, _ body: (inout ReadAccess) throws -> Value
    ) throws -> Value {
        try connection.control("BEGIN")
        do {
            var access = ReadAccess(connection)
            let value = try body(&access)
            try connection.control("COMMIT")
            return value
        } catch {
            if connection.isInTransaction { try? connection.control("ROLLBACK") }
            throw error
        }
    }
}
