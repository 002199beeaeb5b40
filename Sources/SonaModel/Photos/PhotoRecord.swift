internal import SonaDatabase
internal import SonaWire

/// The photo of a profile, in three sizes. The large columns come last: SQLite reads a row from its beginning.
struct PhotoRecord: Record, Equatable {
    typealias Key = UserID

    let uid: UserID
    /// Another for each upload: what an address once showed, it shows for ever or not at all.
    let id: String
    /// 0xRRGGBB.
    let color: Int
    let foreground: Int
    let width: Int
    let height: Int
    let createdMilliseconds: Int64
    /// WebP, like the others.
    let px32: [UInt8]
    let px64: [UInt8]
    let full: [UInt8]

    static let uid = Column("uid", \Self.uid, .primaryKey, .references(UserRecord.self, onDelete: .cascade))
    static let id = Column("id", \Self.id, .unique, .byteCount(1...64))
    static let color = Column("color", \Self.color, .range(0...0xFF_FFFF))
    static let foreground = Column("foreground", \Self.foreground, .range(0...0xFF_FFFF))
    static let width = Column("width", \Self.width)
    static let height = Column("height", \Self.height)
    static let created = Column("created_ms", \Self.createdMilliseconds)
    static let px32 = Column("px32", \Self.px32)
    static let px64 = Column("px64", \Self.px64)
    static let full = Column("px_full", \Self.full)

    static let table = Table<Self>(
        "photos", uid, id, color, foreground, width, height, created, px32, px64, full)

    func bind(to values: inout Binder) {
        values.next(uid)
        values.next(id)
        values.next(color)
        values.next(foreground)
        values.next(width)
        values.next(height)
        values.next(createdMilliseconds)
        values.next(px32)
        values.next(px64)
        values.next(full)
    }
}

extension PhotoRecord {
    init(row: inout Row) throws(DatabaseError) {
        uid = try row.next()
        id = try row.next()
        color = try row.next()
        foreground = try row.next()
        width = try row.next()
        height = try row.next()
        createdMilliseconds = try row.next()
        px32 = try row.next()
        px64 = try row.next()
        full = try row.next()
    }
}
