internal import SonaDatabase
internal import SonaWire

/// The picture of a room. The large columns come last, because SQLite reads a row from its beginning.
struct RoomPictureRecord: Record, Equatable {
    typealias Key = RoomID

    let room: RoomID
    let picture: StoredPicture

    static let room = Column("room_id", \Self.room, .primaryKey, .references(RoomRecord.self, onDelete: .cascade))
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
        "room_pictures", room, id, color, foreground, width, height, created, px32, px64, full)

    func bind(to values: inout Binder) {
        values.next(room)
        picture.bind(to: &values)
    }
}

extension RoomPictureRecord {
    init(row: inout Row) throws(DatabaseError) {
        room = try row.next()
        picture = try StoredPicture(row: &row)
    }
}
