/// A PNG walked from chunk to chunk, and a copy of it without metadata.
///
/// libpng unpacks compressed texts and profiles while it looks for the pixels: 600 texts in a file of 4.5 MB, each of
/// 7.8 MB of zeros, took it 19 s. So it is given only the critical chunks, transparency and the gamma. An animated PNG
/// comes down to its default image.
/// Source: PNG (third edition) §5.3, §11.
struct PNGChunks {
    let header: ImageHeader
    private(set) var orientation = Orientation.upright
    /// Signature and chunks that pixels are made from, checksums as they were.
    private(set) var essence: [UInt8]
    /// The ranges of `essence` that hold the compressed pixels: one zlib stream, cut into pieces.
    private(set) var imageData: [Range<Int>] = []

    /// - Throws: `.damaged` if a chunk passes the end of the file, or the first or last one is missing.
    init(_ bytes: [UInt8]) throws(ImageError) {
        let fields = ByteFields(bytes[...], .bigEndian)
        var offset = ImageKind.pngSignature.count
        guard fields.uint32(at: offset) == 13, fields.has("IHDR", at: offset + 4),
            let width = fields.uint32(at: offset + 8), let height = fields.uint32(at: offset + 12)
        else { throw .damaged(.png) }
        header = ImageHeader(kind: .png, width: width, height: height)
        essence = ImageKind.pngSignature
        essence.reserveCapacity(bytes.count)

        while let length = fields.uint32(at: offset), let name = fields.slice(at: offset + 4, count: 4),
            let chunk = fields.slice(at: offset, count: length + Self.framing), let first = name.first
        {
            // Bit 5 of the first letter is clear in critical chunks.
            if first & 0x20 == 0 || Self.kept.contains(where: name.elementsEqual) {
                if name.elementsEqual("IDAT".utf8) {
                    imageData.append(essence.count + 8..<essence.count + 8 + length)
                }
                essence += chunk
            } else if name.elementsEqual("eXIf".utf8) {
                orientation = ExifOrientation.read(chunk.dropFirst(8).dropLast(4))
            }
            if name.elementsEqual("IEND".utf8) { return }
            offset += chunk.count
        }
        throw .damaged(.png)
    }

    /// Length, name and checksum.
    private static let framing = 12
    private static let kept = ["tRNS", "gAMA", "sRGB"].map { Array($0.utf8) }
}
