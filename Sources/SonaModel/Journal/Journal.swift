internal import SonaDatabase
package import SonaWire

/// The journal: who signed in, changed a role, banned, deleted; for admins to read, and only ever added to.
///
/// Each line carries a keyed hash of itself and of the line before it, and a sealed head row says where the lines end.
/// So a line that is altered, removed, inserted or moved, the last ones too, is found by `verify`, unless it was done by
/// somebody who has the key.
///
/// **What can't be told.** A database file put back whole to an earlier moment is sound in itself: head and lines agree.
/// The anchor, `keys/journal.head` outside of the database, tells that lines are missing which were there when it was
/// last written, at opening and at `anchor`. Put back together with the key folder, nothing tells. Whoever can read
/// `keys/journal.key` can write a journal to their liking: an operator who has to be held to account needs lines that
/// are shipped elsewhere.
///
/// **What is done then.** A head that is not as it was sealed refuses further lines, and with them what they would tell
/// of (`append`). The next opening writes a `journal_reset` line with the cause and begins a new seal from there; what
/// lies before stays readable and can't be vouched for any more: `JournalVerification.checkedFrom` says so ever after.
/// The same for a key that has gone or is another one. An anchor that disagrees stays, and with it the fault, until
/// `reanchor`.
///
/// **Backups.** With the database belong `keys/journal.key`, or its lines can't be checked, and `keys/journal.head`,
/// copied before the database is: an anchor is never ahead of its database, unless that was put back. After a restoration
/// the old anchor has to go or `reanchor` has to be called.
///
/// **Size.** Nothing is ever deleted; what an account can have written in a day is bounded (`AccountBudgets`): 1 440
/// sign-ins and 4 320 lines of moderation, 1.6 MB. Strangers' failures are thinned (`FailedSignIns`). A sign-in takes 270 bytes, indexes included (measured over 120 000 lines with
/// identifiers of 28 characters and a detail of 45 bytes): a thousand of them a day are 100 MB a year.
package struct Journal: Sendable {
    let lines: JournalDAO
    let key: JournalKey
    let anchorPath: String?
    private let clock: WallClock
    /// Why a new seal was begun at this opening, if it was: worth a warning in the log.
    package let reset: JournalReset?

    /// Most lines of a page.
    package static let pageLinesMax = 500

    /// Takes the journal of a database, which need not have one yet.
    ///
    /// - Parameter anchorPath: Beside the key as a rule; `nil` for a database in memory.
    /// - Throws: `storage`, also when the anchor can't be read or written.
    static func open(
        _ lines: JournalDAO, key: JournalKey, clock: WallClock, anchorPath: String?
    ) async throws(ModelError) -> Journal {
        do throws(Refusal) {
            let reset = try await lines.prepare(key, now: clock.nowMilliseconds())
            let journal = Journal(lines: lines, key: key, anchorPath: anchorPath, clock: clock, reset: reset)
            try await journal.anchor()
            return journal
        } catch {
            throw ModelError(error)
        }
    }

    private init(lines: JournalDAO, key: JournalKey, anchorPath: String?, clock: WallClock, reset: JournalReset?) {
        self.lines = lines
        self.key = key
        self.anchorPath = anchorPath
        self.clock = clock
        self.reset = reset
    }

    // MARK: Writing

    /// Adds a line in the transaction of what it tells of: both are kept or neither.
    ///
    /// ```swift
    /// try db.insert(token)
    /// try journal.append(.own(.signIn, user.uid, ["method": "password"]), in: &db)
    /// ```
    /// Costs at most 15 µs of the transaction (without optimization; two keyed hashes are a third of it): a look-up of
    /// the head row by its key, an insertion, an update.
    ///
    /// - Returns: The id of the line.
    /// - Throws: `corrupt` if the head is not as it was sealed; `unique` if somebody wrote a line behind the last.
    @discardableResult
    func append(_ entry: JournalEntry, in db: inout WriteAccess) throws(DatabaseError) -> Int64 {
        try JournalDAO.append(entry, key: key, now: clock.nowMilliseconds(), in: &db)
    }

    /// Adds a line in a transaction of its own, for what changes nothing else in the database.
    ///
    /// - Throws: `busy`, `storage`.
    package func append(_ entry: JournalEntry) async throws(Refusal) {
        try await lines.write { db in try append(entry, in: &db) }
    }

    // MARK: Reading

    /// Some lines, newest first.
    ///
    /// - Parameters:
    ///   - id: The page begins with the line before this one; `nil`: with the newest.
    ///   - limit: At most `pageLinesMax` are given.
    ///   - actor: Only what this account did.
    ///   - subject: Only what was done to the account or room of this identifier, by whomever.
    /// - Throws: `busy`, `storage`.
    package func page(
        before id: Int64? = nil, limit: Int = 100, kind: JournalEntry.Kind? = nil, actor: UserID? = nil,
        subject: String? = nil
    ) async throws(Refusal) -> [JournalLine] {
        try await lines.page(
            before: id, limit: min(limit, Self.pageLinesMax), kind: kind, actor: actor?.rawValue, subject: subject)
    }
}

/// Why the seal of a journal could not be carried on.
package enum JournalReset: String, Sendable, CaseIterable {
    /// The key is another one than the head was sealed with: its file has gone, or is not the one of this database.
    case keyChanged = "key_changed"
    case headMissing = "head_missing"
    /// The head is not as it was sealed.
    case headInvalid = "head_invalid"
    /// The last lines are not there.
    case linesMissing = "lines_missing"
    /// There are lines behind the last.
    case linesAdded = "lines_added"

    /// - Parameter last: The id of the last line there is.
    init?(_ head: JournalHeadRecord?, last: Int64, key: JournalKey) {
        guard let head else {
            self = .headMissing
            return
        }
        if head.keyID != key.id {
            self = .keyChanged
        } else if !key.seals(head) {
            self = .headInvalid
        } else if last < head.count {
            self = .linesMissing
        } else if last > head.count {
            self = .linesAdded
        } else {
            return nil
        }
    }
}
