internal import SonaDatabase
internal import SonaWire

/// A room that visitors may ask for tracks. A room without a row lets nobody ask.
struct SongRequestsRecord: Record, Equatable {
    typealias Key = RoomID

    let room: RoomID
    /// It may be gone: playlists belong to another module.
    let playlist: MusicID?

    static let room = Column("room_id", \Self.room, .primaryKey, .references(RoomRecord.self, onDelete: .cascade))
    static let playlist = Column("playlist", \Self.playlist)

    static let table = Table<Self>("room_song_requests", room, playlist)

    func bind(to values: inout Binder) {
        values.next(room)
        values.next(playlist)
    }
}

extension SongRequestsRecord {
    init(row: inout Row) throws(DatabaseError) {
        room = try row.next()
        playlist = try row.next()
    }
}
