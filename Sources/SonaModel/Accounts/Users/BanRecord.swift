internal import SonaDatabase
internal import SonaWire

/// A ban of an account from the server.
struct BanRecord: Record, Equatable {
    typealias Key = UserID

    let uid: UserID
    /// `nil`: permanent.
    var untilMilliseconds: Int64?
    /// Shown to the user.
    var reason: String?
    let createdMilliseconds: Int64

    static let uid = Column("uid", \Self.uid, .primaryKey, .references(UserRecord.self, onDelete: .cascade))
    static let until = Column("until_ms", \Self.untilMilliseconds)
    static let reason = Column("reason", \Self.reason, .byteCount(1...200))
    static let created = Column("created_ms", \Self.createdMilliseconds)

    static let table = Table<Self>("bans", uid, until, reason, created)

    func bind(to values: inout Binder) {
        values.next(uid)
        values.next(untilMilliseconds)
        values.next(reason)
        values.next(createdMilliseconds)
    }
}

extension BanRecord {
    init(row: inout Row) throws(DatabaseError) {
        uid = try row.next()
        untilMilliseconds = try row.next()
        reason = try row.next()
        createdMilliseconds = try row.next()
    }
}
