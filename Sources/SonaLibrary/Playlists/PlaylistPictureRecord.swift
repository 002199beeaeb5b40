internal import SonaDatabase
internal import SonaModel

/// A playlist's own picture. The large columns come last, because SQLite reads a row from its beginning.
struct PlaylistPictureRecord: Record, Equatable {
    typealias Key = Int64

    let playlist: Int64
    let picture: StoredPicture

    static let playlist = Column(
        "playlist", \Self.playlist, .primaryKey, .references(PlaylistRecord.self, onDelete: .cascade))
    static let id = Column("id", \Self.picture.id, .unique, .byteCount(1...64))
    static let color = Column("color", \Self.picture.color, .range(0...0xFF_FFFF))
    static let foreground = Column("foreground", \Self.picture.foreground, .range(0...0xFF_FFFF))
    static let width = Column("width", \Self.picture.width)
    static let height = Column("height", \Self.picture.height)
    static let created = Column("created_ms", \Self.picture.createdMilliseconds)
    static let px32 = Column("px32", \Self.picture.px32)
    static let px64 = Column("px64", \Self.picture.px64)
    static let full = Column("px_full", \Self.picture.full)

    static let table = Table<Self>(
        "playlist_pictures", playlist, id, color, foreground, width, height, created, px32, px64, full)

    func bind(to values: inout Binder) {
        values.next(playlist)
        picture.bind(to: &values)
    }
}

extension PlaylistPictureRecord {
    init(row: inout Row) throws(DatabaseError) {
        playlist = try row.next()
        picture = try StoredPicture(row: &row)
    }
}
