internal import SonaBase
internal import Synchronization

/// The inside of a `DatabasePool` or a `DatabaseQueue`: a writer, readers, and the observers of changes.
///
/// Has no public members.
public final class DatabaseEngine: Sendable {
    let path: String
    let options: DatabaseOptions
    let writer: Writer
    /// `nil` in a queue: there reads go through the writer's connection.
    @usableFromInline let readers: ReaderPool?
    let changes = ChangeHub()
    let checkpoints: Checkpoints
    private let suppressed = Atomic(0)

    init(path: String, options: DatabaseOptions, hasReaders: Bool) {
        var options = options
        options.path = path
        self.path = path
        self.options = options
        let readers = hasReaders ? ReaderPool(waitersMax: options.waitingReadsMax) : nil
        let longReadMax = options.longReadMax
        checkpoints = Checkpoints(options: options) { readers?.cancelOlder(than: longReadMax) ?? 0 }
        writer = Writer(options: options, changes: changes, checkpoints: checkpoints)
        self.readers = readers
    }

    deinit { writer.beginClosing() }

    /// Opens the connections; afterwards the writer's thread works until the engine is closed or dropped.
    func open(_ schema: SchemaTimeline) async throws(DatabaseError) {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<[Connection], DatabaseError>, Never>) in
            let writer = writer
            let path = path
            let options = options
            let hasReaders = readers != nil
            let started = WorkerThread.start("database") {
                do throws(DatabaseError) {
                    let connection = try Self.openConnections(
                        path, schema, options, hasReaders: hasReaders
                    ) { readers in continuation.resume(returning: .success(readers)) }
                    writer.work(consume connection)
                } catch {
                    writer.setClosed()
                    continuation.resume(returning: .failure(error.naming(holderOf: path)))
                }
            }
            if !started {
                writer.setClosed()
                continuation.resume(
                    returning: .failure(DatabaseError(kind: .other, hint: "the system has no thread to give")))
            }
        }
        let opened = try result.get()
        readers?.open(opened)
    }

    /// A function of its own, so that nothing on the writer's thread keeps the readers once they are handed over: the
    /// log goes away when the last connection does.
    private static func openConnections(
        _ path: String, _ schema: SchemaTimeline, _ options: DatabaseOptions, hasReaders: Bool,
        handOver: ([Connection]) -> Void
    ) throws(DatabaseError) -> Connection {
        let opened = try Opening(path: path, schema: schema, options: options, hasReaders: hasReaders)
        handOver(opened.readers)
        return opened.writer
    }

    // MARK: Accesses

    func run<Value: Sendable>(
        _ kind: Job.Kind, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await JobOf(kind, inside(body)).run { job in writer.enqueue(job) }
    }

    func runBlocking<Value: Sendable>(
        _ kind: Job.Kind, _ body: @escaping @Sendable (Connection) throws -> Value
    ) throws -> Value {
        try Reentry.refuse(self)
        let outcome = Monitor<Result<Value, any Error>?>(nil)
        JobOf(kind, inside(body)).submit { job in
            if !writer.runHere(job) { writer.enqueue(job) }
        } completion: { result in
            outcome.notify { $0 = result }
        }
        return try outcome.wait { $0 }.get()
    }

    func submit<Value: Sendable>(
        _ kind: Job.Kind, _ body: @escaping @Sendable (Connection) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        JobOf(kind, inside(body)).submit(enqueue: { job in writer.enqueue(job) }, completion: completion)
    }

    private func inside<Value>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) -> @Sendable (Connection) throws -> Value {
        // By address: a queued job must not keep the engine from closing when it is dropped.
        let place = Reentry.Place(self)
        return { connection in try place.mark { try body(connection) } }
    }

    /// A read on the writer's connection, in its turn among the writes.
    static func reading<Value>(
        _ connection: Connection, _ body: (inout ReadAccess) throws -> Value
    ) throws -> Value {
        connection.isReadingOnly = true
        defer { connection.isReadingOnly = false }
        var access = ReadAccess(connection)
        return try body(&access)
    }

    // MARK: State

    var status: DatabaseStatus {
        let counts = writer.counts
        let reads = readers?.counts
        let log = checkpoints.log
        return DatabaseStatus(
            queuedWrites: counts.queued, commits: counts.commits, writes: counts.writes,
            readersInUse: reads?.lent ?? 0, waitingReads: reads?.waiting ?? 0, oldestRead: reads?.oldest,
            logBytes: log.bytes, pendingLogBytes: log.pending,
            suppressedErrors: suppressed.load(ordering: .relaxed))
    }

    func suppress(_ error: DatabaseError) {
        suppressed.wrappingAdd(1, ordering: .relaxed)
        options.log?(.suppressed(error))
    }

    func close() async {
        await readers?.close()
        await writer.close()
    }
}
