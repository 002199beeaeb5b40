internal import SonaDatabase
internal import SonaWire

/// A ban of network addresses from the server.
struct AddressBanRecord: Record, Equatable {
    typealias Key = String

    /// An address, or a range like `203.0.113.0/24`, in its one form.
    let range: String
    /// `nil`: permanent.
    let untilMilliseconds: Int64?
    let reason: String?
    let createdMilliseconds: Int64
    /// The administrator. `nil`: the operator, or an account that is gone.
    let by: UserID?

    static let range = Column("range", \Self.range, .primaryKey, .byteCount(2...64))
    static let until = Column("until_ms", \Self.untilMilliseconds)
    static let reason = Column("reason", \Self.reason, .byteCount(1...200))
    static let created = Column("created_ms", \Self.createdMilliseconds)
    static let by = Column("by_uid", \Self.by, .references(UserRecord.self, onDelete: .setNull))

    static let table = Table<Self>(
        "address_bans", range, until, reason, created, by,
        rules: [.index("address_bans_by_user", on: by.ascending)])

    func bind(to values: inout Binder) {
        values.next(range)
        values.next(untilMilliseconds)
        values.next(reason)
        values.next(createdMilliseconds)
        values.next(by)
    }
}

extension AddressBanRecord {
    init(row: inout Row) throws(DatabaseError) {
        range = try row.next()
        untilMilliseconds = try row.next()
        reason = try row.next()
        createdMilliseconds = try row.next()
        by = try row.next()
    }
}
