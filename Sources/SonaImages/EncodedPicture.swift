/// A picture whose parts have been found, and none of it decoded.
enum EncodedPicture {
    case png(PNGChunks)
    case jpeg(JPEGMarkers)
    case webP(WebPChunks)

    init(_ bytes: [UInt8]) throws(ImageError) {
        switch ImageKind(sniffing: bytes) {
        case .png: self = .png(try PNGChunks(bytes))
        case .jpeg: self = .jpeg(try JPEGMarkers(bytes))
        case .webP: self = .webP(try WebPChunks(bytes))
        case nil:
            throw ImageError(.unsupportedType, "A picture must be PNG, JPEG or WebP; this file is none of them.")
        }
    }

    var header: ImageHeader {
        switch self {
        case .png(let chunks): chunks.header
        case .jpeg(let markers): markers.header
        case .webP(let chunks): chunks.header
        }
    }

    var orientation: Orientation {
        switch self {
        case .png(let chunks): chunks.orientation
        case .jpeg(let markers): markers.orientation
        case .webP(let chunks): chunks.orientation
        }
    }

    /// - Parameter target: The size that is wanted of the stored rows. A decoder that can shrink while it decodes gives
    ///   this or, for a frame of an animation, less; PNG's gives the stored size.
    /// - Throws: `.damaged`; `.outOfMemory`.
    func decode(for target: PixelSize) throws(ImageError) -> Pixels {
        switch self {
        case .png(let chunks): try PNGDecoder.decode(chunks)
        case .jpeg(let markers): try JPEGDecoder.decode(markers, for: target)
        case .webP(let chunks): try WebPDecoder.decode(chunks, for: target)
        }
    }
}
