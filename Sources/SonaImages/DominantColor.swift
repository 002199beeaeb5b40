/// The colour that most of a picture has.
///
/// Pixels are sorted into 16 × 16 × 16 boxes of sRGB, weighted by their alpha. The heaviest cube of 3 × 3 × 3
/// boxes wins, and the mean of its pixels is the colour: a colour that lies at the border of two boxes, or shades a
/// little, does not lose to one that happens to fit. Of equals the darkest in order of red, green, blue wins, so the
/// same pixels give the same colour everywhere.
enum DominantColor {
    /// The colour reported for a picture without visible pixels.
    static let ofNothing = RGB(red: 128, green: 128, blue: 128)

    /// - Parameter pixels: A small version; some thousand pixels are plenty.
    static func of(_ pixels: borrowing Pixels) -> RGB {
        let boxes = pixels.withPixels(Box.sorted)
        var best = Box()
        for red in 0..<Box.perChannel {
            for green in 0..<Box.perChannel {
                for blue in 0..<Box.perChannel where boxes[Box.index(red, green, blue)].weight > 0 {
                    let cube = cube(around: (red, green, blue), in: boxes)
                    if cube.weight > best.weight { best = cube }
                }
            }
        }
        return best.mean ?? ofNothing
    }

    private static func cube(around center: (red: Int, green: Int, blue: Int), in boxes: [Box]) -> Box {
        func range(_ channel: Int) -> ClosedRange<Int> { max(0, channel - 1)...min(Box.perChannel - 1, channel + 1) }
        var sum = Box()
        for red in range(center.red) {
            for green in range(center.green) {
                for blue in range(center.blue) { sum.add(boxes[Box.index(red, green, blue)]) }
            }
        }
        return sum
    }
}

/// Sums over pixels of like colour, each channel weighted by alpha.
private struct Box {
    static let perChannel = 16

    var weight = 0
    var red = 0
    var green = 0
    var blue = 0

    static func index(_ red: Int, _ green: Int, _ blue: Int) -> Int { (red << 4 | green) << 4 | blue }

    static func sorted(_ pixels: UnsafeBufferPointer<UInt32>) -> [Box] {
        var boxes = [Box](repeating: Box(), count: perChannel * perChannel * perChannel)
        for pixel in pixels {
            let (alpha, red) = (Int(pixel >> 24), Int(pixel >> 16 & 0xFF))
            let (green, blue) = (Int(pixel >> 8 & 0xFF), Int(pixel & 0xFF))
            boxes[index(red >> 4, green >> 4, blue >> 4)]
                .add(Box(weight: alpha, red: red * alpha, green: green * alpha, blue: blue * alpha))
        }
        return boxes
    }

    mutating func add(_ other: Box) {
        weight += other.weight
        red += other.red
        green += other.green
        blue += other.blue
    }

    /// Rounded to the nearest; nil for no weight.
    var mean: RGB? {
        guard weight > 0 else { return nil }
        func channel(_ sum: Int) -> UInt8 { UInt8((sum + weight / 2) / weight) }
        return RGB(red: channel(red), green: channel(green), blue: channel(blue))
    }
}
