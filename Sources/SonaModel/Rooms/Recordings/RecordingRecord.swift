internal import SonaDatabase
internal import SonaWire

/// The sound of a host that is kept in a file, whose name is the identifier. It belongs to the replay of the room whose
/// time it is in.
struct RecordingRecord: Record, Equatable {
    typealias Key = RecordingID

    let id: RecordingID
    let room: RoomID
    let host: UserID
    /// When its first sample was heard: milliseconds since 1970, UTC.
    let start: Int64
    /// ms
    var length: Int64
    /// Bytes of the file.
    var bytes: Int64
    /// Whether it goes on, or nobody has looked since the server ended.
    var isOpen: Bool

    static let id = Column("id", \Self.id, .primaryKey, .check("length(CAST(id AS BLOB)) = \(MusicID.count)"))
    static let room = Column("room_id", \Self.room, .references(RoomRecord.self, onDelete: .cascade))
    static let host = Column("host_uid", \Self.host, .references(UserRecord.self, onDelete: .cascade))
    static let start = Column("start_ms", \Self.start)
    static let length = Column("length_ms", \Self.length, .check("length_ms >= 0"))
    static let bytes = Column("bytes", \Self.bytes, .check("bytes >= 0"))
    static let isOpen = Column("is_open", \Self.isOpen, .oneOf(false, true))

    static let table = Table<Self>(
        "room_recordings", id, room, host, start, length, bytes, isOpen,
        rules: [
            .index("room_recordings_by_room", on: room.ascending, start.ascending),
            .index("room_recordings_by_host", on: host.ascending),
            .index("room_recordings_going_on", on: room.ascending, where: "is_open = 1"),
        ])

    func bind(to values: inout Binder) {
        values.next(id)
        values.next(room)
        values.next(host)
        values.next(start)
        values.next(length)
        values.next(bytes)
        values.next(isOpen)
    }
}

extension RecordingRecord {
    init(row: inout Row) throws(DatabaseError) {
        id = try row.next()
        room = try row.next()
        host = try row.next()
        start = try row.next()
        length = try row.next()
        bytes = try row.next()
        isOpen = try row.next()
    }
}
