/// A picture that belongs to a stream, such as the cover of its album, as a comment of OpusTags holds it.
///
/// The block, numbers big-endian:
///
///     u32 type | u32 length, media type | u32 length, description | u32 width | u32 height | u32 bits per pixel
///     | u32 colours of a palette, else 0 | u32 length, the picture's file
///
/// The comment is `METADATA_BLOCK_PICTURE=` and the block in base64.
///
/// Source: RFC 9639 §8.8 (the block), https://wiki.xiph.org/VorbisComment#METADATA_BLOCK_PICTURE (the comment).
public struct OpusPicture: Sendable, Equatable {
    /// The picture's file, such as a whole PNG.
    public var bytes: [UInt8]
    /// `image/png`, `image/jpeg` and the like. ASCII.
    public var mediaType: String
    /// Pixels.
    public var width: Int
    /// Pixels.
    public var height: Int

    /// The number of "front cover" among the types of pictures.
    private static let frontCover: UInt32 = 3
    private static let bitsPerPixel: UInt32 = 24

    /// A front cover of 24 bits per pixel.
    public init(frontCover bytes: [UInt8], mediaType: String, width: Int, height: Int) {
        self.bytes = bytes
        self.mediaType = mediaType
        self.width = width
        self.height = height
    }

    /// The block, not yet in base64.
    public var block: [UInt8] {
        var block: [UInt8] = []
        block.reserveCapacity(bytes.count + 64)
        func append(_ number: UInt32) { withUnsafeBytes(of: number.bigEndian) { block += $0 } }
        append(Self.frontCover)
        append(UInt32(clamping: mediaType.utf8.count))
        block += mediaType.utf8
        append(0)
        append(UInt32(clamping: width))
        append(UInt32(clamping: height))
        append(Self.bitsPerPixel)
        append(0)
        append(UInt32(clamping: bytes.count))
        return block + bytes
    }
}
