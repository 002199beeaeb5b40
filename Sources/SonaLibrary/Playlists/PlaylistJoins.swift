internal import SonaDatabase
internal import SonaModel
internal import SonaWire

/// The key of what joins an account to a playlist.
struct PlaylistUserKey: RecordKey, Hashable {
    static let columnCount = 2

    let playlist: Int64
    let uid: UserID

    init(_ playlist: Int64, _ uid: UserID) {
        self.playlist = playlist
        self.uid = uid
    }

    init(row: inout Row) throws(DatabaseError) {
        playlist = try row.next()
        uid = try row.next()
    }

    func bind(to values: inout Binder) {
        values.next(playlist)
        values.next(uid)
    }
}

/// An account keeps a playlist among its own.
struct PlaylistPinRecord: Record, Equatable {
    typealias Key = PlaylistUserKey

    let playlist: Int64
    let uid: UserID
    let pinnedMilliseconds: Int64

    static let playlist = Column("playlist", \Self.playlist, .references(PlaylistRecord.self, onDelete: .cascade))
    static let uid = Column("uid", \Self.uid, .references(UserRecord.self, onDelete: .cascade))
    static let pinned = Column("pinned_ms", \Self.pinnedMilliseconds)

    static let table = Table<Self>(
        "playlist_pins", playlist, uid, pinned,
        rules: [
            .primaryKey(playlist, uid),
            .index("playlist_pins_by_user", on: uid.ascending, pinned.descending, playlist.descending),
        ])

    func bind(to values: inout Binder) {
        values.next(playlist)
        values.next(uid)
        values.next(pinnedMilliseconds)
    }
}

extension PlaylistPinRecord {
    init(row: inout Row) throws(DatabaseError) {
        playlist = try row.next()
        uid = try row.next()
        pinnedMilliseconds = try row.next()
    }
}

/// An account that may edit a playlist of another one.
struct PlaylistCollaboratorRecord: Record, Equatable {
    typealias Key = PlaylistUserKey

    let playlist: Int64
    let uid: UserID
    let joinedMilliseconds: Int64

    static let playlist = Column("playlist", \Self.playlist, .references(PlaylistRecord.self, onDelete: .cascade))
    static let uid = Column("uid", \Self.uid, .references(UserRecord.self, onDelete: .cascade))
    static let joined = Column("joined_ms", \Self.joinedMilliseconds)

    static let table = Table<Self>(
        "playlist_collaborators", playlist, uid, joined,
        rules: [
            .primaryKey(playlist, uid),
            .index("playlist_collaborators_by_user", on: uid.ascending, playlist.ascending),
        ])

    func bind(to values: inout Binder) {
        values.next(playlist)
        values.next(uid)
        values.next(joinedMilliseconds)
    }
}

extension PlaylistCollaboratorRecord {
    init(row: inout Row) throws(DatabaseError) {
        playlist = try row.next()
        uid = try row.next()
        joinedMilliseconds = try row.next()
    }
}
