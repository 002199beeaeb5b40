internal import SonaDatabase
internal import SonaModel
internal import SonaWire

/// One track at one place of a playlist.
struct PlaylistEntryRecord: Record, Equatable {
    typealias Key = Int64

    var number: Int64?
    let playlist: Int64
    let id: MusicID
    /// A `FractionalKey`.
    var key: String
    /// `nil`: the track is gone, and the entry is a gap.
    let track: Int64?
    /// Who added it. `nil`: an account that is gone.
    let by: UserID?
    let addedMilliseconds: Int64
    /// How long the track lasted when it was added. The sum of a list is of these, so that it is right at any moment.
    let durationMilliseconds: Int64

    static let number = Column("number", \Self.number, .primaryKey)
    static let playlist = Column("playlist", \Self.playlist, .references(PlaylistRecord.self, onDelete: .cascade))
    static let id = Column("id", \Self.id)
    static let key = Column("key", \Self.key, .byteCount(1...Limits.playlistKeyBytesMax))
    static let track = Column("track", \Self.track, .references(TrackRecord.self, onDelete: .setNull))
    static let by = Column("by_uid", \Self.by, .references(UserRecord.self, onDelete: .setNull))
    static let added = Column("added_ms", \Self.addedMilliseconds)
    static let duration = Column("duration_ms", \Self.durationMilliseconds)

    static let table = Table<Self>(
        "playlist_entries", number, playlist, id, key, track, by, added, duration,
        rules: [
            .unique(playlist, id),
            .index("playlist_entries_by_key", on: playlist.ascending, key.ascending, id.ascending),
            .index(
                "playlist_entries_by_track", on: track.ascending, playlist.ascending, where: "track IS NOT NULL"),
            .index("playlist_entries_by_user", on: by.ascending, where: "by_uid IS NOT NULL"),
        ])

    func bind(to values: inout Binder) {
        values.next(number)
        values.next(playlist)
        values.next(id)
        values.next(key)
        values.next(track)
        values.next(by)
        values.next(addedMilliseconds)
        values.next(durationMilliseconds)
    }
}

extension PlaylistEntryRecord {
    init(row: inout Row) throws(DatabaseError) {
        number = try row.next()
        playlist = try row.next()
        id = try row.next()
        key = try row.next()
        track = try row.next()
        by = try row.next()
        addedMilliseconds = try row.next()
        durationMilliseconds = try row.next()
    }
}

/// An entry that was removed, so that an add that arrives twice does not bring it back.
struct PlaylistRemovalRecord: Record, Equatable {
    typealias Key = RemovalKey

    struct RemovalKey: RecordKey, Hashable {
        static let columnCount = 2

        let playlist: Int64
        let entry: MusicID

        init(row: inout Row) throws(DatabaseError) {
            playlist = try row.next()
            entry = try row.next()
        }

        func bind(to values: inout Binder) {
            values.next(playlist)
            values.next(entry)
        }
    }

    let playlist: Int64
    let entry: MusicID
    let removedMilliseconds: Int64

    static let playlist = Column("playlist", \Self.playlist, .references(PlaylistRecord.self, onDelete: .cascade))
    static let entry = Column("entry", \Self.entry)
    static let removed = Column("removed_ms", \Self.removedMilliseconds)

    static let table = Table<Self>(
        "playlist_removals", playlist, entry, removed,
        rules: [.primaryKey(playlist, entry), .index("playlist_removals_by_age", on: removed.ascending)])

    func bind(to values: inout Binder) {
        values.next(playlist)
        values.next(entry)
        values.next(removedMilliseconds)
    }
}

extension PlaylistRemovalRecord {
    init(row: inout Row) throws(DatabaseError) {
        playlist = try row.next()
        entry = try row.next()
        removedMilliseconds = try row.next()
    }
}
