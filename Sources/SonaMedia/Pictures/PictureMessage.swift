internal import SonaImages

/// The answer of a `picture` worker: a photo, or the reason why there is none.
///
/// Layout, numbers big-endian; the first byte is 0 for a photo:
///
///      0   1  0
///      1   3  colour: red, green, blue
///      4   3  foreground
///      7   …  `full`, then each square: 4 bytes width, 4 height, 4 count, and so many bytes of WebP
///
/// or the number of an error's code:
///
///      0   1  1 to 7, in the order of `codes`
///      1   4  bytes, or width
///      5   4  height
///      9   …  the sentence, UTF-8
enum PictureMessage {
    static let limits = ImageLimits()
    /// Most bytes that a worker reads of its input: enough to tell that it is too much.
    static var inputBytesMax: Int { limits.bytesMax + 1 }

    /// The worker's work.
    ///
    /// - Parameter sides: Those of the squares, pixels.
    static func answer(to bytes: [UInt8], sides: [Int] = Photo.squareSides) -> [UInt8] {
        do throws(ImageError) {
            return encode(try Photo(bytes, limits: limits, squareSides: sides))
        } catch {
            return encode(error)
        }
    }

    static func encode(_ photo: Photo) -> [UInt8] {
        var result: [UInt8] = [0]
        for color in [photo.color, photo.foreground] { result += [color.red, color.green, color.blue] }
        for image in [photo.full] + photo.squares {
            for number in [image.width, image.height, image.bytes.count] { result += BigEndian.bytes(UInt32(number)) }
            result += image.bytes
        }
        return result
    }

    static func encode(_ error: ImageError) -> [UInt8] {
        let (number, one, two): (UInt8, Int, Int) =
            switch error.code {
            case .tooManyBytes(let count): (1, count, 0)
            case .unsupportedType: (2, 0, 0)
            case .unsupportedFeature: (3, 0, 0)
            case .tooManyPixels(let width, let height): (4, width, height)
            case .damaged: (5, 0, 0)
            case .outOfMemory: (6, 0, 0)
            case .encoder(let code): (7, code, 0)
            }
        return [number] + BigEndian.bytes(UInt32(clamping: one)) + BigEndian.bytes(UInt32(clamping: two))
            + error.detail.utf8
    }

    /// - Returns: `nil` for a message that no worker of ours sends. An attacker may control the worker, so a photo must
    ///   have the requested sizes and begin like WebP before it is stored and sent to others.
    static func decode(_ message: [UInt8], sides: [Int] = Photo.squareSides) -> Result<Photo, ImageError>? {
        var rest = message[...]
        guard let number = rest.popFirst() else { return nil }
        guard number == 0 else { return error(number, rest).map { .failure($0) } }
        guard let color = nextColor(&rest), let foreground = nextColor(&rest), let full = nextImage(&rest),
            (1...2048).contains(full.width), (1...2048).contains(full.height)
        else { return nil }
        var squares: [EncodedImage] = []
        for side in sides {
            guard let square = nextImage(&rest), square.width == side, square.height == side else { return nil }
            squares.append(square)
        }
        guard rest.isEmpty else { return nil }
        return .success(Photo(full: full, squares: squares, color: color, foreground: foreground))
    }

    private static func error(_ number: UInt8, _ rest: ArraySlice<UInt8>) -> ImageError? {
        guard rest.count >= 8 else { return nil }
        let (one, two) = (BigEndian.number(rest.prefix(4)), BigEndian.number(rest.dropFirst(4).prefix(4)))
        let codes: [ImageError.Code] = [
            .tooManyBytes(count: one), .unsupportedType, .unsupportedFeature, .tooManyPixels(width: one, height: two),
            .damaged, .outOfMemory, .encoder(one),
        ]
        guard codes.indices.contains(Int(number) - 1) else { return nil }
        return ImageError(codes[Int(number) - 1], String(decoding: rest.dropFirst(8).prefix(500), as: UTF8.self))
    }

    private static func nextColor(_ rest: inout ArraySlice<UInt8>) -> RGB? {
        guard let red = rest.popFirst(), let green = rest.popFirst(), let blue = rest.popFirst() else { return nil }
        return RGB(red: red, green: green, blue: blue)
    }

    private static func nextImage(_ rest: inout ArraySlice<UInt8>) -> EncodedImage? {
        guard rest.count >= 12 else { return nil }
        let numbers = [0, 4, 8].map { BigEndian.number(rest.dropFirst($0).prefix(4)) }
        rest = rest.dropFirst(12)
        guard rest.count >= numbers[2] else { return nil }
        let bytes = Array(rest.prefix(numbers[2]))
        rest = rest.dropFirst(numbers[2])
        guard ImageKind(sniffing: bytes) == .webP else { return nil }
        return EncodedImage(webP: bytes, width: numbers[0], height: numbers[1])
    }
}
