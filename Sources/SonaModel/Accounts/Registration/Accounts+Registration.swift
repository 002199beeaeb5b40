internal import SonaBase
internal import SonaCrypto
internal import SonaDatabase
package import SonaWire

/// Who may make an account: invites, and approval by administrators. Permissions are checked inside the transaction of
/// the change.
extension Accounts {
    /// How somebody asks for an account, and the rule of the server at that moment.
    package struct Application: Sendable {
        package var rule: Registration
        /// The code of an invite.
        package var invite: String?
        /// What the administrators are to know.
        package var introduction: String?

        package init(rule: Registration = .open, invite: String? = nil, introduction: String? = nil) {
            self.rule = rule
            self.invite = invite
            self.introduction = introduction.flatMap { $0.isEmpty ? nil : $0 }
        }

        /// Whether the new account has to be approved. An invite stands for the approval.
        var mustWait: Bool { rule == .approval && invite == nil }

        /// Refuses an application that can't succeed. The transaction that makes the account decides again.
        ///
        /// - Throws: `registrationClosed`, `inviteRequired`, `inviteInvalid`, `inviteRevoked`, `inviteExpired`,
        ///   `inviteUsedUp`.
        func check(now: Int64, in db: inout some DatabaseAccess & ~Copyable) throws {
            if let code = try neededCode() { _ = try RegistrationDAO.goodInvite(code, now: now, in: &db) }
        }

        /// Uses the invite, or makes the account wait. Call it in the transaction that makes the account.
        ///
        /// - Returns: Details for the journal.
        /// - Throws: As `check`; `tooMany` if too many accounts wait.
        func settle(_ uid: UserID, now: Int64, in db: inout WriteAccess) throws -> JournalDetail.Members {
            if mustWait {
                try RegistrationDAO.wait(uid, introduction, now: now, in: &db)
                return [("waits", true)]
            }
            guard let code = try neededCode() else { return [] }
            return [("invite", .integer(try RegistrationDAO.use(code, now: now, in: &db)))]
        }

        /// The code that decides; `nil` if none is needed. Where everybody may sign up, a code is not looked at.
        private func neededCode() throws(Refusal) -> String? {
            switch rule {
            case .open, .other: return nil
            case .closed: throw Refusal(.authRegistrationClosed)
            case .approval: return invite
            case .invite:
                guard let invite else { throw Refusal(.authInviteRequired) }
                return invite
            }
        }
    }

    /// How long a rejected account is kept, so that the person learns of it at the next sign-in.
    package static let rejectedMilliseconds: Int64 = 7 * 86_400_000
    /// How long an account waits at most.
    package static let waitingMilliseconds: Int64 = 30 * 86_400_000
    /// How long an invite stays in the list after its end.
    static let endedInviteMilliseconds: Int64 = 30 * 86_400_000

    // MARK: Invites

    /// Makes an invite.
    ///
    /// - Parameter actor: The administrator. `nil`: the operator, here and below.
    /// - Throws: `limitReached` if there are too many good ones; `forbidden`, `banned` or `tokenInvalid` for the
    ///   administrator; `busy`, `storage`.
    package func makeInvite(
        maxUses: Int64?, seconds: Int64, note: String?, by actor: UserID?
    ) async throws(Refusal) -> RegistrationInvite {
        let (now, journal) = (clock.nowMilliseconds(), self.journal)
        let code = SecureRandom.alphanumeric(RegistrationDAO.codeCharacters)
        return try await users.write { db in
            try AdminRights.require(.registrationManage, of: actor, now: now, in: &db)
            let good: Int =
                try db.value(
                    """
                    SELECT count(*) FROM registration_invites WHERE expires_ms > \(now) AND revoked_ms IS NULL
                        AND (uses_max IS NULL OR uses < uses_max)
                    """) ?? 0
            guard good < Limits.registrationInvitesMax else {
                throw Refusal(
                    .requestInvalid, "There are \(Limits.registrationInvitesMax) invites: revoke some first.")
            }
            let last = try db.value("SELECT max(id) FROM registration_invites", as: Int64?.self) ?? nil
            let invite = RegistrationInviteRecord(
                id: (last ?? 0) + 1, code: code, maxUses: maxUses, expiresMilliseconds: now + seconds * 1_000,
                createdMilliseconds: now, note: note.flatMap { $0.isEmpty ? nil : $0 }, by: actor)
            try db.insert(invite)
            try journal.append(
                JournalEntry(.registrationInvited, actor: actor, ["invite": .integer(invite.id)]), in: &db)
            return RegistrationInvite(invite)
        }
    }

