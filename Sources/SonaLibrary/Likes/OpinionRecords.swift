internal import SonaDatabase
internal import SonaModel
internal import SonaWire

/// The key of an opinion: whose, and of what.
struct OpinionKey: RecordKey, Hashable {
    static let columnCount = 2

    let uid: UserID
    let of: Int64

    init(_ uid: UserID, _ of: Int64) {
        self.uid = uid
        self.of = of
    }

    init(row: inout Row) throws(DatabaseError) {
        uid = try row.next()
        of = try row.next()
    }

    func bind(to values: inout Binder) {
        values.next(uid)
        values.next(of)
    }
}

/// An account's opinion of a track: a like, a rating, or both.
struct TrackOpinionRecord: Record, Equatable {
    typealias Key = OpinionKey

    let uid: UserID
    let track: Int64
    /// The time of the like.
    var likedMilliseconds: Int64?
    var rating: Int?

    static let uid = Column("uid", \Self.uid, .references(UserRecord.self, onDelete: .cascade))
    static let track = Column("track", \Self.track, .references(TrackRecord.self, onDelete: .cascade))
    static let liked = Column("liked_ms", \Self.likedMilliseconds)
    static let rating = Column("rating", \Self.rating, .check("rating BETWEEN 1 AND 5"))

    static let table = Table<Self>(
        "track_opinions", uid, track, liked, rating,
        rules: [
            .primaryKey(uid, track), .check("liked_ms IS NOT NULL OR rating IS NOT NULL"),
            .index("track_opinions_by_track", on: track.ascending),
            .index(
                "track_likes", on: uid.ascending, liked.descending, track.descending,
                where: "liked_ms IS NOT NULL"),
        ])

    func bind(to values: inout Binder) {
        values.next(uid)
        values.next(track)
        values.next(likedMilliseconds)
        values.next(rating)
    }
}

extension TrackOpinionRecord {
    init(row: inout Row) throws(DatabaseError) {
        uid = try row.next()
        track = try row.next()
        likedMilliseconds = try row.next()
        rating = try row.next()
    }
}

/// An account's opinion of an album: a like, a rating, or both.
struct AlbumOpinionRecord: Record, Equatable {
    typealias Key = OpinionKey

    let uid: UserID
    let album: Int64
    /// The time of the like.
    var likedMilliseconds: Int64?
    var rating: Int?

    static let uid = Column("uid", \Self.uid, .references(UserRecord.self, onDelete: .cascade))
    static let album = Column("album", \Self.album, .references(AlbumRecord.self, onDelete: .cascade))
    static let liked = Column("liked_ms", \Self.likedMilliseconds)
    static let rating = Column("rating", \Self.rating, .check("rating BETWEEN 1 AND 5"))

    static let table = Table<Self>(
        "album_opinions", uid, album, liked, rating,
        rules: [
            .primaryKey(uid, album), .check("liked_ms IS NOT NULL OR rating IS NOT NULL"),
            .index("album_opinions_by_album", on: album.ascending),
            .index(
                "album_likes", on: uid.ascending, liked.descending, album.descending,
                where: "liked_ms IS NOT NULL"),
        ])

    func bind(to values: inout Binder) {
        values.next(uid)
        values.next(album)
        values.next(likedMilliseconds)
        values.next(rating)
    }
}

extension AlbumOpinionRecord {
    init(row: inout Row) throws(DatabaseError) {
        uid = try row.next()
        album = try row.next()
        likedMilliseconds = try row.next()
        rating = try row.next()
    }
}

/// An account's opinion of an artist: a like, a rating, or both.
struct ArtistOpinionRecord: Record, Equatable {
    typealias Key = OpinionKey

    let uid: UserID
    let artist: Int64
    /// The time of the like.
    var likedMilliseconds: Int64?
    var rating: Int?

    static let uid = Column("uid", \Self.uid, .references(UserRecord.self, onDelete: .cascade))
    static let artist = Column("artist", \Self.artist, .references(ArtistRecord.self, onDelete: .cascade))
    static let liked = Column("liked_ms", \Self.likedMilliseconds)
    static let rating = Column("rating", \Self.rating, .check("rating BETWEEN 1 AND 5"))

    static let table = Table<Self>(
        "artist_opinions", uid, artist, liked, rating,
        rules: [
            .primaryKey(uid, artist), .check("liked_ms IS NOT NULL OR rating IS NOT NULL"),
            .index("artist_opinions_by_artist", on: artist.ascending),
            .index(
                "artist_likes", on: uid.ascending, liked.descending, artist.descending,
                where: "liked_ms IS NOT NULL"),
        ])

    func bind(to values: inout Binder) {
        values.next(uid)
        values.next(artist)
        values.next(likedMilliseconds)
        values.next(rating)
    }
}

extension ArtistOpinionRecord {
    init(row: inout Row) throws(DatabaseError) {
        uid = try row.next()
        artist = try row.next()
        likedMilliseconds = try row.next()
        rating = try row.next()
    }
}

/// An account's opinion of a playlist: a like, a rating, or both.
struct PlaylistOpinionRecord: Record, Equatable {
    typealias Key = OpinionKey

    let uid: UserID
    let playlist: Int64
    /// The time of the like.
    var likedMilliseconds: Int64?
    var rating: Int?

    static let uid = Column("uid", \Self.uid, .references(UserRecord.self, onDelete: .cascade))
    static let playlist = Column("playlist", \Self.playlist, .references(PlaylistRecord.self, onDelete: .cascade))
    static let liked = Column("liked_ms", \Self.likedMilliseconds)
    static let rating = Column("rating", \Self.rating, .check("rating BETWEEN 1 AND 5"))

    static let table = Table<Self>(
        "playlist_opinions", uid, playlist, liked, rating,
        rules: [
            .primaryKey(uid, playlist), .check("liked_ms IS NOT NULL OR rating IS NOT NULL"),
            .index("playlist_opinions_by_playlist", on: playlist.ascending),
            .index(
                "playlist_likes", on: uid.ascending, liked.descending, playlist.descending,
                where: "liked_ms IS NOT NULL"),
        ])

    func bind(to values: inout Binder) {
        values.next(uid)
        values.next(playlist)
        values.next(likedMilliseconds)
        values.next(rating)
    }
}

extension PlaylistOpinionRecord {
    init(row: inout Row) throws(DatabaseError) {
        uid = try row.next()
        playlist = try row.next()
        likedMilliseconds = try row.next()
        rating = try row.next()
    }
}
