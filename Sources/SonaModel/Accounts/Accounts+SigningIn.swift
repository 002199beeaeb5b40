internal import SonaDatabase
internal import SonaText
package import SonaWire

/// Sign-up, sign-in and refresh.
extension Accounts {
    /// The fields of a sign-up.
    package struct SignUp: Sendable {
        package var email: String
        package var password: String
        package var username: String
        package var displayName: String?
        package var locale: LocaleCode?
        /// The guest who becomes the account, if any. Identifier and history stay. The guest's token ends.
        ///
        /// A guest whose account has to be approved stays a guest meanwhile; the account gets an identifier of its own.
        package var guest: Account?
        package var application: Application

        package init(
            email: String, password: String, username: String, displayName: String? = nil, locale: LocaleCode? = nil,
            guest: Account? = nil, application: Application = Application()
        ) {
            self.email = email
            self.password = password
            self.username = username
            self.displayName = displayName
            self.locale = locale
            self.guest = guest
            self.application = application
        }
    }

    /// Makes an account and signs it in. A confirmation code is mailed to the address.
    ///
    /// User, profile, settings and the first refresh token are written in one transaction. If two sign-ups want the
    /// same name or address, the UNIQUE indexes let one through.
    ///
    /// `emailTaken` reveals that an account exists. `refuseIfTaken` limits how often it is said, so that nobody can
    /// list accounts.
    ///
    /// - Parameter address: The network address that new accounts are counted against. `nil` counts nothing.
    /// - Throws: `approvalPending` if the account was made and has to be approved; as `Application.check`,
    ///   `usernameInvalid`, `emailInvalid`, `passwordUnusable`, `displayNameInvalid`, `usernameTaken`, `emailTaken`, `tokenInvalid` if the guest has become an account already, `rateLimited`, `busy`, `hashingBusy`,
    ///   `storage`.
    ///
    /// - Parameter made: Called with the new account when it is stored, also if it has to be approved.
    package func signUp(
        _ request: SignUp, address: String? = nil, made: @Sendable (UserID) async -> Void = { _ in }
    ) async throws(Refusal) -> Grant {
        let name = try Self.name(request.username)
        guard let email = EmailAddress.deliverable(request.email) else { throw .emailInvalid }
        guard LocalStrategy.isUsable(request.password) else { throw .passwordUnusable }
        let displayName = try People.displayName(request.displayName ?? "")
        let asked = clock.nowMilliseconds()
        let application = request.application
        try await users.read { db in try application.check(now: asked, in: &db) }
        try limits.signUps.take(address, now: asked)
        try await users.refuseIfTaken(name, now: asked)
        try await refuseIfTaken(email, address, now: asked)

        let hash = try await hashQueue.run(address) { () async throws(Refusal) in
            try await local.hash(request.password)
        }
        let now = clock.nowMilliseconds()
        // A guest without a family cannot be upgraded: their token could not be revoked and would stay valid.
        let guest = request.guest?.family == nil || application.mustWait ? nil : request.guest
        let user = UserRecord(
            guest?.uid ?? Self.newUserID(), username: Username(name.display), email: email, passwordHash: hash,
            createdMilliseconds: now)
        let family = RefreshKey.newFamily()
        let token = refreshKey.first(of: family)
        let (journal, locale, guestFamily) = (self.journal, request.locale, guest?.family)
        let guestUntil = Self.guestRevokedUntil(now)
        try await users.write { db in
            // The guest has become an account in the meantime. That account may have been removed again.
            if let guestFamily, try db.exists(RevokedFamilyRecord.self, key: guestFamily) {
                throw Refusal.tokenInvalid
            }
            try UserDAO.add(user, name, displayName: displayName, locale: locale, in: &db)
            let settled = try application.settle(user.uid, now: now, in: &db)
            if !application.mustWait {
                try db.insert(RefreshTokenRecord(token, family: family, uid: user.uid, now: now))
            }
            if let guestFamily {
                try RevokedFamilyDAO.add(
                    RevokedFamilyRecord(family: guestFamily, untilMilliseconds: guestUntil), now: now, in: &db)
            }
            try journal.append(
                .own(
                    .signUp, user.uid,
                    JournalDetail([("provider", "local"), ("was_guest", .bool(guestFamily != nil))] + settled)),
                in: &db)
        }
        if let guestFamily { tellRevoked([guestFamily], until: guestUntil, now: now) }
        await mailConfirmation(user, to: email, locale: locale)
        await made(user.uid)
        if application.mustWait { throw .approvalPending }
        places.note(user.uid, address, now: now)
        return grant(user, family: family, token)
    }

