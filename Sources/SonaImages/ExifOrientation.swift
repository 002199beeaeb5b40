/// Reads one thing out of Exif metadata: which way up the picture is. All else in there is dropped unread.
///
/// Layout of the TIFF inside, offsets in bytes from its start:
///
///     0  2  "II": numbers are little-endian; "MM": big-endian
///     2  2  42
///     4  4  offset of IFD 0
///     IFD:  2 bytes count, then per entry 2 tag, 2 type, 4 count, 4 value (a SHORT lies in its first two)
///
/// Only IFD 0 is walked, which costs at most 65 535 steps and ends with the bytes; no offset in it is followed.
/// Source: TIFF 6.0 §2, Exif 2.32 §4.6.
enum ExifOrientation {
    /// - Parameter metadata: TIFF data, with or without "Exif", 0, 0 before it, as JPEG has it and some WebP files do.
    /// - Returns: `.upright` if nothing readable says otherwise: a picture is not refused for its metadata.
    static func read(_ metadata: ArraySlice<UInt8>) -> Orientation {
        let tiff = metadata.starts(with: prefix) ? metadata.dropFirst(prefix.count) : metadata
        guard let fields = fields(of: tiff), fields.uint16(at: 2) == 42,
            let directory = fields.uint32(at: 4), let count = fields.uint16(at: directory)
        else { return .upright }
        for entry in 0..<count {
            let offset = directory + 2 + 12 * entry
            guard let tag = fields.uint16(at: offset) else { break }
            guard tag == orientationTag else { continue }
            guard fields.uint16(at: offset + 2) == shortType, let value = fields.uint16(at: offset + 8) else { break }
            return Orientation(rawValue: value) ?? .upright
        }
        return .upright
    }

    static let prefix: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]
    private static let orientationTag = 0x0112
    private static let shortType = 3

    private static func fields(of tiff: ArraySlice<UInt8>) -> ByteFields? {
        if tiff.starts(with: "II".utf8) { return ByteFields(tiff, .littleEndian) }
        if tiff.starts(with: "MM".utf8) { return ByteFields(tiff, .bigEndian) }
        return nil
    }
}
