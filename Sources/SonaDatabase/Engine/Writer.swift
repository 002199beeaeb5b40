internal import SonaBase

/// The one connection that writes, its thread, and its queue.
///
/// Writes that are queued while a commit syncs the disk share the next commit. The rules that make this safe:
///
/// 1. One outer `BEGIN IMMEDIATE`; each write after the first has a savepoint of its own, and one that throws is undone
///    alone. The first needs none: before it there is nothing to keep.
/// 2. Every answer, a refusal too, leaves after the COMMIT: "name taken" may rest on a row of the same batch.
/// 3. If the COMMIT fails, all writes of the batch fail with its error.
/// 4. A write that leaves foreign keys dangling is undone alone; otherwise it would fail everybody's COMMIT.
/// 5. Some errors end the whole transaction inside SQLite. Then every write so far in the batch fails.
/// 6. A write is never interrupted.
/// 7. A batch ends at `batchWritesMax` writes or `batchTimeMax` of work, so that no write waits long for others.
/// 8. After a failed sync nothing is written any more: the content of the disk is unknown until the file is reopened.
final class Writer: Sendable {
    private struct State {
        var queue: [Job] = []
        /// Where the queue begins: taken jobs are removed in bulk.
        var head = 0
        var isClosing = false
        var isClosed = false
        var failure: DatabaseError?
        var closers: [CheckedContinuation<Void, Never>] = []
        var commits = 0
        var writes = 0
        /// There once the file is open; used by one at a time.
        var connection: Connection?
        /// Whether somebody uses the connection just now: this thread, or one that runs its own write.
        var isBusy = false
        /// Whether writes fail for a reason that concerns all of them. Ends when a commit has reached the log.
        var isFailing = false

        var first: Job? { head < queue.count ? queue[head] : nil }

        mutating func takeFirst() -> Job? {
            guard let job = first else { return nil }
            head += 1
            if head == queue.count || head >= 1024 {
                queue.removeFirst(head)
                head = 0
            }
            return job
        }

        /// All that may share a transaction, up to one that may not.
        mutating func takeWrites() -> [Job] {
            var jobs: [Job] = []
            while let job = takeWrite() { jobs.append(job) }
            return jobs
        }

        /// The next that may share a transaction.
        mutating func takeWrite() -> Job? {
            guard let first, first.kind == .write else { return nil }
            return takeFirst()
        }
    }

    private let state = Monitor(State())
    private let options: DatabaseOptions
    private let changes: ChangeHub
    private let checkpoints: Checkpoints
    private let batchTimeMax = Duration.milliseconds(5)

    init(options: DatabaseOptions, changes: ChangeHub, checkpoints: Checkpoints) {
        self.options = options
        self.changes = changes
        self.checkpoints = checkpoints
    }

    // MARK: From any thread

    func enqueue(_ job: Job) {
        let refusal = state.notify { state -> DatabaseError? in
            if state.isClosing { return DatabaseError(kind: .closed) }
            if let failure = state.failure { return failure }
            if state.queue.count - state.head >= options.queuedWritesMax {
                return DatabaseError(kind: .busy, hint: "\(options.queuedWritesMax) writes wait already")
            }
            state.queue.append(job)
            return nil
        }
        if let refusal { job.drop(refusal) }
    }

