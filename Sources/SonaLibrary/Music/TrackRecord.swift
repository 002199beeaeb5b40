internal import SonaDatabase
internal import SonaModel
internal import SonaWire

/// A track as people see it: what its file says, with the edits of its owner or a curator on top.
struct TrackRecord: Record, Equatable {
    typealias Key = Int64

    var number: Int64?
    let id: MusicID
    var title: String
    /// All artists as one line. Empty if unknown.
    var artist = ""
    /// Empty if the track is on no album.
    var album = ""
    /// The three texts above as `SearchKey`s.
    var titleKey = ""
    var artistKey = ""
    var albumKey = ""
    /// `SortKey`s: of the title; of the first artist; of the album.
    var titleSort: [UInt8] = []
    var artistSort: [UInt8] = []
    var albumSort: [UInt8] = []
    var albumNumber: Int64?
    /// The place on the album.
    var disc: Int?
    var place: Int?
    var year: Int?
    var durationMilliseconds: Int64 = 0
    /// The format, a word of `SoundKind`.
    var kind: String
    /// kb/s, samples a second, and channels; 0 if unknown.
    var bitrate = 0
    var sampleRate = 0
    var channels = 0
    /// Hundredths of LUFS and of dBTP; `nil` until measured.
    var loudness: Int?
    var peak: Int?
    /// Who uploaded it. `nil` for tracks of a folder.
    let owner: UserID?
    var status: TrackStatus?
    /// Who sees it, for conditions of one column (`TrackScope`).
    var scope: Int64
    var plays: Int64 = 0
    let addedMilliseconds: Int64
    var changedMilliseconds: Int64
    /// `Popularity.score`; `nil` if nobody is known to have heard it.
    var popularity: Double?

    static let number = Column("number", \Self.number, .primaryKey)
    static let id = Column("id", \Self.id, .unique)
    static let title = Column("title", \Self.title, .byteCount(1...Limits.musicTextBytesMax))
    static let artist = Column("artist", \Self.artist, .byteCount(...Limits.musicTextBytesMax))
    static let album = Column("album_name", \Self.album, .byteCount(...Limits.musicTextBytesMax))
    static let titleKey = Column("title_key", \Self.titleKey)
    static let artistKey = Column("artist_key", \Self.artistKey)
    static let albumKey = Column("album_key", \Self.albumKey)
    static let titleSort = Column("title_sort", \Self.titleSort)
    static let artistSort = Column("artist_sort", \Self.artistSort)
    static let albumSort = Column("album_sort", \Self.albumSort)
    static let albumNumber = Column(
        "album", \Self.albumNumber, .references(AlbumRecord.self, onDelete: .setNull))
    static let disc = Column("disc", \Self.disc)
    static let place = Column("place", \Self.place)
    static let year = Column("year", \Self.year)
    static let duration = Column("duration_ms", \Self.durationMilliseconds, .range(0...Int64.max))
    static let kind = Column("kind", \Self.kind, .byteCount(1...16))
    static let bitrate = Column("bitrate", \Self.bitrate)
    static let sampleRate = Column("sample_rate", \Self.sampleRate)
    static let channels = Column("channels", \Self.channels)
    static let loudness = Column("loudness", \Self.loudness)
    static let peak = Column("peak", \Self.peak)
    static let owner = Column("owner_uid", \Self.owner, .references(UserRecord.self, onDelete: .cascade))
    static let status = Column("status", \Self.status, .check("status IN ('pending', 'approved', 'rejected')"))
    static let scope = Column("scope", \Self.scope)
    static let plays = Column("plays", \Self.plays, .defaults(to: 0))
    static let added = Column("added_ms", \Self.addedMilliseconds)
    static let changed = Column("changed_ms", \Self.changedMilliseconds)
    static let popularity = Column("popularity", \Self.popularity)

    static let table = Table<Self>(
        "tracks", number, id, title, artist, album, titleKey, artistKey, albumKey, titleSort, artistSort,
        albumSort, albumNumber, disc, place, year, duration, kind, bitrate, sampleRate, channels, loudness, peak,
        owner, status, scope, plays, added, changed, popularity,
        rules: [
            .index("tracks_by_title", on: titleSort.ascending, number.ascending),
            .index("tracks_by_artist", on: artistSort.ascending, number.ascending),
            .index("tracks_by_age", on: added.ascending, number.ascending),
            .index("tracks_by_plays", on: plays.descending, number.descending),
            .index("tracks_by_album", on: albumNumber.ascending, disc.ascending, place.ascending),
            .index(
                "popular_tracks", on: popularity.descending, number.descending, where: "popularity IS NOT NULL"),
            .index("tracks_by_owner", on: owner.ascending, where: "owner_uid IS NOT NULL"),
        ], search: SearchIndex(titleKey, artistKey, albumKey, prefixes: [1, 2, 3]))

    func bind(to values: inout Binder) {
        values.next(number)
        values.next(id)
        values.next(title)
        values.next(artist)
        values.next(album)
        values.next(titleKey)
        values.next(artistKey)
        values.next(albumKey)
        values.next(titleSort)
        values.next(artistSort)
        values.next(albumSort)
        values.next(albumNumber)
        values.next(disc)
        values.next(place)
        values.next(year)
        values.next(durationMilliseconds)
        values.next(kind)
        values.next(bitrate)
        values.next(sampleRate)
        values.next(channels)
        values.next(loudness)
        values.next(peak)
        values.next(owner)
        values.next(status)
        values.next(scope)
        values.next(plays)
        values.next(addedMilliseconds)
        values.next(changedMilliseconds)
        values.next(popularity)
    }
}

extension TrackRecord {
    init(row: inout Row) throws(DatabaseError) {
        number = try row.next()
        id = try row.next()
        title = try row.next()
        artist = try row.next()
        album = try row.next()
        titleKey = try row.next()
        artistKey = try row.next()
        albumKey = try row.next()
        titleSort = try row.next()
        artistSort = try row.next()
        albumSort = try row.next()
        albumNumber = try row.next()
        disc = try row.next()
        place = try row.next()
        year = try row.next()
        durationMilliseconds = try row.next()
        kind = try row.next()
        bitrate = try row.next()
        sampleRate = try row.next()
        channels = try row.next()
        loudness = try row.next()
        peak = try row.next()
        owner = try row.next()
        status = try row.next()
        scope = try row.next()
        plays = try row.next()
        addedMilliseconds = try row.next()
        changedMilliseconds = try row.next()
        popularity = try row.next()
    }
}
