internal import SonaDatabase
internal import SonaWire

/// Storage of refresh tokens.
///
/// A sign-in begins a family. Each refresh uses up one token and adds its successor. Two tokens of a family are stored:
/// the unused one and the one before it. A used token that comes again soon, while its successor is unused, returns
/// that successor: the answer was lost. Any other reuse means that a token was stolen. Then the whole family ends and
/// the honest user signs in again.
struct RefreshTokenDAO: AccountRefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(RefreshTokenRecord.self) }

    /// The outcome of `redeem`.
    enum Redemption: Sendable {
        case renewed(UserRecord, family: String, next: RefreshToken)
        /// The token was used before, so its family was ended.
        case reused(family: String)
        case unknown
        /// `nil`: permanent.
        case banned(untilMilliseconds: Int64?)
    }

    /// Returns the owner of a token's family, used or not. It is asked before any write, so that invented tokens cost
    /// no write.
    ///
    /// - Throws: `busy`, `storage`.
    func owner(of token: RefreshToken, _ key: RefreshKey) async throws(Refusal) -> UserID? {
        try await read { db in try Self.find(token, key, in: &db)?.known.uid }
    }

    /// Uses up `token` and adds its successor, or returns the successor again.
    ///
    /// A refusal is returned and not thrown, because the end of a stolen family must be committed.
    ///
    /// - Parameter revokedUntil: Until when a family that ends now has to be remembered, milliseconds since 1970.
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
                // Older generations are deleted: their tags identify them.
                try db.delete(
                    RefreshTokenRecord.filter(
                        RefreshTokenRecord.family == known.family && RefreshTokenRecord.used != nil))
                try db.updateChanges(used, from: known)
                try SightingRecord.note(user.uid, now: now, in: &db)
                try Self.add(RefreshTokenRecord(next, family: known.family, uid: user.uid, now: now), in: &db)
            }
            return .renewed(user, family: known.family, next: next)
        }
    }

    /// - Returns: The stored token. For an older generation: another stored token of its family.
    private static func find(
        _ token: RefreshToken, _ key: RefreshKey, in db: inout some DatabaseAccess & ~Copyable
    ) throws(DatabaseError) -> (known: RefreshTokenRecord, isStored: Bool)? {
        if let stored = try db.first(RefreshTokenRecord.self, key: token.hash) { return (stored, true) }
        guard let family = key.family(of: token),
            let other = try db.first(RefreshTokenRecord.filter(RefreshTokenRecord.family == family))
        else { return nil }
        return (other, false)
    }

    /// Whether a used token came again soon enough that the answer may have been lost, and its successor is unused.
    private static func mayRepeat(
        _ used: RefreshTokenRecord, _ next: RefreshToken, now: Int64, in db: inout some DatabaseAccess & ~Copyable
    ) throws(DatabaseError) -> Bool {
        guard let time = used.usedMilliseconds, abs(now - time) <= RefreshToken.repeatMilliseconds,
            let successor = try db.first(RefreshTokenRecord.self, key: next.hash)
        else { return false }
        return successor.usedMilliseconds == nil && successor.family == used.family
    }

    /// Ends the family of `token`, as `redeem` does for a reused token.
    ///
    /// - Returns: The family; `nil` if the token is unknown.
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

    // MARK: Steps of transactions

    /// Adds a token and deletes the user's expired ones.
    static func add(_ token: RefreshTokenRecord, in db: inout WriteAccess) throws(DatabaseError) {
        try db.delete(
            RefreshTokenRecord.filter(
                RefreshTokenRecord.uid == token.uid && RefreshTokenRecord.expires <= token.createdMilliseconds))
        try db.insert(token)
    }

    /// The most sign-ins of one account. Beyond that, the one that was refreshed longest ago ends.
    static let signInsMax = 100

    /// Ends the oldest sign-ins until there is room for one more.
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

    /// Ends every sign-in of a user, and revokes their app passwords.
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
        try AppPasswordDAO.removeAll(of: uid, in: &db)
        return families
    }

    /// Ends a family: deletes its tokens and remembers it until `until`, milliseconds since 1970.
    static func end(
        _ family: String, until: Int64, now: Int64, in db: inout WriteAccess
    ) throws(DatabaseError) {
        try db.delete(RefreshTokenRecord.filter(RefreshTokenRecord.family == family))
        try RevokedFamilyDAO.add(RevokedFamilyRecord(family: family, untilMilliseconds: until), now: now, in: &db)
    }
}
