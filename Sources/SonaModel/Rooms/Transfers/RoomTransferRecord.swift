internal import SonaDatabase
internal import SonaWire

/// The offer of a room to another account.
struct RoomTransferRecord: Record, Equatable {
    typealias Key = RoomID

    let room: RoomID
    let from: UserID
    let to: UserID
    let createdMilliseconds: Int64
    let expiresMilliseconds: Int64

    static let room = Column("room_id", \Self.room, .primaryKey, .references(RoomRecord.self, onDelete: .cascade))
    static let from = Column("from_uid", \Self.from, .references(UserRecord.self, onDelete: .cascade))
    static let to = Column("to_uid", \Self.to, .references(UserRecord.self, onDelete: .cascade))
    static let created = Column("created_ms", \Self.createdMilliseconds)
    static let expires = Column("expires_ms", \Self.expiresMilliseconds)

    static let table = Table<Self>(
        "room_transfers", room, from, to, created, expires,
        rules: [
            .index("room_transfers_by_giver", on: from.ascending),
            .index("room_transfers_by_receiver", on: to.ascending),
            .index("room_transfers_by_end", on: expires.ascending),
        ])

    func bind(to values: inout Binder) {
        values.next(room)
        values.next(from)
        values.next(to)
        values.next(createdMilliseconds)
        values.next(expiresMilliseconds)
    }
}

extension RoomTransferRecord {
    init(row: inout Row) throws(DatabaseError) {
        room = try row.next()
        from = try row.next()
        to = try row.next()
        createdMilliseconds = try row.next()
        expiresMilliseconds = try row.next()
    }
}
