internal import SonaDatabase
internal import SonaWire

/// A block of one user by another.
struct BlockRecord: Record, Equatable {
    typealias Key = UserPair

    let blocker: UserID
    let blocked: UserID
    let createdMilliseconds: Int64

    static let blocker = Column("blocker_uid", \Self.blocker, .references(UserRecord.self, onDelete: .cascade))
    static let blocked = Column("blocked_uid", \Self.blocked, .references(UserRecord.self, onDelete: .cascade))
    static let created = Column("created_ms", \Self.createdMilliseconds)

    static let table = Table<Self>(
        "blocks", blocker, blocked, created,
        rules: [
            .primaryKey(blocker, blocked), .check("\(blocker) <> \(blocked)"),
            .index("blocks_by_blocker", on: blocker.ascending, created.descending, blocked.descending),
            .index("blocks_by_blocked", on: blocked.ascending, created.descending, blocker.descending),
        ])

    func bind(to values: inout Binder) {
        values.next(blocker)
        values.next(blocked)
        values.next(createdMilliseconds)
    }
}

extension BlockRecord {
    init(row: inout Row) throws(DatabaseError) {
        blocker = try row.next()
        blocked = try row.next()
        createdMilliseconds = try row.next()
    }

    init(_ pair: UserPair, now: Int64) {
        self.init(blocker: pair.from, blocked: pair.to, createdMilliseconds: now)
    }
}
