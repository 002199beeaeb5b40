internal import SonaEventLoop
package import SonaWire

/// Storing, replacing and removing the credentials of a sign-in.
///
/// Everything is written while no other program writes: one that renews its token at this moment must not put an older
/// sign-in back.
extension SignIn {
    /// The credentials stored for the server.
    package func kept() throws(ClientError) -> Credentials? {
        guard let store else { return nil }
        do throws(CredentialError) { return try store.read(address) } catch { throw .credentials(error) }
    }

    /// Keeps a new sign-in, in place of whatever was kept.
    package func keep(_ grant: Grant) async throws(ClientError) {
        try await replace(with: Credentials(grant, now: MonotonicClock.wallMilliseconds()))
    }

    /// Keeps a guest, in place of whatever was kept.
    package func keep(guest grant: AccessGrant) async throws(ClientError) {
        try await replace(with: Credentials(grant, refreshToken: nil, now: MonotonicClock.wallMilliseconds()))
    }

    /// Goes on with a new access token of the user who is kept. The refresh token stays. A token of somebody else, who
    /// signed in with a token from outside, changes nothing.
    package func update(_ grant: AccessGrant) async throws(ClientError) {
        try await update(grant.user.uid) { kept in
            Credentials(grant, refreshToken: kept.refreshToken, now: MonotonicClock.wallMilliseconds())
        }
    }

    /// Goes on with new tokens of the user who is kept, whose old ones are void.
    ///
    /// - Returns: Whether they are kept; false if that user is not the one who is.
    @discardableResult
    package func update(_ grant: Grant) async throws(ClientError) -> Bool {
        try await update(grant.user.uid) { _ in Credentials(grant, now: MonotonicClock.wallMilliseconds()) }
    }

    /// Forgets the kept credentials, even if their file is damaged.
    ///
    /// - Parameter user: Only if it is this user's.
    /// - Returns: The credentials that were stored; nil if there were none or they could not be read.
    @discardableResult
    package func forget(user: UserID? = nil) async throws(ClientError) -> Credentials? {
        guard let store else { return nil }
        return try await store.exclusively(address) { () async throws(ClientError) -> Credentials? in
            do throws(CredentialError) {
                let kept = try readable(store)
                if let user, kept?.user.uid != user { return nil }
                try store.remove(address)
                return kept
            } catch {
                throw .credentials(error)
            }
        }
    }

    private func readable(_ store: CredentialStore) throws(CredentialError) -> Credentials? {
        do throws(CredentialError) {
            return try store.read(address)
        } catch {
            guard error.code == .malformed else { throw error }
            return nil
        }
    }

    private func replace(with credentials: Credentials) async throws(ClientError) {
        guard let store else { return }
        try await store.exclusively(address) { () async throws(ClientError) in try write(credentials) }
    }

    @discardableResult
    private func update(
        _ user: UserID, _ make: (Credentials) -> Credentials
    ) async throws(ClientError) -> Bool {
        guard let store else { return false }
        return try await store.exclusively(address) { () async throws(ClientError) -> Bool in
            guard let kept = try kept(), kept.user.uid == user else { return false }
            try write(make(kept))
            return true
        }
    }

    /// Writes; only while `CredentialStore.exclusively` runs.
    func write(_ credentials: Credentials) throws(ClientError) {
        guard let store else { return }
        do throws(CredentialError) { try store.write(credentials, for: address) } catch { throw .credentials(error) }
    }
}