    /// A page of invites, the newest first.
    ///
    /// - Throws: `busy`, `storage`.
    package func invites(before: Int64?, limit: Int) async throws(Refusal) -> [RegistrationInvite] {
        let limit = min(max(limit, 1), 100)
        return try await users.read { db in
            try db.all(
                RegistrationInviteRecord.self, "WHERE id < \(before ?? .max) ORDER BY id DESC LIMIT \(limit)"
            ).map(RegistrationInvite.init)
        }
    }

    /// Ends an invite. One that was revoked before is no error.
    ///
    /// - Throws: `inviteInvalid` if there is none; `forbidden`, `banned` or `tokenInvalid` for the administrator;
    ///   `busy`, `storage`.
    package func revokeInvite(_ id: Int64, by actor: UserID?) async throws(Refusal) -> RegistrationInvite {
        let (now, journal) = (clock.nowMilliseconds(), self.journal)
        return try await users.write { db in
            try AdminRights.require(.registrationManage, of: actor, now: now, in: &db)
            guard let invite = try db.first(RegistrationInviteRecord.self, key: id) else { throw Refusal.inviteInvalid }
            guard invite.revokedMilliseconds == nil else { return RegistrationInvite(invite) }
            var revoked = invite
            revoked.revokedMilliseconds = now
            try db.updateChanges(revoked, from: invite)
            try journal.append(
                JournalEntry(.registrationInviteRevoked, actor: actor, ["invite": .integer(id)]), in: &db)
            return RegistrationInvite(revoked)
        }
    }

    // MARK: Approval

    /// A page of accounts that wait, those that wait for longest first, and how many wait in all.
    ///
    /// - Throws: `busy`, `storage`.
    package func waiting(
        after cursor: (sinceMs: Int64, uid: UserID)?, limit: Int
    ) async throws(Refusal) -> (accounts: [WaitingAccount], count: Int) {
        let limit = min(max(limit, 1), 100)
        return try await users.read { db in
            var condition: SQL = "rejected_ms IS NULL"
            if let cursor { condition = "\(condition) AND (since_ms, uid) > (\(cursor.sinceMs), \(cursor.uid))" }
            let records = try db.all(
                WaitingAccountRecord.self, "WHERE \(condition) ORDER BY since_ms, uid LIMIT \(limit)")
            let accounts = try records.map { record in
                let user = try UserDAO.find(.id(record.uid), in: &db)
                return WaitingAccount(
                    user: User(uid: user.uid, username: user.username, isGuest: false),
                    sinceMilliseconds: record.sinceMilliseconds, isEmailConfirmed: user.isEmailConfirmed,
                    introduction: record.introduction)
            }
            return (accounts, try RegistrationDAO.waitingCount(in: &db))
        }
    }

