internal import SonaDatabase
internal import SonaWire

/// E-mail addresses and their confirmation.
extension Accounts {
    /// Mails a confirmation code to the account's address. Does nothing if the address is confirmed.
    ///
    /// - Throws: `emailRequired`, `userUnknown`, `rateLimited` (for the network address, or for the account's mail),
    ///   `busy`, `storage`.
    package func requestConfirmation(_ account: Account, address: String?) async throws(Refusal) {
        let user = try await users.user(account.uid)
        guard let email = user.email.flatMap(EmailAddress.init) else { throw .emailRequired }
        guard !user.isEmailConfirmed else { return }
        try limits.mails.take(address, now: clock.nowMilliseconds())
        try await requireMail(user, to: email)
    }

    /// Mails a confirmation code. A signed-in user learns when the limit is reached: there is nothing to hide from
    /// them.
    ///
    /// - Throws: `rateLimited`.
    private func requireMail(_ user: UserRecord, to email: EmailAddress) async throws(Refusal) {
        guard await mailConfirmation(user, to: email, locale: nil) else {
            throw .rateLimited(retryAfterMilliseconds: 3_600_000)
        }
    }

    /// Begins a change of address by mailing a code to the new one. The caller does not learn whether somebody else has
    /// the address: only readers of its mail do.
    ///
    /// - Throws: `emailInvalid`, `reauthenticationRequired`, `userUnknown`, `rateLimited`, `busy`, `storage`.
    package func changeEmail(_ account: Account, to email: String, address: String?) async throws(Refusal) {
        guard let email = EmailAddress.deliverable(email) else { throw .emailInvalid }
        try requireProof(account)
        try limits.mails.take(address, now: clock.nowMilliseconds())
        let user = try await users.user(account.uid)
        try await requireMail(user, to: email)
    }

    /// Redeems a confirmation code. The address that it was mailed to becomes the account's, confirmed.
    ///
    /// - Throws: `codeInvalid`, `emailTaken`, `busy`, `storage`.
    package func confirmEmail(code: String) async throws(Refusal) {
        guard let code = AccountCode(code) else { throw .codeInvalid }
        let now = clock.nowMilliseconds()
        // A wrong code is refused before the write, so that guesses do not keep the writer busy.
        try await codes.refuseUnlessGood(code, for: .confirmation, now: now)
        let journal = self.journal
        let (user, old) = try await users.write { db in
            let redeemed = try AccountCodeDAO.redeem(code, for: .confirmation, now: now, in: &db)
            guard let email = redeemed.email.flatMap(EmailAddress.init),
                let current = try db.first(UserRecord.self, key: redeemed.uid)
            else { throw Refusal.codeInvalid }
            var changed = current
            changed.email = email.text
            changed.emailKey = email.key
            changed.isEmailConfirmed = true
            try db.updateChanges(changed, from: current)
            let isOther = current.emailKey != email.key
            // Codes that were mailed to the former address are void.
            if isOther { try AccountCodeDAO.deleteAll(of: changed.uid, in: &db) }
            try journal.append(.own(isOther ? .emailChanged : .emailConfirmed, changed.uid), in: &db)
            return (changed, isOther ? current.email : nil)
        }
        if let old { await notify(user, at: old, .emailChanged) }
    }

    /// Mails a code that confirms `email` for `user`. The user can ask again, so failures are silent: no mailer, no
    /// storage, or too many mails to this mailbox.
    ///
    /// - Returns: False if the limit of mails for the account or for the mailbox is reached.
    @discardableResult
    func mailConfirmation(_ user: UserRecord, to email: EmailAddress, locale: LocaleCode?) async -> Bool {
        guard let mail else { return true }
        guard mayMail(email) else { return false }
        let perHour = Limits.recoveryMailsPerHourMax
        let given: String??
        do { given = try await confirmationCode(user, email, perHour: perHour) } catch { given = .none }
        guard let given else { return true }
        guard let code = given else { return false }
        let settings = try? await users.read { db in
            try db.first(SettingsRecord.self, key: user.uid)?.settings
        }
        mail(
            AccountMail(
                to: email.text, subject: .confirmation(code: code), username: user.username,
                locale: locale ?? settings?.locale ?? .englishUS))
        return true
    }

    /// Counts a mail to a mailbox whose owner may not have asked for it. The limit holds for all accounts and all
    /// network addresses together. In memory: a restart resets it.
    ///
    /// - Returns: False if the limit is reached.
    func mayMail(_ email: EmailAddress) -> Bool {
        let now = clock.nowMilliseconds()
        do throws(Refusal) {
            try limits.mailsToOne.take(key: email.key, now: now)
            try limits.mailsToOnePerDay.take(key: email.key, now: now)
            return true
        } catch { return false }
    }

    /// Stores a new confirmation code for an account.
    ///
    /// - Parameter perHour: Codes that one account may get per hour. `nil`: unlimited.
    /// - Returns: The code; `nil` if the limit is reached.
    /// - Throws: `busy`, `storage`.
    func confirmationCode(
        _ user: UserRecord, _ email: EmailAddress, perHour: Int?
    ) async throws(Refusal) -> String? {
        let code = AccountCode.random()
        let now = clock.nowMilliseconds()
        return try await users.write { db in
            if let perHour {
                let given = try AccountCodeDAO.count(
                    of: user.uid, for: .confirmation, since: now - 3_600_000, in: &db)
                guard given < perHour else { return nil }
            }
            try AccountCodeDAO.add(code, for: .confirmation, user.uid, email: email.text, now: now, in: &db)
            return code.text
        }
    }
}
