internal import SonaDatabase
internal import SonaModel
internal import SonaWire

/// Durable work. `Jobs` has the states and their changes.
struct JobRecord: Record, Equatable {
    typealias Key = Int64

    var number: Int64?
    /// The name of a `JobKind`.
    let kind: String
    /// Names the work, so that it is not done twice at the same time.
    let key: String
    let payload: SonaDatabase.JSON<JobPayload>
    /// The track that it is about, which may be gone.
    let track: MusicID?
    var state = JobState.queued
    /// Whether somebody waits for it: such jobs come first.
    var isUrgent = false
    var attempts = 0
    var done: Int64 = 0
    var total: Int64 = 0
    /// When it may be begun.
    var runAfterMilliseconds: Int64 = 0
    var error: String?
    var detail: String?
    /// Who asked for it; `nil` for the server itself, and for guests.
    let owner: UserID?
    let createdMilliseconds: Int64
    var changedMilliseconds: Int64

    static let number = Column("number", \Self.number, .primaryKey)
    static let kind = Column("kind", \Self.kind, .byteCount(Limits.jobWordBytes))
    static let key = Column("key", \Self.key, .byteCount(1...200))
    static let payload = Column("payload", \Self.payload)
    static let track = Column("track", \Self.track)
    static let state = Column("state", \Self.state, .anyCase)
    static let isUrgent = Column("is_urgent", \Self.isUrgent, .oneOf(false, true))
    static let attempts = Column("attempts", \Self.attempts)
    static let done = Column("done", \Self.done)
    static let total = Column("total", \Self.total)
    static let runAfter = Column("run_after_ms", \Self.runAfterMilliseconds)
    static let error = Column("error", \Self.error, .byteCount(Limits.jobWordBytes))
    static let detail = Column("detail", \Self.detail, .byteCount(Limits.jobDetailBytes))
    static let owner = Column("owner_uid", \Self.owner, .references(UserRecord.self, onDelete: .cascade))
    static let created = Column("created_ms", \Self.createdMilliseconds)
    static let changed = Column("changed_ms", \Self.changedMilliseconds)

    static let table = Table<Self>(
        "jobs", number, kind, key, payload, track, state, isUrgent, attempts, done, total, runAfter, error, detail,
        owner, created, changed,
        rules: [
            .index("unfinished_jobs", on: key.ascending, isUnique: true, where: "state IN ('queued', 'running')"),
            .index(
                "waiting_jobs", on: isUrgent.descending, number.ascending, where: "state = 'queued'"),
            .index("jobs_by_owner", on: owner.ascending, number.descending, where: "owner_uid IS NOT NULL"),
            .index("finished_jobs", on: changed.ascending, where: "state IN ('done', 'failed', 'cancelled')"),
        ])

    func bind(to values: inout Binder) {
        values.next(number)
        values.next(kind)
        values.next(key)
        values.next(payload)
        values.next(track)
        values.next(state)
        values.next(isUrgent)
        values.next(attempts)
        values.next(done)
        values.next(total)
        values.next(runAfterMilliseconds)
        values.next(error)
        values.next(detail)
        values.next(owner)
        values.next(createdMilliseconds)
        values.next(changedMilliseconds)
    }
}

extension JobRecord {
    init(row: inout Row) throws(DatabaseError) {
        number = try row.next()
        kind = try row.next()
        key = try row.next()
        payload = try row.next()
        track = try row.next()
        state = try row.next()
        isUrgent = try row.next()
        attempts = try row.next()
        done = try row.next()
        total = try row.next()
        runAfterMilliseconds = try row.next()
        error = try row.next()
        detail = try row.next()
        owner = try row.next()
        createdMilliseconds = try row.next()
        changedMilliseconds = try row.next()
    }

    /// The job as people see it.
    var job: Job {
        Job(
            id: number ?? 0, kind: kind, state: state, track: track, done: done, total: total, attempts: attempts,
            nextMilliseconds: state == .queued && runAfterMilliseconds > 0 ? runAfterMilliseconds : nil,
            error: error, detail: detail, owner: owner, createdMilliseconds: createdMilliseconds,
            changedMilliseconds: changedMilliseconds)
    }
}

/// The things that a job works on. Each kind reads its own fields.
package struct JobPayload: Codable, Sendable, Equatable {
    /// Numbers of tracks, in the order in which they are worked on.
    package var tracks: [Int64]?

    package init(tracks: [Int64]? = nil) { self.tracks = tracks }
}
