internal import SonaBase

/// How much a line may say beyond its text.
package struct TerminalStyle: Sendable {
    /// Whether a line can be redrawn in place.
    package var isInteractive: Bool
    package var hasColor: Bool

    package static let plain = TerminalStyle(isInteractive: false, hasColor: false)

    package init(isInteractive: Bool, hasColor: Bool) {
        (self.isInteractive, self.hasColor) = (isInteractive, hasColor)
    }

    /// Finds out the abilities of a descriptor. Colour only on a terminal, and not where `NO_COLOR` is set to anything
    /// but nothing.
    ///
    /// Source: https://no-color.org.
    package init(descriptor: Int32) {
        isInteractive = ConsoleLine.isInteractive(descriptor)
        hasColor = isInteractive && Environment["NO_COLOR"] == nil
    }

    enum Tint: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
    }

    func tinted(_ text: String, _ tint: Tint) -> String {
        hasColor ? "\u{1B}[\(tint.rawValue)m\(text)\u{1B}[0m" : text
    }
}
