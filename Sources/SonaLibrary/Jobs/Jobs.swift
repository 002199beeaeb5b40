internal import Glibc
internal import SonaBase
internal import SonaDatabase
package import SonaModel
package import SonaWire

/// Durable work: jobs that wait in the database, and the threads that do them.
///
/// States of a job, each change a transaction:
///
/// ```
/// add → queued → running → done
///          ▲ │       ├──→ failed, cancelled ──→ queued (`retry`)
///          │ └ cancelled (`cancel`)
///          └─────────┘ an error that may pass, a job that comes first, or the end of the server
/// ```
///
/// A server that was killed finds its jobs `running` at its start, and queues them again. The same work is one job while it
/// has not ended: `JobRecord.key` is unique then.
///
/// Jobs run on threads of priority 10, so that audio comes first on every core, and at most as many at a time as leave one
/// core free. A job that somebody waits for comes before all others, and has one of those leave its thread.
package actor Jobs {
    private let dao: JobDAO
    private let clock: WallClock
    private let slots: Int
    private let notice: (@Sendable (String) -> Void)?
    private let announcer = JobAnnouncer()
    private let counts = Monitor<[JobState: Int]>([:])
    private var kinds: [String: any JobKind] = [:]
    private var running: [Int64: RunningJob] = [:]
    private var isOpen = false
    private var isPumping = false
    private var mustPumpAgain = false
    private var alarm: Task<Void, Never>?

    /// Milliseconds until a job is tried again, by the number of its attempts so far.
    private static let pauses: [Int64] = [5_000, 30_000, 120_000, 600_000]

    /// - Parameter cores: Processors of the machine.
    init(
        _ dao: JobDAO, clock: WallClock, cores: Int = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))),
        notice: (@Sendable (String) -> Void)?
    ) {
        self.dao = dao
        self.clock = clock
        self.notice = notice
        slots = max(1, cores - 1)
    }

    /// How many jobs run at a time.
    package nonisolated var slotCount: Int { slots }

    /// Numbers of the jobs by state, for figures.
    package nonisolated var figures: [JobState: Int] { counts.withLock { $0 } }

    /// Names who is told of changes. The handler is called on any thread, and must not keep it.
    package nonisolated func onChange(_ handler: @escaping @Sendable (Job) -> Void) { announcer.setHandler(handler) }

    // MARK: Beginning and end

    /// Begins to work, with what a server before left.
    func start(_ kinds: [any JobKind]) async throws(Refusal) {
        self.kinds = Dictionary(uniqueKeysWithValues: kinds.map { ($0.name, $0) })
        let now = clock.nowMilliseconds()
        try await dao.write { db in
            // A job that takes the server with it each time is not begun for ever.
            try db.execute(
                """
                UPDATE jobs SET state = 'failed', error = 'interrupted', changed_ms = \(now),
                    detail = 'The server ended each time while the job ran.'
                WHERE state = 'running' AND attempts >= \(Limits.jobAttemptsMax)
                """)
            try db.execute("UPDATE jobs SET state = 'queued', changed_ms = \(now) WHERE state = 'running'")
        }
        try await count()
        isOpen = true
        await pump()
    }

    private func count() async throws(Refusal) {
        let rows = try await dao.read { db in
            try db.all("SELECT state, count(*) FROM jobs GROUP BY state") { row in
                (try row.next(JobState.self), try row.next(Int.self))
            }
        }
        counts.withLock { $0 = Dictionary(uniqueKeysWithValues: rows) }
    }

    private nonisolated func move(_ from: JobState?, _ to: JobState) {
        counts.withLock { counts in
            if let from { counts[from, default: 0] -= 1 }
            counts[to, default: 0] += 1
        }
    }

    /// Has every job leave its thread, and waits for that. They go on at the next start.
    func close() async {
        isOpen = false
        alarm?.cancel()
        for job in running.values { job.end(.closing) }
        while !running.isEmpty { try? await Task.sleep(for: .milliseconds(10)) }
    }

    // MARK: Adding

    /// Work that somebody asks for.
    package struct Order: Sendable {
        package var kind: String
        package var key: String
        package var payload = JobPayload()
        package var track: MusicID?
        package var owner: UserID?
        package var isUrgent = false

        package init(
            _ kind: String, key: String, payload: JobPayload = JobPayload(), track: MusicID? = nil,
            owner: UserID? = nil, isUrgent: Bool = false
        ) {
            self.kind = kind
            self.key = key
            self.payload = payload
            self.track = track
            self.owner = owner
            self.isUrgent = isUrgent
        }
    }

    /// Jobs that people without an account wait for, most at a time.
    private static let unfinishedOfGuestsMax = 200

    /// Queues a job, unless the same work is waiting or running already.
    ///
    /// - Returns: The number of the job, new or not.
    /// - Throws: `jobLimitReached` if the account has too many; `busy` if the server has; `storage`.
    @discardableResult
    package func add(_ order: Order) async throws(Refusal) -> Int64 {
        let now = clock.nowMilliseconds()
        let (record, isNew, isRaised) = try await dao.write { db in
            if var known = try db.first(
                JobRecord.self, "WHERE key = \(order.key) AND state IN ('queued', 'running')")
            {
                let isRaised = order.isUrgent && !known.isUrgent
                if isRaised {
                    known.isUrgent = true
                    _ = try db.update(known)
                }
                return (known, false, isRaised && known.state == .queued)
            }
            try Self.checkLimits(order, &db)
            let record = try db.insertReturning(
                JobRecord(
                    number: nil, kind: order.kind, key: order.key, payload: SonaDatabase.JSON(order.payload),
                    track: order.track, isUrgent: order.isUrgent, owner: order.owner, createdMilliseconds: now,
                    changedMilliseconds: now))
            return (record, true, order.isUrgent)
        }
        if isNew {
            move(nil, .queued)
            announcer.tell(record.job)
        }
        if isRaised { makeRoom(for: record.kind) }
        if isNew || isRaised { await pump() }
        return record.number ?? 0
    }

    private static func checkLimits(_ order: Order, _ db: inout WriteAccess) throws {
        let all = try db.value("SELECT count(*) FROM jobs WHERE state IN ('queued', 'running')", as: Int.self) ?? 0
        guard all < Limits.unfinishedJobsMax else { throw Refusal.busy(retryAfterMilliseconds: 60_000) }
        // Uploads are limited by themselves, and nobody waits for what is made of them.
        guard order.isUrgent else { return }
        if let owner = order.owner {
            let own = try db.value(
                """
                SELECT count(*) FROM jobs WHERE owner_uid = \(owner) AND is_urgent AND state IN ('queued', 'running')
                """, as: Int.self)
            guard own ?? 0 < Limits.unfinishedJobsPerAccountMax else {
                throw Refusal.busy(.jobLimitReached, retryAfterMilliseconds: 10_000)
            }
        } else {
            let count = try db.value(
                """
                SELECT count(*) FROM jobs WHERE owner_uid IS NULL AND is_urgent AND state IN ('queued', 'running')
                """, as: Int.self)
            guard count ?? 0 < unfinishedOfGuestsMax else { throw Refusal.busy(retryAfterMilliseconds: 10_000) }
        }
    }

    /// Has a job that nobody waits for leave its thread, if there is no other.
    private func makeRoom(for kind: String) {
        let ofKind = running.values.filter { $0.record.kind == kind }
        let inTheWay = ofKind.count >= width(of: kind) ? ofKind : running.count >= slots ? Array(running.values) : []
        inTheWay.first { !$0.record.isUrgent && $0.stop == nil }?.end(.yielded)
    }

    private func width(of kind: String) -> Int { kinds[kind]?.width ?? 1 }

    // MARK: Running

    /// Begins jobs as long as there are some, and threads for them.
    private func pump() async {
        guard !isPumping else { return mustPumpAgain = true }
        isPumping = true
        defer { isPumping = false }
        repeat {
            mustPumpAgain = false
            while isOpen, running.count < slots, await begin() {}
        } while mustPumpAgain
    }

    /// - Returns: Whether a job was begun.
    private func begin() async -> Bool {
        let free = kinds.keys.filter { name in
            running.values.count { $0.record.kind == name } < width(of: name)
        }
        guard !free.isEmpty else { return false }
        let names = "[" + free.sorted().map { "\"\($0)\"" }.joined(separator: ",") + "]"
        let now = clock.nowMilliseconds()
        let found: (job: JobRecord?, next: Int64?)
        do {
            found = try await dao.write { db in
                guard
                    var job = try db.first(
                        JobRecord.self,
                        """
                        WHERE state = 'queued' AND run_after_ms <= \(now)
                            AND kind IN (SELECT value FROM json_each(\(names)))
                        ORDER BY is_urgent DESC, number LIMIT 1
                        """)
                else {
                    let next = try db.value(
                        "SELECT min(run_after_ms) FROM jobs WHERE state = 'queued' AND run_after_ms > \(now)",
                        as: Int64.self)
                    return (nil, next)
                }
                job.state = .running
                job.attempts += 1
                job.changedMilliseconds = now
                _ = try db.update(job)
                return (job, nil)
            }
        } catch {
            setAlarm(inMilliseconds: 5_000)
            return false
        }
        guard let record = found.job, let kind = kinds[record.kind] else {
            if let next = found.next { setAlarm(inMilliseconds: max(1, next - now)) }
            return false
        }
        move(.queued, .running)
        let job = RunningJob(record, announcer)
        running[job.id] = job
        announcer.tell(job.job)
        let isStarted = WorkerThread.start("job-\(kind.name)") {
            // On Linux this sets the priority of the calling thread only.
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
            let result = Result { try kind.run(job) }
            Task { await self.ended(job, kind, result) }
        }
        if !isStarted {
            let failure = JobFailure("no_thread", "The system has no thread to give.", mayRetry: true)
            await ended(job, kind, .failure(failure))
        }
        return true
    }

    private func setAlarm(inMilliseconds milliseconds: Int64) {
        alarm?.cancel()
        alarm = Task { [weak self] in
            try? await Task.sleep(for: .milliseconds(milliseconds))
            if !Task.isCancelled { await self?.pump() }
        }
    }

    private func ended(_ job: RunningJob, _ kind: any JobKind, _ result: Result<Void, any Error>) async {
        var record = job.record
        (record.done, record.total) = (job.job.done, job.job.total)
        record.changedMilliseconds = clock.nowMilliseconds()
        switch result {
        case .success: record.state = .done
        case .failure(JobStop.cancelled): record.state = .cancelled
        case .failure(JobStop.yielded), .failure(JobStop.closing):
            record.state = .queued
            record.attempts -= 1
        case .failure(let error):
            let failure = error as? JobFailure ?? Self.failure(error)
            (record.error, record.detail) = (failure.word, failure.line)
            if failure.mayRetry, record.attempts < Limits.jobAttemptsMax {
                record.state = .queued
                let pause = Self.pauses[min(record.attempts, Self.pauses.count) - 1]
                record.runAfterMilliseconds = record.changedMilliseconds + pause
            } else {
                record.state = .failed
            }
        }
        if record.state == .done { (record.error, record.detail) = (nil, nil) }
        let isStored = await store(record)
        running[job.id] = nil
        if isStored {
            move(.running, record.state)
            announcer.tell(record.job)
            if record.state.isFinal { await kind.ended(record.job, job.payload) }
        }
        await pump()
    }

    private static func failure(_ error: any Error) -> JobFailure {
        JobFailure("storage", "What was found could not be stored.", mayRetry: true)
    }

    /// Writes the end of a job down. A disk that is full may have room soon.
    ///
    /// - Returns: Whether that changed its state: not if it was cancelled or removed meanwhile.
    private func store(_ record: JobRecord) async -> Bool {
        for _ in 0..<3 {
            do throws(Refusal) {
                return try await dao.write { db in
                    guard let now = try db.first(JobRecord.self, key: record.number ?? 0), now.state == .running
                    else { return false }
                    var record = record
                    record.isUrgent = now.isUrgent
                    return try db.update(record)
                }
            } catch {
                guard isOpen else { return false }
                try? await Task.sleep(for: .seconds(2))
            }
        }
        notice?("The end of job \(record.number ?? 0) could not be stored, so it begins again at the next start")
        return false
    }

    // MARK: Requests

    /// The job as it is at the moment, with its progress.
    private func current(_ record: JobRecord) -> Job {
        guard record.state == .running, let job = running[record.number ?? 0] else { return record.job }
        var now = record.job
        (now.done, now.total) = (job.job.done, job.job.total)
        return now
    }

    /// A page of jobs, the newest first.
    ///
    /// - Parameter actor: `nil` for the operator, who sees all of them, here and below.
    /// - Throws: `forbidden` if all are asked for without the permission; `busy`, `storage`.
    package func list(_ request: JobsList, for actor: UserID?) async throws(Refusal) -> JobPage {
        let now = clock.nowMilliseconds()
        let rows = try await dao.read { db in
            if request.isAll {
                do {
                    try AdminRights.require(.libraryManage, of: actor, now: now, in: &db)
                } catch let refusal as Refusal where refusal == .tokenInvalid {
                    throw Refusal(.authAccountRequired, permission: Permission.libraryManage.rawValue)
                }
            }
            let isAll = request.isAll || actor == nil
            return try db.all(
                JobRecord.self,
                """
                WHERE (\(isAll) OR owner_uid = \(actor)) AND number < \(request.before ?? Int64.max)
                    AND (\(request.state) IS NULL OR state = \(request.state))
                    AND (\(request.kind) IS NULL OR kind = \(request.kind))
                ORDER BY number DESC LIMIT \(request.limit)
                """)
        }
        return JobPage(
            jobs: rows.map(current), nextBefore: rows.count == request.limit ? rows.last?.number : nil)
    }

    /// - Throws: `jobNotFound`, also for jobs of others without the permission; `busy`, `storage`.
    package func get(_ id: Int64, for actor: UserID?) async throws(Refusal) -> Job {
        let now = clock.nowMilliseconds()
        return current(try await dao.read { db in try Self.job(id, for: actor, now: now, in: &db) })
    }

    /// Ends a job that waits or runs.
    ///
    /// - Throws: `jobNotFound`; `jobEnded` if there is nothing to end; `busy`, `storage`.
    package func cancel(_ id: Int64, by actor: UserID?) async throws(Refusal) -> Job {
        let now = clock.nowMilliseconds()
        let live = running[id].map { ($0.job.done, $0.job.total) }
        let (record, before) = try await dao.write { db in
            var job = try Self.job(id, for: actor, now: now, in: &db)
            guard !job.state.isFinal else { throw Refusal(.jobEnded) }
            let before = job.state
            job.state = .cancelled
            if let live { (job.done, job.total) = live }
            job.changedMilliseconds = now
            _ = try db.update(job)
            return (job, before)
        }
        move(before, .cancelled)
        running[id]?.end(.cancelled)
        announcer.tell(record.job)
        if before == .queued { await kinds[record.kind]?.ended(record.job, record.payload.value) }
        return record.job
    }

    /// Queues a job again that failed or was cancelled.
    ///
    /// - Throws: `jobNotFound`; `jobUnended` if it waits, runs, is done, or the same work waits or runs as another job;
    ///   `busy`, `storage`.
    package func retry(_ id: Int64, by actor: UserID?) async throws(Refusal) -> Job {
        let now = clock.nowMilliseconds()
        let (record, before) = try await dao.write { db in
            var job = try Self.job(id, for: actor, now: now, in: &db)
            guard job.state == .failed || job.state == .cancelled else { throw Refusal(.jobUnended) }
            guard
                try !db.exists(
                    "SELECT 1 FROM jobs WHERE key = \(job.key) AND state IN ('queued', 'running')")
            else { throw Refusal(.jobUnended) }
            let before = job.state
            job.state = .queued
            (job.attempts, job.runAfterMilliseconds, job.changedMilliseconds) = (0, 0, now)
            (job.error, job.detail) = (nil, nil)
            _ = try db.update(job)
            return (job, before)
        }
        move(before, .queued)
        announcer.tell(record.job)
        await pump()
        return record.job
    }

    private static func job(
        _ id: Int64, for actor: UserID?, now: Int64, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> JobRecord {
        guard let job = try db.first(JobRecord.self, key: id) else { throw Refusal(.jobNotFound) }
        guard let actor, actor != job.owner else { return job }
        do {
            try AdminRights.require(.libraryManage, of: actor, now: now, in: &db)
        } catch let refusal as Refusal where refusal.code == .authForbidden || refusal == .tokenInvalid {
            // Jobs of others do not exist for an account, and none for a guest.
            throw Refusal(.jobNotFound)
        }
        return job
    }

    // MARK: Waiting and tidying

    /// Waits for the end of a job.
    ///
    /// - Returns: The job, ended or not, as it is then; `nil` if it is gone.
    func waitForEnd(of id: Int64, atMost time: Duration) async throws(Refusal) -> Job? {
        let deadline = ContinuousClock.now + time
        while true {
            let record = try await dao.read { db in try db.first(JobRecord.self, key: id) }
            guard let record, !record.state.isFinal, ContinuousClock.now < deadline, !Task.isCancelled else {
                return record?.job
            }
            try? await Task.sleep(for: .milliseconds(25))
        }
    }

    /// An account's jobs for its export, the newest first.
    static func exported(_ owner: UserID, _ db: inout ReadAccess) throws -> [Job] {
        try db.all(JobRecord.self, "WHERE owner_uid = \(owner) ORDER BY number DESC LIMIT 1000").map(\.job)
    }

    /// Deletes jobs that ended long ago, and the oldest of very many.
    package func tidy() async throws(Refusal) {
        let before = clock.nowMilliseconds() - Int64(Limits.finishedJobDays) * 86_400_000
        while true {
            let count = try await dao.write { db in
                try db.execute(
                    """
                    DELETE FROM jobs WHERE number IN (
                        SELECT number FROM jobs WHERE state IN ('done', 'failed', 'cancelled')
                            AND (changed_ms <= \(before) OR number <= (
                                SELECT number FROM jobs WHERE state IN ('done', 'failed', 'cancelled')
                                ORDER BY number DESC LIMIT 1 OFFSET \(Limits.unfinishedJobsMax)))
                        LIMIT 500)
                    """)
            }
            if count < 500 { break }
        }
        try await self.count()
    }
}
