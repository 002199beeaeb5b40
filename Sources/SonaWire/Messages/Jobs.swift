extension Catalogue {
    /// Work that the server does in the background.
    ///
    /// Source: Protocol/spec/jobs.md.
    static let jobs = Area(
        "jobs", requests: [JobsList.self, JobsGet.self, JobsRetry.self, JobsCancel.self], events: [JobChanged.self])
}

extension Limits {
    /// The feature that announces jobs.
    public static let jobsFeature = "jobs"
    /// Bytes of the kind of a job, and of the word for its error.
    public static let jobWordBytes = 1...32
    /// Bytes of the sentence about an error.
    public static let jobDetailBytes = 1...300
    /// Jobs in one page.
    public static let jobPageCount: ClosedRange<Int64> = 1...100
    /// Jobs in one page if the request says nothing.
    public static let jobPageCountDefault = 50
    /// Jobs of one account that have not ended.
    public static let unfinishedJobsPerAccountMax = 20
    /// Jobs of the server that have not ended.
    public static let unfinishedJobsMax = 10_000
    /// Days for which a job that has ended is kept.
    public static let finishedJobDays = 7
    /// `job.changed` for one job within a second.
    public static let jobEventsPerSecondMax = 10
    /// How often a job is tried.
    public static let jobAttemptsMax = 5
}

/// Where a job stands.
///
/// Source: Protocol/spec/jobs.md, "Job".
public enum JobState: String, CaseIterable, Sendable {
    case queued, running, done, failed, cancelled

    /// Whether nothing more happens to the job by itself.
    public var isFinal: Bool { self == .done || self == .failed || self == .cancelled }
}

/// Work that the server does in the background.
///
/// Source: Protocol/spec/jobs.md, "Job".
public struct Job: DeclaredObject, Hashable {
    public var id: Int64
    /// A word of an open list: `measure`, `rendition`, `preview`, …
    public var kind: String
    public var state: JobState
    /// The track that it is about, if it is about one.
    public var track: MusicID?
    /// How much of `total` is done.
    public var done: Int64
    /// 0 if it is unknown.
    public var total: Int64
    /// How often it was begun.
    public var attempts: Int
    /// When it is begun again after an error, milliseconds since 1970.
    public var nextMilliseconds: Int64?
    /// Why it failed, or failed last: a word of an open list.
    public var error: String?
    /// A sentence about that, in English.
    public var detail: String?
    /// Who asked for it, or whose upload it is made of; `nil` for work of the server's own, and for guests.
    public var owner: UserID?
    /// Milliseconds since 1970, UTC, as the next one.
    public var createdMilliseconds: Int64
    public var changedMilliseconds: Int64

    public init(
        id: Int64, kind: String, state: JobState, track: MusicID?, done: Int64, total: Int64, attempts: Int,
        nextMilliseconds: Int64?, error: String?, detail: String?, owner: UserID?, createdMilliseconds: Int64,
        changedMilliseconds: Int64
    ) {
        self.id = id
        self.kind = kind
        self.state = state
        self.track = track
        self.done = done
        self.total = total
        self.attempts = attempts
        self.nextMilliseconds = nextMilliseconds
        self.error = error
        self.detail = detail
        self.owner = owner
        self.createdMilliseconds = createdMilliseconds
        self.changedMilliseconds = changedMilliseconds
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .number),
        Member("kind", \Self.kind, .line(bytes: Limits.jobWordBytes)),
        Member("state", \Self.state, .word),
        Member(nullable: "track", \Self.track, .musicID),
        Member("done", \Self.done, .count),
        Member("total", \Self.total, .count),
        Member("attempts", \Self.attempts, .count),
        Member(nullable: "next_ms", \Self.nextMilliseconds, .wallTime),
        Member(nullable: "error", \Self.error, .line(bytes: Limits.jobWordBytes)),
        Member(nullable: "detail", \Self.detail, .line(bytes: Limits.jobDetailBytes)),
        Member(nullable: "owner", \Self.owner, .userID),
        Member("created_ms", \Self.createdMilliseconds, .wallTime),
        Member("changed_ms", \Self.changedMilliseconds, .wallTime),
        make: Self.init)
}

