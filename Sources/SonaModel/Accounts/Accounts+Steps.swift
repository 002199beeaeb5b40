internal import SonaCrypto
internal import SonaWire

/// The steps that signing up, signing in and refreshing share.
extension Accounts {
    static func isUsable(_ password: String) -> Bool {
        // Bytes first: they are counted already. NUL: see PasswordHash.
        password.utf8.count <= Limits.passwordBytesMax
            && Limits.passwordScalars.contains(password.unicodeScalars.count) && !password.utf8.contains(0)
    }

    static func newUserID() -> UserID {
        var generator = SecureRandom.Generator()
        return UserID.random(using: &generator)
    }

    static func newFamily() -> String { SecureRandom.alphanumeric(22) }

    /// Until when a family revoked now has to be remembered: its last access token may have been issued just now.
    static func revokedUntil(_ now: Int64) -> Int64 { now + Int64(accessTokenSeconds) * 1_000 + 1_000 }

    func hash(_ password: String) async throws(AccountError) -> String {
        let cost = cost
        let hash = try await workers.run { try? PasswordHash.hash(password, cost: cost) }
        // No memory for the hash: as busy as a machine can be.
        guard let hash else { throw .busy(retryAfterMilliseconds: 1_000) }
        return hash
    }

    /// The user with this e-mail and password, as stored.
    ///
    /// A password that nobody can have, or an address that is none, is refused at once: that tells nothing about
    /// who has an account.
    func verified(email: String, password: String) async throws(AccountError) -> UserRecord? {
        guard let email = EmailAddress(email), Self.isUsable(password) else { return nil }
        let user = try await users.user(email)
        let stored = user?.passwordHash
        let hash = stored ?? PasswordHash.unmatchable(cost: cost)
        let matches = try await workers.run { PasswordHash.verify(password, against: hash) }
        return matches && stored != nil ? user : nil
    }

    func grant(_ user: UserRecord, family: String, _ token: RefreshToken) -> Grant {
        let account = Account(user, family: family)
        return Grant(
            account: account, accessToken: accessToken(account, seconds: Self.accessTokenSeconds),
            expiresInSeconds: Self.accessTokenSeconds, refreshToken: token.text)
    }

    func accessToken(_ account: Account, seconds: Int) -> String {
        let now = clock.nowMilliseconds() / 1_000
        return tokens.sign(
            AccessTokens.Claims(
                subject: account.uid.rawValue, issuedAt: now, expiresAt: now + Int64(seconds),
                tokenID: SecureRandom.alphanumeric(16), isGuest: account.isGuest,
                username: account.username?.rawValue, family: account.family))
    }
}

extension Accounts.Account {
    init(_ user: UserRecord, family: String? = nil) {
        self.init(uid: user.uid, username: user.username, isGuest: false, family: family)
    }
}