    /// Refuses an e-mail address that an account has already.
    ///
    /// A client that got several such answers is refused before any look-up, whatever address it asks for. The owner of
    /// the address is told by mail, once a day.
    ///
    /// - Throws: `emailTaken`, `rateLimited`, `busy`, `storage`.
    private func refuseIfTaken(
        _ email: EmailAddress, _ address: String?, now: Int64
    ) async throws(Refusal) {
        let isCrowded = limits.takenAddressesInAll.isFull(key: "", now: now)
        try limits.takenAddresses.take(
            address, now: now, max: isCrowded ? limits.takenAddressesAtLast : limits.takenAddresses.attemptsMax)
        let owner: UserRecord?
        do throws(Refusal) { owner = try await users.user(email) } catch {
            limits.takenAddresses.refund(address, at: now)
            throw error
        }
        guard let owner else { return limits.takenAddresses.refund(address, at: now) }
        try? limits.takenAddressesInAll.take(key: "", now: now)
        afterwards {
            guard let own = owner.email, (try? limits.takenNotices.take(key: email.key, now: now)) != nil,
                mayMail(email)
            else { return }
            await notify(owner, at: own, .addressTaken)
        }
        throw .emailTaken
    }

    /// Signs an account in with its password.
    ///
    /// - Parameter address: The network address that failures are counted against. `nil` counts nothing.
    /// - Throws: `credentialsInvalid`, `banned`, `rateLimited`, `tooMany`, `busy`, `hashingBusy`, `storage`.
    package func signIn(email: String, password: String, address: String?) async throws(Refusal) -> Grant {
        let proof = LocalStrategy.Proof(email: email, password: password)
        let now = clock.nowMilliseconds()
        let uid = await local.suspect(proof)
        let isKnown = uid.map { places.contains($0, address, now: now) } ?? false
        let local = self.local.preferred(isKnown)
        let identity = try await guessing(
            at: EmailAddress(email)?.key, isKnown: isKnown, address, suspect: { uid }
        ) { () async throws(Refusal) in try await local.identify(proof) }
        return try await admit(identity, provider: LocalStrategy.provider, address)
    }

    /// Signs in a user by the token of an outside issuer. At the first sign-in it makes an account without a username.
    ///
    /// - Throws: `approvalPending`, `rejected`; for a first sign-in as `Application.check`; `providerUnknown`, `providerUnavailable`, `tokenInvalid`, `tokenExpired`, `banned`, `rateLimited`,
    ///   `tooMany`, `busy`, `hashingBusy`, `storage`.
    package func exchange(
        provider: String, token: String, address: String?, application: Application = Application()
    ) async throws(Refusal) -> Grant {
        let identity = try await identify(try strategy(provider), token, address)
        // A new user counts against the limit of sign-ups.
        if case .outside(let outside) = identity, try await !isKnown(outside) {
            let now = clock.nowMilliseconds()
            try await users.read { db in try application.check(now: now, in: &db) }
            try limits.signUps.take(address, now: now)
        }
        return try await admit(identity, provider: provider, address, application)
    }

    /// Checks the password of a user who is signed in already.
    ///
    /// - Returns: An access token with a fresh proof of identity. The refresh token stays valid.
    /// - Throws: `credentialsInvalid`, `userUnknown`, `rateLimited`, `busy`, `hashingBusy`, `storage`.
    package func reauthenticate(
        _ account: Account, password: String, address: String?
    ) async throws(Refusal) -> Access {
        let user = try await users.user(account.uid)
        let now = clock.nowMilliseconds()
        // A signed-in device does not count as known here, because the token may be stolen. The network address does.
        let isKnown = places.contains(account.uid, address, now: now)
        let local = self.local.preferred(isKnown)
        try await guessing(
            at: user.emailKey, isKnown: isKnown, address, suspect: { account.uid }
        ) { () async throws(Refusal) in
            guard LocalStrategy.isUsable(password), try await local.verifies(password, of: user) else {
                throw Refusal.credentialsInvalid
            }
        }
        return access(Account(user, family: account.family, authenticatedAt: clock.nowMilliseconds() / 1_000))
    }

