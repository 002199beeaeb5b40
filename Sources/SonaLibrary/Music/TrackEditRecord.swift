internal import SonaDatabase
internal import SonaModel
internal import SonaWire

/// Edits of a track, which are shown in place of what its file says. They outlive a new scan of the file.
struct TrackEditRecord: Record, Equatable {
    typealias Key = Int64

    let track: Int64
    var edits: SonaDatabase.JSON<TrackEdits>
    /// Who edited last. `nil`: the operator, or an account that is gone.
    var by: UserID?
    var changedMilliseconds: Int64

    static let track = Column(
        "track", \Self.track, .primaryKey, .references(TrackRecord.self, onDelete: .cascade))
    static let edits = Column("edits", \Self.edits)
    static let by = Column("by_uid", \Self.by, .references(UserRecord.self, onDelete: .setNull))
    static let changed = Column("changed_ms", \Self.changedMilliseconds)

    static let table = Table<Self>(
        "track_edits", track, edits, by, changed, rules: [.index("track_edits_by_user", on: by.ascending)])

    func bind(to values: inout Binder) {
        values.next(track)
        values.next(edits)
        values.next(by)
        values.next(changedMilliseconds)
    }
}

extension TrackEditRecord {
    init(row: inout Row) throws(DatabaseError) {
        track = try row.next()
        edits = try row.next()
        by = try row.next()
        changedMilliseconds = try row.next()
    }
}

/// The edited fields of a track. A field that is `nil` is not edited; an empty text or list means "none".
struct TrackEdits: Codable, Sendable, Equatable {
    var title: String?
    var artists: [String]?
    var album: String?
    var albumArtists: [String]?
    var genres: [String]?
    /// 0 means "none", here and below.
    var year: Int?
    var disc: Int?
    var place: Int?

    var isEmpty: Bool { self == TrackEdits() }
}
