/// Names one session, the stay of one client, which begins with `hello`.
///
/// Exactly 22 ASCII letters and digits, compared byte by byte.
///
/// Source: Protocol/spec/identifiers.md, "Session identifiers".
public struct SessionID: Hashable, Sendable, CustomStringConvertible {
    /// Characters of every session identifier.
    public static let count = 22

    /// The identifier as it stands in messages.
    public let rawValue: String

    /// - Returns: `nil` unless `text` is exactly 22 ASCII letters and digits.
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
