/// Names one invite to people who may revoke it. It does not let anybody in: only the code does.
///
/// 1 to 64 ASCII letters, digits, `_` and `-`, compared byte by byte.
///
/// Source: Protocol/spec/identifiers.md, "Invite identifiers".
public struct InviteID: Hashable, Sendable, CustomStringConvertible {
    /// Characters of an identifier made by `random(using:)`.
    public static let generatedCount = 16

    /// The identifier as it stands in messages.
    public let rawValue: String

    /// - Returns: `nil` if `text` has the wrong length or a character that is not allowed.
    public init?(_ text: String) {
        guard Limits.inviteIDBytes.contains(text.utf8.count),
            text.utf8.allSatisfy({
                RandomText.isLetterOrDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
            })
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
