internal import SonaDatabase
internal import SonaModel
internal import SonaWire

/// A track that was submitted to the library of everybody.
///
/// Rows of tracks that were withdrawn, submitted again or removed have no track. The last row stays, so that no number is given
/// twice: whoever decides about a number means the track that they have heard.
struct SubmissionRecord: Record, Equatable {
    typealias Key = Int64

    var number: Int64?
    var track: Int64?
    let owner: UserID?
    var state = TrackStatus.pending
    var reason: String?
    let submittedMilliseconds: Int64
    var decidedMilliseconds: Int64?
    /// `nil` for the operator, and for accounts that are gone.
    var decidedBy: UserID?

    static let number = Column("number", \Self.number, .primaryKey)
    static let track = Column("track", \Self.track, .unique, .references(TrackRecord.self, onDelete: .setNull))
    static let owner = Column("owner_uid", \Self.owner, .references(UserRecord.self, onDelete: .setNull))
    static let state = Column("state", \Self.state, .anyCase)
    static let reason = Column("reason", \Self.reason, .byteCount(Limits.submissionReasonBytes))
    static let submitted = Column("submitted_ms", \Self.submittedMilliseconds)
    static let decided = Column("decided_ms", \Self.decidedMilliseconds)
    static let decidedBy = Column("decided_by", \Self.decidedBy, .references(UserRecord.self, onDelete: .setNull))

    static let table = Table<Self>(
        "submissions", number, track, owner, state, reason, submitted, decided, decidedBy,
        rules: [
            .index("submissions_by_owner", on: owner.ascending, number.ascending),
            .index("submissions_by_state", on: state.ascending, number.ascending),
            .index("submissions_by_decider", on: decidedBy.ascending, where: "decided_by IS NOT NULL"),
        ])

    func bind(to values: inout Binder) {
        values.next(number)
        values.next(track)
        values.next(owner)
        values.next(state)
        values.next(reason)
        values.next(submittedMilliseconds)
        values.next(decidedMilliseconds)
        values.next(decidedBy)
    }
}

extension SubmissionRecord {
    init(row: inout Row) throws(DatabaseError) {
        number = try row.next()
        track = try row.next()
        owner = try row.next()
        state = try row.next()
        reason = try row.next()
        submittedMilliseconds = try row.next()
        decidedMilliseconds = try row.next()
        decidedBy = try row.next()
    }
}

/// Submissions, what was decided, and contents that were taken down.
struct SubmissionDAO: RefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) {
        setUp.createTable(SubmissionRecord.self)
        setUp.createTable(RefusedContentRecord.self)
    }

    static func meaning(of error: DatabaseError) -> Refusal? {
        if case .check = error.kind { .invalid } else { nil }
    }

    static func pendingCount(
        of owner: UserID? = nil, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> Int {
        let ofOwner: SQL = if let owner { "AND owner_uid = \(owner)" } else { "" }
        return try db.value("SELECT count(*) FROM submissions WHERE state = 'pending' AND track IS NOT NULL \(ofOwner)")
            ?? 0
    }
}
