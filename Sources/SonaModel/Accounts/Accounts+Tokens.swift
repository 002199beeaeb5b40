internal import SonaCrypto
internal import SonaWire

/// Making of tokens, and how long a revoked family has to be remembered.
extension Accounts {
    static func newUserID() -> UserID {
        var generator = SecureRandom.Generator()
        return UserID.random(using: &generator)
    }

    /// Until when a family that is revoked now has to be remembered, milliseconds since 1970. Its last access token may
    /// have been issued a moment ago.
    static func revokedUntil(_ now: Int64) -> Int64 { now + Int64(accessTokenSeconds) * 1_000 + 1_000 }

    /// The same for a guest, whose access token lives longer.
    static func guestRevokedUntil(_ now: Int64) -> Int64 { now + Int64(guestTokenSeconds) * 1_000 + 1_000 }

    /// Makes the tokens of a user who has just proved their identity.
    ///
    /// - Parameter provedAt: When the user proved their identity, seconds since 1970. `nil`: now.
    func grant(_ user: UserRecord, family: String, _ token: RefreshToken, provedAt: Int64? = nil) -> Grant {
        let now = clock.nowMilliseconds() / 1_000
        return grant(
            Account(user, family: family, authenticatedAt: min(provedAt ?? now, now)), refreshToken: token)
    }

    func grant(_ account: Account, refreshToken: RefreshToken) -> Grant {
        let access = access(account, seconds: Self.accessTokenSeconds)
        return Grant(
            account: access.account, accessToken: access.accessToken, expiresInSeconds: access.expiresInSeconds,
            refreshToken: refreshToken.text)
    }

    func access(_ account: Account, seconds: Int = accessTokenSeconds) -> Access {
        let now = clock.nowMilliseconds() / 1_000
        let token = tokens.sign(
            AccessTokens.Claims(
                subject: account.uid.rawValue, issuedAt: now, expiresAt: now + Int64(seconds),
                tokenID: SecureRandom.alphanumeric(16), isGuest: account.isGuest,
                username: account.username?.rawValue,
                family: account.isGuest && account.family == account.uid.rawValue ? nil : account.family,
                role: account.role == .user ? nil : account.role.rawValue,
                authenticatedAt: account.authenticatedAt))
        return Access(
            account: account.expiring(at: now + Int64(seconds)), accessToken: token, expiresInSeconds: seconds)
    }
}
