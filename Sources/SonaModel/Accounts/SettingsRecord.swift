internal import SonaDatabase
internal import SonaWire

/// What a user chose: how a new room of theirs begins.
struct SettingsRecord: Record, Equatable {
    typealias Key = UserID

    let uid: UserID
    var delivery = Delivery.party
    var visibility = Visibility.public

    static let uid = Column("uid", \Self.uid, .primaryKey, .references(UserRecord.self, onDelete: .cascade))
    static let delivery = Column("delivery", \Self.delivery, .defaults(to: .party), .anyCase)
    static let visibility = Column("visibility", \Self.visibility, .defaults(to: .public), .anyCase)

    static let table = Table<Self>("settings", uid, delivery, visibility)

    func bind(to values: inout Binder) {
        values.next(uid)
        values.next(delivery)
        values.next(visibility)
    }
}

extension SettingsRecord {
    init(row: inout Row) throws(DatabaseError) {
        uid = try row.next()
        delivery = try row.next()
        visibility = try row.next()
    }
}
