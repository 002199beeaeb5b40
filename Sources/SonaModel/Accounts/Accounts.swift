internal import SonaBase
package import SonaCrypto
internal import SonaDatabase
package import SonaWire

/// Sign-in, and the tokens that prove it later.
///
/// An *access token* is signed, lives for minutes and is checked in memory. A *refresh token* is random, is stored as a
/// hash and works once: it buys the next pair of tokens. A *proof* shows who a user is: a password or an outside
/// issuer's token. Some requests need a proof that is at most `proofSeconds` old.
package struct Accounts: Sendable {
    package static let accessTokenSeconds = 15 * 60
    /// How long a client may stay away and still be signed in: 60 days.
    package static let refreshTokenSeconds: Int64 = 60 * 24 * 3_600
    package static let guestTokenSeconds = 24 * 3_600
    /// The maximum age of a proof for requests that could take an account away.
    package static let proofSeconds: Int64 = 300

    let users: UserDAO
    let refreshTokens: RefreshTokenDAO
    let codes: AccountCodeDAO
    let appPasswords: AppPasswordDAO
    let journal: Journal
    let tokens: AccessTokens
    let refreshKey: RefreshKey
    /// Seals the secrets of accounts that the server must read again.
    let sealing: SealingKey
    /// The key of the hashes of app passwords.
    let appPasswordKey: HMACKey
    /// How often one account may make each kind of request.
    package let budgets: AccountBudgets
    let revoked: RevokedFamilies
    let notes: AccountNotes
    /// Passes rooms on to others when their owner goes.
    let transfers: RoomTransferStore
    let words: WordGuard
    let local: LocalStrategy
    let guests = GuestStrategy()
    /// `nil` if no Firebase project is configured.
    let firebase: FirebaseStrategy?
    let mail: (@Sendable (AccountMail) -> Void)?
    let clock: WallClock
    /// How long `afterwards` waits, ms. A random delay in this range hides work that a caller must not notice.
    let quietMilliseconds: ClosedRange<Int>
    let limits = AttemptLimits()
    let delays = AccountDelays()
    let places = KnownPlaces()
    let hashQueue = HashQueue()
    let failedSignIns = FailedSignIns()
    /// What other modules add to the export of an account.
    let exportParts = Monitor<[ExportPart]>([])
    let removalParts = Monitor<[RemovalPart]>([])
    private let listener = Monitor<(@Sendable (AccountEvent) -> Void)?>(nil)
    /// Accounts and expiry (seconds since 1970) of tokens whose signature has been checked. A check costs 160 µs, and
    /// the same token comes with every request over HTTP.
    private let verified = Monitor<[String: (account: Account, expiresAt: Int64)]>([:])
    private static let verifiedMax = 4096

    /// The parts of `Accounts` that differ between servers and tests.
    struct Parts {
        var daos: ModelDAOs
        var journal: Journal
        var tokens: AccessTokens
        var refreshKey: RefreshKey
        var sealing: SealingKey
        var budgets: AccountBudgets
        var revoked: RevokedFamilies
        var notes: AccountNotes
        var transfers: RoomTransferStore
        var words: WordGuard
        var workers: WorkerThreads
        var cost: PasswordHash.Cost
        var firebase: FirebaseTokens?
        var mail: (@Sendable (AccountMail) -> Void)?
        var clock: WallClock
        var quietMilliseconds: ClosedRange<Int>
    }

    init(_ parts: Parts) {
        users = parts.daos.users
        refreshTokens = parts.daos.refreshTokens
        codes = parts.daos.codes
        appPasswords = parts.daos.appPasswords
        journal = parts.journal
        tokens = parts.tokens
        refreshKey = parts.refreshKey
        sealing = parts.sealing
        appPasswordKey = parts.sealing.key(for: "app passwords")
        budgets = parts.budgets
        revoked = parts.revoked
        notes = parts.notes
        transfers = parts.transfers
        words = parts.words
        local = LocalStrategy(users: parts.daos.users, workers: parts.workers, cost: parts.cost)
        firebase = parts.firebase.map { FirebaseStrategy(tokens: $0) }
        mail = parts.mail
        clock = parts.clock
        quietMilliseconds = parts.quietMilliseconds
    }

    // MARK: Events

    /// Sets the listener of account events. `body` is called on any thread, after the commit. It must not call back.
    package func onEvent(_ body: @escaping @Sendable (AccountEvent) -> Void) { listener.withLock { $0 = body } }

    func tell(_ event: AccountEvent) { listener.withLock { $0 }?(event) }

    /// Remembers that families have ended and tells the listener. Call it after the commit.
    func tellRevoked(_ families: [String], until: Int64, now: Int64) {
        for family in families {
            revoked.insert(family, until: until, now: now)
            tell(.signedOut(family: family))
        }
    }

    /// Whether a family's tokens were revoked recently. Any thread; no disk.
    package func isRevoked(_ family: String) -> Bool { revoked.contains(family) }

    /// Whether an account is banned now. Any thread; no disk.
    package func isBanned(_ uid: UserID) -> Bool { notes.isBanned(uid, now: clock.nowMilliseconds()) }

    /// The accounts that are banned now. Any thread; no disk. O(bans).
    package var bannedUsers: Set<UserID> { notes.banned(now: clock.nowMilliseconds()) }

    /// Runs `body` later, after a random wait. For work whose time or disk access would reveal what the answer hides.
    func afterwards(_ body: @escaping @Sendable () async -> Void) {
        let wait = Int.random(in: quietMilliseconds)
        Task {
            if wait > 0 { try? await Task.sleep(for: .milliseconds(wait)) }
            await body()
        }
    }

    /// Multiplies the budgets of every account from now on. Any thread; no disk.
    package func setBudgetFactor(_ factor: Int) { budgets.setFactor(factor) }

    /// Takes one from the budget of an account or a guest for a request of the type `verb` (see
    /// `AccountBudgets.table`). Any thread; no disk.
    ///
    /// - Throws: `tooMany`.
    package func take(_ verb: String, _ account: Account) throws(Refusal) {
        try budgets.take(verb, account.uid, now: clock.nowMilliseconds())
    }

    // MARK: Without a disk

    /// Makes a new guest, who exists only in the token. Any thread; no disk, about 60 µs.
    package func guest() -> Access {
        guard case .guest(let uid) = guests.identify(GuestStrategy.Proof()) else {
            preconditionFailure("GuestStrategy returned an identity that is not a guest's.")
        }
        let account = Account(uid: uid, username: nil, isGuest: true, family: uid.rawValue)
        return access(account, seconds: Self.guestTokenSeconds)
    }

    /// Returns the account of an access token. Any thread; no disk, about 160 µs the first time.
    ///
    /// - Throws: `tokenInvalid` (not from this server, or revoked), `tokenExpired`, `banned`.
    package func authenticate(accessToken: String) throws(Refusal) -> Account {
        let milliseconds = clock.nowMilliseconds()
        let now = milliseconds / 1_000
        if let known = verified.withLock({ $0[accessToken] }), known.expiresAt > now {
            return try current(known.account, now: milliseconds)
        }
        let claims: AccessTokens.Claims
        do {
            claims = try tokens.verify(accessToken, now: now)
        } catch {
            throw error == .expired ? .tokenExpired : .tokenInvalid
        }
        guard let uid = UserID(claims.subject) else { throw .tokenInvalid }
        let account = Account(
            uid: uid, username: claims.username.flatMap(Username.init), isGuest: claims.isGuest,
            role: claims.role.flatMap(AccountRole.init) ?? .user,
            family: claims.family ?? (claims.isGuest ? uid.rawValue : nil),
            authenticatedAt: claims.authenticatedAt, expiresAt: claims.expiresAt)
        verified.withLock { verified in
            if verified.count >= Self.verifiedMax { verified.removeAll(keepingCapacity: true) }
            verified[accessToken] = (account, claims.expiresAt)
        }
        return try current(account, now: milliseconds)
    }

    /// Returns a signed-in account with its current name and role. Any thread; no disk.
    ///
    /// - Throws: `banned`, `tokenInvalid` if its sign-in has ended.
    package func current(_ account: Account) throws(Refusal) -> Account {
        try current(account, now: clock.nowMilliseconds())
    }

    private func current(_ account: Account, now: Int64) throws(Refusal) -> Account {
        let current = try notes.current(account, now: now)
        if let family = account.family, revoked.contains(family) { throw .tokenInvalid }
        return current
    }

    /// The key of media tokens, which players without headers carry in addresses.
    package var mediaKey: HMACKey { tokens.key(for: "sona media tokens") }

    /// The key of the addresses of covers, which are shown without signing in.
    package var coverKey: HMACKey { tokens.key(for: "sona covers of music") }

    /// The key under which secrets of accounts are kept that other services must see as they are.
    package var sealingKey: SealingKey { sealing }

    /// Whether a sign-in still lasts, also after its revocation has been forgotten because its access tokens are gone.
    ///
    /// - Throws: `busy`, `storage`.
    package func lasts(_ account: Account) async throws(Refusal) -> Bool {
        guard let family = account.family, !account.isGuest else { return true }
        return try await users.read { db in
            try db.exists("SELECT 1 FROM refresh_tokens WHERE family = \(family)")
        }
    }

    /// The key set for `/.well-known/jwks.json`.
    package var publicKeysJSON: String { #"{"keys":[\#(tokens.key.publicJWK)]}"# }

    /// Requires a recent proof of identity. It keeps somebody who finds a signed-in device from taking the account
    /// away.
    ///
    /// - Throws: `reauthenticationRequired`.
    func requireProof(_ account: Account) throws(Refusal) {
        let now = clock.nowMilliseconds() / 1_000
        guard let time = account.authenticatedAt, now - time <= Self.proofSeconds else {
            throw .reauthenticationRequired
        }
    }
}
