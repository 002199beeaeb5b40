internal import SonaDatabase

/// A family of refresh tokens that ended before its access tokens expired.
struct RevokedFamilyRecord: Record, Equatable {
    typealias Key = String

    let family: String
    /// When the last of those access tokens expires.
    var untilMilliseconds: Int64

    static let family = Column("family", \Self.family, .primaryKey)
    static let until = Column("until_ms", \Self.untilMilliseconds)

    static let table = Table<Self>("revoked_families", family, until)

    func bind(to values: inout Binder) {
        values.next(family)
        values.next(untilMilliseconds)
    }
}

extension RevokedFamilyRecord {
    init(row: inout Row) throws(DatabaseError) {
        family = try row.next()
        untilMilliseconds = try row.next()
    }
}