    /// Lets an account that waits sign in. The person is told by mail.
    ///
    /// - Throws: `userUnknown`; `registrationDecided` if it does not wait (any more); `forbidden`, `banned` or
    ///   `tokenInvalid` for the administrator; `busy`, `storage`.
    package func approve(_ reference: UserReference, by actor: UserID?) async throws(Refusal) -> AdminUser {
        let (now, journal) = (clock.nowMilliseconds(), self.journal)
        let (user, summary) = try await users.write { db in
            let (user, _) = try Self.undecided(reference, by: actor, now: now, in: &db)
            _ = try db.delete(WaitingAccountRecord.self, key: user.uid)
            try journal.append(JournalEntry(.registrationApproved, actor: actor, user: user.uid), in: &db)
            return (user, try Self.summary(user, now: now, in: &db))
        }
        await tell(user, .approved)
        return summary
    }

    /// Refuses an account that waits. The person is told by mail and at the next sign-in; the account is removed after
    /// `rejectedMilliseconds`.
    ///
    /// - Throws: As `approve`.
    package func reject(
        _ reference: UserReference, reason: String?, by actor: UserID?
    ) async throws(Refusal) {
        let (now, journal) = (clock.nowMilliseconds(), self.journal)
        let reason = reason.flatMap { $0.isEmpty ? nil : $0 }
        let user = try await users.write { db in
            let (user, waiting) = try Self.undecided(reference, by: actor, now: now, in: &db)
            var rejected = waiting
            rejected.rejectedMilliseconds = now
            rejected.reason = reason
            try db.updateChanges(rejected, from: waiting)
            try journal.append(JournalEntry(.registrationRejected, actor: actor, user: user.uid), in: &db)
            return user
        }
        await tell(user, .rejected(reason: reason))
    }

    private static func undecided(
        _ reference: UserReference, by actor: UserID?, now: Int64, in db: inout WriteAccess
    ) throws -> (UserRecord, WaitingAccountRecord) {
        try AdminRights.require(.registrationManage, of: actor, now: now, in: &db)
        let user = try UserDAO.find(reference, in: &db)
        let waiting = try db.first(WaitingAccountRecord.self, key: user.uid)
        guard let waiting, waiting.rejectedMilliseconds == nil else { throw Refusal(.registrationDecided) }
        return (user, waiting)
    }

    private func tell(_ user: UserRecord, _ subject: AccountMail.Subject) async {
        guard let text = user.email, let email = EmailAddress(text), mayMail(email) else { return }
        await notify(user, at: text, subject)
    }

    /// Removes accounts that were rejected a week ago, or have waited for a month, and invites that ended a month ago.
    ///
    /// - Returns: The number of accounts and invites.
    /// - Throws: `busy`, `storage`.
    package func removeUnapproved() async throws(Refusal) -> Int {
        let now = clock.nowMilliseconds()
        let before = now - Self.endedInviteMilliseconds
        var count = try await users.write { db in
            try db.execute("DELETE FROM registration_invites WHERE expires_ms <= \(before) OR revoked_ms <= \(before)")
        }
        let (rejected, waiting) = (now - Self.rejectedMilliseconds, now - Self.waitingMilliseconds)
        let due = try await users.read { db in
            try db.values(
                """
                SELECT uid FROM waiting_accounts
                WHERE rejected_ms <= \(rejected) OR (rejected_ms IS NULL AND since_ms <= \(waiting))
                """, as: UserID.self)
        }
        guard !due.isEmpty else { return count }
        let heirs = try await users.withoutLook()
        let journal = self.journal
        let parts = removalParts.withLock { $0 }
        for uid in due {
            let removed = try await users.write { db -> [RoomID]? in
                // It may have been approved meanwhile.
                guard try db.exists(WaitingAccountRecord.self, key: uid) else { return nil }
                let rooms = try db.all(RoomRecord.filter(RoomRecord.owner == uid)).map(\.id)
                try Self.erase(uid, heirs: heirs, parts, now: now, in: &db)
                try journal.append(
                    JournalEntry(.accountRemoved, user: uid, ["rooms": .integer(Int64(rooms.count))]), in: &db)
                return rooms
            }
            guard let removed else { continue }
            count += 1
            tell(.roomsRemoved(removed))
        }
        await forgetWords()
        return count
    }
}
