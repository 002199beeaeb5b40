/// Writes PNG files of every kind, and broken ones, chunk by chunk. Pixels are stored, not compressed.
struct PNGFixture {
    var width: Int
    var height: Int
    var depth: UInt8
    /// 0 grey, 2 colour, 3 palette, 4 grey and alpha, 6 colour and alpha.
    var colorType: UInt8
    /// Packed samples of each row.
    var rows: [[UInt8]]
    var isInterlaced = false
    /// The filter that each row claims to have: 0 none, 1 left, 2 above, 3 mean, 4 Paeth.
    var filter: UInt8 = 0

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    static let end = chunk("IEND", [])

    /// Red, green, blue, alpha of 0xAARRGGBB, each of 8 or 16 bits.
    static func samples(_ pixel: UInt32, _ depth: UInt8) -> [UInt8] {
        let channels = [16, 8, 0, 24].map { UInt8(pixel >> $0 & 0xFF) }
        return depth == 16 ? channels.flatMap { [$0, $0] } : channels
    }

    static func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) } }

    static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let checked = Array(name.utf8) + content
        return number(content.count) + checked + number(Int(checksum(checked)))
    }

    var head: [UInt8] {
        Self.chunk(
            "IHDR", Self.number(width) + Self.number(height) + [depth, colorType, 0, 0, isInterlaced ? 1 : 0])
    }

    /// The file. `between` goes before the pixels, `after` after them.
    func file(_ between: [UInt8] = [], after: [UInt8] = []) -> [UInt8] {
        Self.signature + head + between + Self.chunk("IDAT", Self.stored(filtered)) + after + Self.end
    }

    /// The bytes to compress: each row with its filter in front.
    var filtered: [UInt8] { isInterlaced ? interlaced : rows.flatMap { [filter] + $0 } }

    /// Adam7, for depths of whole bytes. Source: PNG (third edition) §8.1.
    private var interlaced: [UInt8] {
        let passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
        let bytesPerPixel = (rows.first?.count ?? 0) / width
        var result: [UInt8] = []
        for (left, top, columns, lines) in passes where left < width {
            for y in stride(from: top, to: height, by: lines) {
                result.append(filter)
                for x in stride(from: left, to: width, by: columns) {
                    result += rows[y].dropFirst(x * bytesPerPixel).prefix(bytesPerPixel)
                }
            }
        }
        return result
    }

    /// A zlib stream of stored blocks. Source: RFC 1950 §2.2, RFC 1951 §3.2.4.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        var offset = 0
        repeat {
            let count = min(65_535, bytes.count - offset)
            let (low, high) = (UInt8(count & 0xFF), UInt8(count >> 8))
            result += [offset + count == bytes.count ? 1 : 0, low, high, ~low, ~high]
            result += bytes[offset..<offset + count]
            offset += count
        } while offset < bytes.count
        var (one, two) = (1, 0)
        for byte in bytes {
            one = (one + Int(byte)) % 65_521
            two = (two + one) % 65_521
        }
        return result + number(two << 16 | one)
    }

    /// CRC-32. Source: PNG (third edition), annex D.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }
}
