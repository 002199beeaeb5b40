/// Exif with an orientation, and places in each format to put it.
enum MetadataFixtures {
    /// A TIFF of one directory: a maker's name, the orientation, and a pointer to a GPS directory.
    static func tiff(orientation: Int, isBigEndian: Bool) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            let bytes = (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) }
            return isBigEndian ? bytes.reversed() : bytes
        }
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            number(tag, 2) + number(type, 2) + number(count, 4) + value
        }
        return Array((isBigEndian ? "MM" : "II").utf8) + number(42, 2) + number(8, 4) + number(3, 2)
            + entry(0x010F, 2, 4, Array("Cam\0".utf8))
            + entry(0x0112, 3, 1, number(orientation, 2) + [0, 0])
            + entry(0x8825, 4, 1, number(50, 4))
            + number(0, 4) + Array("GPSLatitude 52.5200 N".utf8)
    }

    static func exif(orientation: Int, isBigEndian: Bool = false) -> [UInt8] {
        Array("Exif\0\0".utf8) + tiff(orientation: orientation, isBigEndian: isBigEndian)
    }

    /// Puts segments after the first marker of a JPEG.
    static func inserting(_ segments: [(marker: UInt8, content: [UInt8])], intoJPEG bytes: [UInt8]) -> [UInt8] {
        let inserted = segments.flatMap { segment in
            let length = segment.content.count + 2
            return [0xFF, segment.marker, UInt8(length >> 8), UInt8(length & 0xFF)] + segment.content
        }
        return Array(bytes.prefix(2)) + inserted + bytes.dropFirst(2)
    }

    static func webPChunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + littleEndian(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
    }

    static func littleEndian(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) }
    }

    /// A WebP file of these chunks after an extended header with these flags.
    static func webP(_ width: Int, _ height: Int, flags: UInt8, _ chunks: [UInt8]) -> [UInt8] {
        let size = littleEndian(width - 1, 3) + littleEndian(height - 1, 3)
        let content = Array("WEBP".utf8) + webPChunk("VP8X", [flags, 0, 0, 0] + size) + chunks
        return Array("RIFF".utf8) + littleEndian(content.count, 4) + content
    }

    /// An animation of whole frames, each given as a simple WebP file.
    static func animation(_ width: Int, _ height: Int, _ frames: [[UInt8]]) -> [UInt8] {
        let size = littleEndian(width - 1, 3) + littleEndian(height - 1, 3)
        let chunks = frames.flatMap { frame -> [UInt8] in
            // A frame has no extended header of its own.
            let isExtended = frame.dropFirst(12).starts(with: "VP8X".utf8)
            let picture = frame.dropFirst(isExtended ? 30 : 12)
            return webPChunk("ANMF", [0, 0, 0, 0, 0, 0] + size + [100, 0, 0, 0] + picture)
        }
        return webP(width, height, flags: 0x02, webPChunk("ANIM", [0, 0, 0, 0, 0, 0]) + chunks)
    }
}
