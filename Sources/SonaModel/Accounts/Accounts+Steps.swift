internal import SonaCrypto
internal import SonaDatabase
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

    func refuseIfTaken(_ email: EmailAddress, _ username: Username) async throws(AccountError) {
        let taken = try await read { db in
            (
                email: try db.exists("SELECT 1 FROM users WHERE email_key = \(email.key)"),
                username: try db.exists("SELECT 1 FROM users WHERE username_key = \(username.key)")
            )
        }
        if taken.email { throw .emailTaken }
        if taken.username { throw .usernameTaken }
    }

    func hash(_ password: String) async throws(AccountError) -> String {
        let cost = cost
        let hash = try await workers.run { try? PasswordHash.hash(password, cost: cost) }
        // No memory for the hash: as busy as a machine can be.
        guard let hash else { throw .busy(retryAfterMilliseconds: 1_000) }
        return hash
    }

    /// The account with this e-mail and password, and the hash that was checked.
    ///
    /// A password that nobody can have, or an address that is none, is refused at once: that tells nothing about
    /// who has an account.
    func verified(
        email: String, password: String
    ) async throws(AccountError) -> (account: Account, hash: String)? {
        guard let email = EmailAddress(email), Self.isUsable(password) else { return nil }
        let found = try await read { db in
            try db.first("SELECT uid, username, password_hash FROM users WHERE email_key = \(email.key)") { row in
                (
                    account: Account(uid: try row.next(), username: try row.next(), isGuest: false),
                    hash: try row.next(String?.self)
                )
            }
        }
        let stored = found?.hash ?? PasswordHash.unmatchable(cost: cost)
        let matches = try await workers.run { PasswordHash.verify(password, against: stored) }
        guard matches, let found, let hash = found.hash else { return nil }
        return (found.account, hash)
    }

    func grant(_ account: Account, family: String, refreshToken: String) -> Grant {
        Grant(
            account: Account(
                uid: account.uid, username: account.username, isGuest: account.isGuest, family: family),
            accessToken: accessToken(account, family: family, seconds: Self.accessTokenSeconds),
            expiresInSeconds: Self.accessTokenSeconds, refreshToken: refreshToken)
    }

    func accessToken(_ account: Account, family: String?, seconds: Int) -> String {
        let now = clock.nowMilliseconds() / 1_000
        return tokens.sign(
            AccessTokens.Claims(
                subject: account.uid.rawValue, issuedAt: now, expiresAt: now + Int64(seconds),
                tokenID: SecureRandom.alphanumeric(16), isGuest: account.isGuest,
                username: account.username?.rawValue, family: family))
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (inout ReadAccess) throws -> Value
    ) async throws(AccountError) -> Value {
        do { return try await database.read(body) } catch { throw AccountError(error) }
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (inout WriteAccess) throws -> Value
    ) async throws(AccountError) -> Value {
        do { return try await database.write(body) } catch { throw AccountError(error) }
    }
}
