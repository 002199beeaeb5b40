/// The cover of a room without a picture: rings about a moment, in colours that are always its own.
///
/// The same drawing as `drawn` in components/cover/cover.js makes, as markup. Colours stand in attributes, because the
/// page's policy forbids styles in a document.
enum DrawnCover {
    /// Hues of ground and centre that go well together.
    private static let palettes = [
        (20, 70), (350, 40), (330, 20), (300, 350), (280, 330), (265, 215), (245, 190), (215, 165), (190, 145),
        (165, 100),
        (40, 90), (310, 250),
    ]
    private static let radii = [96, 76, 58, 42, 28, 16]

    /// A number of 32 bits that a text always has (FNV-1a over UTF-16 units).
    static func hash(_ text: String) -> UInt32 {
        text.utf16.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }

    static func markup(_ seed: String) -> String {
        let number = hash(seed)
        let (hue, other) = palettes[Int(number) % palettes.count]
        // The shorter way around.
        let turn = (other - hue + 540) % 360 - 180
        let x = 18 + (number >> 3) % 64, y = 20 + (number >> 11) % 60
        var parts = ["<rect width=\"100\" height=\"100\" class=\"ground\" fill=\"oklch(.3 .08 \(hue))\"/>"]
        for (index, radius) in radii.enumerated() {
            let share = Double(index + 1) / 6
            let angle = (Double(hue) + Double(turn) * share + 360).truncatingRemainder(dividingBy: 360)
            let fill = "oklch(\(rounded(0.36 + 0.46 * share)) \(rounded(0.1 + 0.05 * share)) \(rounded(angle)))"
            parts.append("<circle cx=\"\(x)\" cy=\"\(y)\" r=\"\(radius)\" fill=\"\(fill)\"/>")
        }
        parts.append("<circle cx=\"\(x)\" cy=\"\(y)\" r=\"6\" fill=\"oklch(.97 .03 90)\"/>")
        return "<svg viewBox=\"0 0 100 100\" preserveAspectRatio=\"xMidYMid slice\" aria-hidden=\"true\">"
            + parts.joined() + "</svg>"
    }

    private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
