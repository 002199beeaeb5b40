extension Catalogue {
    /// Tracks that accounts submit to the library, and what is decided about them.
    ///
    /// Source: Protocol/spec/submissions.md.
    static let submissions = Area(
        "submissions",
        requests: [
            TrackSubmit.self, TrackWithdraw.self, SubmissionsList.self, SubmissionsApprove.self,
            SubmissionsReject.self,
        ],
        events: [SubmissionChanged.self])
}

extension Limits {
    /// The feature that announces submissions.
    public static let submissionsFeature = "submissions"
    /// Bytes of the reason why a track was rejected.
    public static let submissionReasonBytes = 1...500
    /// Submissions in one page.
    public static let submissionPageCount: ClosedRange<Int64> = 1...100
    /// Submissions in one page if the request says nothing.
    public static let submissionPageCountDefault = 50
    /// Submissions of one account that wait for a decision.
    public static let pendingSubmissionsMax = 100
}

// MARK: - Objects

/// A track that its owner submitted to the library of everybody.
///
/// Source: Protocol/spec/submissions.md, "Submission".
public struct Submission: DeclaredObject, Hashable {
    /// 1, 2, 3 and so on.
    public var id: Int64
    public var track: MusicTrack
    /// Who submitted it.
    public var owner: User
    public var state: TrackStatus
    /// Why it was rejected.
    public var reason: String?
    /// Milliseconds since 1970, UTC, as the next one.
    public var submittedMilliseconds: Int64
    public var decidedMilliseconds: Int64?
    /// Who decided; `nil` for the operator, for an account that is gone, and for everybody who may not decide.
    public var decidedBy: User?

    public init(
        id: Int64, track: MusicTrack, owner: User, state: TrackStatus, reason: String?, submittedMilliseconds: Int64,
        decidedMilliseconds: Int64?, decidedBy: User?
    ) {
        self.id = id
        self.track = track
        self.owner = owner
        self.state = state
        self.reason = reason
        self.submittedMilliseconds = submittedMilliseconds
        self.decidedMilliseconds = decidedMilliseconds
        self.decidedBy = decidedBy
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .number),
        Member("track", \Self.track, .object),
        Member("owner", \Self.owner, .object),
        Member("state", \Self.state, .word),
        Member(nullable: "reason", \Self.reason, .line(bytes: Limits.submissionReasonBytes)),
        Member("submitted_ms", \Self.submittedMilliseconds, .wallTime),
        Member(nullable: "decided_ms", \Self.decidedMilliseconds, .wallTime),
        Member(nullable: "decided_by", \Self.decidedBy, .object),
        make: Self.init)
}

/// The submission as it is now.
public struct SubmissionResult: DeclaredObject, Equatable {
    public var submission: Submission

    public init(submission: Submission) { self.submission = submission }

    public static let declaration = Declaration(Member("submission", \Self.submission, .object), make: Self.init)
}

// MARK: - Requests

/// `track.submit`: submits a track of one's own to the library of everybody.
///
/// Source: Protocol/spec/submissions.md, "track.submit".
public struct TrackSubmit: DeclaredRequest {
    public typealias Response = SubmissionResult
    public static let type = "track.submit"
    public static let permission: Permission? = .libraryUpload

    public var track: MusicID

    public init(track: MusicID) { self.track = track }

    public static let declaration = Declaration(Member("track", \Self.track, .musicID), make: Self.init)
}

/// `track.withdraw`: takes a track of one's own back: it is one's own alone again.
///
/// Source: Protocol/spec/submissions.md, "track.withdraw".
public struct TrackWithdraw: DeclaredRequest {
    public typealias Response = TrackResult
    public static let type = "track.withdraw"
    public static let permission: Permission? = .libraryUpload

    public var track: MusicID

    public init(track: MusicID) { self.track = track }

    public static let declaration = Declaration(Member("track", \Self.track, .musicID), make: Self.init)
}

/// `submissions.list`: submissions, the newest first; those that wait, the oldest first.
///
/// Source: Protocol/spec/submissions.md, "submissions.list".
public struct SubmissionsList: DeclaredRequest {
    public typealias Response = SubmissionPage
    public static let type = "submissions.list"
    public static let permission: Permission? = .libraryUpload

