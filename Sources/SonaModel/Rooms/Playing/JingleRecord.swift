internal import SonaDatabase
package import SonaWire

/// How many tracks and minutes a room that plays by itself has played since its last jingle.
package struct JingleProgress: Sendable, Hashable {
    /// Tracks that have begun.
    package var tracks: Int
    /// Since when minutes are counted: the last jingle, or the first track. Milliseconds since 1970 UTC.
    package var sinceMilliseconds: Int64?
    /// The last jingle.
    package var last: MusicID?

    package init(tracks: Int = 0, sinceMilliseconds: Int64? = nil, last: MusicID? = nil) {
        self.tracks = tracks
        self.sinceMilliseconds = sinceMilliseconds
        self.last = last
    }
}

/// The jingles of a room, and how far it has come since the last. A room without a row has none.
struct JingleRecord: Record, Equatable {
    typealias Key = RoomID

    let room: RoomID
    /// It may be gone: playlists belong to another module.
    let jingles: Jingles
    let progress: JingleProgress

    static let room = Column("room_id", \Self.room, .primaryKey, .references(RoomRecord.self, onDelete: .cascade))
    static let playlist = Column("playlist", \Self.jingles.playlist)
    static let everyTracks = Column("every_tracks", \Self.jingles.everyTracks, .check("every_tracks BETWEEN 1 AND 100"))
    static let everyMinutes = Column("every_min", \Self.jingles.everyMinutes, .check("every_min BETWEEN 1 AND 1440"))
    static let tracks = Column("tracks", \Self.progress.tracks, .check("tracks >= 0"))
    static let since = Column("since_ms", \Self.progress.sinceMilliseconds)
    static let last = Column("last_track", \Self.progress.last)

    static let table = Table<Self>(
        "room_jingles", room, playlist, everyTracks, everyMinutes, tracks, since, last)

    func bind(to values: inout Binder) {
        values.next(room)
        values.next(jingles.playlist)
        values.next(jingles.everyTracks)
        values.next(jingles.everyMinutes)
        values.next(progress.tracks)
        values.next(progress.sinceMilliseconds)
        values.next(progress.last)
    }
}

extension JingleRecord {
    init(row: inout Row) throws(DatabaseError) {
        room = try row.next()
        jingles = Jingles(playlist: try row.next(), everyTracks: try row.next(), everyMinutes: try row.next())
        progress = JingleProgress(
            tracks: try row.next(), sinceMilliseconds: try row.next(), last: try row.next())
    }
}