// MARK: - Requests

/// `jobs.list`: jobs, the newest first.
///
/// Source: Protocol/spec/jobs.md, "jobs.list".
public struct JobsList: DeclaredRequest {
    public typealias Response = JobPage
    public static let type = "jobs.list"
    public static let permission: Permission? = .libraryListen

    /// Only those in this state.
    public var state: JobState?
    /// Only those of this kind.
    public var kind: String?
    /// Those of everybody, for accounts that may manage the library; else one's own.
    public var isAll: Bool
    /// Only jobs of a smaller `id`: `nextBefore` of the page before.
    public var before: Int64?
    /// 1 to 100.
    public var limit: Int

    public init(
        state: JobState? = nil, kind: String? = nil, isAll: Bool = false, before: Int64? = nil,
        limit: Int = Limits.jobPageCountDefault
    ) {
        self.state = state
        self.kind = kind
        self.isAll = isAll
        self.before = before
        self.limit = limit
    }

    public static let declaration = Declaration(
        Member(optional: "state", \Self.state, .word),
        Member(optional: "kind", \Self.kind, .line(bytes: Limits.jobWordBytes)),
        Member("all", \Self.isAll, .flag, default: false),
        Member(optional: "before", \Self.before, .number),
        Member("limit", \Self.limit, .integer(Limits.jobPageCount), default: Limits.jobPageCountDefault),
        make: Self.init)
}

/// The answer to `jobs.list`.
public struct JobPage: DeclaredObject, Equatable {
    public var jobs: [Job]
    /// What to ask with as `before` for the page after; `nil` on the last page.
    public var nextBefore: Int64?

    public init(jobs: [Job], nextBefore: Int64?) {
        self.jobs = jobs
        self.nextBefore = nextBefore
    }

    public static let declaration = Declaration(
        Member("jobs", \Self.jobs, .objects()), Member(nullable: "next_before", \Self.nextBefore, .number),
        make: Self.init)
}

/// A request that names a job.
public protocol JobRequest: DeclaredRequest where Response == JobResult {
    var id: Int64 { get set }
    init(id: Int64)
}

extension JobRequest {
    public static var permission: Permission? { .libraryListen }
    public static var declaration: Declaration<Self> {
        Declaration(Member("id", \Self.id, .number), make: { id in Self(id: id) })
    }
}

/// `jobs.get`: one job.
///
/// Source: Protocol/spec/jobs.md, "jobs.get".
public struct JobsGet: JobRequest {
    public static let type = "jobs.get"

    public var id: Int64

    public init(id: Int64) { self.id = id }
}

/// `jobs.retry`: has a job that failed or was cancelled begun again.
///
/// Source: Protocol/spec/jobs.md, "jobs.retry".
public struct JobsRetry: JobRequest {
    public static let type = "jobs.retry"

    public var id: Int64

    public init(id: Int64) { self.id = id }
}

/// `jobs.cancel`: ends a job that waits or runs.
///
/// Source: Protocol/spec/jobs.md, "jobs.cancel".
public struct JobsCancel: JobRequest {
    public static let type = "jobs.cancel"

    public var id: Int64

    public init(id: Int64) { self.id = id }
}

/// The job as it is now.
public struct JobResult: DeclaredObject, Equatable {
    public var job: Job

    public init(job: Job) { self.job = job }

    public static let declaration = Declaration(Member("job", \Self.job, .object), make: Self.init)
}

// MARK: - Events

/// `job.changed`: a job of one's own is at another place. To all connections of the account that it belongs to.
///
/// Source: Protocol/spec/jobs.md, "job.changed".
public struct JobChanged: DeclaredEvent {
    public static let type = "job.changed"
    public static let scope = EventScope.personal

    public var job: Job

    public init(job: Job) { self.job = job }

    public static let declaration = Declaration(Member("job", \Self.job, .object), make: Self.init)
}
