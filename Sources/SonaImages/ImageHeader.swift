/// Format and size that a picture declares, read before a pixel is decoded. They bound the memory that decoding may
/// take.
///
///     let header = try ImageHeader(bytes)
///     print(header.kind, header.width, "×", header.height)  // JPEG 4032 × 3024
public struct ImageHeader: Sendable, Equatable {
    /// The format, taken from the content.
    public let kind: ImageKind
    /// Pixels of a stored row, before any turning Exif may ask for.
    public let width: Int
    /// Stored rows.
    public let height: Int

    init(kind: ImageKind, width: Int, height: Int) {
        self.kind = kind
        self.width = width
        self.height = height
    }

    /// Reads the header and checks no limit but the format's own. Costs one walk over the file's parts.
    ///
    /// - Throws: `.unsupportedType`, `.unsupportedFeature`, `.damaged`.
    public init(_ bytes: [UInt8]) throws(ImageError) {
        self = try EncodedPicture(bytes).header
    }
}
