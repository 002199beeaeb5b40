internal import SonaDatabase
internal import SonaWire

/// A room that plays by itself. A room without a row leaves that to people.
struct AutoplayRecord: Record, Equatable {
    typealias Key = RoomID

    let room: RoomID
    /// The playlist for times without a queue. It may be gone: playlists belong to another module.
    let playlist: MusicID?

    static let room = Column("room_id", \Self.room, .primaryKey, .references(RoomRecord.self, onDelete: .cascade))
    static let playlist = Column("playlist", \Self.playlist)

    static let table = Table<Self>("room_autoplay", room, playlist)

    func bind(to values: inout Binder) {
        values.next(room)
        values.next(playlist)
    }
}

extension AutoplayRecord {
    init(row: inout Row) throws(DatabaseError) {
        room = try row.next()
        playlist = try row.next()
    }
}
