/// Names one photo in one state: another picture has another identifier, so what it names may be cached for ever.
///
/// 1 to 64 ASCII letters, digits, `_` and `-`, compared byte by byte.
///
/// Source: Protocol/spec/identifiers.md, "Photo identifiers".
public struct PhotoID: Hashable, Sendable, CustomStringConvertible {
    /// The identifier as it stands in messages and paths, 1 to 64 bytes.
    public let rawValue: String

    /// - Returns: `nil` if `text` has the wrong length or a character that is not allowed.
    public init?(_ text: String) {
        guard Limits.photoIDBytes.contains(text.utf8.count),
            text.utf8.allSatisfy({
                RandomText.isLetterOrDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
            })
        else { return nil }
        rawValue = text
    }

    /// The identifier as it stands in messages.
    public var description: String { rawValue }
}
