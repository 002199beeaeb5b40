internal import SonaDatabase

extension Accounts {
    /// Ends the family of `refreshToken` and all access tokens that came from it.
    ///
    /// An unknown token is not an error: it has been signed out already.
    ///
    /// - Throws: `busy`, `storage`.
    package func signOut(refreshToken: String) async throws(Refusal) {
        guard let token = RefreshToken(refreshToken) else { return }
        let now = clock.nowMilliseconds()
        let until = Self.revokedUntil(now)
        let family = try await refreshTokens.endFamily(of: token, refreshKey, now: now, revokedUntil: until)
        if let family { tellRevoked([family], until: until, now: now) }
    }

    /// Refuses a request whose sign-in has ended since it arrived. The owner may have taken the account back meanwhile.
    ///
    /// - Throws: `tokenInvalid`.
    static func refuseIfEnded(_ account: Account, in db: inout some DatabaseAccess & ~Copyable) throws {
        guard let family = account.family, try db.exists(RevokedFamilyRecord.self, key: family) else { return }
        throw Refusal.tokenInvalid
    }

    /// Ends every sign-in of an account.
    ///
    /// - Throws: `tokenInvalid` if the sign-in has ended meanwhile, `busy`, `storage`.
    package func signOutEverywhere(_ account: Account) async throws(Refusal) {
        let now = clock.nowMilliseconds()
        let until = Self.revokedUntil(now)
        let journal = self.journal
        let families = try await users.write { db in
            try Self.refuseIfEnded(account, in: &db)
            try AccountCodeDAO.deleteAll(of: account.uid, in: &db)
            let families = try RefreshTokenDAO.endAll(of: account.uid, until: until, now: now, in: &db)
            try journal.append(
                .own(.signOutEverywhere, account.uid, ["sign_ins": .integer(Int64(families.count))]), in: &db)
            return families
        }
        tellRevoked(families, until: until, now: now)
    }
}
