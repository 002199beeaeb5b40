package import SonaDatabase
package import SonaWire

/// The journal: an append-only record of sign-ins, changes of roles, bans and deletions, for administrators.
///
/// Each line has a keyed hash of itself and the line before it. A sealed head row says where the lines end. So `verify`
/// finds every line that was altered, removed, inserted or moved without the key, the last lines included.
///
/// **Limits.** A whole database file from an earlier moment is consistent in itself: head and lines agree. The anchor,
/// `keys/journal.head` outside of the database, shows that lines are missing that existed when it was last written, at
/// opening or by `anchor`. If the key folder is put back together with the database, nothing shows it. An operator who
/// can read `keys/journal.key` can forge a whole journal. To hold an operator to account, ship the lines elsewhere.
///
/// **After a fault.** If the seal of the head is invalid, `append` refuses further lines, and with them the changes
/// they belong to. The next opening writes a `journal_reset` line with the cause and begins a new seal there. Earlier
/// lines stay readable but can't be verified any more: see `JournalVerification.checkedFrom`. The same happens if the
/// key is lost or replaced. An anchor that disagrees stays, and with it the fault, until `reanchor`.
///
/// **Backups.** A backup needs `keys/journal.key`, or its lines can't be verified, and `keys/journal.head`. Copy the
/// head before the database, so that the anchor is never ahead of it. After a restoration remove the old anchor or call
/// `reanchor`.
///
/// **Size.** Nothing is ever deleted. `AccountBudgets` limits what one account can cause in a day to 1 440 sign-ins and
/// 4 320 lines of moderation, 1.6 MB. `FailedSignIns` thins out failures. A sign-in takes 270 bytes with indexes
/// (measured over 120 000 lines with identifiers of 28 characters and a detail of 45 bytes). A thousand sign-ins a day
/// are 100 MB a year.
package struct Journal: Sendable {
    let lines: JournalDAO
    let key: JournalKey
    let anchorPath: String?
    private let clock: WallClock
    /// Why this opening began a new seal. `nil` if it did not. Deserves a warning in the log.
    package let reset: JournalReset?

    /// The most lines of a page.
    package static let pageLinesMax = 500

    /// Opens the journal of a database, or begins one.
    ///
    /// - Parameter anchorPath: The file of the anchor, usually beside the key. `nil` for a database in memory.
    /// - Throws: `storage` (also if the anchor can't be read or written).
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

    /// Adds a line in the transaction of the change that it records: both are committed or neither.
    ///
    /// ```swift
    /// try db.insert(token)
    /// try journal.append(.own(.signIn, user.uid, ["method": "password"]), in: &db)
    /// ```
    /// Costs at most 15 µs of the transaction (without optimization; two keyed hashes are a third of it): a look-up of
    /// the head row by its key, an insertion, an update.
    ///
    /// - Returns: The id of the line.
    /// - Throws: `corrupt` if the seal of the head is invalid; `unique` if there is a line after the one that the head
    ///   names.
    @discardableResult
    package func append(_ entry: JournalEntry, in db: inout WriteAccess) throws(DatabaseError) -> Int64 {
        try JournalDAO.append(entry, key: key, now: clock.nowMilliseconds(), in: &db)
    }

    /// Adds a line in a transaction of its own, for events that change nothing else in the database.
    ///
    /// - Throws: `busy`, `storage`.
    package func append(_ entry: JournalEntry) async throws(Refusal) {
        try await lines.write { db in try append(entry, in: &db) }
    }

    // MARK: Reading

    /// Returns a page of lines, newest first.
    ///
    /// - Parameters:
    ///   - id: The page begins with the line before this one. `nil`: with the newest line.
    ///   - limit: At most `pageLinesMax`.
    ///   - actor: Only lines about actions of this account.
    ///   - subject: Only lines about actions on the account or room with this identifier.
    /// - Throws: `busy`, `storage`.
    package func page(
        before id: Int64? = nil, limit: Int = 100, kind: JournalEntry.Kind? = nil, actor: UserID? = nil,
        subject: String? = nil
    ) async throws(Refusal) -> [JournalLine] {
        try await lines.page(
            before: id, limit: min(limit, Self.pageLinesMax), kind: kind, actor: actor?.rawValue, subject: subject)
    }
}

/// Why the seal of a journal could not be continued.
package enum JournalReset: String, Sendable, CaseIterable {
    /// The head was sealed with another key: the key file was lost, or belongs to another database.
    case keyChanged = "key_changed"
    case headMissing = "head_missing"
    /// The seal of the head is invalid.
    case headInvalid = "head_invalid"
    /// There are fewer lines than the head counts.
    case linesMissing = "lines_missing"
    /// There are more lines than the head counts.
    case linesAdded = "lines_added"

    /// Compares the head with the lines.
    ///
    /// - Parameter last: The id of the last stored line.
    /// - Returns: `nil` if the seal can be continued.
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
