internal import SonaDatabase
internal import SonaWire

/// A code that was mailed or handed over, for one purpose and one use. Only its hash is stored.
struct AccountCodeRecord: Record, Equatable {
    typealias Key = [UInt8]

    let hash: [UInt8]
    let uid: UserID
    let purpose: AccountCode.Purpose
    /// The address it was mailed to, which it confirms. `nil` if it was handed over.
    let email: String?
    let createdMilliseconds: Int64
    let expiresMilliseconds: Int64

    static let hash = Column("hash", \Self.hash, .primaryKey, .check("length(hash) = 32"))
    static let uid = Column("uid", \Self.uid, .references(UserRecord.self, onDelete: .cascade))
    static let purpose = Column("purpose", \Self.purpose, .anyCase)
    static let email = Column("email", \Self.email, .byteCount(Limits.emailBytes))
    static let created = Column("created_ms", \Self.createdMilliseconds)
    static let expires = Column("expires_ms", \Self.expiresMilliseconds, .check("expires_ms > \(created)"))

    static let table = Table<Self>(
        "account_codes", hash, uid, purpose, email, created, expires,
        rules: [
            .index("account_codes_by_user", on: uid.ascending, purpose.ascending, created.ascending),
            .index("account_codes_by_expiry", on: expires.ascending),
        ])

    func bind(to values: inout Binder) {
        values.next(hash)
        values.next(uid)
        values.next(purpose)
        values.next(email)
        values.next(createdMilliseconds)
        values.next(expiresMilliseconds)
    }
}

extension AccountCodeRecord {
    init(row: inout Row) throws(DatabaseError) {
        hash = try row.next()
        uid = try row.next()
        purpose = try row.next()
        email = try row.next()
        createdMilliseconds = try row.next()
        expiresMilliseconds = try row.next()
    }
}