    /// Runs a job on the calling thread, if nobody else is at work or waits: a thread that would block anyway is spared
    /// two hops, which take longer than a write.
    ///
    /// - Returns: False if the job has to be queued.
    func runHere(_ job: Job) -> Bool {
        let connection = state.withLock { state -> Connection? in
            guard !state.isBusy, !state.isClosing, state.first == nil, state.failure == nil else { return nil }
            state.isBusy = state.connection != nil
            return state.connection
        }
        guard let connection else { return false }
        run(job, on: connection, takesOthers: false)
        // Waking the writer's thread for nothing would cost more than the write.
        state.notifyIf { state in
            state.isBusy = false
            return (state.first != nil || state.isClosing, ())
        }
        return true
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

    /// There never was a connection.
    func setClosed() {
        state.notify { state in
            state.isClosing = true
            state.isClosed = true
        }
    }

    /// The error after which nothing is written any more.
    var failure: DatabaseError? { state.withLock { $0.failure } }

    /// Writes waiting, commits made and writes in them so far.
    var counts: (queued: Int, commits: Int, writes: Int) {
        state.withLock { ($0.queue.count - $0.head, $0.commits, $0.writes) }
    }

    // MARK: On the writer's thread

    /// Works until closed. `connection` is the writer's from here on.
    func work(_ connection: consuming Connection) {
        state.withLock { [connection] in $0.connection = connection }
        while true {
            let next = state.wait { state -> Job?? in
                guard !state.isBusy else { return nil }
                if let job = state.takeFirst() {
                    state.isBusy = true
                    return .some(job)
                }
                return state.isClosing ? .some(nil) : nil
            }
            guard let job = next else { break }
            if let failure {
                job.drop(failure)
            } else {
                run(job, on: connection, takesOthers: true)
            }
            state.withLock { $0.isBusy = false }
        }
        state.withLock { $0.connection = nil }
        if failure == nil {
            checkpoints.finish(on: connection)
            connection.close()
        } else {
            connection.closeLeavingLog()
        }
        changes.finish()
        let closers = state.withLock { state in
            state.isClosed = true
            defer { state.closers = [] }
            return state.closers
        }
        for closer in closers { closer.resume() }
    }

    private func run(_ job: Job, on connection: Connection, takesOthers: Bool) {
        if job.kind == .outside {
            runOutside(job, on: connection)
        } else {
            runBatch(first: job, on: connection, takesOthers: takesOthers)
        }
        if let error = checkpoints.runIfDue(on: connection) { stop(because: error) }
    }

    private func runOutside(_ job: Job, on connection: Connection) {
        guard job.claim() else { return }
        do {
            try job.perform(connection)
        } catch {
            job.fail(error)
            if let error = error as? DatabaseError { stop(because: error) }
        }
        job.finish()
    }

    private func runBatch(first: Job, on connection: Connection, takesOthers: Bool) {
        do {
            try connection.control(.beginImmediate)
        } catch {
            // Another process holds the file, and writes queued meanwhile have waited as long. They are taken before
            // any answer is given, since a write that is queued after an answer has not waited at all.
            let waiting = error.kind == .busy ? state.withLock { $0.takeWrites() } : []
            let error = error.naming(holderOf: options.path)
            noteFailure(error)
            first.drop(error)
            for job in waiting { job.drop(error) }
            return
        }
        let end = ContinuousClock.now + batchTimeMax
        let pagesBefore = connection.hooks.walPages
        var performed: [Job] = []
        var next: Job? = first
        while let job = next {
            if job.claim() {
                changes.adopt(on: connection)
                let isFirst = performed.isEmpty
                performed.append(job)
                if let fatal = perform(job, isFirst: isFirst, on: connection) {
                    abandon(performed, because: fatal, on: connection)
                    return
                }
            }
            let isFull =
                !takesOthers || first.kind == .alone || performed.count >= options.batchWritesMax
                || ContinuousClock.now >= end
            next = isFull ? nil : state.withLock { $0.takeWrite() }
        }
        do {
            try connection.control(.commit)
        } catch {
            abandon(performed, because: error, on: connection)
            return
        }
        // A transaction whose writes were all undone, or changed nothing, does not reach the log.
        let hasWritten = connection.hooks.walPages != pagesBefore
        let isResumed = state.withLock { state in
            state.commits += 1
            state.writes += performed.count
            guard state.isFailing, hasWritten else { return false }
            state.isFailing = false
            return true
        }
        if isResumed { options.log?(.writesResumed) }
        changes.publish(from: connection)
        for job in performed { job.finish() }
    }

    /// Runs one write, in a savepoint unless it is the first of its transaction.
    ///
    /// - Returns: The error that ended the whole transaction, if one did.
    private func perform(_ job: Job, isFirst: Bool, on connection: Connection) -> DatabaseError? {
        do {
            if !isFirst { try connection.control(.savepointJob) }
        } catch {
            return error
        }
        let mark = connection.hooks.recorder?.mark
        do {
            try job.perform(connection)
            if connection.isInTransaction, connection.hasDeferredForeignKeyViolations {
                throw DatabaseError(kind: .foreignKey)
            }
        } catch {
            job.fail(error)
            if connection.isInTransaction, let error = error as? DatabaseError { noteFailure(error) }
            if isFirst, connection.isInTransaction { return restart(on: connection) }
            guard connection.isInTransaction else { return error as? DatabaseError ?? DatabaseError(kind: .other) }
            do {
                try connection.control(.rollbackToJob)
                if let mark { connection.hooks.recorder?.forget(since: mark) }
            } catch {
                return error
            }
        }
        guard connection.isInTransaction else {
            return DatabaseError(kind: .other, detail: "A write went on after an error that ended its transaction.")
        }
        do {
            if !isFirst { try connection.control(.releaseJob) }
        } catch {
            return error
        }
        return nil
    }

    /// Undoes the first write of a batch with the transaction it began, and begins another for those after it.
    private func restart(on connection: Connection) -> DatabaseError? {
        do {
            if connection.isInTransaction { try connection.control(.rollback) }
            connection.hooks.recorder?.forget(since: 0)
            try connection.control(.beginImmediate)
            return nil
        } catch {
            return error
        }
    }

    private func abandon(_ jobs: [Job], because error: DatabaseError, on connection: Connection) {
        if connection.isInTransaction { try? connection.control(.rollback) }
        connection.hooks.recorder?.forget(since: 0)
        noteFailure(error)
        stop(because: error)
        for job in jobs {
            job.fail(error)
            job.finish()
        }
    }

    /// Tells of an error that keeps everybody from writing.
    private func noteFailure(_ error: DatabaseError) {
        guard error.concernsAllWrites else { return }
        state.withLock { $0.isFailing = true }
        options.log?(.writeFailed(error))
    }

    private func stop(because error: DatabaseError) {
        guard error.leavesFileInDoubt else { return }
        state.withLock { $0.failure = error }
        options.log?(.writesStopped(error))
    }
}
