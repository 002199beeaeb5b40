internal import SonaDatabase
internal import SonaWire

/// An entry of the directory, in which people find each other: one row for each public profile with a username.
struct DirectoryRecord: Record, Equatable {
    typealias Key = Int64

    let number: Int64?
    let uid: UserID
    /// As typed.
    var username: String
    /// Empty if there is none.
    var displayName: String

    static let number = Column("number", \Self.number, .primaryKey)
    static let uid = Column("uid", \Self.uid, .unique, .references(UserRecord.self, onDelete: .cascade))
    static let username = Column("username", \Self.username)
    static let displayName = Column("display_name", \Self.displayName, .defaults(to: ""))

    static let table = Table<Self>(
        "directory", number, uid, username, displayName, search: SearchIndex(username, displayName))

    func bind(to values: inout Binder) {
        values.next(number)
        values.next(uid)
        values.next(username)
        values.next(displayName)
    }
}

extension DirectoryRecord {
    init(row: inout Row) throws(DatabaseError) {
        number = try row.next()
        uid = try row.next()
        username = try row.next()
        displayName = try row.next()
    }

    /// Updates the directory after a change of a user or a profile.
    static func update(_ user: UserRecord, _ profile: ProfileRecord, in db: inout WriteAccess) throws(DatabaseError) {
        let known = try db.first(Self.filter(Self.uid == user.uid))
        guard profile.isPublic, let username = user.username else {
            if let number = known?.number { _ = try db.delete(Self.self, key: number) }
            return
        }
        let displayName = profile.displayName ?? ""
        guard let known else {
            return try db.insert(
                Self(number: nil, uid: user.uid, username: username.rawValue, displayName: displayName))
        }
        var changed = known
        changed.username = username.rawValue
        changed.displayName = displayName
        try db.updateChanges(changed, from: known)
    }
}
