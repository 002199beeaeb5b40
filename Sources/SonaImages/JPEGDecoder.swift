import CTurboJPEG

/// JPEG to pixels, through libjpeg-turbo.
///
/// Large pictures are shrunk by eighths inside the inverse DCT, so that a baseline JPEG of any allowed size takes some
/// 25 MB here when 2048 pixels are wanted. A progressive one keeps all its coefficients as well: 2 bytes each, 240 MB
/// for 40 million pixels of three full components, 320 MB for four.
///
/// Source: turbojpeg.h of libjpeg-turbo 2.1.
enum JPEGDecoder {
    /// - Throws: `.damaged`; `.outOfMemory`.
    static func decode(_ markers: JPEGMarkers, for target: PixelSize) throws(ImageError) -> Pixels {
        guard let handle = tjInitDecompress() else { throw .outOfMemory }
        defer { tjDestroy(handle) }
        let header = markers.header
        try confirm(header, markers.bytes, handle)

        let stored = PixelSize(width: header.width, height: header.height)
        var pixels = try Pixels(eighths(of: stored, for: target))
        let format = markers.components == 4 ? TJPF_CMYK : TJPF_BGRA
        let size = pixels.size
        let status = pixels.withBytes { output in
            tjDecompress2(
                handle, markers.bytes, UInt(markers.bytes.count), output.baseAddress, Int32(size.width),
                Int32(size.width * Pixels.bytesPerPixel), Int32(size.height), format.rawValue, 0)
        }
        guard status == 0 || isHarmless(handle) else { throw .damaged(.jpeg) }
        if format == TJPF_CMYK { pixels.withBytes(convertPrintColors) }
        // Here, since eighths were rounded up and no longer tell the exact shape.
        try pixels.resize(to: target)
        return pixels
    }

    /// libjpeg must see the size that the limits were checked against: it allocates by its own reading.
    private static func confirm(
        _ header: ImageHeader, _ bytes: [UInt8], _ handle: tjhandle
    ) throws(ImageError) {
        var (width, height, subsampling, space): (Int32, Int32, Int32, Int32) = (-1, -1, -1, -1)
        // The size is set even where the result is an error about a rare subsampling, which decodes well enough.
        _ = tjDecompressHeader3(
            handle, bytes, UInt(bytes.count), &width, &height, &subsampling, &space)
        guard width == header.width, height == header.height else { throw .damaged(.jpeg) }
    }

    /// The smallest of 1/8, 2/8 … 8/8 that is not smaller than wanted, rounded up as `TJSCALED` does.
    private static func eighths(of stored: PixelSize, for target: PixelSize) -> PixelSize {
        func scaled(_ eighths: Int) -> PixelSize {
            PixelSize(width: (stored.width * eighths + 7) / 8, height: (stored.height * eighths + 7) / 8)
        }
        for eighths in 1..<8 {
            let size = scaled(eighths)
            if size.width >= target.width, size.height >= target.height { return size }
        }
        return stored
    }

    /// Whether the decoder complained only of superfluous bytes between two markers, as many cameras leave behind.
    /// All other complaints mean that pixels were made up. libjpeg keeps the first; the end marker was found already.
    private static func isHarmless(_ handle: tjhandle) -> Bool {
        guard tjGetErrorCode(handle) == TJERR_WARNING.rawValue, let text = tjGetErrorStr2(handle) else { return false }
        return String(cString: text).contains("extraneous bytes before marker")
    }

    /// CMYK to BGRA in place. Adobe's JPEGs, the only common ones, hold inverted ink: 255 means no ink.
    private static func convertPrintColors(_ bytes: UnsafeMutableRawBufferPointer) {
        for start in stride(from: 0, to: bytes.count, by: Pixels.bytesPerPixel) {
            let key = Int(bytes[start + 3])
            let cyan = Int(bytes[start])
            bytes[start] = UInt8(Int(bytes[start + 2]) * key / 255)
            bytes[start + 1] = UInt8(Int(bytes[start + 1]) * key / 255)
            bytes[start + 2] = UInt8(cyan * key / 255)
            bytes[start + 3] = 255
        }
    }
}
