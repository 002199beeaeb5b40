internal import SonaDatabase
internal import SonaWire

/// New passwords: changed by the signed-in owner, or recovered by mail.
extension Accounts {
    /// Sets a new password. Every sign-in of the account ends, and a new one begins.
    ///
    /// - Throws: `passwordUnusable`, `reauthenticationRequired`, `emailRequired`, `userUnknown`, `banned`,
    ///   `tokenInvalid` if the sign-in has ended meanwhile, `busy`, `hashingBusy`, `storage`.
    package func changePassword(_ account: Account, to password: String) async throws(Refusal) -> Grant {
        guard LocalStrategy.isUsable(password) else { throw .passwordUnusable }
        try requireProof(account)
        let user = try await users.user(account.uid)
        guard user.email != nil else { throw .emailRequired }
        return try await setPassword(of: user, to: password) { db, journal in
            // Hashing may have taken seconds, and the sign-in may have ended in that time.
            try Self.refuseIfEnded(account, in: &db)
            try journal.append(.own(.passwordChanged, user.uid), in: &db)
        }
    }

    /// Mails a recovery code to the account with that e-mail address. The caller does not learn whether there is such
    /// an account.
    ///
    /// - Throws: `rateLimited`, for the network address of the caller.
    package func requestRecovery(email: String, address: String?) throws(Refusal) {
        try limits.mails.take(address, now: clock.nowMilliseconds())
        guard mail != nil, let email = EmailAddress(email) else { return }
        afterwards {
            guard let user = try? await users.user(email) else { return }
            _ = try? await sendRecovery(user)
        }
    }

    /// Mails to the address as its owner wrote it. Before the @, other capitals may mean another person's mailbox.
    private func sendRecovery(_ user: UserRecord) async throws(Refusal) {
        guard let email = user.email.flatMap(EmailAddress.init), mayMail(email) else { return }
        let now = clock.nowMilliseconds()
        let code = AccountCode.random()
        let journal = self.journal
        let settings = try await users.write { db -> Settings? in
            let sent = try AccountCodeDAO.count(of: user.uid, for: .recovery, since: now - 3_600_000, in: &db)
            guard sent < Limits.recoveryMailsPerHourMax else { return nil }
            try AccountCodeDAO.add(code, for: .recovery, user.uid, email: email.text, now: now, in: &db)
            try journal.append(JournalEntry(.recoveryRequested, user: user.uid), in: &db)
            return try db.first(SettingsRecord.self, key: user.uid)?.settings
        }
        guard let settings else { return }
        mail?(
            AccountMail(
                to: email.text, subject: .recovery(code: code.text), username: user.username, locale: settings.locale))
    }

    /// Sets a new password with a recovery code. A code that was mailed confirms the address, too. Every sign-in ends,
    /// and a new one begins.
    ///
    /// - Throws: `codeInvalid`, `passwordUnusable`, `userUnknown`, `banned`, `busy`, `hashingBusy`, `storage`.
    package func recover(code: String, password: String) async throws(Refusal) -> Grant {
        guard LocalStrategy.isUsable(password) else { throw .passwordUnusable }
        guard let code = AccountCode(code) else { throw .codeInvalid }
        let now = clock.nowMilliseconds()
        try await codes.refuseUnlessGood(code, for: .recovery, now: now)
        let uid = try await codes.read { db in
            try db.first(AccountCodeRecord.self, key: code.hash)?.uid
        }
        guard let uid else { throw .codeInvalid }
        let user = try await users.user(uid)
        return try await setPassword(of: user, to: password) { db, journal in
            let redeemed = try AccountCodeDAO.redeem(code, for: .recovery, now: now, in: &db)
            if let current = try db.first(UserRecord.self, key: uid), let mailedTo = redeemed.email,
                EmailAddress(mailedTo)?.key == current.emailKey
            {
                var confirmed = current
                confirmed.isEmailConfirmed = true
                try db.updateChanges(confirmed, from: current)
            }
            try journal.append(.own(.recovered, uid), in: &db)
        }
    }

    /// Sets a password, ends all sign-ins and begins a new one. `also` runs inside the transaction.
    ///
    /// - Throws: `userUnknown`, `banned`, `busy`, `hashingBusy`, `storage`, and what `also` throws.
    private func setPassword(
        of user: UserRecord, to password: String,
        also: @escaping @Sendable (inout WriteAccess, Journal) throws -> Void
    ) async throws(Refusal) -> Grant {
        let hash = try await local.hash(password)
        let now = clock.nowMilliseconds()
        let until = Self.revokedUntil(now)
        let family = RefreshKey.newFamily()
        let token = refreshKey.first(of: family)
        let journal = self.journal
        let (changed, families) = try await users.write { db in
            try UserDAO.refuseIfBanned(user.uid, now: now, in: &db)
            try RegistrationDAO.refuseIfWaiting(user.uid, in: &db)
            try also(&db, journal)
            guard let current = try db.first(UserRecord.self, key: user.uid) else { throw Refusal.userUnknown }
            var changed = current
            changed.passwordHash = hash
            try db.updateChanges(changed, from: current)
            try SightingRecord.note(user.uid, now: now, in: &db)
            try AccountCodeDAO.deleteAll(of: user.uid, in: &db)
            let families = try RefreshTokenDAO.endAll(of: user.uid, until: until, now: now, in: &db)
            try RefreshTokenDAO.add(RefreshTokenRecord(token, family: family, uid: user.uid, now: now), in: &db)
            return (changed, families)
        }
        tellRevoked(families, until: until, now: now)
        if let email = changed.email { await notify(changed, at: email, .passwordChanged) }
        return grant(changed, family: family, token)
    }

    /// Mails the owner of an account what has happened to it, in the language of their settings.
    func notify(_ user: UserRecord, at email: String, _ subject: AccountMail.Subject) async {
        guard let mail else { return }
        let settings = try? await users.read { db in
            try db.first(SettingsRecord.self, key: user.uid)?.settings
        }
        mail(AccountMail(to: email, subject: subject, username: user.username, locale: settings?.locale ?? .englishUS))
    }
}
