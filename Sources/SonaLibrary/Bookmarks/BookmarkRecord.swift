internal import SonaDatabase
internal import SonaModel
internal import SonaWire

/// A place in a track that an account comes back to.
struct BookmarkRecord: Record, Equatable {
    typealias Key = OpinionKey

    let uid: UserID
    let track: Int64
    /// From the beginning of the track.
    var positionMilliseconds: Int64
    var comment: String?
    let createdMilliseconds: Int64
    var changedMilliseconds: Int64

    static let uid = Column("uid", \Self.uid, .references(UserRecord.self, onDelete: .cascade))
    static let track = Column("track", \Self.track, .references(TrackRecord.self, onDelete: .cascade))
    static let position = Column("position_ms", \Self.positionMilliseconds, .range(0...Limits.integerMax))
    static let comment = Column("comment", \Self.comment, .byteCount(1...Bookmarks.commentBytesMax))
    static let created = Column("created_ms", \Self.createdMilliseconds)
    static let changed = Column("changed_ms", \Self.changedMilliseconds)

    static let table = Table<Self>(
        "bookmarks", uid, track, position, comment, created, changed,
        rules: [.primaryKey(uid, track), .index("bookmarks_by_track", on: track.ascending)])

    func bind(to values: inout Binder) {
        values.next(uid)
        values.next(track)
        values.next(positionMilliseconds)
        values.next(comment)
        values.next(createdMilliseconds)
        values.next(changedMilliseconds)
    }
}

extension BookmarkRecord {
    init(row: inout Row) throws(DatabaseError) {
        uid = try row.next()
        track = try row.next()
        positionMilliseconds = try row.next()
        comment = try row.next()
        createdMilliseconds = try row.next()
        changedMilliseconds = try row.next()
    }
}

/// Storage of bookmarks.
struct BookmarkDAO: RefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(BookmarkRecord.self) }

    static func meaning(of error: DatabaseError) -> Refusal? {
        switch error.kind {
        // The account is gone.
        case .foreignKey: .tokenInvalid
        case .check: .invalid
        default: nil
        }
    }
}
