internal import SonaDatabase
internal import SonaWire

/// A follow of one user by another. Two users who follow each other are friends.
struct FollowRecord: Record, Equatable {
    typealias Key = UserPair

    let follower: UserID
    let followed: UserID
    let createdMilliseconds: Int64

    static let follower = Column("follower_uid", \Self.follower, .references(UserRecord.self, onDelete: .cascade))
    static let followed = Column("followed_uid", \Self.followed, .references(UserRecord.self, onDelete: .cascade))
    static let created = Column("created_ms", \Self.createdMilliseconds)

    static let table = Table<Self>(
        "follows", follower, followed, created,
        rules: [
            .primaryKey(follower, followed), .check("\(follower) <> \(followed)"),
            .index("follows_by_follower", on: follower.ascending, created.descending, followed.descending),
            .index("follows_by_followed", on: followed.ascending, created.descending, follower.descending),
        ])

    func bind(to values: inout Binder) {
        values.next(follower)
        values.next(followed)
        values.next(createdMilliseconds)
    }
}

extension FollowRecord {
    init(row: inout Row) throws(DatabaseError) {
        follower = try row.next()
        followed = try row.next()
        createdMilliseconds = try row.next()
    }

    init(_ pair: UserPair, now: Int64) {
        self.init(follower: pair.from, followed: pair.to, createdMilliseconds: now)
    }
}
