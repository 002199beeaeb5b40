internal import SonaBase
package import SonaDatabase
package import SonaWire

/// Export and removal of an account.
extension Accounts {
    /// Reads what another module stores about an account, in the snapshot of the export. The member of the export that it
    /// returns has that as its value.
    package typealias ExportPart = @Sendable (UserID, inout ReadAccess) throws -> ExportMember
    package typealias ExportMember = (key: StaticString, writeValue: @Sendable (inout JSONWriter) -> Void)

    /// Adds a member to the export of every account. Called by a module when it opens.
    package func addExportPart(_ part: @escaping ExportPart) { exportParts.withLock { $0.append(part) } }

    /// Changes what another module stores about an account, in the transaction that removes it, before its rows go.
    package typealias RemovalPart = @Sendable (UserID, _ now: Int64, inout WriteAccess) throws -> Void

    /// Adds a step to the removal of every account. Called by a module when it opens.
    package func addRemovalPart(_ part: @escaping RemovalPart) { removalParts.withLock { $0.append(part) } }

    /// Exports everything that is stored about an account, with a code that removes the account.
    ///
    /// Each export makes a new code, which is valid for an hour and works once. The journal gets at most one line an
    /// hour about it.
    ///
    /// - Returns: One JSON object and the code. The photo is not in it; it can be loaded from its address in the
    ///   profile.
    /// - Throws: `reauthenticationRequired`, `userUnknown`, `tokenInvalid` if the sign-in has ended meanwhile, `busy`,
    ///   `storage`.
    package func export(_ account: Account) async throws(Refusal) -> (data: SonaWire.JSON, code: String) {
        try requireProof(account)
        let code = AccountCode.random()
        let now = clock.nowMilliseconds()
        let journal = self.journal
        let uid = account.uid
        let data = try await exportData(of: uid)
        let isLine = (try? limits.exportLines.take(key: uid.rawValue, now: now)) != nil
        try await users.write { db in
            guard try db.exists(UserRecord.self, key: uid) else { throw Refusal.userUnknown }
            try Self.refuseIfEnded(account, in: &db)
            try AccountCodeDAO.add(code, for: .removal, uid, now: now, in: &db)
            if isLine { try journal.append(.own(.accountExported, uid), in: &db) }
        }
        return (data.json(journal: try await lines(about: uid)), code.text)
    }

    /// - Throws: `userUnknown`, `busy`, `storage`.
    func exportData(of uid: UserID) async throws(Refusal) -> AccountExportData {
        // A reader's snapshot, because this takes milliseconds and would hold up every write.
        let others = exportParts.withLock { $0 }
        do {
            return try await users.database.readDetached { db in
                var data = try AccountExportData(of: uid, in: &db)
                for other in others { data.others.append(try other(uid, &db)) }
                return data
            }
        } catch {
            throw Refusal(reading: error)
        }
    }

    /// The most lines that one message can carry. Older lines are left out.
    private static let exportedLinesMax = 2_000

    func lines(about uid: UserID) async throws(Refusal) -> [JournalLine] {
        var lines: [JournalLine] = []
        while lines.count < Self.exportedLinesMax {
            let page = try await journal.page(before: lines.last?.id, limit: 500, subject: uid.rawValue)
            lines += page
            if page.count < 500 { break }
        }
        return lines
    }

    /// Erases an account with its profile, settings, photo, rooms, followers and sign-ins. Lines of the journal keep
    /// the identifier without a name.
    ///
    /// - Parameters:
    ///   - code: The code of an export.
    ///   - fate: What becomes of its rooms.
    /// - Throws: `reauthenticationRequired`, `codeInvalid`, `lastAdmin`, `banned`, `userUnknown`, `tokenInvalid` if the
    ///   sign-in has ended meanwhile, `busy`, `storage`.
    package func remove(
        _ account: Account, code: String, rooms fate: AccountRemove.Rooms = .erase
    ) async throws(Refusal) {
        try requireProof(account)
        guard let code = AccountCode(code) else { throw .codeInvalid }
        let uid = account.uid
        try await remove(uid, rooms: fate, by: uid) { now, db in
            // A banned user must not come back as a new user.
            try UserDAO.refuseIfBanned(uid, now: now, in: &db)
            let redeemed = try AccountCodeDAO.redeem(code, for: .removal, now: now, in: &db)
            guard redeemed.uid == uid else { throw Refusal.codeInvalid }
            try Self.refuseIfEnded(account, in: &db)
        }
    }

    /// Erases an account, if `check` throws nothing in the transaction that does so.
    ///
    /// - Parameter actor: `nil`: the operator.
    func remove(
        _ uid: UserID, rooms fate: AccountRemove.Rooms, by actor: UserID?,
        _ check: @escaping @Sendable (_ now: Int64, inout WriteAccess) throws -> Void
    ) async throws(Refusal) {
        let now = clock.nowMilliseconds()
        let until = Self.revokedUntil(now)
        let (journal, notes, transfers) = (self.journal, self.notes, self.transfers)
        let heirs = try await users.withoutLook()
        let parts = removalParts.withLock { $0 }
        let (families, moved, rooms, changeNumber) = try await users.write { db in
            try check(now, &db)
            guard let user = try db.first(UserRecord.self, key: uid) else { throw Refusal.userUnknown }
            try AdminRights.refuseIfLast(user, now: now, in: &db)
            let families = try RefreshTokenDAO.endAll(of: uid, until: until, now: now, in: &db)
            let moved = fate == .cohosts ? try transfers.inherit(from: uid, now: now, in: &db) : []
            let rooms = try db.all(RoomRecord.filter(RoomRecord.owner == uid)).map(\.id)
            try Self.erase(uid, heirs: heirs, parts, now: now, in: &db)
            try journal.append(
                JournalEntry(
                    .accountRemoved, actor: actor, user: uid, ["rooms": .integer(Int64(rooms.count))]), in: &db)
            return (families, moved, rooms, notes.nextChangeNumber())
        }
        tell(.roomsMoved(moved))
        tell(.roomsRemoved(rooms))
        notes.noteRemoval(uid, changeNumber, now: now) { tell(.expelled(uid)) }
        tellRevoked(families, until: until, now: now)
        await forgetWords()
    }

    /// Erases the rows of an account.
    ///
    /// - Parameters:
    ///   - heirs: `UserDAO.withoutLook`, read before the transaction.
    ///   - parts: The steps of other modules.
    /// - Throws: `userUnknown`.
    static func erase(
        _ uid: UserID, heirs: [UserID], _ parts: [RemovalPart], now: Int64, in db: inout WriteAccess
    ) throws {
        for part in parts { try part(uid, now, &db) }
        try RoomTraces.erase(uid, now: now, in: &db)
        try Reports.erase(uid, in: &db)
        guard try db.delete(UserRecord.self, key: uid) else { throw Refusal.userUnknown }
        try UserDAO.passOnLooks(to: heirs, in: &db)
    }

    /// Rewrites the index of the directory: FTS5 keeps the words of deleted rows until it merges what holds them.
    ///
    /// O(directory), about 0.1 s for 100 000 people. A failure is ignored: the account stays removed.
    func forgetWords() async {
        _ = try? await users.write { db in
            try db.execute("INSERT INTO directory_search (directory_search) VALUES ('optimize')")
        }
    }
}
