internal import SonaDatabase
internal import SonaWire

/// Whose name looks like that. What lets only one of two names through that a reader could take for one another; who had
/// their names before this table may both keep them, and the older one has the look.
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
