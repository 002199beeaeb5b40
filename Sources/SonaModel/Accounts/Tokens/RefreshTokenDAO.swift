internal import SonaDatabase
internal import SonaWire

/// Where users are signed in.
///
/// A sign-in begins a family; each refresh uses up one token and adds the next. Of a family two tokens are stored: the
/// unused one and the one before it. A used token that comes again soon, while its successor is unused, gives that
/// successor again: its answer was lost. Any other token of the family that comes again was stolen, or its successor was:
/// the whole family ends, and whoever is honest signs in again.
struct RefreshTokenDAO: AccountRefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(RefreshTokenRecord.self) }

    enum Redemption: Sendable {
        case renewed(UserRecord, family: String, next: RefreshToken)
        /// The family that ended.
        case reused(family: String)
        case unknown
        /// `nil` for good.
        case banned(untilMilliseconds: Int64?)
    }

    /// Whose family a token belongs to, used or not: asked before anything is written, so that what nobody has been given
    /// costs no write.
    ///
    /// - Throws: `busy`, `storage`.
    func owner(of token: RefreshToken, _ key: RefreshKey) async throws(Refusal) -> UserID? {
        try await read { db in try Self.find(token, key, in: &db)?.known.uid }
    }

    /// Uses up `token` and adds its successor in its place, or gives the successor again.
    ///
    /// Returns and does not throw when it is refused: the end of a stolen family must be committed.
    ///
    /// - Parameter revokedUntil: Until when a family that ends now has to be remembered.
    /// - Throws: `busy`, `storage`.
    func redeem(
        _ token: RefreshToken, _ key: RefreshKey, now: Int64, revokedUntil: Int64, journal: Journal
    ) async throws(Refusal) -> Redemption {
        try await write { db in
            guard let (known, isStored) = try Self.find(token, key, in: &db),
                let user = try db.first(UserRecord.self, key: known.uid)
            else { return .unknown }
            let next = key.successor(of: token, in: known.family)
            let isUnused = isStored && known.usedMilliseconds == nil
            let isRepeated = isStored && !isUnused
            guard try isUnused || (isRepeated && Self.mayRepeat(known, next, now: now, in: &db)) else {
                try Self.end(known.family, until: revokedUntil, now: now, in: &db)
                try journal.append(.own(.tokenReused, user.uid), in: &db)
                return .reused(family: known.family)
            }
            guard known.expiresMilliseconds > now else { return .unknown }
            if let ban = try UserDAO.ban(of: user.uid, now: now, in: &db) {
                return .banned(untilMilliseconds: ban.untilMilliseconds)
            }
            if isUnused {
                var used = known
                used.usedMilliseconds = now
                // Of the generations before nothing is kept: their tags tell them.
                try db.delete(
                    RefreshTokenRecord.filter(
                        RefreshTokenRecord.family == known.family && RefreshTokenRecord.used != nil))
                try db.updateChanges(used, from: known)
                try Self.add(RefreshTokenRecord(next, family: known.family, uid: user.uid, now: now), in: &db)
            }
            return .renewed(user, family: known.family, next: next)
        }
    }

    /// - Returns: What is stored of a token or, if that is an older generation, of another token of its family.
    private static func find(
        _ token: RefreshToken, _ key: RefreshKey, in db: inout some DatabaseAccess & ~Copyable
    ) throws(DatabaseError) -> (known: RefreshTokenRecord, isStored: Bool)? {
        if let stored = try db.first(RefreshTokenRecord.self, key: token.hash) { return (stored, true) }
        guard let family = key.family(of: token),
            let other = try db.first(RefreshTokenRecord.filter(RefreshTokenRecord.family == family))
        else { return nil }
        return (other, false)
    }

    /// Whether a used token came again so soon that its answer may have been lost, and nobody has gone on from there.
    private static func mayRepeat(
        _ used: RefreshTokenRecord, _ next: RefreshToken, now: Int64, in db: inout some DatabaseAccess & ~Copyable
    ) throws(DatabaseError) -> Bool {
        guard let time = used.usedMilliseconds, abs(now - time) <= RefreshToken.repeatMilliseconds,
            let successor = try db.first(RefreshTokenRecord.self, key: next.hash)
        else { return false }
        return successor.usedMilliseconds == nil && successor.family == used.family
    }

    /// Ends the family of `token`, as `redeem` does for one that was used already.
    ///
    /// - Returns: The family; `nil` if the token is not known (any more).
    /// - Throws: `busy`, `storage`.
    func endFamily(
        of token: RefreshToken, _ key: RefreshKey, now: Int64, revokedUntil: Int64
    ) async throws(Refusal) -> String? {
        guard try await owner(of: token, key) != nil else { return nil }
        return try await write { db in
            guard let family = try Self.find(token, key, in: &db)?.known.family else { return nil }
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

    /// Sign-ins that one account has at a time; past that, the one that was refreshed longest ago ends.
    static let signInsMax = 100

    /// Room for one more sign-in.
    ///
    /// - Returns: The families that ended.
    static func makeRoom(
        for uid: UserID, until: Int64, now: Int64, in db: inout WriteAccess
    ) throws -> [String] {
        let families = try db.values(
            """
            SELECT family FROM refresh_tokens WHERE uid = \(uid) AND used_ms IS NULL
            ORDER BY created_ms DESC, hash LIMIT -1 OFFSET \(signInsMax - 1)
            """, as: String.self)
        for family in families { try end(family, until: until, now: now, in: &db) }
        return families
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
