package import SonaDatabase

/// A picture in three sizes as it is stored: a profile's photo, or the picture of a room or a playlist.
package struct StoredPicture: Equatable, Sendable {
    /// A new identifier for each upload, so that an address always shows the same picture or none.
    package let id: String
    /// 0xRRGGBB.
    package let color: Int
    package let foreground: Int
    package let width: Int
    package let height: Int
    package let createdMilliseconds: Int64
    /// WebP, 32 × 32 pixels.
    package let px32: [UInt8]
    package let px64: [UInt8]
    package let full: [UInt8]
}

extension StoredPicture {
    package init(row: inout Row) throws(DatabaseError) {
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

    package func bind(to values: inout Binder) {
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
