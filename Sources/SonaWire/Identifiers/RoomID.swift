/// Names one room for ever, through restarts and changes of title.
///
/// Exactly 20 ASCII letters and digits, compared byte by byte.
///
/// Source: Protocol/spec/identifiers.md, "Room identifiers".
public struct RoomID: Hashable, Sendable, CustomStringConvertible {
    /// Characters of every room identifier.
    public static let count = 20

    /// The identifier as it stands in messages and paths.
    public let rawValue: String

    /// - Returns: `nil` unless `text` is exactly 20 ASCII letters and digits.
    public init?(_ text: String) {
        guard RandomText.matches(text, count: Self.count) else { return nil }
        rawValue = text
    }

    private init(unchecked text: String) { rawValue = text }

    /// Makes a new identifier; give it the system's generator for one that cannot be guessed.
    public static func random(using generator: inout some RandomNumberGenerator) -> Self {
        Self(unchecked: RandomText.draw(count, using: &generator))
    }

    /// The identifier as it stands in messages.
    public var description: String { rawValue }
}
