internal import SonaDatabase
package import SonaWire

/// Listing, banning and promoting of other accounts, by administrators and the operator. Permissions are checked inside
/// the transaction of the change.
extension Accounts {
    /// Returns a page of accounts, newest first.
    ///
    /// - Parameters:
    ///   - cursor: Creation time and identifier of the last account of the previous page.
    ///   - limit: 1…100; other values are clamped.
    /// - Throws: `busy`, `storage`.
    package func list(
        _ filter: Filter, after cursor: (createdMs: Int64, uid: UserID)?, limit: Int
    ) async throws(Refusal) -> [AdminUser] {
        let now = clock.nowMilliseconds()
        let query = Self.page(filter, after: cursor, limit: min(max(limit, 1), 100), now: now)
        return try await users.read { db in
            // A filter may have to read every account.
            try db.withTimeLimit(.seconds(2)) { db in
                try db.all(UserRecord.self, query).map { user in try Self.summary(user, now: now, in: &db) }
            }
        }
    }

    private static func page(
        _ filter: Filter, after cursor: (createdMs: Int64, uid: UserID)?, limit: Int, now: Int64
    ) -> SQL {
        var condition: SQL = "TRUE"
        if let query = filter.query {
            let first = Username.folded(query)
            let last = first + "\u{10FFFF}"
            condition = """
                \(condition) AND (\(UserRecord.usernameKey) BETWEEN \(first) AND \(last)
                    OR \(UserRecord.uid) = \(query))
                """
        }
        if let role = filter.role { condition = "\(condition) AND \(UserRecord.role) = \(role)" }
        if let isBanned = filter.isBanned {
            let banned: SQL = """
                EXISTS (SELECT 1 FROM \(BanRecord.table) b WHERE b.uid = users.uid
                    AND (b.until_ms IS NULL OR b.until_ms > \(now)))
                """
            condition = isBanned ? "\(condition) AND \(banned)" : "\(condition) AND NOT \(banned)"
        }
        if let cursor {
            condition =
                "\(condition) AND (\(UserRecord.created), \(UserRecord.uid)) < (\(cursor.createdMs), \(cursor.uid))"
        }
        return "WHERE \(condition) ORDER BY \(UserRecord.created) DESC, \(UserRecord.uid) DESC LIMIT \(limit)"
    }

    static func summary(
        _ user: UserRecord, now: Int64, in db: inout some DatabaseAccess & ~Copyable
    ) throws(DatabaseError) -> AdminUser {
        let ban = try UserDAO.ban(of: user.uid, now: now, in: &db)
        return AdminUser(
            user: User(uid: user.uid, username: user.username, isGuest: false), role: user.role,
            createdMilliseconds: user.createdMilliseconds,
            ban: ban.map { Ban(untilMilliseconds: $0.untilMilliseconds, reason: $0.reason) })
    }

    /// Bans a user: their tokens are refused and their connections end. After the ban they can go on without signing in
    /// again.
    ///
    /// - Parameters:
    ///   - seconds: Clamped to `Limits.banSeconds`. `nil`: permanent.
    ///   - reason: Shown to the user; at most 200 bytes of UTF-8.
    ///   - actor: The administrator. `nil`: the operator.
    /// - Throws: `userUnknown`, `oneself`, `forbidden`, `banned` or `tokenInvalid` for the administrator, `lastAdmin`,
    ///   `busy`, `storage`.
    package func ban(
        _ reference: UserReference, seconds: Int64?, reason: String?, by actor: Account?
    ) async throws(Refusal) -> AdminUser {
        let now = clock.nowMilliseconds()
        let journal = self.journal
        let range = Limits.banSeconds
        let seconds = seconds.map { min(max($0, range.lowerBound), range.upperBound) }
        let reason = reason.flatMap { $0.isEmpty ? nil : $0 }
        let notes = self.notes
        let (summary, ban, changeNumber) = try await users.write { db in
            let user = try UserDAO.find(reference, in: &db)
            if user.uid == actor?.uid { throw Refusal.oneself }
            try AdminRights.require(.usersBan, of: actor?.uid, now: now, in: &db)
            try AdminRights.refuseIfLast(user, now: now, in: &db)
            let ban = BanRecord(
                uid: user.uid, untilMilliseconds: seconds.map { now + $0 * 1_000 }, reason: reason,
                createdMilliseconds: now)
            try db.upsert(ban)
            var detail: JournalDetail = [:]
            if let seconds { detail = ["seconds": .integer(seconds)] }
            try journal.append(JournalEntry(.banned, actor: actor?.uid, user: user.uid, detail), in: &db)
            return (try Self.summary(user, now: now, in: &db), ban, notes.nextChangeNumber())
        }
        notes.noteBan(ban.uid, until: ban.untilMilliseconds ?? .max, changeNumber) {
            tell(.expelled(ban.uid))
            tell(.banChanged(ban.uid))
        }
        return summary
    }

    /// Lifts a user's ban. For a user who is not banned, nothing happens.
    ///
    /// - Throws: `userUnknown`, `forbidden`, `banned` or `tokenInvalid` for the administrator, `busy`, `storage`.
    package func unban(_ reference: UserReference, by actor: Account?) async throws(Refusal) -> AdminUser {
        let now = clock.nowMilliseconds()
        let (journal, notes) = (self.journal, self.notes)
        let (summary, changeNumber) = try await users.write { db in
            let user = try UserDAO.find(reference, in: &db)
            try AdminRights.require(.usersBan, of: actor?.uid, now: now, in: &db)
            if let ban = try db.first(BanRecord.self, key: user.uid) {
                _ = try db.delete(BanRecord.self, key: user.uid)
                // Nobody could sign in until now, so the owner's absence from their rooms begins here.
                try SightingRecord.note(user.uid, now: min(ban.untilMilliseconds ?? now, now), in: &db)
                try journal.append(JournalEntry(.unbanned, actor: actor?.uid, user: user.uid), in: &db)
            }
            return (try Self.summary(user, now: now, in: &db), notes.nextChangeNumber())
        }
        notes.noteBan(summary.user.uid, until: nil, changeNumber) { tell(.banChanged(summary.user.uid)) }
        return summary
    }

    /// Gives a user another role, with immediate effect.
    ///
    /// - Throws: `userUnknown`, `oneself`, `forbidden`, `banned` or `tokenInvalid` for the administrator, `lastAdmin`,
    ///   `busy`, `storage`.
    package func setRole(
        of reference: UserReference, to role: AccountRole, by actor: Account?
    ) async throws(Refusal) -> AdminUser {
        let now = clock.nowMilliseconds()
        let (journal, notes) = (self.journal, self.notes)
        let (user, summary, changeNumber) = try await users.write { db in
            let current = try UserDAO.find(reference, in: &db)
            if current.uid == actor?.uid { throw Refusal.oneself }
            try AdminRights.require(.usersSetRole, of: actor?.uid, now: now, in: &db)
            if role != .admin { try AdminRights.refuseIfLast(current, now: now, in: &db) }
            var changed = current
            changed.role = role
            changed.changedMilliseconds = now
            if current.role != role {
                try db.updateChanges(changed, from: current)
                try journal.append(
                    JournalEntry(
                        .roleChanged, actor: actor?.uid, user: current.uid,
                        ["from": .text(current.role.rawValue), "to": .text(role.rawValue)]), in: &db)
            }
            return (changed, try Self.summary(changed, now: now, in: &db), notes.nextChangeNumber())
        }
        tellChanged(user, changeNumber, now: now)
        return summary
    }
}
