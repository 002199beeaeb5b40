internal import SonaDatabase
internal import SonaWire

/// The cover of a track that a host plays in a room. The large columns come last, because SQLite reads a row from its
/// beginning.
struct RoomCoverRecord: Record, Equatable {
    typealias Key = String

    let picture: StoredPicture
    let room: RoomID
    /// SHA-256 of the bytes that were sent, in hexadecimal: one album has one cover.
    let digest: String

    static let id = Column("id", \Self.picture.id, .primaryKey, .byteCount(1...64))
    static let room = Column("room_id", \Self.room, .references(RoomRecord.self, onDelete: .cascade))
    static let digest = Column("digest", \Self.digest, .byteCount(64...64))
    static let color = Column("color", \Self.picture.color, .range(0...0xFF_FFFF))
    static let foreground = Column("foreground", \Self.picture.foreground, .range(0...0xFF_FFFF))
    static let width = Column("width", \Self.picture.width)
    static let height = Column("height", \Self.picture.height)
    static let created = Column("created_ms", \Self.picture.createdMilliseconds)
    static let px32 = Column("px32", \Self.picture.px32)
    static let px64 = Column("px64", \Self.picture.px64)
    static let full = Column("px_full", \Self.picture.full)

    static let table = Table<Self>(
        "room_covers", id, room, digest, color, foreground, width, height, created, px32, px64, full,
        rules: [.unique(room, digest), .index("room_covers_by_age", on: room.ascending, created.ascending)])

    func bind(to values: inout Binder) {
        values.next(picture.id)
        values.next(room)
        values.next(digest)
        values.next(picture.color)
        values.next(picture.foreground)
        values.next(picture.width)
        values.next(picture.height)
        values.next(picture.createdMilliseconds)
        values.next(picture.px32)
        values.next(picture.px64)
        values.next(picture.full)
    }
}

extension RoomCoverRecord {
    init(row: inout Row) throws(DatabaseError) {
        let id: String = try row.next()
        room = try row.next()
        digest = try row.next()
        picture = StoredPicture(
            id: id, color: try row.next(), foreground: try row.next(), width: try row.next(), height: try row.next(),
            createdMilliseconds: try row.next(), px32: try row.next(), px64: try row.next(), full: try row.next())
    }
}
