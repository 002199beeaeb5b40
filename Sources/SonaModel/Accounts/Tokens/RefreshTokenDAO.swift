internal import SonaDatabase
internal import SonaWire

/// Where users are signed in.
///
/// A sign-in begins a family; each refresh uses up one token and adds the next. A used token that comes again was
/// stolen, or its successor was: the whole family ends, and whoever is honest signs in again.
struct RefreshTokenDAO: DAO {
    typealias Failure = AccountError
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(RefreshTokenRecord.self) }

    enum Redemption: Sendable {
        case renewed(UserRecord, family: String)
        /// The family that ended.
        case reused(family: String)
        case unknown
        /// `nil` for good.
        case banned(untilMilliseconds: Int64?)
    }

    /// Uses up `token` and adds `next` in its place.
    ///
    /// Returns and does not throw when it is refused: the end of a stolen family must be committed.
    ///
    /// - Parameter revokedUntil: Until when a family that ends now has to be remembered.
    /// - Throws: `busy`, `storage`.
    func redeem(
        _ token: RefreshToken, for next: RefreshToken, now: Int64, revokedUntil: Int64, journal: Journal
    ) async throws(AccountError) -> Redemption {
        try await write(or: AccountError.storage) { db in
            guard let old = try db.first(RefreshTokenRecord.self, key: token.hash),
                let user = try db.first(UserRecord.self, key: old.uid)
            else { return .unknown }
            guard old.usedMilliseconds == nil else {
                try Self.end(old.family, until: revokedUntil, now: now, in: &db)
                try journal.append(.own(.tokenReused, user.uid), in: &db)
                return .reused(family: old.family)
            }
            guard old.expiresMilliseconds > now else { return .unknown }
            if let ban = try UserDAO.ban(of: user.uid, now: now, in: &db) {
                return .banned(untilMilliseconds: ban.untilMilliseconds)
            }
            var used = old
            used.usedMilliseconds = now
            try db.updateChanges(used, from: old)
            try Self.add(RefreshTokenRecord(next, family: old.family, uid: user.uid, now: now), in: &db)
            return .renewed(user, family: old.family)
        }
    }

    /// Ends the family of `token`, as `redeem` does for one that was used already.
    ///
    /// - Returns: The family; `nil` if the token is not known (any more).
    /// - Throws: `busy`, `storage`.
    func endFamily(of token: RefreshToken, now: Int64, revokedUntil: Int64) async throws(AccountError) -> String? {
        try await write(or: AccountError.storage) { db in
            guard let family = try db.first(RefreshTokenRecord.self, key: token.hash)?.family else { return nil }
            try Self.end(family, until: revokedUntil, now: now, in: &db)
            return family
        }
    }

    // MARK: Steps of others' transactions

    /// Adds a token and clears what of its user had expired when it was made.
    static func add(_ token: RefreshTokenRecord, in db: inout WriteAccess) throws(DatabaseError) {
        try db.delete(
            RefreshTokenRecord.filter(
                RefreshTokenRecord.uid == token.uid && RefreshTokenRecord.expires <= token.createdMilliseconds))
        try db.insert(token)
    }

    /// Ends every sign-in of a user.
    ///
    /// - Returns: Their families.
    static func endAll(
        of uid: UserID, until: Int64, now: Int64, in db: inout WriteAccess
    ) throws -> [String] {
        let families = try db.values(
            """
            SELECT DISTINCT \(RefreshTokenRecord.family) FROM \(RefreshTokenRecord.table)
            WHERE \(RefreshTokenRecord.uid) = \(uid)
            """, as: String.self)
        for family in families { try end(family, until: until, now: now, in: &db) }
        return families
    }

    static func end(
        _ family: String, until: Int64, now: Int64, in db: inout WriteAccess
    ) throws(DatabaseError) {
        try db.delete(RefreshTokenRecord.filter(RefreshTokenRecord.family == family))
        try RevokedFamilyDAO.add(RevokedFamilyRecord(family: family, untilMilliseconds: until), now: now, in: &db)
    }
}
