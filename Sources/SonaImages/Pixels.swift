import CWebP

/// A decoded picture: 4 bytes a pixel, in memory blue, green, red, alpha (not premultiplied), rows without padding.
///
/// The memory is libwebp's, so that its resizing and its encoder take it without a copy. It is given back when the
/// value goes, and this is why it cannot be copied.
struct Pixels: ~Copyable {
    static let bytesPerPixel = 4

    private(set) var picture: WebPPicture

    /// Starts as transparent black, so that a row a decoder left out shows nothing of the memory's earlier content.
    ///
    /// - Throws: `.outOfMemory`.
    init(_ size: PixelSize) throws(ImageError) {
        var picture = Self.emptyPicture()
        picture.width = Int32(size.width)
        picture.height = Int32(size.height)
        guard WebPPictureAlloc(&picture) != 0 else { throw .outOfMemory }
        self.picture = picture
        withBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 0) }
    }

    /// Takes over a picture with memory of its own.
    private init(owning picture: WebPPicture) {
        self.picture = picture
    }

    deinit {
        var picture = picture
        WebPPictureFree(&picture)
    }

    private static func emptyPicture() -> WebPPicture {
        var picture = WebPPicture()
        precondition(WebPPictureInit(&picture) != 0, "libwebp is older than the header Sona was built with.")
        picture.use_argb = 1
        return picture
    }

    var size: PixelSize { PixelSize(width: Int(picture.width), height: Int(picture.height)) }

    /// All rows, the first one first.
    mutating func withBytes<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
        body(UnsafeMutableRawBufferPointer(start: picture.argb, count: pixelCount * Self.bytesPerPixel))
    }

    /// The pixels as 0xAARRGGBB, the first row first.
    func withPixels<Result>(_ body: (UnsafeBufferPointer<UInt32>) -> Result) -> Result {
        body(UnsafeBufferPointer(start: picture.argb, count: pixelCount))
    }

    private var pixelCount: Int { Int(picture.width) * Int(picture.height) }

    /// Resizes: each new pixel is the mean of the area it covers, weighted by alpha. Enlarging is bilinear.
    ///
    /// libwebp adds up in 32 bits, which holds while a side shrinks to no less than 1/256 of at most 16 384.
    /// - Throws: `.outOfMemory`.
    mutating func resize(to new: PixelSize) throws(ImageError) {
        guard new != size else { return }
        guard WebPPictureRescale(&picture, Int32(new.width), Int32(new.height)) != 0 else { throw .outOfMemory }
    }

    /// Turns the picture the right way up.
    ///
    /// - Throws: `.outOfMemory`.
    mutating func orient(_ orientation: Orientation) throws(ImageError) {
        guard orientation != .upright else { return }
        let stored = size
        let turned = PixelSize(
            width: orientation.swapsSides ? stored.height : stored.width,
            height: orientation.swapsSides ? stored.width : stored.height)
        let walk = orientation.walk(width: stored.width, height: stored.height)
        var result = try Pixels(turned)
        withPixels { source in
            result.withBytes { bytes in
                let target = bytes.bindMemory(to: UInt32.self)
                for y in 0..<turned.height {
                    let start = walk.start + y * walk.row
                    for x in 0..<turned.width { target[y * turned.width + x] = source[start + x * walk.column] }
                }
            }
        }
        self = result
    }

    /// A copy of the largest square in the middle.
    ///
    /// - Throws: `.outOfMemory`.
    func centerSquare() throws(ImageError) -> Pixels {
        let side = min(size.width, size.height)
        return try copy(
            left: (size.width - side) / 2, top: (size.height - side) / 2, PixelSize(width: side, height: side))
    }

    /// A copy of a rectangle that lies inside.
    ///
    /// - Throws: `.outOfMemory`.
    func copy(left: Int = 0, top: Int = 0, _ part: PixelSize) throws(ImageError) -> Pixels {
        var source = picture
        var view = Self.emptyPicture()
        var result = Self.emptyPicture()
        let isInside = WebPPictureView(
            &source, Int32(left), Int32(top), Int32(part.width), Int32(part.height), &view)
        precondition(isInside != 0, "A part of a picture lies inside it.")
        guard WebPPictureCopy(&view, &result) != 0 else { throw .outOfMemory }
        return Pixels(owning: result)
    }
}
