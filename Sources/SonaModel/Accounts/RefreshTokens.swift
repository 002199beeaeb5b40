internal import SonaCrypto
internal import SonaDatabase
internal import SonaWire

/// The rows of `refresh_tokens`: 256 random bits that are stored hashed and work once.
///
/// A sign-in begins a family; each refresh uses up one token and adds the next. A used token that comes again was
/// stolen, or its successor was: the whole family ends, and whoever is honest signs in again.
enum RefreshTokens {
    /// 60 days: how long a client may stay away and still be signed in.
    static let lifetimeMilliseconds: Int64 = 60 * 24 * 3_600 * 1_000
    /// 43 letters and digits carry 256 bits.
    static let characters = 43

    enum Redemption: Sendable {
        case renewed(Accounts.Account, family: String, token: String)
        /// The family that ended.
        case reused(family: String)
        case unknown
    }

    static func hash(_ token: String) -> [UInt8] { Digest.sha256(token.utf8) }

    /// Adds a token to `family` and clears what of this user has expired.
    static func issue(_ uid: UserID, family: String, now: Int64, in db: inout WriteAccess) throws -> String {
        let token = SecureRandom.alphanumeric(characters)
        try db.execute("DELETE FROM refresh_tokens WHERE uid = \(uid) AND expires_ms <= \(now)")
        try db.execute(
            """
            INSERT INTO refresh_tokens (hash, family, uid, created_ms, expires_ms)
            VALUES (\(hash(token)), \(family), \(uid), \(now), \(now + lifetimeMilliseconds))
            """)
        return token
    }

    /// Uses up `token`. Returns and does not throw when it is refused: the end of a stolen family must be committed.
    static func redeem(
        _ token: String, now: Int64, revokedUntil: Int64, in db: inout WriteAccess
    ) throws -> Redemption {
        let hash = hash(token)
        let found = try db.first(
            """
            SELECT t.family, t.used_ms, t.expires_ms, u.uid, u.username
            FROM refresh_tokens t JOIN users u ON u.uid = t.uid WHERE t.hash = \(hash)
            """
        ) { row in
            (
                family: try row.next(String.self), used: try row.next(Int64?.self), expires: try row.next(Int64.self),
                account: Accounts.Account(uid: try row.next(), username: try row.next(), isGuest: false)
            )
        }
        guard let found else { return .unknown }
        guard found.used == nil else {
            try RevokedFamilies.revoke(found.family, until: revokedUntil, now: now, in: &db)
            return .reused(family: found.family)
        }
        guard found.expires > now else { return .unknown }
        try db.execute("UPDATE refresh_tokens SET used_ms = \(now) WHERE hash = \(hash)")
        let next = try issue(found.account.uid, family: found.family, now: now, in: &db)
        return .renewed(found.account, family: found.family, token: next)
    }
}
