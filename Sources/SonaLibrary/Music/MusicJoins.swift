internal import SonaDatabase
internal import SonaWire

/// The key of a join: whose, and the place among its own, from 0.
struct PlaceKey: RecordKey, Hashable {
    static let columnCount = 2

    let of: Int64
    let place: Int

    init(row: inout Row) throws(DatabaseError) {
        of = try row.next()
        place = try row.next()
    }

    init(_ of: Int64, _ place: Int) {
        self.of = of
        self.place = place
    }

    func bind(to values: inout Binder) {
        values.next(of)
        values.next(place)
    }
}

/// An artist of a track. Tracks keep the order of their artists.
struct TrackArtistRecord: Record, Equatable {
    typealias Key = PlaceKey

    let track: Int64
    let place: Int
    let artist: Int64

    static let track = Column("track", \Self.track, .references(TrackRecord.self, onDelete: .cascade))
    static let place = Column("place", \Self.place)
    static let artist = Column("artist", \Self.artist, .references(ArtistRecord.self, onDelete: .cascade))

    static let table = Table<Self>(
        "track_artists", track, place, artist,
        rules: [
            .primaryKey(track, place), .index("track_artists_by_artist", on: artist.ascending, track.ascending),
        ])

    func bind(to values: inout Binder) {
        values.next(track)
        values.next(place)
        values.next(artist)
    }
}

extension TrackArtistRecord {
    init(row: inout Row) throws(DatabaseError) {
        track = try row.next()
        place = try row.next()
        artist = try row.next()
    }
}

/// An artist of an album.
struct AlbumArtistRecord: Record, Equatable {
    typealias Key = PlaceKey

    let album: Int64
    let place: Int
    let artist: Int64

    static let album = Column("album", \Self.album, .references(AlbumRecord.self, onDelete: .cascade))
    static let place = Column("place", \Self.place)
    static let artist = Column("artist", \Self.artist, .references(ArtistRecord.self, onDelete: .cascade))

    static let table = Table<Self>(
        "album_artists", album, place, artist,
        rules: [
            .primaryKey(album, place), .index("album_artists_by_artist", on: artist.ascending, album.ascending),
        ])

    func bind(to values: inout Binder) {
        values.next(album)
        values.next(place)
        values.next(artist)
    }
}

extension AlbumArtistRecord {
    init(row: inout Row) throws(DatabaseError) {
        album = try row.next()
        place = try row.next()
        artist = try row.next()
    }
}

/// A genre of a track.
struct TrackGenreRecord: Record, Equatable {
    typealias Key = PlaceKey

    let track: Int64
    let place: Int
    let genre: Int64

    static let track = Column("track", \Self.track, .references(TrackRecord.self, onDelete: .cascade))
    static let place = Column("place", \Self.place)
    static let genre = Column("genre", \Self.genre, .references(GenreRecord.self, onDelete: .cascade))

    static let table = Table<Self>(
        "track_genres", track, place, genre,
        rules: [
            .primaryKey(track, place), .index("track_genres_by_genre", on: genre.ascending, track.ascending),
        ])

    func bind(to values: inout Binder) {
        values.next(track)
        values.next(place)
        values.next(genre)
    }
}

extension TrackGenreRecord {
    init(row: inout Row) throws(DatabaseError) {
        track = try row.next()
        place = try row.next()
        genre = try row.next()
    }
}
