/// Width and height in pixels, each at least 1.
struct PixelSize: Equatable {
    var width: Int
    var height: Int

    var longestSide: Int { max(width, height) }

    /// The largest size of the same shape whose longest side is at most `side`; never larger than this one.
    func fitted(in side: Int) -> PixelSize {
        guard longestSide > side else { return self }
        return PixelSize(width: scaled(width, to: side), height: scaled(height, to: side))
    }

    /// Rounded to the nearest, and at least 1: a line of 10 000 × 1 is still a line.
    private func scaled(_ length: Int, to side: Int) -> Int {
        max(1, (length * side + longestSide / 2) / longestSide)
    }
}
