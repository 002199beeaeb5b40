internal import SonaDatabase
internal import SonaWire

/// An artist. Artists whose names have one `SearchKey` are one artist.
struct ArtistRecord: Record, Equatable {
    typealias Key = Int64

    var number: Int64?
    let id: MusicID
    var name: String
    let key: String
    var sort: [UInt8]
    /// The plays of all tracks of the artist together (`PlayCounters`).
    var plays: Int64 = 0

    static let number = Column("number", \Self.number, .primaryKey)
    static let id = Column("id", \Self.id, .unique)
    static let name = Column("name", \Self.name, .byteCount(1...Limits.musicTextBytesMax))
    static let key = Column("key", \Self.key, .unique)
    static let sort = Column("sort", \Self.sort)
    static let plays = Column("plays", \Self.plays, .defaults(to: 0))

    static let table = Table<Self>(
        "artists", number, id, name, key, sort, plays,
        rules: [
            .index("artists_by_name", on: sort.ascending, number.ascending),
            .index("artists_by_plays", on: plays.descending, number.descending),
        ],
        search: SearchIndex(key, prefixes: [1, 2, 3]))

    func bind(to values: inout Binder) {
        values.next(number)
        values.next(id)
        values.next(name)
        values.next(key)
        values.next(sort)
        values.next(plays)
    }
}

extension ArtistRecord {
    init(row: inout Row) throws(DatabaseError) {
        number = try row.next()
        id = try row.next()
        name = try row.next()
        key = try row.next()
        sort = try row.next()
        plays = try row.next()
    }
}

/// A genre. Genres whose names have one `SearchKey` are one genre.
struct GenreRecord: Record, Equatable {
    typealias Key = Int64

    var number: Int64?
    let id: MusicID
    var name: String
    let key: String
    var sort: [UInt8]

    static let number = Column("number", \Self.number, .primaryKey)
    static let id = Column("id", \Self.id, .unique)
    static let name = Column("name", \Self.name, .byteCount(1...Limits.musicTextBytesMax))
    static let key = Column("key", \Self.key, .unique)
    static let sort = Column("sort", \Self.sort)

    static let table = Table<Self>(
        "genres", number, id, name, key, sort,
        rules: [.index("genres_by_name", on: sort.ascending, number.ascending)])

    func bind(to values: inout Binder) {
        values.next(number)
        values.next(id)
        values.next(name)
        values.next(key)
        values.next(sort)
    }
}

extension GenreRecord {
    init(row: inout Row) throws(DatabaseError) {
        number = try row.next()
        id = try row.next()
        name = try row.next()
        key = try row.next()
        sort = try row.next()
    }
}
