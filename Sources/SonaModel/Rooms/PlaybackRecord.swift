internal import SonaDatabase
internal import SonaWire

/// Where a room was when it was last written down. Apart from the room, so that those many writes stay small.
struct PlaybackRecord: Record, Equatable {
    typealias Key = RoomID

    let room: RoomID
    let playback: RoomStore.StoredPlayback

    static let room = Column("room_id", \Self.room, .primaryKey, .references(RoomRecord.self, onDelete: .cascade))
    static let state = Column("state", \Self.playback.state, .check(#""state" BETWEEN 0 AND 3"#))
    static let position = Column("position_us", \Self.playback.positionMicroseconds)
    static let rate = Column("rate_ppm", \Self.playback.ratePPM)
    static let anchorMonotonic = Column("anchor_monotonic_us", \Self.playback.anchorMonotonicMicroseconds)
    static let clockID = Column("clock_id", \Self.playback.clockID)
    static let anchorWall = Column("anchor_wall_ms", \Self.playback.anchorWallMilliseconds)
    static let revision = Column("revision", \Self.playback.revision, .range(.min ... .max))
    static let hasAudio = Column("has_audio", \Self.playback.hasAudio, .oneOf(false, true))

    static let table = Table<Self>(
        "room_playback", room, state, position, rate, anchorMonotonic, clockID, anchorWall, revision, hasAudio)

    func bind(to values: inout Binder) {
        values.next(room)
        values.next(playback.state)
        values.next(playback.positionMicroseconds)
        values.next(playback.ratePPM)
        values.next(playback.anchorMonotonicMicroseconds)
        values.next(playback.clockID)
        values.next(playback.anchorWallMilliseconds)
        values.next(playback.revision)
        values.next(playback.hasAudio)
    }
}

extension PlaybackRecord {
    init(row: inout Row) throws(DatabaseError) {
        room = try row.next()
        playback = try RoomStore.StoredPlayback(row: &row)
    }
}

extension RoomStore.StoredPlayback {
    /// What follows the room.
    init(row: inout Row) throws(DatabaseError) {
        state = try row.next()
        positionMicroseconds = try row.next()
        ratePPM = try row.next()
        anchorMonotonicMicroseconds = try row.next()
        clockID = try row.next()
        anchorWallMilliseconds = try row.next()
        revision = try row.next()
        hasAudio = try row.next()
    }
}
