internal import SonaBase
internal import SonaDatabase
package import SonaModel
package import SonaWire

/// What accounts submit to the library of everybody, and decisions about it.
///
/// Source: Protocol/spec/submissions.md.
package final class Submissions: Sendable {
    private let dao: SubmissionDAO
    private let finder: LibraryFinder
    private let journal: Journal
    private let notifications: Notifications
    private let webhooks: WebhookStore
    private let clock: WallClock
    private let handler = Monitor<(@Sendable (Change) -> Void)?>(nil)
    private let counted = Monitor(SubmissionFigures())

    /// A change, for those who are told of it.
    package struct Change: Sendable {
        package let owner: UserID
        /// With the count of all that wait.
        package let event: SubmissionChanged
    }

    init(
        _ dao: SubmissionDAO, _ finder: LibraryFinder, journal: Journal, notifications: Notifications,
        webhooks: WebhookStore, clock: WallClock
    ) {
        self.dao = dao
        self.finder = finder
        self.journal = journal
        self.notifications = notifications
        self.webhooks = webhooks
        self.clock = clock
    }

    /// Sets who is told of changes. On any thread; must not block.
    package func onChange(_ handler: @escaping @Sendable (Change) -> Void) { self.handler.withLock { $0 = handler } }

    /// On any thread.
    package var figures: SubmissionFigures { counted.withLock { $0 } }

    // MARK: Owners

    /// Submits a track. Not an error if it waits already, or was approved. A rejected one waits again.
    ///
    /// - Throws: `trackNotFound` unless it is the account's own; `submissionLimitReached`; `forbidden`, `banned`,
    ///   `busy`, `storage`.
    package func submit(_ id: MusicID, by owner: UserID) async throws(Refusal) -> Int64 {
        let now = clock.nowMilliseconds()
        let (number, change, noted) = try await dao.write { db -> (Int64, Change?, (written: Int, dropped: Int)) in
            try AdminRights.require(.libraryUpload, of: owner, now: now, in: &db)
            let (track, known) = try Self.find(id, of: owner, &db)
            if let known, let number = known.number, known.state != .rejected { return (number, nil, (0, 0)) }
            guard try SubmissionDAO.pendingCount(of: owner, in: &db) < Limits.pendingSubmissionsMax else {
                throw Refusal(.submissionLimitReached, retryAfterMilliseconds: 3_600_000)
            }
            // The new one comes to the end of the row of those that wait.
            if known != nil { try Self.leave(track, &db) }
            let number =
                try db.insertReturning(
                    SubmissionRecord(
                        number: nil, track: track.number ?? 0, owner: owner, submittedMilliseconds: now)
                ).number ?? 0
            try Self.set(.pending, of: track, now: now, &db)
            var matter = WebhookMatter()
            (matter.track, matter.title, matter.artist) = (track.id.rawValue, track.title, track.artist)
            matter.user = try db.first(UserRecord.self, key: owner)?.username?.rawValue
            let noted = try WebhookStore.note(.submissionCreated, matter, in: nil, isPublic: true, at: now, &db)
            return (number, try Self.change(number, track, .pending, nil, &db), noted)
        }
        if change != nil {
            counted.withLock { $0.submitted += 1 }
            webhooks.noted(noted)
        }
        tell(change)
        return number
    }

    /// Takes a track back, whatever was decided: it is its owner's alone again. Not an error if it was not submitted.
    ///
    /// - Throws: `trackNotFound` unless it is the account's own; `busy`, `storage`.
    package func withdraw(_ id: MusicID, by owner: UserID) async throws(Refusal) {
        let now = clock.nowMilliseconds()
        let change = try await dao.write { db -> Change? in
            let (track, known) = try Self.find(id, of: owner, &db)
            guard let known, let number = known.number else { return nil }
            try Self.leave(track, &db)
            try Self.set(nil, of: track, now: now, &db)
            return try Self.change(number, track, nil, nil, &db)
        }
        tell(change)
    }

    private static func find(
        _ id: MusicID, of owner: UserID, _ db: inout WriteAccess
    ) throws -> (TrackRecord, SubmissionRecord?) {
        guard let track = try db.first(TrackRecord.filter(TrackRecord.id == id)), track.owner == owner else {
            throw Refusal(.trackNotFound)
        }
        return (track, try db.first(SubmissionRecord.self, "WHERE track = \(track.number)"))
    }

    /// Takes the track from its submission, whose number is not given again.
    private static func leave(_ track: TrackRecord, _ db: inout WriteAccess) throws {
        try db.execute("UPDATE submissions SET track = NULL WHERE track = \(track.number)")
    }

    private static func set(
        _ status: TrackStatus?, of track: TrackRecord, now: Int64, _ db: inout WriteAccess
    ) throws {
        let scope = track.scope == TrackScope.missing ? track.scope : TrackScope.ofUpload(status)
        try db.execute(
            """
            UPDATE tracks SET status = \(status), scope = \(scope), changed_ms = \(now) WHERE number = \(track.number)
            """)
    }

    // MARK: Decisions

    /// Approves or rejects a submission.
    ///
    /// - Parameters:
    ///   - reason: Why it is rejected.
    ///   - actor: `nil` for the operator.
    /// - Throws: `submissionNotFound`; `submissionDecided` if somebody was quicker; `forbidden`, `banned` or
    ///   `tokenInvalid` for whoever decides; `busy`, `storage`.
    package func decide(
        _ id: Int64, isApproved: Bool, reason: String? = nil, by actor: UserID?
    ) async throws(Refusal) {
        let (now, journal, notifications) = (clock.nowMilliseconds(), journal, notifications)
        let (change, posted) = try await dao.write { db -> (Change?, PostedNotification?) in
            try AdminRights.require(.libraryCurate, of: actor, now: now, in: &db)
            guard let current = try db.first(SubmissionRecord.self, key: id), let number = current.track,
                let track = try db.first(TrackRecord.self, key: number), let owner = track.owner
            else { throw Refusal(.submissionNotFound) }
            guard current.state == .pending else { throw Refusal(.submissionDecided) }
            var decided = current
            decided.state = isApproved ? .approved : .rejected
            decided.reason = isApproved ? nil : reason
            decided.decidedMilliseconds = now
            decided.decidedBy = actor
            try db.updateChanges(decided, from: current)
            try Self.set(decided.state, of: track, now: now, &db)
            try journal.append(
                JournalEntry(
                    isApproved ? .submissionApproved : .submissionRejected, actor: actor, user: owner,
                    ["submission": .integer(id), "track": .text(track.id.rawValue)]), in: &db)
            var new = NewNotification(.submissionDecided, key: "submission:\(id)")
            new.track = track.id
            new.title = track.title
            new.result = decided.state.rawValue
            new.text = decided.reason
            return (
                try Self.change(id, track, decided.state, decided.reason, &db),
                try notifications.post(new, to: owner, in: &db)
            )
        }
        counted.withLock { if isApproved { $0.approved += 1 } else { $0.rejected += 1 } }
        tell(change)
        notifications.tell([posted].compactMap { $0 })
    }

    private static func change(
        _ id: Int64, _ track: TrackRecord, _ state: TrackStatus?, _ reason: String?, _ db: inout WriteAccess
    ) throws -> Change? {
        guard let owner = track.owner else { return nil }
        return Change(
            owner: owner,
            event: SubmissionChanged(
                id: id, track: track.id, title: track.title, state: state, reason: reason,
                pendingCount: try SubmissionDAO.pendingCount(in: &db)))
    }

    private func tell(_ change: Change?) {
        guard let change else { return }
        handler.withLock { $0 }?(change)
    }

    // MARK: Reading

    /// - Throws: `submissionNotFound`, also if the listener does not see its track; `busy`, `storage`.
    package func get(_ id: Int64, for listener: Listener) async throws(Refusal) -> Submission {
        let found = try await read("WHERE s.number = \(id)", for: listener).first
        guard let found else { throw Refusal(.submissionNotFound) }
        return found
    }

    /// - Parameter isOwn: Of the listener alone.
    /// - Throws: `forbidden` if all are asked for by somebody who may not decide; `busy`, `storage`.
    package func page(_ request: SubmissionsList, for listener: Listener) async throws(Refusal) -> SubmissionPage {
        if request.isAll, listener.sight == .ordinary { throw .forbidden(.libraryCurate) }
        let limit = min(max(request.limit, 1), Int(Limits.submissionPageCount.upperBound))
        // Those that wait are decided in the order in which they came.
        let isOldestFirst = request.state == .pending
        var condition: SQL =
            isOldestFirst ? "s.number > \(request.after ?? 0)" : "s.number < \(request.after ?? .max)"
        if let state = request.state { condition = "\(condition) AND s.state = \(state)" }
        if !request.isAll { condition = "\(condition) AND s.owner_uid = \(listener.uid)" }
        let order: SQL = isOldestFirst ? "s.number" : "s.number DESC"
        let owner = request.isAll ? nil : listener.uid
        let found = try await read("WHERE \(condition) ORDER BY \(order) LIMIT \(limit + 1)", for: listener)
        let pending = try await dao.read { db in try SubmissionDAO.pendingCount(of: owner, in: &db) }
        let page = Array(found.prefix(limit))
        return SubmissionPage(
            submissions: page, nextAfter: found.count > limit ? page.last?.id : nil, pendingCount: pending)
    }

    private func read(_ rest: SQL, for listener: Listener) async throws(Refusal) -> [Submission] {
        let objects = finder.objects(for: listener)
        return try await finder.read { db in
            let rows = try db.all(
                """
                SELECT s.number, s.track, s.state, s.reason, s.submitted_ms, s.decided_ms, o.uid, o.username, d.uid,
                    d.username
                FROM submissions s JOIN tracks t ON t.number = s.track JOIN users o ON o.uid = s.owner_uid LEFT JOIN users d ON d.uid = s.decided_by
                \(rest)
                """
            ) { try SubmissionRow(row: &$0) }
            let tracks = try db.all(
                TrackRecord.self,
                "WHERE number IN (SELECT value FROM json_each(\(MusicObjects.list(rows.map(\.track)))))")
            let shown = Dictionary(
                uniqueKeysWithValues: zip(tracks.map(\.id), tracks.map(\.number)).map { ($0, $1 ?? 0) })
            let byNumber = Dictionary(
                uniqueKeysWithValues: try objects.tracks(tracks, in: &db).map { (shown[$0.id] ?? 0, $0) })
            return rows.compactMap { row in
                byNumber[row.track].map { row.submission(of: $0, tellsDecider: listener.sight != .ordinary) }
            }
        }
    }
}

/// What is read of a submission besides its track.
private struct SubmissionRow {
    let id: Int64
    let track: Int64
    let state: TrackStatus
    let reason: String?
    let submittedMilliseconds: Int64
    let decidedMilliseconds: Int64?
    let owner: User
    let decidedBy: User?

    init(row: inout Row) throws {
        id = try row.next()
        track = try row.next()
        state = try row.next()
        reason = try row.next()
        submittedMilliseconds = try row.next()
        decidedMilliseconds = try row.next()
        owner = User(uid: try row.next(), username: try row.next(), isGuest: false)
        let (uid, name) = (try row.next(UserID?.self), try row.next(Username?.self))
        decidedBy = uid.map { User(uid: $0, username: name, isGuest: false) }
    }

    func submission(of track: MusicTrack, tellsDecider: Bool) -> Submission {
        Submission(
            id: id, track: track, owner: owner, state: state, reason: reason,
            submittedMilliseconds: submittedMilliseconds, decidedMilliseconds: decidedMilliseconds,
            decidedBy: tellsDecider ? decidedBy : nil)
    }
}
