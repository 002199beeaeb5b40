internal import SonaCrypto
internal import SonaDatabase
internal import SonaText
package import SonaWire

/// Usernames: which are free, and how an account gets one.
extension Accounts {
    /// Whether a name is free. This reserves nothing: only `claim` and `change` decide.
    package struct Availability: Sendable, Equatable {
        /// The reason why the name cannot be taken. `nil`: it is free.
        package let refusal: Refusal?
        /// Similar names that are free at the moment. Empty if the name itself is free.
        package let suggestions: [Username]
    }

    private static let suggestionsMax = 5

    /// Checks whether a name is free, and suggests free names if it is not.
    ///
    /// - Parameters:
    ///   - account: The account that asks. Its own name counts as free.
    ///   - address: The network address that questions are counted against.
    /// - Throws: `rateLimited`, `busy`, `storage`.
    package func check(
        username typed: String, for account: Account?, address: String?
    ) async throws(Refusal) -> Availability {
        let now = clock.nowMilliseconds()
        try limits.nameChecks.take(address, now: now)
        var refusal: Refusal?
        do throws(Refusal) {
            let name = try Self.name(typed)
            let isFree = try await !users.free([name], for: account?.uid, now: now).isEmpty
            if isFree { return Availability(refusal: nil, suggestions: []) }
            refusal = .usernameTaken
        } catch {
            guard error.code == .usernameInvalid else { throw error }
            refusal = error
        }
        var dice = SecureRandom.Generator()
        let candidates = UsernameRules.ascii.candidates(for: typed, count: Self.suggestionsMax * 4, using: &dice)
        let free = try await users.free(candidates, for: nil, now: now)
        return Availability(
            refusal: refusal, suggestions: free.prefix(Self.suggestionsMax).compactMap { Username($0.display) })
    }

    /// Gives an account its first name.
    ///
    /// - Throws: `usernameInvalid`, `usernameTaken`, `usernameAlreadyChosen`, `userUnknown`, `busy`, `storage`.
    package func claim(username typed: String, _ account: Account) async throws(Refusal) -> Access {
        try await rename(account, to: typed, .usernameClaimed) { user in
            if user.username != nil { throw Refusal.usernameAlreadyChosen }
        }
    }

    /// Gives an account another name. The old name is held for it for 14 days; after that it is free for others.
    ///
    /// - Parameter old: The current name. It guards against a change of the wrong account.
    /// - Throws: `usernameInvalid`, `usernameTaken`, `usernameMismatch`, `userUnknown`, `busy`, `storage`.
    package func change(
        username typed: String, from old: Username, _ account: Account
    ) async throws(Refusal) -> Access {
        try await rename(account, to: typed, .usernameChanged) { user in
            if user.usernameKey != old.key { throw Refusal.usernameMismatch }
        }
    }

    private func rename(
        _ account: Account, to typed: String, _ kind: JournalEntry.Kind,
        check: @escaping @Sendable (UserRecord) throws -> Void
    ) async throws(Refusal) -> Access {
        let name = try Self.name(typed)
        let now = clock.nowMilliseconds()
        // A first name frees no look.
        let heirs = try await kind == .usernameClaimed ? [] : users.withoutLook()
        let (journal, notes) = (self.journal, self.notes)
        let (user, changeNumber) = try await users.write { db in
            guard let current = try db.first(UserRecord.self, key: account.uid) else { throw Refusal.userUnknown }
            try check(current)
            let renamed = try UserDAO.rename(current, to: name, heirs: heirs, now: now, in: &db)
            // The line does not contain the name, because lines outlive accounts.
            try journal.append(.own(kind, account.uid), in: &db)
            return (renamed, notes.nextChangeNumber())
        }
        tellChanged(user, changeNumber, now: now)
        // The new token expires with the old one: a change of name proves no identity.
        let rest = account.expiresAt.map { max(1, $0 - now / 1_000) } ?? Int64(Self.accessTokenSeconds)
        return access(
            Account(user, family: account.family, authenticatedAt: account.authenticatedAt), seconds: Int(rest))
    }

    func tellChanged(_ user: UserRecord, _ changeNumber: Int64, now: Int64) {
        notes.noteChange(user, changeNumber, now: now) {
            tell(.changed(user.uid, username: user.username, role: user.role))
        }
    }
}
