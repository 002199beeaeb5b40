internal import SonaDatabase
internal import SonaWire

/// Addresses, and whether mail arrives there.
extension Accounts {
    /// Mails a code to the account's address, unless it is confirmed.
    ///
    /// - Throws: `emailRequired`, `rateLimited` (also where enough was mailed for this account), `busy`, `storage`.
    package func requestConfirmation(_ account: Account, address: String?) async throws(Refusal) {
        let user = try await users.user(account.uid)
        guard let email = user.email.flatMap(EmailAddress.init) else { throw .emailRequired }
        guard !user.isEmailConfirmed else { return }
        try limits.mails.take(address, now: clock.nowMilliseconds())
        try await requireMail(user, to: email)
    }

    /// For who is signed in there is nothing to hide.
    private func requireMail(_ user: UserRecord, to email: EmailAddress) async throws(Refusal) {
        guard await mailConfirmation(user, to: email, locale: nil) else {
            throw .rateLimited(retryAfterMilliseconds: 3_600_000)
        }
    }

    /// Begins to change the address: the new one has to confirm itself. That somebody has it already is not told to
    /// who does not read its mail.
    ///
    /// - Throws: `emailInvalid`, `reauthenticationRequired`, `rateLimited`, `busy`, `storage`.
    package func changeEmail(_ account: Account, to email: String, address: String?) async throws(Refusal) {
        guard let email = EmailAddress.deliverable(email) else { throw .emailInvalid }
        try requireProof(account)
        try limits.mails.take(address, now: clock.nowMilliseconds())
        let user = try await users.user(account.uid)
        try await requireMail(user, to: email)
    }

    /// Takes the code of a mail: its address is the account's, and confirmed.
    ///
    /// - Throws: `codeInvalid`, `emailTaken`, `busy`, `storage`.
    package func confirmEmail(code: String) async throws(Refusal) {
        guard let code = AccountCode(code) else { throw .codeInvalid }
        let now = clock.nowMilliseconds()
        // Guesses cost no write.
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
            // Codes that went to the address before.
            if isOther { try AccountCodeDAO.deleteAll(of: changed.uid, in: &db) }
            try journal.append(.own(isOther ? .emailChanged : .emailConfirmed, changed.uid), in: &db)
            return (changed, isOther ? current.email : nil)
        }
        if let old { await notify(user, at: old, .emailChanged) }
    }

    /// Mails a code that confirms `email` for `user`. Nothing happens where there is no mail, or no disk, or where enough
    /// was mailed for that account, for nobody's mailbox is to be filled by us: it can be asked for again.
    ///
    /// - Returns: False if enough was mailed for that account, or to that address.
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
            try db.first(SettingsRecord.self, key: user.uid)
        }
        mail(
            AccountMail(
                to: email.text, subject: .confirmation(code: code), username: user.username,
                locale: locale ?? settings?.locale ?? .englishUS))
        return true
    }

    /// Whether one more mail may go to a mailbox whose owner need not have asked for it, and counts it: whoever asks, from
    /// wherever, and for however many accounts. In memory: a restart forgives.
    func mayMail(_ email: EmailAddress) -> Bool {
        let now = clock.nowMilliseconds()
        do throws(Refusal) {
            try limits.mailsToOne.take(key: email.key, now: now)
            try limits.mailsToOnePerDay.take(key: email.key, now: now)
            return true
        } catch { return false }
    }

    /// - Parameter perHour: Of codes that may be given out for one account; `nil` for any number.
    /// - Returns: `nil` if there were as many.
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
