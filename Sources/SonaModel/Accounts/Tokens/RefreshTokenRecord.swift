internal import SonaDatabase
internal import SonaWire

/// A refresh token that was given out. It is stored until it expires or its family ends.
struct RefreshTokenRecord: Record, Equatable {
    typealias Key = [UInt8]

    let hash: [UInt8]
    /// The sign-in it belongs to.
    let family: String
    let uid: UserID
    let createdMilliseconds: Int64
    let expiresMilliseconds: Int64
    /// When it was exchanged for its successor. `nil`: unused.
    var usedMilliseconds: Int64?

    static let hash = Column("hash", \Self.hash, .primaryKey, .check("length(hash) = 32"))
    static let family = Column("family", \Self.family, .indexed)
    static let uid = Column("uid", \Self.uid, .references(UserRecord.self, onDelete: .cascade))
    static let created = Column("created_ms", \Self.createdMilliseconds)
    static let expires = Column("expires_ms", \Self.expiresMilliseconds, .check("expires_ms > \(created)"))
    static let used = Column("used_ms", \Self.usedMilliseconds)

    static let table = Table<Self>(
        "refresh_tokens", hash, family, uid, created, expires, used,
        rules: [
            .index("refresh_tokens_by_user", on: uid.ascending, expires.ascending),
            .index("refresh_tokens_by_expiry", on: expires.ascending),
        ])

    func bind(to values: inout Binder) {
        values.next(hash)
        values.next(family)
        values.next(uid)
        values.next(createdMilliseconds)
        values.next(expiresMilliseconds)
        values.next(usedMilliseconds)
    }
}

extension RefreshTokenRecord {
    init(row: inout Row) throws(DatabaseError) {
        hash = try row.next()
        family = try row.next()
        uid = try row.next()
        createdMilliseconds = try row.next()
        expiresMilliseconds = try row.next()
        usedMilliseconds = try row.next()
    }

    /// A token that is given out at `now`, milliseconds since 1970.
    init(_ token: RefreshToken, family: String, uid: UserID, now: Int64) {
        self.init(
            hash: token.hash, family: family, uid: uid, createdMilliseconds: now,
            expiresMilliseconds: now + RefreshToken.lifetimeMilliseconds)
    }
}
