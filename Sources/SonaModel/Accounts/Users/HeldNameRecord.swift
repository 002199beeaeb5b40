internal import SonaDatabase
internal import SonaWire

/// A username that its owner gave up recently. For a while nobody else can take it or a name that looks like it, so
/// that nobody is mistaken for the former owner.
struct HeldNameRecord: Record, Equatable {
    typealias Key = String

    /// How long a name is held.
    static let heldMilliseconds: Int64 = 14 * 86_400_000
    /// The most names held for one account. Beyond that, the oldest becomes free.
    static let perAccountMax = 10

    /// The text of a `NameKey`.
    let look: String
    let usernameKey: String
    /// The former owner, who may take the name back.
    let uid: UserID
    let untilMilliseconds: Int64

    static let look = Column("look", \Self.look, .primaryKey)
    static let usernameKey = Column("username_key", \Self.usernameKey, .indexed)
    static let uid = Column("uid", \Self.uid, .references(UserRecord.self, onDelete: .cascade))
    static let until = Column("until_ms", \Self.untilMilliseconds, .indexed)

    static let table = Table<Self>(
        "held_names", look, usernameKey, uid, until,
        rules: [.index("held_names_by_user", on: uid.ascending, until.descending)])

    func bind(to values: inout Binder) {
        values.next(look)
        values.next(usernameKey)
        values.next(uid)
        values.next(untilMilliseconds)
    }
}

extension HeldNameRecord {
    init(row: inout Row) throws(DatabaseError) {
        look = try row.next()
        usernameKey = try row.next()
        uid = try row.next()
        untilMilliseconds = try row.next()
    }

    /// Whether a name is held for another user.
    static func isHeld(
        _ look: String, _ usernameKey: String, for user: UserID?, now: Int64,
        in db: inout some DatabaseAccess & ~Copyable
    ) throws(DatabaseError) -> Bool {
        let held = try db.all(
            Self.self,
            "WHERE (look = \(look) OR username_key = \(usernameKey)) AND until_ms > \(now)")
        return held.contains { $0.uid != user }
    }

    /// Whether a look is held for `user`.
    static func isHeld(
        _ look: String, by user: UserID?, now: Int64, in db: inout some DatabaseAccess & ~Copyable
    ) throws(DatabaseError) -> Bool {
        guard let held = try db.first(Self.self, key: look) else { return false }
        return held.uid == user && held.untilMilliseconds > now
    }

    /// Holds a name that a user gives up.
    static func hold(
        _ name: Username, look: String, for user: UserID, now: Int64, in db: inout WriteAccess
    ) throws(DatabaseError) {
        try db.upsert(
            HeldNameRecord(
                look: look, usernameKey: name.key, uid: user, untilMilliseconds: now + heldMilliseconds))
        try db.execute(
            """
            DELETE FROM held_names WHERE uid = \(user) AND look IN (SELECT look FROM held_names
                WHERE uid = \(user) ORDER BY until_ms DESC, look LIMIT -1 OFFSET \(perAccountMax))
            """)
    }
}
