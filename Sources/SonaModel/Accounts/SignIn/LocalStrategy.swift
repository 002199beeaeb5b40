internal import SonaCrypto
internal import SonaWire

/// An e-mail address and a password of our own.
///
/// An unknown address costs as much time as a wrong password, and says the same. A password nobody can have, or an
/// address that is none, is refused at once: that tells nothing about who has an account.
struct LocalStrategy: SignInStrategy {
    struct Proof: Sendable {
        let email: String
        let password: String
    }

    static let provider = "local"

    let users: UserDAO
    let workers: WorkerThreads
    let cost: PasswordHash.Cost
    /// Whether its hashes have the share of the threads that strangers do not.
    private(set) var isPreferred = false

    init(users: UserDAO, workers: WorkerThreads, cost: PasswordHash.Cost) {
        self.users = users
        self.workers = workers
        self.cost = cost
    }

    /// The same for somebody who is known.
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

    /// Whether the password is the user's; costs the same where there is neither user nor password.
    func verifies(_ password: String, of user: UserRecord?) async throws(Refusal) -> Bool {
        let stored = user?.passwordHash
        let hash = stored ?? PasswordHash.unmatchable(cost: cost)
        let matches = try await run { PasswordHash.verify(password, against: hash) }
        return matches && stored != nil
    }

    func hash(_ password: String) async throws(Refusal) -> String {
        let cost = cost
        let hash = try await run { try? PasswordHash.hash(password, cost: cost) }
        // No memory for the hash: as busy as a machine can be.
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

    static func isUsable(_ password: String) -> Bool {
        // Bytes first: they are counted already. NUL: see PasswordHash.
        password.utf8.count <= Limits.passwordBytesMax
            && Limits.passwordScalars.contains(password.unicodeScalars.count) && !password.utf8.contains(0)
    }
}
