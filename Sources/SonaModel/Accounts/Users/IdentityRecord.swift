internal import SonaDatabase
internal import SonaWire

/// Maps a user of an outside issuer to an account.
struct IdentityRecord: Record, Equatable {
    typealias Key = String

    /// `provider:subject`.
    let name: String
    let uid: UserID
    let createdMilliseconds: Int64

    static let name = Column("name", \Self.name, .primaryKey, .byteCount(3...200))
    static let uid = Column("uid", \Self.uid, .indexed, .references(UserRecord.self, onDelete: .cascade))
    static let created = Column("created_ms", \Self.createdMilliseconds)

    static let table = Table<Self>("identities", name, uid, created)

    func bind(to values: inout Binder) {
        values.next(name)
        values.next(uid)
        values.next(createdMilliseconds)
    }
}

extension IdentityRecord {
    init(row: inout Row) throws(DatabaseError) {
        name = try row.next()
        uid = try row.next()
        createdMilliseconds = try row.next()
    }
}
