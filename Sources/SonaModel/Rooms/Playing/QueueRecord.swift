internal import SonaDatabase
internal import SonaWire

/// The queue of a room as a text that is read elsewhere.
struct QueueRecord: Record, Equatable {
    typealias Key = RoomID

    let room: RoomID
    let state: String
    let revision: Int64

    static let room = Column("room_id", \Self.room, .primaryKey, .references(RoomRecord.self, onDelete: .cascade))
    static let state = Column("state", \Self.state, .byteCount(1...QueueStore.stateBytesMax))
    static let revision = Column("revision", \Self.revision, .check("revision >= 0"))

    static let table = Table<Self>("room_queue", room, state, revision)

    func bind(to values: inout Binder) {
        values.next(room)
        values.next(state)
        values.next(revision)
    }
}

extension QueueRecord {
    init(row: inout Row) throws(DatabaseError) {
        room = try row.next()
        state = try row.next()
        revision = try row.next()
    }
}
