internal import SonaCrypto
internal import SonaDatabase
package import SonaWire

/// Who may sign in, and the tokens that say so later.
///
/// An *access token* is signed, lives for minutes and is checked without a disk. A *refresh token* is random, stored
/// hashed, works once and buys the next pair.
package struct Accounts: Sendable {
    package struct Account: Sendable, Equatable {
        package let uid: UserID
        /// `nil` for guests, and for accounts that have not chosen one yet.
        package let username: Username?
        package let isGuest: Bool
        /// The sign-in whose tokens this came by; `nil` for guests. When it is revoked, connections end.
        package let family: String?

        package init(uid: UserID, username: Username?, isGuest: Bool, family: String? = nil) {
            self.uid = uid
            self.username = username
            self.isGuest = isGuest
            self.family = family
        }

        /// The same account, whichever sign-in it came by.
        package static func == (left: Account, right: Account) -> Bool {
            left.uid == right.uid && left.username == right.username && left.isGuest == right.isGuest
        }
    }

    package struct Grant: Sendable {
        package let account: Account
        package let accessToken: String
        package let expiresInSeconds: Int
        package let refreshToken: String
    }

    package static let accessTokenSeconds = 15 * 60
    package static let guestTokenSeconds = 24 * 3_600

    let database: DatabasePool
    let tokens: AccessTokens
    let workers: PasswordWorkers
    let revoked: RevokedFamilies
    let cost: PasswordHash.Cost
    let clock: WallClock
    private let limiter = SignInLimiter()
    /// Tokens whose signature has been checked, with their accounts and expiry (seconds): a check costs 160 µs, and the
    /// same token comes with every request over HTTP.
    private let verified = Monitor<[String: (account: Account, expiresAt: Int64)]>([:])
    private static let verifiedMax = 4096

    init(
        database: DatabasePool, tokens: AccessTokens, workers: PasswordWorkers, revoked: RevokedFamilies,
        cost: PasswordHash.Cost, clock: WallClock
    ) {
        self.database = database
        self.tokens = tokens
        self.workers = workers
        self.revoked = revoked
        self.cost = cost
        self.clock = clock
    }

    // MARK: Signing up and in

    /// Makes an account and signs it in.
    ///
    /// User, profile, settings and the first refresh token are one transaction, and the UNIQUE indexes decide who of
    /// two has a name or an address.
    ///
    /// - Throws: `usernameInvalid`, `emailInvalid`, `passwordUnusable`, `displayNameInvalid`, `emailTaken`,
    ///   `usernameTaken`, `busy`, `storage`.
    package func signUp(
        email: String, password: String, username: String, displayName: String?
    ) async throws(AccountError) -> Grant {
        guard let username = Username(username) else { throw .usernameInvalid }
        guard let email = EmailAddress(email) else { throw .emailInvalid }
        guard Self.isUsable(password) else { throw .passwordUnusable }
        let displayName = displayName.flatMap { $0.isEmpty ? nil : $0 }
        if let displayName, !Limits.displayNameBytes.contains(displayName.utf8.count) { throw .displayNameInvalid }
        // Decides nothing; it spares a hash when the answer is plain already.
        try await refuseIfTaken(email, username)

        let hash = try await hash(password)
        let now = clock.nowMilliseconds()
        let uid = Self.newUserID()
        let family = Self.newFamily()
        let refreshToken = try await write { db in
            try db.execute(
                """
                INSERT INTO users (uid, email, email_key, username, username_key, password_hash, created_ms)
                VALUES (\(uid), \(email.text), \(email.key), \(username), \(username.key), \(hash), \(now))
                """)
            try db.execute("INSERT INTO profiles (uid, display_name) VALUES (\(uid), \(displayName))")
            try db.execute("INSERT INTO settings (uid) VALUES (\(uid))")
            return try RefreshTokens.issue(uid, family: family, now: now, in: &db)
        }
        return grant(Account(uid: uid, username: username, isGuest: false), family: family, refreshToken: refreshToken)
    }

    /// Signs an account in.
    ///
    /// An unknown e-mail costs as much time as a wrong password.
    ///
    /// - Parameter address: Whom failures are counted against, a network address as a rule; `nil` counts nothing.
    /// - Throws: `credentialsInvalid`, `rateLimited`, `busy`, `storage`.
    package func signIn(email: String, password: String, address: String?) async throws(AccountError) -> Grant {
        if let address { try limiter.check(address, now: clock.nowMilliseconds()) }
        guard let found = try await verified(email: email, password: password) else {
            if let address { limiter.recordFailure(address, now: clock.nowMilliseconds()) }
            throw .credentialsInvalid
        }
        var newHash: String?
        if PasswordHash.needsRehash(found.hash, cost: cost) { newHash = try await hash(password) }

        let now = clock.nowMilliseconds()
        let family = Self.newFamily()
        let refreshToken = try await write { [found, newHash] db in
            // The account may have gone, or its password may have changed, while the hash was computed.
            let current = try db.value(
                "SELECT password_hash FROM users WHERE uid = \(found.account.uid)", as: String?.self)
            guard current == found.hash else { throw AccountError.credentialsInvalid }
            if let newHash {
                try db.execute("UPDATE users SET password_hash = \(newHash) WHERE uid = \(found.account.uid)")
            }
            return try RefreshTokens.issue(found.account.uid, family: family, now: now, in: &db)
        }
        return grant(found.account, family: family, refreshToken: refreshToken)
    }

    /// Exchanges a refresh token for a new pair. Each works once; one that comes twice ends its family.
    ///
    /// - Throws: `refreshInvalid`, `busy`, `storage`.
    package func refresh(_ refreshToken: String) async throws(AccountError) -> Grant {
        guard Limits.refreshTokenBytes.contains(refreshToken.utf8.count) else { throw .refreshInvalid }
        let now = clock.nowMilliseconds()
        let until = Self.revokedUntil(now)
        let redemption = try await write { db in
            try RefreshTokens.redeem(refreshToken, now: now, revokedUntil: until, in: &db)
        }
        switch redemption {
        case .renewed(let account, let family, let next):
            return grant(account, family: family, refreshToken: next)
        case .reused(let family):
            revoked.insert(family, until: until, now: now)
            throw .refreshInvalid
        case .unknown:
            throw .refreshInvalid
        }
    }

    /// Ends the family of `refreshToken`, with every access token that came of it.
    ///
    /// A token that is not known (any more) is no error: it is signed out already.
    ///
    /// - Throws: `busy`, `storage`.
    package func signOut(refreshToken: String) async throws(AccountError) {
        guard Limits.refreshTokenBytes.contains(refreshToken.utf8.count) else { return }
        let now = clock.nowMilliseconds()
        let until = Self.revokedUntil(now)
        let family = try await write { db -> String? in
            let hash = RefreshTokens.hash(refreshToken)
            let family = try db.value("SELECT family FROM refresh_tokens WHERE hash = \(hash)", as: String.self)
            if let family { try RevokedFamilies.revoke(family, until: until, now: now, in: &db) }
            return family
        }
        if let family { revoked.insert(family, until: until, now: now) }
    }

    /// Calls `body` with each family of tokens that is revoked from now on, on any thread.
    package func onRevocation(_ body: @escaping @Sendable (String) -> Void) {
        revoked.onInsertion(body)
    }

    /// Whether a family's tokens have been revoked lately. Any thread; no disk.
    package func isRevoked(_ family: String) -> Bool { revoked.contains(family) }

    // MARK: Without a disk

    /// A new guest, who exists in the token only. Any thread; no disk, about 60 µs.
    package func guest() -> (account: Account, accessToken: String, expiresInSeconds: Int) {
        let account = Account(uid: Self.newUserID(), username: nil, isGuest: true)
        let token = accessToken(account, family: nil, seconds: Self.guestTokenSeconds)
        return (account, token, Self.guestTokenSeconds)
    }

    /// Whose token this is. Any thread; no disk, about 160 µs.
    ///
    /// - Throws: `tokenInvalid` (not ours, or revoked), `tokenExpired`.
    package func authenticate(accessToken: String) throws(AccountError) -> Account {
        let now = clock.nowMilliseconds() / 1_000
        if let known = verified.withLock({ $0[accessToken] }), known.expiresAt > now {
            if let family = known.account.family, revoked.contains(family) { throw .tokenInvalid }
            return known.account
        }
        let claims: AccessTokens.Claims
        do {
            claims = try tokens.verify(accessToken, now: now)
        } catch {
            throw error == .expired ? .tokenExpired : .tokenInvalid
        }
        if let family = claims.family, revoked.contains(family) { throw .tokenInvalid }
        guard let uid = UserID(claims.subject) else { throw .tokenInvalid }
        let account = Account(
            uid: uid, username: claims.username.flatMap(Username.init), isGuest: claims.isGuest, family: claims.family)
        verified.withLock { verified in
            if verified.count >= Self.verifiedMax { verified.removeAll(keepingCapacity: true) }
            verified[accessToken] = (account, claims.expiresAt)
        }
        return account
    }

    /// The key set for `/.well-known/jwks.json`.
    package var publicKeysJSON: String { #"{"keys":[\#(tokens.key.publicJWK)]}"# }

    // MARK: Profiles

    /// What an account shows. Guests have nothing to show.
    ///
    /// - Throws: `storage`, `busy`.
    package func profile(
        of uid: UserID
    ) async throws(AccountError) -> (email: String?, displayName: String?, bio: String?, isPublic: Bool) {
        let found = try await read { db in
            try db.first(
                """
                SELECT u.email, p.display_name, p.bio, p.is_public
                FROM users u JOIN profiles p ON p.uid = u.uid WHERE u.uid = \(uid)
                """
            ) { row in
                (
                    email: try row.next(String?.self), displayName: try row.next(String?.self),
                    bio: try row.next(String?.self), isPublic: try row.next(Bool.self)
                )
            }
        }
        return found ?? (nil, nil, nil, false)
    }
}
