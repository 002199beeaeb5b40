internal import SonaDatabase
internal import SonaWire

/// A picture in three sizes, as it is stored: somebody's photo, or a room's.
struct StoredPicture: Equatable, Sendable {
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
}

extension StoredPicture {
    init(row: inout Row) throws(DatabaseError) {
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

    func bind(to values: inout Binder) {
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
