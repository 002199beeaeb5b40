import CWebP

/// A picture as it is stored and sent: WebP, and nothing in it but pixels.
public struct EncodedImage: Sendable, Equatable {
    /// The whole WebP file.
    public let bytes: [UInt8]
    /// Always `image/webp`.
    public let contentType: String
    /// Pixels.
    public let width: Int
    /// Pixels.
    public let height: Int

    /// Wraps a picture that another process encoded. Nothing is checked.
    package init(webP bytes: [UInt8], width: Int, height: Int) {
        self.bytes = bytes
        contentType = ImageKind.webP.contentType
        self.width = width
        self.height = height
    }
}

extension EncodedImage {
    /// How good a lossy picture is to be, of 100: at 85 the loss is not seen at arm's length.
    static let quality: Float = 85

    /// Encodes as lossy WebP, with its transparency if it has any.
    ///
    /// - Parameter isSmall: Takes more care with the colours of edges, which is slower: for pictures of few pixels.
    /// - Throws: `.outOfMemory`; `.encoder`.
    init(_ pixels: borrowing Pixels, isSmall: Bool) throws(ImageError) {
        var config = WebPConfig()
        precondition(
            WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, Self.quality) != 0,
            "libwebp is older than the header Sona was built with.")
        config.use_sharp_yuv = isSmall ? 1 : 0

        // The encoder keeps its work in the picture: a shallow copy, whose planes are freed and whose pixels are not.
        var picture = pixels.picture
        picture.memory_argb_ = nil
        defer { WebPPictureFree(&picture) }
        var writer = WebPMemoryWriter()
        WebPMemoryWriterInit(&writer)
        defer { WebPMemoryWriterClear(&writer) }
        picture.writer = WebPMemoryWrite
        let isEncoded = withUnsafeMutablePointer(to: &writer) { writer in
            picture.custom_ptr = UnsafeMutableRawPointer(writer)
            return WebPEncode(&config, &picture) != 0
        }
        guard isEncoded else { throw Self.failure(picture.error_code) }

        bytes = Array(UnsafeBufferPointer(start: writer.mem, count: writer.size))
        contentType = ImageKind.webP.contentType
        width = pixels.size.width
        height = pixels.size.height
    }

    private static func failure(_ code: WebPEncodingError) -> ImageError {
        if code == VP8_ENC_ERROR_OUT_OF_MEMORY || code == VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY { return .outOfMemory }
        return ImageError(.encoder(Int(code.rawValue)), "The picture could not be written as WebP.")
    }
}
