internal import SonaDatabase
internal import SonaWire

/// The owner of a look: of two usernames that a reader could confuse, only one can be taken. Users whose names are
/// older than this table keep them; the older of two similar names has the look. `UserDAO.passOnLooks` passes
/// the look on when that user is gone.
struct UsernameLookRecord: Record, Equatable {
    typealias Key = String

    /// The text of a `NameKey`.
    let look: String
    let uid: UserID

    static let look = Column("look", \Self.look, .primaryKey)
    static let uid = Column("uid", \Self.uid, .unique, .references(UserRecord.self, onDelete: .cascade))

    static let table = Table<Self>("username_looks", look, uid)

    func bind(to values: inout Binder) {
        values.next(look)
        values.next(uid)
    }
}

extension UsernameLookRecord {
    init(row: inout Row) throws(DatabaseError) {
        look = try row.next()
        uid = try row.next()
    }
}
