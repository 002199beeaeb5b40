/// Limits on a picture. Each is checked before any memory is given to pixels.
///
/// The memory and time that the defaults allow are listed at `Photo`.
public struct ImageLimits: Sendable, Equatable {
    /// Size of the file, bytes. 5 MiB holds what a telephone's camera makes.
    public let bytesMax: Int
    /// Width × height as declared. 40 million is a 24-megapixel camera with room to spare.
    public let pixelsMax: Int
    /// Longest side as declared, pixels, 1…16 384. This is the most that a lossless WebP holds, and that 32-bit sums
    /// can shrink.
    public let sideMax: Int

    /// The defaults are 5 MiB, 40 million pixels and 16 384 pixels a side.
    ///
    /// - Parameter sideMax: 1…16 384; any other value is a programming error.
    public init(bytesMax: Int = 5 << 20, pixelsMax: Int = 40_000_000, sideMax: Int = 16_384) {
        precondition((1...16_384).contains(sideMax), "The longest side a picture may have is 1 to 16384 pixels.")
        self.bytesMax = bytesMax
        self.pixelsMax = pixelsMax
        self.sideMax = sideMax
    }

    /// - Throws: `.tooManyBytes`.
    func check(bytes count: Int) throws(ImageError) {
        guard count <= bytesMax else {
            throw ImageError(
                .tooManyBytes(count: count), "The picture has \(count) bytes; at most \(bytesMax) are taken.")
        }
    }

    /// - Throws: `.damaged` for a side of nothing; `.tooManyPixels`.
    func check(_ header: ImageHeader) throws(ImageError) {
        let (width, height) = (header.width, header.height)
        guard width > 0, height > 0 else { throw .damaged(header.kind) }
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        guard max(width, height) <= sideMax, !overflow, pixels <= pixelsMax else {
            throw ImageError(
                .tooManyPixels(width: width, height: height),
                "The picture is \(width) × \(height) pixels; at most \(pixelsMax) are taken, and \(sideMax) to a side.")
        }
    }
}
