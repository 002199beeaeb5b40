internal import SonaBase
internal import SonaCrypto
internal import SonaDatabase
package import SonaWire

/// Who may sign in, and the tokens that say so later.
///
/// An *access token* is signed, lives for minutes and is checked without a disk. A *refresh token* can't be
/// guessed, is stored hashed, works once and buys the next pair. A *proof* is what somebody shows to be let in; some requests want one that
/// is no older than `proofSeconds`.
package struct Accounts: Sendable {
    package static let accessTokenSeconds = 15 * 60
    /// 60 days: how long a client may stay away and still be signed in.
    package static let refreshTokenSeconds: Int64 = 60 * 24 * 3_600
    package static let guestTokenSeconds = 24 * 3_600
    /// How old the last proof of who one is may be for what could take an account away.
    package static let proofSeconds: Int64 = 300

    let users: UserDAO
    let refreshTokens: RefreshTokenDAO
    let codes: AccountCodeDAO
    let journal: Journal
    let tokens: AccessTokens
    let refreshKey: RefreshKey
    /// What one account may ask for, and how often.
    package let budgets: AccountBudgets
    let revoked: RevokedFamilies
    let notes: AccountNotes
    let local: LocalStrategy
    let guests = GuestStrategy()
    /// `nil` where no project is configured.
    let firebase: FirebaseStrategy?
    let mail: (@Sendable (AccountMail) -> Void)?
    let clock: WallClock
    /// How long what an answer must not tell of waits behind it, ms.
    let quietMilliseconds: ClosedRange<Int>
    let limits = AttemptLimits()
    let delays = AccountDelays()
    let places = KnownPlaces()
    let hashQueue = HashQueue()
    let failedSignIns = FailedSignIns()
    private let listener = Monitor<(@Sendable (AccountEvent) -> Void)?>(nil)
    /// Tokens whose signature has been checked, with their accounts and expiry (seconds): a check costs 160 µs, and the
    /// same token comes with every request over HTTP.
    private let verified = Monitor<[String: (account: Account, expiresAt: Int64)]>([:])
    private static let verifiedMax = 4096

    /// What accounts are made of. The parts that differ from server to server, and from test to test.
    struct Parts {
        var daos: SonaDAOs
        var journal: Journal
        var tokens: AccessTokens
        var refreshKey: RefreshKey
        var budgets: AccountBudgets
        var revoked: RevokedFamilies
        var notes: AccountNotes
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
        journal = parts.journal
        tokens = parts.tokens
        refreshKey = parts.refreshKey
        budgets = parts.budgets
        revoked = parts.revoked
        notes = parts.notes
        local = LocalStrategy(users: parts.daos.users, workers: parts.workers, cost: parts.cost)
        firebase = parts.firebase.map { FirebaseStrategy(tokens: $0) }
        mail = parts.mail
        clock = parts.clock
        quietMilliseconds = parts.quietMilliseconds
    }

    // MARK: What others have to know

    /// Calls `body` with what connections have to know from now on, on any thread, after it was committed. It must not
    /// call back.
    package func onEvent(_ body: @escaping @Sendable (AccountEvent) -> Void) { listener.withLock { $0 = body } }

    func tell(_ event: AccountEvent) { listener.withLock { $0 }?(event) }

    /// Remembers that families have ended and tells who listens. After the commit.
    func tellRevoked(_ families: [String], until: Int64, now: Int64) {
        for family in families {
            revoked.insert(family, until: until, now: now)
            tell(.signedOut(family: family))
        }
    }

    /// Whether a family's tokens have been revoked lately. Any thread; no disk.
    package func isRevoked(_ family: String) -> Bool { revoked.contains(family) }

    /// Whether an account may not sign in now. Any thread; no disk.
    package func isBanned(_ uid: UserID) -> Bool { notes.isBanned(uid, now: clock.nowMilliseconds()) }

    /// Does what would tell, by the time it takes or the disk it keeps busy, what an answer does not: later.
    func afterwards(_ body: @escaping @Sendable () async -> Void) {
        let wait = Int.random(in: quietMilliseconds)
        Task {
            if wait > 0 { try? await Task.sleep(for: .milliseconds(wait)) }
            await body()
        }
    }

    /// Takes one from the budget of an account or a guest for a request of that type: `AccountBudgets.table`. Any thread;
    /// no disk.
    ///
    /// - Throws: `tooMany`.
    package func take(_ verb: String, _ account: Account) throws(Refusal) {
        try budgets.take(verb, account.uid, now: clock.nowMilliseconds())
    }

    // MARK: Without a disk

    /// A new guest, who exists in the token only. Any thread; no disk, about 60 µs.
    package func guest() -> Access {
        guard case .guest(let uid) = guests.identify(GuestStrategy.Proof()) else {
            preconditionFailure("A guest is a guest.")
        }
        let account = Account(uid: uid, username: nil, isGuest: true, family: uid.rawValue)
        return access(account, seconds: Self.guestTokenSeconds)
    }

    /// Whose token this is. Any thread; no disk, about 160 µs the first time.
    ///
    /// - Throws: `tokenInvalid` (not ours, or revoked), `tokenExpired`, `banned`.
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

    /// An account that was signed in, as it is now. Any thread; no disk.
    ///
    /// - Throws: `banned`, `tokenInvalid` where it may not ask any more.
    package func current(_ account: Account) throws(Refusal) -> Account {
        try current(account, now: clock.nowMilliseconds())
    }

    private func current(_ account: Account, now: Int64) throws(Refusal) -> Account {
        let current = try notes.current(account, now: now)
        if let family = account.family, revoked.contains(family) { throw .tokenInvalid }
        return current
    }

    /// The key set for `/.well-known/jwks.json`.
    package var publicKeysJSON: String { #"{"keys":[\#(tokens.key.publicJWK)]}"# }

    /// Whether an account has lately proved who it is, so that nobody who found a device open can take it away.
    ///
    /// - Throws: `reauthenticationRequired`.
    func requireProof(_ account: Account) throws(Refusal) {
        let now = clock.nowMilliseconds() / 1_000
        guard let time = account.authenticatedAt, now - time <= Self.proofSeconds else {
            throw .reauthenticationRequired
        }
    }
}
