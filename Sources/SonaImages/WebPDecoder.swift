import CWebP

/// WebP to pixels, through libwebp, which shrinks while it decodes.
///
/// A lossy picture takes little more than the result, its transparency one byte a pixel; a lossless one is unpacked
/// whole at 4 bytes a pixel, 160 MB for 40 million.
///
/// Source: decode.h of libwebp 1.2.
enum WebPDecoder {
    /// - Throws: `.damaged`; `.outOfMemory`.
    static func decode(_ chunks: WebPChunks, for target: PixelSize) throws(ImageError) -> Pixels {
        let picture = chunks.bytes[chunks.picture]
        let features = try WebPChunks.features(of: picture)
        let stored = PixelSize(width: Int(features.width), height: Int(features.height))
        // A frame lies inside its canvas, whose size the limits were checked against.
        guard stored.width >= 1, stored.width <= chunks.header.width,
            stored.height >= 1, stored.height <= chunks.header.height
        else { throw .damaged(.webP) }
        let size = stored.fitted(in: target.longestSide)
        var pixels = try Pixels(size)
        let status = pixels.withBytes { decode(picture, isScaled: size != stored, size, into: $0) }
        switch status {
        case VP8_STATUS_OK: return pixels
        case VP8_STATUS_OUT_OF_MEMORY: throw .outOfMemory
        default: throw .damaged(.webP)
        }
    }

    private static func decode(
        _ picture: ArraySlice<UInt8>, isScaled: Bool, _ size: PixelSize, into output: UnsafeMutableRawBufferPointer
    ) -> VP8StatusCode {
        var config = WebPDecoderConfig()
        guard WebPInitDecoderConfig(&config) != 0 else { return VP8_STATUS_INVALID_PARAM }
        config.output.colorspace = MODE_BGRA
        config.output.is_external_memory = 1
        config.output.u.RGBA.rgba = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        config.output.u.RGBA.stride = Int32(size.width * Pixels.bytesPerPixel)
        config.output.u.RGBA.size = output.count
        config.options.use_scaling = isScaled ? 1 : 0
        config.options.scaled_width = Int32(size.width)
        config.options.scaled_height = Int32(size.height)
        defer { WebPFreeDecBuffer(&config.output) }
        return picture.withUnsafeBufferPointer { WebPDecode($0.baseAddress, $0.count, &config) }
    }
}
