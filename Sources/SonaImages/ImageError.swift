/// Why a picture was rejected, with one sentence that may be shown to the person who sent it.
///
/// Match on `code`; show `description`. Neither holds bytes of the picture.
public struct ImageError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure, open to pattern matching. More may come: switch with a default.
    public var code: Code
    /// A complete sentence: what is wrong, and the limit that was passed where there is one.
    public var detail: String

    /// The kinds of failure. Those with values carry what was measured or refused.
    public enum Code: Sendable, Equatable {
        /// More bytes than `ImageLimits.bytesMax`.
        case tooManyBytes(count: Int)
        /// The content is neither PNG nor JPEG nor WebP, whatever its name or declared type says.
        case unsupportedType
        /// One of the three, in a form Sona does not read, such as a lossless or 12-bit JPEG.
        case unsupportedFeature
        /// The header declares more pixels, or a longer side, than the limits allow. Nothing was decoded.
        case tooManyPixels(width: Int, height: Int)
        /// Truncated, or broken in itself.
        case damaged
        /// The system gave no memory for the pixels. The picture may be fine; later it may work.
        case outOfMemory
        /// A picture could not be written; the number is libwebp's `WebPEncodingError`, 0 for a PNG.
        case encoder(Int)
    }

    /// - Parameter detail: A complete sentence that may be shown to the sender of the picture.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// `detail`, as it is.
    public var description: String { detail }
}

extension ImageError {
    static func damaged(_ kind: ImageKind) -> ImageError {
        ImageError(.damaged, "The \(kind) picture is damaged or incomplete.")
    }

    static func unsupportedFeature(_ detail: String) -> ImageError { ImageError(.unsupportedFeature, detail) }

    static var outOfMemory: ImageError {
        ImageError(.outOfMemory, "There is not enough memory for the picture now; try again later.")
    }
}