    /// Checks an outside issuer's token for a user who is signed in already.
    ///
    /// - Throws: `credentialsInvalid` if the token is another user's, `reauthenticationRequired` if the user's proof at
    ///   the issuer is too old, `providerUnknown`, `providerUnavailable`, `tokenInvalid`, `tokenExpired`,
    ///   `userUnknown`, `rateLimited`, `busy`, `hashingBusy`, `storage`.
    package func reauthenticate(
        _ account: Account, provider: String, token: String, address: String?
    ) async throws(Refusal) -> Access {
        let identity = try await identify(try strategy(provider), token, address)
        guard case .outside(let outside) = identity else { throw .credentialsInvalid }
        let user = try await users.user(account.uid)
        let isTheirs = try await users.read { db in
            try db.first(IdentityRecord.self, key: outside.name)?.uid == user.uid
        }
        guard isTheirs else {
            try limits.failures.take(address, now: clock.nowMilliseconds())
            writeFailure(account.uid, address)
            throw .credentialsInvalid
        }
        let now = clock.nowMilliseconds() / 1_000
        guard now - outside.authenticatedAt <= Self.proofSeconds else { throw .reauthenticationRequired }
        return access(
            Account(user, family: account.family, authenticatedAt: min(outside.authenticatedAt, now)))
    }

    /// Exchanges a refresh token for a new pair.
    ///
    /// A token works once. For `RefreshToken.repeatMilliseconds` a second use returns the same successor, as long as
    /// that is unused. Any other second use ends the family.
    ///
    /// - Parameter address: A network address that counts as known for the account from then on. `nil`: none.
    /// - Throws: `refreshInvalid`, `banned`, `tooMany`, `busy`, `storage`.
    package func refresh(_ refreshToken: String, address: String? = nil) async throws(Refusal) -> Grant {
        guard let token = RefreshToken(refreshToken) else { throw .refreshInvalid }
        guard let uid = try await refreshTokens.owner(of: token, refreshKey) else { throw .refreshInvalid }
        let now = clock.nowMilliseconds()
        try budgets.take("auth.refresh", uid, now: now)
        let until = Self.revokedUntil(now)
        let redemption = try await refreshTokens.redeem(
            token, refreshKey, now: now, revokedUntil: until, journal: journal)
        switch redemption {
        case .renewed(let user, let family, let next):
            places.note(user.uid, address, now: now)
            return grant(Account(user, family: family, authenticatedAt: nil), refreshToken: next)
        case .reused(let family):
            tellRevoked([family], until: until, now: now)
            throw .refreshInvalid
        case .banned(let until):
            throw .banned(retryAfterMilliseconds: until.map { $0 - now })
        case .unknown:
            throw .refreshInvalid
        }
    }

    // MARK: Steps

    /// Checks a typed name by the rules for people's usernames.
    ///
    /// - Throws: `usernameInvalid`.
    static func name(_ typed: String) throws(Refusal) -> CanonicalName {
        do { return try UsernameRules.ascii.check(typed) } catch { throw .usernameInvalid(error) }
    }

    private func strategy(_ provider: String) throws(Refusal) -> FirebaseStrategy {
        guard provider == FirebaseStrategy.provider, let firebase else { throw .providerUnknown }
        return firebase
    }

    private func identify<Strategy: SignInStrategy>(
        _ strategy: Strategy, _ proof: Strategy.Proof, _ address: String?
    ) async throws(Refusal) -> Identity {
        try await guessing(
            at: nil, isKnown: false, address, suspect: { await strategy.suspect(proof) }
        ) { () async throws(Refusal) in try await strategy.identify(proof) }
    }

    /// Whether the outside identity has an account here.
    private func isKnown(_ outside: OutsideIdentity) async throws(Refusal) -> Bool {
        try await users.read { db in
            try db.exists(IdentityRecord.self, key: outside.name)
        }
    }

