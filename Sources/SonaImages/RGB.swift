import Glibc

/// An opaque sRGB colour. Its description is CSS: "#1d9bf0".
public struct RGB: Sendable, Hashable, CustomStringConvertible {
    /// Red, 0…255, gamma-encoded as in sRGB.
    public var red: UInt8
    /// Green, 0…255.
    public var green: UInt8
    /// Blue, 0…255.
    public var blue: UInt8

    /// A colour from its three sRGB channels.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// `#000000`.
    public static let black = RGB(red: 0, green: 0, blue: 0)
    /// `#ffffff`.
    public static let white = RGB(red: 255, green: 255, blue: 255)

    /// CSS notation: `#` and six hexadecimal digits in small letters.
    public var description: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Luminance from 0 (black) to 1 (white). Source: WCAG 2.2, "relative luminance".
    public var relativeLuminance: Double {
        0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
    }

    /// Contrast from 1 (the same colour) to 21 (black and white). Source: WCAG 2.2, "contrast ratio".
    public func contrast(with other: RGB) -> Double {
        let (one, two) = (relativeLuminance, other.relativeLuminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// Black or white, whichever is read better upon this colour.
    ///
    /// The contrast is at least √21 ≈ 4.58, above the 4.5 that WCAG 2.2 §1.4.3 asks of text: the two contrasts multiply
    /// to 21. A softer black would lose that for some colours.
    public var foreground: RGB {
        contrast(with: .white) > contrast(with: .black) ? .white : .black
    }

    private static func linear(_ channel: UInt8) -> Double {
        let value = Double(channel) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
}
