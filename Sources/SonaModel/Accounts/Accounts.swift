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

    let users: UserDAO
    let refreshTokens: RefreshTokenDAO
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
        daos: SonaDAOs, tokens: AccessTokens, workers: PasswordWorkers, revoked: RevokedFamilies,
        cost: PasswordHash.Cost, clock: WallClock
    ) {
        users = daos.users
        refreshTokens = daos.refreshTokens
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
        try await users.refuseIfTaken(email, username)

        let hash = try await hash(password)
        let now = clock.nowMilliseconds()
        let user = UserRecord(
            Self.newUserID(), username: username, email: email, passwordHash: hash, createdMilliseconds: now)
        let family = Self.newFamily()
        let token = RefreshToken.random()
        try await users.signUp(
            user, displayName: displayName,
            token: RefreshTokenRecord(token, family: family, uid: user.uid, now: now))
        return grant(user, family: family, token)
    }

    /// Signs an account in.
    ///
    /// An unknown e-mail costs as much time as a wrong password.
    ///
    /// - Parameter address: Whom failures are counted against, a network address as a rule; `nil` counts nothing.
    /// - Throws: `credentialsInvalid`, `rateLimited`, `busy`, `storage`.
    package func signIn(email: String, password: String, address: String?) async throws(AccountError) -> Grant {
        if let address { try limiter.check(address, now: clock.nowMilliseconds()) }
        guard let user = try await verified(email: email, password: password) else {
            if let address { limiter.recordFailure(address, now: clock.nowMilliseconds()) }
            throw .credentialsInvalid
        }
        var newHash: String?
        if let hash = user.passwordHash, PasswordHash.needsRehash(hash, cost: cost) {
            newHash = try await self.hash(password)
        }
        let family = Self.newFamily()
        let token = RefreshToken.random()
        try await users.signIn(
            user, newHash: newHash,
            token: RefreshTokenRecord(token, family: family, uid: user.uid, now: clock.nowMilliseconds()))
        return grant(user, family: family, token)
    }

    /// Exchanges a refresh token for a new pair. Each works once; one that comes twice ends its family.
    ///
    /// - Throws: `refreshInvalid`, `busy`, `storage`.
    package func refresh(_ refreshToken: String) async throws(AccountError) -> Grant {
        guard let token = RefreshToken(refreshToken) else { throw .refreshInvalid }
        let next = RefreshToken.random()
        let now = clock.nowMilliseconds()
        let until = Self.revokedUntil(now)
        switch try await refreshTokens.redeem(token, for: next, now: now, revokedUntil: until) {
        case .renewed(let user, let family):
            return grant(user, family: family, next)
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
        guard let token = RefreshToken(refreshToken) else { return }
        let now = clock.nowMilliseconds()
        let until = Self.revokedUntil(now)
        let family = try await refreshTokens.endFamily(of: token, now: now, revokedUntil: until)
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
        let token = accessToken(account, seconds: Self.guestTokenSeconds)
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
        guard let (user, profile) = try await users.profile(uid) else { return (nil, nil, nil, false) }
        return (user.email, profile.displayName, profile.bio, profile.isPublic)
    }
}
