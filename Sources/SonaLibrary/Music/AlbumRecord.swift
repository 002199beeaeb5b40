internal import SonaDatabase
internal import SonaWire

/// An album, or a single.
struct AlbumRecord: Record, Equatable {
    typealias Key = Int64

    var number: Int64?
    let id: MusicID
    var name: String
    let key: String
    /// All artists as one line. Empty for albums of various artists.
    var artist: String
    var artistKey: String
    var sort: [UInt8]
    var artistSort: [UInt8]
    var year: Int?
    /// Distinguishes the album from others (`AlbumIdentity`).
    let identity: String
    let addedMilliseconds: Int64

    static let number = Column("number", \Self.number, .primaryKey)
    static let id = Column("id", \Self.id, .unique)
    static let name = Column("name", \Self.name, .byteCount(1...Limits.musicTextBytesMax))
    static let key = Column("key", \Self.key)
    static let artist = Column("artist", \Self.artist, .byteCount(...Limits.musicTextBytesMax))
    static let artistKey = Column("artist_key", \Self.artistKey)
    static let sort = Column("sort", \Self.sort)
    static let artistSort = Column("artist_sort", \Self.artistSort)
    static let year = Column("year", \Self.year)
    static let identity = Column("identity", \Self.identity, .unique)
    static let added = Column("added_ms", \Self.addedMilliseconds)

    static let table = Table<Self>(
        "albums", number, id, name, key, artist, artistKey, sort, artistSort, year, identity, added,
        rules: [
            .index("albums_by_name", on: sort.ascending, number.ascending),
            .index("albums_by_artist", on: artistSort.ascending, number.ascending),
            .index("albums_by_age", on: added.ascending, number.ascending),
        ], search: SearchIndex(key, artistKey, prefixes: [1, 2, 3]))

    func bind(to values: inout Binder) {
        values.next(number)
        values.next(id)
        values.next(name)
        values.next(key)
        values.next(artist)
        values.next(artistKey)
        values.next(sort)
        values.next(artistSort)
        values.next(year)
        values.next(identity)
        values.next(addedMilliseconds)
    }
}

extension AlbumRecord {
    init(row: inout Row) throws(DatabaseError) {
        number = try row.next()
        id = try row.next()
        name = try row.next()
        key = try row.next()
        artist = try row.next()
        artistKey = try row.next()
        sort = try row.next()
        artistSort = try row.next()
        year = try row.next()
        identity = try row.next()
        addedMilliseconds = try row.next()
    }
}
