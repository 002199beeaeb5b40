internal import Glibc

/// How much a line may say beyond its text.
package struct TerminalStyle: Sendable {
    /// Whether a line can be redrawn in place.
    package var isInteractive: Bool
    package var hasColor: Bool

    package static let plain = TerminalStyle(isInteractive: false, hasColor: false)

    package init(isInteractive: Bool, hasColor: Bool) {
        (self.isInteractive, self.hasColor) = (isInteractive, hasColor)
    }

    /// What a descriptor can show. Colour only on a terminal, and not where `NO_COLOR` is set to anything but nothing.
    ///
    /// Source: https://no-color.org.
    package init(descriptor: Int32) {
        func environment(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
        isInteractive = isatty(descriptor) == 1 && environment("TERM") != "dumb"
        hasColor = isInteractive && environment("NO_COLOR").isEmpty
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
