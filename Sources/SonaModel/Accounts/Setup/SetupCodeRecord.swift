internal import SonaDatabase

/// The code that makes the first administrator's account. There is one at most: a new one takes its place.
struct SetupCodeRecord: Record, Equatable {
    typealias Key = Int64

    var id: Int64 = 1
    /// SHA-256 of the code.
    let hash: [UInt8]
    let expiresMilliseconds: Int64

    static let id = Column("id", \Self.id, .primaryKey, .range(1...1))
    static let hash = Column("hash", \Self.hash, .check("length(hash) = 32"))
    static let expires = Column("expires_ms", \Self.expiresMilliseconds)

    static let table = Table<Self>("setup_codes", id, hash, expires)

    func bind(to values: inout Binder) {
        values.next(id)
        values.next(hash)
        values.next(expiresMilliseconds)
    }
}

extension SetupCodeRecord {
    init(row: inout Row) throws(DatabaseError) {
        id = try row.next()
        hash = try row.next()
        expiresMilliseconds = try row.next()
    }
}
