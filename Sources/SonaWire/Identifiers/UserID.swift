/// Names one user for ever: the primary key of accounts and guests.
///
/// 1 to 128 visible ASCII characters without `/`, so that an outside issuer's identifiers fit and may stand in a path.
/// Ours are 28 letters and digits. Compared byte by byte.
///
/// Source: Protocol/spec/identifiers.md, "User identifiers".
public struct UserID: Hashable, Sendable, CustomStringConvertible {
    /// Characters of an identifier made by `random(using:)`.
    public static let generatedCount = 28

    /// The identifier as it stands in messages, 1 to 128 bytes.
    public let rawValue: String

    /// - Returns: `nil` if `text` has the wrong length or a character that is not allowed.
    public init?(_ text: String) {
        guard Limits.userIDBytes.contains(text.utf8.count),
            text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "/") })
        else { return nil }
        rawValue = text
    }

    private init(unchecked text: String) { rawValue = text }

    /// Makes a new identifier; give it the system's generator for one that cannot be guessed.
    public static func random(using generator: inout some RandomNumberGenerator) -> Self {
        Self(unchecked: RandomText.draw(generatedCount, using: &generator))
    }

    /// The identifier as it stands in messages.
    public var description: String { rawValue }
}
