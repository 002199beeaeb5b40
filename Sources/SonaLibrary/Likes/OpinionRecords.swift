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

/// An account's opinion of a thing: a like, a rating, or both.
struct StoredOpinion: Equatable, Sendable {
    let uid: UserID
    /// The number of the thing in its table.
    let thing: Int64
    /// The time of the like.
    var likedMilliseconds: Int64?
    var rating: Int?
}

/// An opinion of one kind of things. Each kind has a table of its own, so that a foreign key holds its rows; the tables
/// differ in nothing else.
protocol OpinionRecord: Record, Equatable where Key == OpinionKey {
    var opinion: StoredOpinion { get }

    init(_ opinion: StoredOpinion)
}

extension OpinionRecord {
    init(row: inout Row) throws(DatabaseError) {
        self.init(
            StoredOpinion(
                uid: try row.next(), thing: try row.next(), likedMilliseconds: try row.next(), rating: try row.next()))
    }

    func bind(to values: inout Binder) {
        values.next(opinion.uid)
        values.next(opinion.thing)
        values.next(opinion.likedMilliseconds)
        values.next(opinion.rating)
    }

    /// The table of opinions of `things`.
    ///
    /// - Parameters:
    ///   - name: That of the table.
    ///   - column: The column that has the number of the thing.
    ///   - byThing: The index that finds all opinions of a thing.
    ///   - likes: The index that has the likes of an account in order.
    static func opinions<Thing: Record>(
        _ name: StaticString, of things: Thing.Type, _ column: StaticString, byThing: StaticString,
        likes: StaticString
    ) -> Table<Self> where Thing.Key == Int64 {
        let uid = Column("uid", \Self.opinion.uid, .references(UserRecord.self, onDelete: .cascade))
        let thing = Column(column, \Self.opinion.thing, .references(things, onDelete: .cascade))
        let liked = Column("liked_ms", \Self.opinion.likedMilliseconds)
        let rating = Column("rating", \Self.opinion.rating, .check("rating BETWEEN 1 AND 5"))
        return Table(
            name, uid, thing, liked, rating,
            rules: [
                .primaryKey(uid, thing), .check("liked_ms IS NOT NULL OR rating IS NOT NULL"),
                .index(byThing, on: thing.ascending),
                .index(
                    likes, on: uid.ascending, liked.descending, thing.descending, where: "liked_ms IS NOT NULL"),
            ])
    }
}

struct TrackOpinionRecord: OpinionRecord {
    let opinion: StoredOpinion

    static let table = opinions(
        "track_opinions", of: TrackRecord.self, "track", byThing: "track_opinions_by_track", likes: "track_likes")

    init(_ opinion: StoredOpinion) { self.opinion = opinion }
}

struct AlbumOpinionRecord: OpinionRecord {
    let opinion: StoredOpinion

    static let table = opinions(
        "album_opinions", of: AlbumRecord.self, "album", byThing: "album_opinions_by_album", likes: "album_likes")

    init(_ opinion: StoredOpinion) { self.opinion = opinion }
}

struct ArtistOpinionRecord: OpinionRecord {
    let opinion: StoredOpinion

    static let table = opinions(
        "artist_opinions", of: ArtistRecord.self, "artist", byThing: "artist_opinions_by_artist",
        likes: "artist_likes")

    init(_ opinion: StoredOpinion) { self.opinion = opinion }
}

struct PlaylistOpinionRecord: OpinionRecord {
    let opinion: StoredOpinion

    static let table = opinions(
        "playlist_opinions", of: PlaylistRecord.self, "playlist", byThing: "playlist_opinions_by_playlist",
        likes: "playlist_likes")

    init(_ opinion: StoredOpinion) { self.opinion = opinion }
}
