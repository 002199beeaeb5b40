import CPNG

/// Writes pictures that the program drew itself as PNG.
public enum PNGEncoder {
    /// Encodes rows of opaque sRGB pixels. Any thread; some 50 ms for half a megapixel, so not on the loop.
    ///
    /// - Parameters:
    ///   - rgb: Red, green and blue of each pixel, the first row first: `width × height × 3` bytes.
    ///   - width: Pixels, 1…16384.
    ///   - height: Pixels, 1…16384.
    /// - Returns: A whole PNG file. Equal pixels give equal files.
    /// - Throws: `.encoder` with 0 if libpng fails, which it does only for want of memory.
    ///
    /// Source: png.h of libpng 1.6, "Simplified API".
    public static func encode(rgb: [UInt8], width: Int, height: Int) throws(ImageError) -> [UInt8] {
        precondition(
            (1...16_384).contains(width) && (1...16_384).contains(height) && rgb.count == width * height * 3,
            "The pixels of a picture are as many as its width and height say.")
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        image.width = UInt32(width)
        image.height = UInt32(height)
        image.format = UInt32(PNG_FORMAT_FLAG_COLOR)
        defer { png_image_free(&image) }
        // Deflate makes little of bad luck: rows with their filters and 5 bytes for each 16 KiB, and the chunks' frames.
        let bound = (width * 3 + 1) * height * 9 / 8 + 4096
        var isEncoded = false
        let bytes = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            var size = bound
            isEncoded = png_image_write_to_memory(&image, output.baseAddress, &size, 0, rgb, 0, nil) != 0
            count = isEncoded ? size : 0
        }
        guard isEncoded else { throw ImageError(.encoder(0), "The picture could not be written as PNG.") }
        return bytes
    }
}
