import CPNG

/// PNG to pixels, through libpng's simplified interface: every depth, palette, interlacing and gamma comes out as
/// 8-bit sRGB. It gives whole pictures only: 4 bytes a pixel, 160 MB for 40 million.
///
/// Source: png.h of libpng 1.6, "Simplified API".
enum PNGDecoder {
    /// - Throws: `.damaged`; `.outOfMemory`.
    static func decode(_ chunks: PNGChunks) throws(ImageError) -> Pixels {
        // libpng also unpacks data that follows the last row, to its end.
        guard PNGInflation.isBounded(chunks) else { throw .damaged(.png) }
        var pixels = try Pixels(PixelSize(width: chunks.header.width, height: chunks.header.height))
        let size = pixels.size
        let isDecoded = pixels.withBytes { output in
            chunks.essence.withUnsafeBytes { read($0, size, into: output) }
        }
        guard isDecoded else { throw .damaged(.png) }
        return pixels
    }

    /// libpng reads from `bytes` in both calls, so they have to stay where they are between the two.
    private static func read(
        _ bytes: UnsafeRawBufferPointer, _ size: PixelSize, into output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        guard png_image_begin_read_from_memory(&image, bytes.baseAddress, bytes.count) != 0,
            image.width == size.width, image.height == size.height
        else { return false }
        // BGRA; and 16-bit samples without a gamma are sRGB as all others are.
        image.format = UInt32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA | PNG_FORMAT_FLAG_BGR)
        image.flags |= UInt32(PNG_IMAGE_FLAG_16BIT_sRGB)
        let stride = Int32(size.width * Pixels.bytesPerPixel)
        return png_image_finish_read(&image, nil, output.baseAddress, stride, nil) != 0
    }
}
