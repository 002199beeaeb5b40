internal import SonaDatabase
internal import SonaText
package import SonaWire

/// The first administrator's account, made by whoever has the code that the server has written to its log.
extension Accounts {
    /// Makes a code, in place of the one before.
    ///
    /// - Returns: `nil` if there is an administrator.
    /// - Throws: `busy`, `storage`.
    package func newSetupCode() async throws(Refusal) -> String? {
        let code = AccountCode.random()
        let expires = clock.nowMilliseconds() + Int64(Limits.setupSeconds) * 1_000
        return try await users.write { db in
            guard try !SetupDAO.hasAdmin(in: &db) else {
                try SetupDAO.clear(in: &db)
                return nil
            }
            try SetupDAO.replace(with: code, expires: expires, in: &db)
            return code.text
        }
    }

    /// - Returns: Until when a code is good, milliseconds since 1970.
    /// - Throws: `setupDone`, `codeInvalid`, `busy`, `storage`.
    package func setupExpiry(of text: String) async throws(Refusal) -> Int64 {
        guard let code = AccountCode(text) else { throw try await refusalOfNoCode() }
        let now = clock.nowMilliseconds()
        return try await users.read { db in try SetupDAO.expiry(of: code, now: now, in: &db) }
    }

    /// Makes the first administrator's account and signs it in. The code is used up.
    ///
    /// The transaction that adds the account looks for an administrator and for the code again: of two people at once,
    /// one gets the account. A wrong code costs no hash of a password.
    ///
    /// - Throws: `setupDone`, `codeInvalid`, `usernameInvalid`, `usernameTaken`, `emailInvalid`, `emailTaken`,
    ///   `passwordUnusable`, `busy`, `hashingBusy`, `storage`.
    package func setUp(
        code text: String, email: String, password: String, username: String, locale: LocaleCode?,
        address: String? = nil
    ) async throws(Refusal) -> Grant {
        _ = try await setupExpiry(of: text)
        guard let code = AccountCode(text) else { throw .codeInvalid }
        let name = try Self.name(username)
        guard let email = EmailAddress.deliverable(email) else { throw .emailInvalid }
        guard LocalStrategy.isUsable(password) else { throw .passwordUnusable }
        try await users.refuseIfTaken(name, now: clock.nowMilliseconds())
        guard try await users.user(email) == nil else { throw .emailTaken }
        let hash = try await hashQueue.run(address) { () async throws(Refusal) in try await local.hash(password) }
        let now = clock.nowMilliseconds()
        var user = UserRecord(
            Self.newUserID(), username: Username(name.display), email: email, passwordHash: hash,
            createdMilliseconds: now)
        user.role = .admin
        // Whoever can read the server's log vouches for the address, as its operator does.
        user.isEmailConfirmed = true
        let family = RefreshKey.newFamily()
        let token = refreshKey.first(of: family)
        let journal = self.journal
        try await users.write { [user] db in
            _ = try SetupDAO.expiry(of: code, now: now, in: &db)
            try SetupDAO.clear(in: &db)
            try UserDAO.add(user, name, locale: locale, in: &db)
            try db.insert(RefreshTokenRecord(token, family: family, uid: user.uid, now: now))
            try journal.append(
                .own(.signUp, user.uid, JournalDetail([("provider", "setup"), ("role", "admin")])), in: &db)
        }
        places.note(user.uid, address, now: now)
        return grant(user, family: family, token)
    }

    /// Why a text that is no code at all is refused.
    private func refusalOfNoCode() async throws(Refusal) -> Refusal {
        try await users.read { db in try SetupDAO.hasAdmin(in: &db) ? Refusal.setupDone : Refusal.codeInvalid }
    }
}
