internal import SonaDatabase
internal import SonaText
package import SonaWire

/// Changes to accounts that only the operator of the machine can make.
extension Accounts {
    /// Returns the account under which the server owns something, such as the demo room. The first call makes it.
    ///
    /// It has neither e-mail nor password, so nobody can sign in to it. Its name may be a reserved one.
    /// - Throws: `usernameTaken` if a person's account has the name, `usernameInvalid`, `busy`, `storage`.
    package func systemAccount(username: String) async throws(Refusal) -> Account {
        var rules = UsernameRules.ascii
        rules.reserved = .none
        let name: CanonicalName
        do { name = try rules.check(username) } catch { throw .usernameInvalid(error) }
        let user = UserRecord(
            Self.newUserID(), username: Username(name.display), createdMilliseconds: clock.nowMilliseconds())
        let known = try await users.write { db in
            guard let known = try db.first(UserRecord.filter(UserRecord.usernameKey == user.usernameKey)) else {
                try UserDAO.add(user, name, in: &db)
                return user
            }
            let isOutsiders = try db.exists(IdentityRecord.filter(IdentityRecord.uid == known.uid))
            guard known.passwordHash == nil, !isOutsiders else { throw Refusal.usernameTaken }
            return known
        }
        return Account(known, family: nil, authenticatedAt: nil)
    }

    /// Makes an account without signing in to it, for example the first administrator's.
    ///
    /// - Throws: `usernameInvalid`, `emailInvalid`, `passwordUnusable`, `usernameTaken`, `emailTaken`, `busy`,
    ///   `hashingBusy`, `storage`.
    package func create(
        email: String, password: String, username: String, role: AccountRole
    ) async throws(Refusal) -> AdminUser {
        let name = try Self.name(username)
        guard let email = EmailAddress.deliverable(email) else { throw .emailInvalid }
        guard LocalStrategy.isUsable(password) else { throw .passwordUnusable }
        try await users.refuseIfTaken(name, now: clock.nowMilliseconds())
        guard try await users.user(email) == nil else { throw .emailTaken }
        let hash = try await local.hash(password)
        var user = UserRecord(
            Self.newUserID(), username: Username(name.display), email: email, passwordHash: hash,
            createdMilliseconds: clock.nowMilliseconds())
        user.role = role
        // The operator vouches for the address.
        user.isEmailConfirmed = true
        let journal = self.journal
        try await users.write { [user] db in
            try UserDAO.add(user, name, in: &db)
            try journal.append(
                JournalEntry(.signUp, user: user.uid, ["provider": "operator", "role": .text(role.rawValue)]), in: &db)
        }
        return AdminUser(
            user: User(uid: user.uid, username: user.username, isGuest: false), role: role,
            createdMilliseconds: user.createdMilliseconds)
    }

    /// Sets a user's password and ends all their sign-ins.
    ///
    /// - Throws: `userUnknown`, `emailRequired`, `passwordUnusable`, `busy`, `hashingBusy`, `storage`.
    package func setPassword(of reference: UserReference, to password: String) async throws(Refusal) {
        guard LocalStrategy.isUsable(password) else { throw .passwordUnusable }
        let hash = try await local.hash(password)
        let now = clock.nowMilliseconds()
        let until = Self.revokedUntil(now)
        let journal = self.journal
        let families = try await users.write { db in
            let current = try UserDAO.find(reference, in: &db)
            guard current.email != nil else { throw Refusal.emailRequired }
            var changed = current
            changed.passwordHash = hash
            try db.updateChanges(changed, from: current)
            try AccountCodeDAO.deleteAll(of: current.uid, in: &db)
            try journal.append(
                JournalEntry(.passwordChanged, user: current.uid, ["by": "operator"]), in: &db)
            return try RefreshTokenDAO.endAll(of: current.uid, until: until, now: now, in: &db)
        }
        tellRevoked(families, until: until, now: now)
    }

    /// Makes a code for a new password. The operator hands it over by other means than mail.
    ///
    /// - Throws: `userUnknown`, `emailRequired`, `busy`, `storage`.
    package func recoveryCode(for reference: UserReference) async throws(Refusal) -> String {
        let code = AccountCode.random()
        let now = clock.nowMilliseconds()
        let journal = self.journal
        try await users.write { db in
            let user = try UserDAO.find(reference, in: &db)
            guard user.email != nil else { throw Refusal.emailRequired }
            try AccountCodeDAO.add(code, for: .recovery, user.uid, now: now, in: &db)
            try journal.append(JournalEntry(.recoveryRequested, user: user.uid, ["by": "operator"]), in: &db)
        }
        return code.text
    }

    /// Makes a code that confirms an address: `email` or, without it, the account's own.
    ///
    /// - Parameter email: A new address, which the code makes the account's. `nil`: the current one.
    /// - Throws: `userUnknown`, `emailInvalid`, `emailRequired`, `busy`, `storage`.
    package func confirmationCode(
        for reference: UserReference, email: String? = nil
    ) async throws(Refusal) -> String {
        let user = try await users.read { db in try UserDAO.find(reference, in: &db) }
        if let email {
            guard let email = EmailAddress.deliverable(email) else { throw .emailInvalid }
            return try await confirmationCode(user, email, perHour: nil) ?? ""
        }
        guard let own = user.email.flatMap(EmailAddress.init) else { throw .emailRequired }
        return try await confirmationCode(user, own, perHour: nil) ?? ""
    }

    /// Returns the account that `reference` names.
    ///
    /// - Throws: `userUnknown`, `busy`, `storage`.
    package func summary(of reference: UserReference) async throws(Refusal) -> AdminUser {
        let now = clock.nowMilliseconds()
        return try await users.read { db in
            try Self.summary(try UserDAO.find(reference, in: &db), now: now, in: &db)
        }
    }
}