    /// Only those in this state.
    public var state: TrackStatus?
    /// Those of everybody, for accounts that may decide; else one's own.
    public var isAll: Bool
    /// `nextAfter` of the page before.
    public var after: Int64?
    /// 1 to 100.
    public var limit: Int

    public init(
        state: TrackStatus? = nil, isAll: Bool = false, after: Int64? = nil,
        limit: Int = Limits.submissionPageCountDefault
    ) {
        self.state = state
        self.isAll = isAll
        self.after = after
        self.limit = limit
    }

    public static let declaration = Declaration(
        Member(optional: "state", \Self.state, .word),
        Member("all", \Self.isAll, .flag, default: false),
        Member(optional: "after", \Self.after, .number),
        Member("limit", \Self.limit, .integer(Limits.submissionPageCount), default: Limits.submissionPageCountDefault),
        make: Self.init)
}

/// The answer to `submissions.list`.
public struct SubmissionPage: DeclaredObject, Equatable {
    public var submissions: [Submission]
    /// What to ask with as `after` for the page after; `nil` on the last page.
    public var nextAfter: Int64?
    /// How many wait for a decision: of everybody if those were asked for, else one's own.
    public var pendingCount: Int

    public init(submissions: [Submission], nextAfter: Int64?, pendingCount: Int) {
        self.submissions = submissions
        self.nextAfter = nextAfter
        self.pendingCount = pendingCount
    }

    public static let declaration = Declaration(
        Member("submissions", \Self.submissions, .objects()),
        Member(nullable: "next_after", \Self.nextAfter, .number),
        Member("pending", \Self.pendingCount, .count),
        make: Self.init)
}

/// `submissions.approve`: every account finds the track from now on.
///
/// Source: Protocol/spec/submissions.md, "submissions.approve".
public struct SubmissionsApprove: DeclaredRequest {
    public typealias Response = SubmissionResult
    public static let type = "submissions.approve"
    public static let permission: Permission? = .libraryCurate

    public var id: Int64

    public init(id: Int64) { self.id = id }

    public static let declaration = Declaration(Member("id", \Self.id, .number), make: Self.init)
}

/// `submissions.reject`: the track stays its owner's alone.
///
/// Source: Protocol/spec/submissions.md, "submissions.reject".
public struct SubmissionsReject: DeclaredRequest {
    public typealias Response = SubmissionResult
    public static let type = "submissions.reject"
    public static let permission: Permission? = .libraryCurate

    public var id: Int64
    /// Told to whoever submitted it.
    public var reason: String?

    public init(id: Int64, reason: String? = nil) {
        self.id = id
        self.reason = reason
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .number),
        Member(optional: "reason", \Self.reason, .line(bytes: Limits.submissionReasonBytes)),
        make: Self.init)
}

// MARK: - Events

/// `submission.changed`: a submission is new, decided or withdrawn. To the connections of its owner, and of accounts that
/// may decide.
///
/// Source: Protocol/spec/submissions.md, "submission.changed".
public struct SubmissionChanged: DeclaredEvent {
    public static let type = "submission.changed"
    public static let scope = EventScope.personal

    public var id: Int64
    public var track: MusicID
    public var title: String
    /// `nil`: it was withdrawn.
    public var state: TrackStatus?
    public var reason: String?
    /// How many of everybody wait for a decision; `nil` for an owner who may not decide.
    public var pendingCount: Int?

    public init(
        id: Int64, track: MusicID, title: String, state: TrackStatus?, reason: String?, pendingCount: Int?
    ) {
        self.id = id
        self.track = track
        self.title = title
        self.state = state
        self.reason = reason
        self.pendingCount = pendingCount
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .number),
        Member("track", \Self.track, .musicID),
        Member("title", \Self.title, .line(bytes: Limits.musicTextBytes)),
        Member(nullable: "state", \Self.state, .word),
        Member(nullable: "reason", \Self.reason, .line(bytes: Limits.submissionReasonBytes)),
        Member(nullable: "pending", \Self.pendingCount, .count),
        make: Self.init)
}
