internal import SonaDatabase
internal import SonaWire

/// The part of a room's queue that has no rows of its own, such as rules and counters. SonaRooms reads the text.
struct QueueRecord: Record, Equatable {
    typealias Key = RoomID

    let room: RoomID
    let state: String
    let revision: Int64
    /// How often it was written.
    let writes: Int64

    static let room = Column("room_id", \Self.room, .primaryKey, .references(RoomRecord.self, onDelete: .cascade))
    static let state = Column("state", \Self.state, .byteCount(1...QueueStore.bytesMax))
    static let revision = Column("revision", \Self.revision, .check("revision >= 0"))
    static let writes = Column("writes", \Self.writes, .defaults(to: 0), .check("writes >= 0"))

    static let table = Table<Self>("room_queue", room, state, revision, writes)

    func bind(to values: inout Binder) {
        values.next(room)
        values.next(state)
        values.next(revision)
        values.next(writes)
    }
}

extension QueueRecord {
    init(row: inout Row) throws(DatabaseError) {
        room = try row.next()
        state = try row.next()
        revision = try row.next()
        writes = try row.next()
    }
}
