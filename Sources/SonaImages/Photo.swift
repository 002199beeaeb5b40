/// A person's photo or a cover, made from untrusted bytes: a picture for pages, two small squares, and two colours.
///
///     let photo = try Photo(uploaded)
///     photo.full.bytes      // WebP, at most 2048 pixels to a side
///     photo.squares[0]      // WebP, 32 × 32
///     photo.color           // #a0522d
///     photo.foreground      // #ffffff: text upon it
///
/// The result holds pixels alone: no Exif, no place, no profile, no comment. The Exif orientation is applied first.
/// Colour profiles are ignored: samples are taken as sRGB. Print colours (CMYK) are converted. An animation gives its
/// first frame.
///
/// Cost, measured in a release build on one core of an AMD EPYC: a 12-megapixel JPEG of 4 MiB takes 350 ms of CPU time
/// and 31 MiB at the peak, beside its own bytes. Of 40 megapixels, lossy WebP takes 33 MiB at the peak and with
/// transparency 60, baseline JPEG 39, PNG and lossless WebP 169, progressive JPEG 252, and one of print colours 328;
/// each takes less than a second, or about two if crafted to be slow. Anybody may send the worst case, so SonaMedia
/// makes each photo in a process of its own, and few at a time.
public struct Photo: Sendable, Equatable {
    /// The whole picture.
    public let full: EncodedImage
    /// The middle of the picture, one for each of the sides that were asked for.
    public let squares: [EncodedImage]
    /// The colour that most of the picture has; grey if all of it is transparent.
    public let color: RGB
    /// Black or white, with a contrast of at least 4.5 : 1 to `color`.
    public let foreground: RGB

    /// Sides of the squares, pixels: a face in a list, and the same on a dense screen.
    public static let squareSides = [32, 64]
    /// Sides of the squares of a cover of music, pixels: a row of a list, and a tile of a grid.
    public static let coverSquareSides = [64, 256]

    /// Reads, checks, shrinks and encodes a picture. Any thread; it takes CPU time, so not on the loop.
    ///
    /// - Parameters:
    ///   - bytes: A PNG, JPEG or WebP file. Its content says which.
    ///   - limits: Checked before anything is decoded.
    ///   - longestSideMax: The longest side of `full`, pixels, 64…4096. A smaller picture is not enlarged.
    ///   - squareSides: The sides of `squares`, pixels.
    /// - Throws: `.tooManyBytes`, `.unsupportedType`, `.unsupportedFeature`, `.tooManyPixels`, `.damaged`,
    ///   `.outOfMemory`, `.encoder`.
    public init(
        _ bytes: [UInt8], limits: ImageLimits = ImageLimits(), longestSideMax: Int = 2048,
        squareSides: [Int] = Self.squareSides
    ) throws(ImageError) {
        precondition((64...4096).contains(longestSideMax), "The longest side of a photo is 64 to 4096 pixels.")
        try limits.check(bytes: bytes.count)
        let pixels = try Self.pixels(of: EncodedPicture(bytes), limits, longestSideMax)
        full = try EncodedImage(pixels, isSmall: false)
        var squares: [EncodedImage] = []
        for side in squareSides {
            var square = try pixels.centerSquare()
            try square.resize(to: PixelSize(width: side, height: side))
            squares.append(try EncodedImage(square, isSmall: true))
        }
        self.squares = squares
        var small = try pixels.copy(pixels.size)
        try small.resize(to: pixels.size.fitted(in: Self.colorSide))
        color = DominantColor.of(small)
        foreground = color.foreground
    }

    /// The longest side of the version that the colour is taken from.
    private static let colorSide = 64

    /// Puts together the parts that another process made. Nothing is checked.
    package init(full: EncodedImage, squares: [EncodedImage], color: RGB, foreground: RGB) {
        self.full = full
        self.squares = squares
        self.color = color
        self.foreground = foreground
    }

    /// Decoded, shrunk and upright. The order keeps memory small: only the decoder sees the stored size.
    private static func pixels(
        of picture: EncodedPicture, _ limits: ImageLimits, _ longestSideMax: Int
    ) throws(ImageError) -> Pixels {
        let header = picture.header
        try limits.check(header)
        let target = PixelSize(width: header.width, height: header.height).fitted(in: longestSideMax)
        var pixels = try picture.decode(for: target)
        try pixels.resize(to: pixels.size.fitted(in: longestSideMax))
        try pixels.orient(picture.orientation)
        return pixels
    }
}
