internal import SonaDatabase
internal import SonaWire

/// The profile of a user.
struct ProfileRecord: Record, Equatable {
    typealias Key = UserID

    let uid: UserID
    var displayName: String?
    var bio: String?
    var isPublic = false
    var links = JSON<[StoredLink]>([])

    static let uid = Column("uid", \Self.uid, .primaryKey, .references(UserRecord.self, onDelete: .cascade))
    static let displayName = Column("display_name", \Self.displayName, .byteCount(Limits.displayNameBytes))
    static let bio = Column("bio", \Self.bio, .byteCount(...Limits.bioBytes.upperBound))
    static let isPublic = Column("is_public", \Self.isPublic, .defaults(to: false), .oneOf(false, true))
    static let links = Column("links", \Self.links, .defaults(to: JSON([])))

    static let table = Table<Self>("profiles", uid, displayName, bio, isPublic, links)

    func bind(to values: inout Binder) {
        values.next(uid)
        values.next(displayName)
        values.next(bio)
        values.next(isPublic)
        values.next(links)
    }
}

extension ProfileRecord {
    init(row: inout Row) throws(DatabaseError) {
        uid = try row.next()
        displayName = try row.next()
        bio = try row.next()
        isPublic = try row.next()
        links = try row.next()
    }
}

/// A link of a profile as it is stored.
struct StoredLink: Codable, Equatable, Sendable {
    var title: String?
    var url: String
}
