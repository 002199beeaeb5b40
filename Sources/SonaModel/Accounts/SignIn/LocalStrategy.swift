internal import SonaCrypto
internal import SonaWire

/// Signs in with an e-mail address and a password of this server.
///
/// An unknown address takes as long as a wrong password, and gets the same answer. A malformed password or address is
/// refused at once: that reveals nothing about accounts.
struct LocalStrategy: SignInStrategy {
    struct Proof: Sendable {
        let email: String
        let password: String
    }

    static let provider = "local"

    let users: UserDAO
    let workers: WorkerThreads
    let cost: PasswordHash.Cost
    /// Whether its hashes may use the share of the threads that is kept for known users.
    private(set) var isPreferred = false

    init(users: UserDAO, workers: WorkerThreads, cost: PasswordHash.Cost) {
        self.users = users
        self.workers = workers
        self.cost = cost
    }

    /// Returns this strategy with another `isPreferred`.
    func preferred(_ isPreferred: Bool) -> Self {
        var strategy = self
        strategy.isPreferred = isPreferred
        return strategy
    }

    func identify(_ proof: Proof) async throws(Refusal) -> Identity {
        guard let email = EmailAddress(proof.email), Self.isUsable(proof.password) else { throw .credentialsInvalid }
        let user = try await users.user(email)
        guard try await verifies(proof.password, of: user), let user else { throw .credentialsInvalid }
        var newHash: String?
        if let hash = user.passwordHash, PasswordHash.needsRehash(hash, cost: cost) {
            newHash = try await self.hash(proof.password)
        }
        return .account(user, newHash: newHash)
    }

    func suspect(_ proof: Proof) async -> UserID? {
        guard let email = EmailAddress(proof.email) else { return nil }
        return (try? await users.user(email))??.uid
    }

    /// Whether the password is the user's. Takes the same time if there is no user or no password.
    ///
    /// - Throws: `hashingBusy`.
    func verifies(_ password: String, of user: UserRecord?) async throws(Refusal) -> Bool {
        let stored = user?.passwordHash
        let hash = stored ?? PasswordHash.unmatchable(cost: cost)
        let matches = try await run { PasswordHash.verify(password, against: hash) }
        return matches && stored != nil
    }

    /// Hashes a new password.
    ///
    /// - Throws: `hashingBusy`.
    func hash(_ password: String) async throws(Refusal) -> String {
        let cost = cost
        let hash = try await run { try? PasswordHash.hash(password, cost: cost) }
        // There is no memory for the hash.
        guard let hash else { throw .hashingBusy(retryAfterMilliseconds: 1_000) }
        return hash
    }

    private func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async throws(Refusal) -> Value {
        do throws(WorkerThreads.Busy) {
            return try await workers.run(isPreferred: isPreferred, body)
        } catch {
            throw .hashingBusy(retryAfterMilliseconds: error.retryAfterMilliseconds)
        }
    }

    /// Whether a text can be a password: `Limits.passwordScalars`, at most `Limits.passwordBytesMax` bytes, no NUL.
    static func isUsable(_ password: String) -> Bool {
        // Bytes first, because their count is cheap. NUL: see PasswordHash.
        password.utf8.count <= Limits.passwordBytesMax
            && Limits.passwordScalars.contains(password.unicodeScalars.count) && !password.utf8.contains(0)
    }
}
