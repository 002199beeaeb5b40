/// The one thread that writes, and its queue.
///
/// Writes that are queued while a commit syncs the disk share the next commit. The rules that make this safe:
///
/// 1. One outer `BEGIN IMMEDIATE`; each write has a savepoint of its own, and one that throws is undone alone.
/// 2. Every answer, a refusal too, leaves after the COMMIT: "name taken" may rest on a row of the same batch.
/// 3. If the COMMIT fails, all writes of the batch fail with its error.
/// 4. A write that leaves foreign keys dangling is undone alone; otherwise it would fail everybody's COMMIT.
/// 5. Some errors end the whole transaction inside SQLite. Then every write so far in the batch fails.
/// 6. A write is never interrupted.
/// 7. A batch ends at `batchWritesMax` writes or `batchTimeMax` of work, so that nobody waits long for others.
/// 8. After a sync that failed nothing is written any more: what the disk holds is unknown until the file is reopened.
final class Writer: Sendable {
    private struct State {
        var queue: [WriteJob] = []
        /// Where the queue begins: taken jobs are removed in bulk.
        var head = 0
        var isClosing = false
        var isClosed = false
        var failure: DatabaseError?
        var closers: [CheckedContinuation<Void, Never>] = []

        mutating func takeFirst() -> WriteJob? {
            guard head < queue.count else { return nil }
            let job = queue[head]
            head += 1
            if head == queue.count || head >= 1024 {
                queue.removeFirst(head)
                head = 0
            }
            return job
        }
    }

    private let state = Monitor(State())
    private let options: DatabasePool.Options
    private let batchTimeMax = Duration.milliseconds(5)
    private let checkpointPages = 1_000
    /// 64 MiB of pages: from here on the log is not only copied but cut.
    private let truncatePages = 16_384

    init(options: DatabasePool.Options) { self.options = options }

    // MARK: From any thread

    func enqueue(_ job: WriteJob) {
        let refusal = state.notify { state -> DatabaseError? in
            if state.isClosing { return DatabaseError(kind: .closed) }
            if let failure = state.failure { return failure }
            if state.queue.count - state.head >= options.queuedWritesMax { return DatabaseError(kind: .busy) }
            state.queue.append(job)
            return nil
        }
        if let refusal { job.drop(refusal) }
    }

    /// Refuses new writes, finishes those queued, copies the log into the file and closes it.
    func close() async {
        await withCheckedContinuation { continuation in
            let isClosed = state.notify { state in
                state.isClosing = true
                if !state.isClosed { state.closers.append(continuation) }
                return state.isClosed
            }
            if isClosed { continuation.resume() }
        }
    }

    /// The same without waiting for it.
    func beginClosing() { state.notify { $0.isClosing = true } }

    /// The error after which nothing is written any more.
    var failure: DatabaseError? { state.withLock { $0.failure } }

    // MARK: On the writer's thread

    /// Works until closed. `connection` is the writer's from here on.
    func work(_ connection: consuming Connection) {
        /// Pages in the log when it was last copied and could not start anew because somebody still reads it.
        var copiedPages = 0
        while true {
            let next = state.wait { state -> WriteJob?? in
                if let job = state.takeFirst() { return .some(job) }
                return state.isClosing ? .some(nil) : nil
            }
            guard let job = next else { break }
            runBatch(first: job, on: connection)
            checkpointIfDue(connection, &copiedPages)
        }
        try? connection.control("PRAGMA optimize")
        try? connection.checkpoint(truncating: true)
        _ = consume connection
        let closers = state.withLock { state in
            state.isClosed = true
            defer { state.closers = [] }
            return state.closers
        }
        for closer in closers { closer.resume() }
    }

    private func runBatch(first: WriteJob, on connection: Connection) {
        if let failure {
            first.drop(failure)
            return
        }
        do {
            try connection.control("BEGIN IMMEDIATE")
        } catch {
            // Another process holds the file: whoever queued meanwhile has waited as long.
            first.drop(error)
            while let job = state.withLock({ $0.takeFirst() }) { job.drop(error) }
            return
        }
        let end = ContinuousClock.now + batchTimeMax
        var performed: [WriteJob] = []
        var next: WriteJob? = first
        while let job = next {
            if job.claim() {
                performed.append(job)
                if let fatal = perform(job, on: connection) {
                    abandon(performed, because: fatal, on: connection)
                    return
                }
            }
            let isFull = performed.count >= options.batchWritesMax || ContinuousClock.now >= end
            next = isFull ? nil : state.withLock { $0.takeFirst() }
        }
        do {
            try connection.control("COMMIT")
        } catch {
            abandon(performed, because: error, on: connection)
            return
        }
        for job in performed { job.finish() }
    }

    /// Runs one write in its savepoint.
    ///
    /// - Returns: The error that ended the whole transaction, if one did.
    private func perform(_ job: WriteJob, on connection: Connection) -> DatabaseError? {
        do {
            try connection.control("SAVEPOINT job")
        } catch {
            return error
        }
        do {
            var access = WriteAccess(connection)
            try job.perform(&access)
            if connection.isInTransaction, connection.hasDeferredForeignKeyViolations {
                throw DatabaseError(kind: .foreignKey)
            }
        } catch {
            job.fail(error)
            guard connection.isInTransaction else { return error as? DatabaseError ?? DatabaseError(kind: .other) }
            do {
                try connection.control("ROLLBACK TO job")
            } catch {
                return error
            }
        }
        guard connection.isInTransaction else {
            return DatabaseError(kind: .other, detail: "A write went on after an error that ended its transaction.")
        }
        do {
            try connection.control("RELEASE job")
        } catch {
            return error
        }
        return nil
    }

    private func abandon(_ jobs: [WriteJob], because error: DatabaseError, on connection: Connection) {
        if connection.isInTransaction { try? connection.control("ROLLBACK") }
        if error.leavesFileInDoubt { state.withLock { $0.failure = error } }
        for job in jobs {
            job.fail(error)
            job.finish()
        }
    }

    /// Copies the log into the file when it has grown. On this thread and no other, since two connections that write
    /// and checkpoint at once are the one way to damage a file known in the SQLite that Debian 12 ships.
    private func checkpointIfDue(_ connection: Connection, _ copiedPages: inout Int) {
        let pages = connection.walPages
        if pages < copiedPages { copiedPages = 0 }
        guard pages - copiedPages >= checkpointPages else { return }
        let isLarge = pages >= truncatePages
        do {
            // Cutting waits for readers; the writer must not.
            if isLarge { connection.setBusyTimeout(milliseconds: 0) }
            defer { connection.setBusyTimeout(milliseconds: options.busyTimeoutMilliseconds) }
            try connection.checkpoint(truncating: isLarge)
            copiedPages = pages
        } catch {
            if error.leavesFileInDoubt { state.withLock { $0.failure = error } }
        }
    }
}