    /// Signs in the user that a strategy has identified. A user without an account gets one.
    ///
    /// - Throws: `credentialsInvalid`, `tooMany`, `banned`, `approvalPending`, `rejected`, `busy`, `storage`; for a new
    ///   user as `Application.check`.
    private func admit(
        _ identity: Identity, provider: String, _ address: String?, _ application: Application = Application()
    ) async throws(Refusal) -> Grant {
        let now = clock.nowMilliseconds()
        let family = RefreshKey.newFamily()
        let token = refreshKey.first(of: family)
        let journal = self.journal
        let newUID = Self.newUserID()
        let (budgets, words) = (self.budgets, self.words)
        let until = Self.revokedUntil(now)
        let (user, ended) = try await users.write { db -> (UserRecord, [String]?) in
            let (user, isNew) = try Self.user(for: identity, newUID: newUID, words, now: now, in: &db)
            // The budget is in memory. It is taken here because only here the user is known.
            try budgets.take("auth.sign_in", user.uid, now: now)
            if isNew {
                let settled = try application.settle(user.uid, now: now, in: &db)
                try journal.append(
                    .own(.signUp, user.uid, JournalDetail([("provider", .text(provider))] + settled)), in: &db)
                // The account stays, and nobody is signed in.
                if application.mustWait { return (user, nil) }
            }
            try UserDAO.refuseIfBanned(user.uid, now: now, in: &db)
            try RegistrationDAO.refuseIfWaiting(user.uid, in: &db)
            try SightingRecord.note(user.uid, now: now, in: &db)
            let ended = try RefreshTokenDAO.makeRoom(for: user.uid, until: until, now: now, in: &db)
            try RefreshTokenDAO.add(RefreshTokenRecord(token, family: family, uid: user.uid, now: now), in: &db)
            try journal.append(.own(.signIn, user.uid, ["provider": .text(provider)]), in: &db)
            return (user, ended)
        }
        guard let ended else { throw .approvalPending }
        tellRevoked(ended, until: until, now: now)
        places.note(user.uid, address, now: now)
        var provedAt: Int64?
        if case .outside(let outside) = identity { provedAt = outside.authenticatedAt }
        return grant(user, family: family, token, provedAt: provedAt)
    }

    /// Returns the current account of an identity. An identity without an account gets one.
    ///
    /// - Throws: `credentialsInvalid` if the account has gone or its password has changed meanwhile.
    private static func user(
        for identity: Identity, newUID: UserID, _ words: WordGuard, now: Int64, in db: inout WriteAccess
    ) throws -> (user: UserRecord, isNew: Bool) {
        switch identity {
        case .guest: throw Refusal.credentialsInvalid
        case .account(let checked, let newHash):
            guard let current = try db.first(UserRecord.self, key: checked.uid),
                current.passwordHash == checked.passwordHash
            else { throw Refusal.credentialsInvalid }
            guard let newHash else { return (current, false) }
            var rehashed = current
            rehashed.passwordHash = newHash
            try db.updateChanges(rehashed, from: current)
            return (rehashed, false)
        case .outside(let outside):
            if let known = try db.first(IdentityRecord.self, key: outside.name),
                let user = try db.first(UserRecord.self, key: known.uid)
            {
                return (user, false)
            }
            return (try add(outside, newUID: newUID, words, now: now, in: &db), true)
        }
    }

    /// Makes the account of a new outside user. The issuer's identifier becomes ours, unless an account has it already:
    /// then the new account gets another one. The e-mail address is taken over only if the issuer has confirmed it and
    /// no account has it.
    private static func add(
        _ outside: OutsideIdentity, newUID: UserID, _ words: WordGuard, now: Int64, in db: inout WriteAccess
    ) throws -> UserRecord {
        let isTaken = try db.exists(UserRecord.self, key: outside.subject)
        var email = outside.isEmailConfirmed ? outside.email.flatMap { EmailAddress.deliverable($0) } : nil
        if let key = email?.key, try db.exists(UserRecord.filter(UserRecord.emailKey == key)) { email = nil }
        var user = UserRecord(
            isTaken ? newUID : outside.subject, username: nil, email: email, createdMilliseconds: now)
        user.isEmailConfirmed = email != nil
        // A name that may not be shown is left out: nobody typed it here.
        var displayName = (try? People.displayName(outside.displayName ?? "")) ?? nil
        if let name = displayName, (try? words.checkName(name, "")) == nil { displayName = nil }
        try UserDAO.add(user, nil, displayName: displayName, in: &db)
        try db.insert(IdentityRecord(name: outside.name, uid: user.uid, createdMilliseconds: now))
        return user
    }
}
