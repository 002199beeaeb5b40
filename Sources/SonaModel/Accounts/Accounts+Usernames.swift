internal import SonaCrypto
internal import SonaDatabase
internal import SonaText
package import SonaWire

/// Names: who may have which.
extension Accounts {
    /// What is told of a name before it is asked for. Decides nothing: the claim does.
    package struct Availability: Sendable, Equatable {
        /// `nil` if the name can be had.
        package let refusal: Refusal?
        /// Names like it that nobody has at this moment.
        package let suggestions: [Username]
    }

    private static let suggestionsMax = 5

    /// Whether somebody could have a name now, and what else is free.
    ///
    /// - Parameters:
    ///   - account: Whose own name counts as free.
    ///   - address: Whom questions are counted against.
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
    /// - Throws: `usernameInvalid`, `usernameTaken`, `usernameAlreadyChosen`, `busy`, `storage`.
    package func claim(username typed: String, _ account: Account) async throws(Refusal) -> Access {
        try await rename(account, to: typed, .usernameClaimed) { user in
            if user.username != nil { throw Refusal.usernameAlreadyChosen }
        }
    }

    /// Gives an account another name. The old one is held for it for 14 days, and is free for others then.
    ///
    /// - Parameter old: The name it has; asked for so that nobody changes the wrong account's.
    /// - Throws: `usernameInvalid`, `usernameTaken`, `usernameMismatch`, `busy`, `storage`.
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
        let (journal, notes) = (self.journal, self.notes)
        let (user, changeNumber) = try await users.write { db in
            guard let current = try db.first(UserRecord.self, key: account.uid) else { throw Refusal.userUnknown }
            try check(current)
            let renamed = try UserDAO.rename(current, to: name, now: now, in: &db)
            // Not which name: lines outlive accounts.
            try journal.append(.own(kind, account.uid), in: &db)
            return (renamed, notes.nextChangeNumber())
        }
        tellChanged(user, changeNumber, now: now)
        // For as long as the token in whose place it comes: a name is no proof of anything.
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
