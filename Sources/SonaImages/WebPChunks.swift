import CWebP

/// A WebP walked from chunk to chunk: size, the Exif orientation, and where the picture lies.
///
/// The picture of an animation is its first frame, in the frame's own rectangle.
/// Source: RFC 9649 §2.3–2.7.
struct WebPChunks {
    let bytes: [UInt8]
    /// The canvas of an animation.
    let header: ImageHeader
    private(set) var orientation = Orientation.upright
    /// The bytes for the decoder: the whole file, or the chunks of the first frame.
    private(set) var picture: Range<Int>

    /// - Throws: `.damaged` if libwebp does not take the header, or an animation has no frame.
    init(_ bytes: [UInt8]) throws(ImageError) {
        let features = try Self.features(of: bytes[...])
        self.bytes = bytes
        header = ImageHeader(kind: .webP, width: Int(features.width), height: Int(features.height))
        picture = bytes.indices
        let frame = readChunks()
        guard features.has_animation != 0 else { return }
        guard let frame else { throw .damaged(.webP) }
        picture = frame
    }

    /// Size and features, which libwebp reads from the first bytes. Nothing is decoded.
    static func features(of bytes: ArraySlice<UInt8>) throws(ImageError) -> WebPBitstreamFeatures {
        var features = WebPBitstreamFeatures()
        let status = bytes.withUnsafeBufferPointer { WebPGetFeatures($0.baseAddress, $0.count, &features) }
        guard status == VP8_STATUS_OK else { throw .damaged(.webP) }
        return features
    }

    /// Chunks: 4 bytes name, 4 size (little-endian), the content, one more byte if its size is odd.
    ///
    /// - Returns: The first frame of an animation, after its 16 bytes of position, size and duration.
    private mutating func readChunks() -> Range<Int>? {
        let fields = ByteFields(bytes[...], .littleEndian)
        var frame: Range<Int>?
        var offset = 12
        while let size = fields.uint32(at: offset + 4), let content = fields.slice(at: offset + 8, count: size) {
            if fields.has("EXIF", at: offset) {
                orientation = ExifOrientation.read(content)
            } else if fields.has("ANMF", at: offset), frame == nil, size > Self.frameHead {
                frame = content.indices.dropFirst(Self.frameHead)
            }
            offset += 8 + size + size % 2
        }
        return frame
    }

    private static let frameHead = 16
}
