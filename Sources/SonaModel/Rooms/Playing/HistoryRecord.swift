internal import SonaDatabase
internal import SonaWire

/// A track that could be heard in a room.
struct HistoryRecord: Record, Equatable {
    typealias Key = RoomNumber

    let room: RoomID
    let id: Int64
    let atMilliseconds: Int64
    let title: String?
    let artist: String?
    let album: String?
    let durationMicroseconds: Int64?
    let artwork: String?
    /// `nil` once that account is gone.
    let host: UserID?
    /// The number of the first track of the same broadcast.
    let broadcast: Int64
    /// The track of the library that it is, as the host said.
    let music: MusicID?
    /// The replay that it is heard in. A play of none may be pruned.
    let replay: ReplayID?

    static let room = Column("room_id", \Self.room, .references(RoomRecord.self, onDelete: .cascade))
    static let id = Column("id", \Self.id, .check("id >= 1"))
    static let at = Column("at_ms", \Self.atMilliseconds)
    static let title = Column("title", \Self.title, .byteCount(Limits.trackTextBytes))
    static let artist = Column("artist", \Self.artist, .byteCount(Limits.trackTextBytes))
    static let album = Column("album", \Self.album, .byteCount(Limits.trackTextBytes))
    static let duration = Column(
        "duration_us", \Self.durationMicroseconds, .check("duration_us BETWEEN 0 AND 9007199254740991"))
    static let artwork = Column("artwork", \Self.artwork, .byteCount(Limits.artworkBytes))
    static let host = Column("host_uid", \Self.host)
    static let broadcast = Column("session", \Self.broadcast, .defaults(to: 1), .check("session >= 1"))
    static let music = Column("music", \Self.music)
    static let replay = Column("replay_id", \Self.replay, .references(ReplayRecord.self, onDelete: .setNull))

    static let table = Table<Self>(
        "room_history", room, id, at, title, artist, album, duration, artwork, host, broadcast, music, replay,
        rules: [
            .primaryKey(room, id), .index("room_history_by_time", on: room.ascending, at.ascending, id.ascending),
            .index("room_history_by_host", on: host.ascending, where: "host_uid IS NOT NULL"),
            .index("room_history_by_replay", on: replay.ascending, where: "replay_id IS NOT NULL"),
            .index("room_history_of_none", on: room.ascending, id.ascending, where: "replay_id IS NULL"),
        ])

    func bind(to values: inout Binder) {
        values.next(room)
        values.next(id)
        values.next(atMilliseconds)
        values.next(title)
        values.next(artist)
        values.next(album)
        values.next(durationMicroseconds)
        values.next(artwork)
        values.next(host)
        values.next(broadcast)
        values.next(music)
        values.next(replay)
    }
}

extension HistoryRecord {
    init(row: inout Row) throws(DatabaseError) {
        room = try row.next()
        id = try row.next()
        atMilliseconds = try row.next()
        title = try row.next()
        artist = try row.next()
        album = try row.next()
        durationMicroseconds = try row.next()
        artwork = try row.next()
        host = try row.next()
        broadcast = try row.next()
        music = try row.next()
        replay = try row.next()
    }
}
