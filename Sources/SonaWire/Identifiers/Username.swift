/// The name a user chose, as typed.
///
/// 3 to 24 of the characters `A–Z a–z 0–9 _ . -`, the first a letter or digit. Two usernames are the same name if
/// their `key` is; `==` compares them as typed.
///
/// Source: Protocol/spec/identifiers.md, "Usernames".
public struct Username: Hashable, Sendable, CustomStringConvertible {
    /// The name as its owner writes it, 3 to 24 bytes.
    public let rawValue: String

    /// - Returns: `nil` if `text` has the wrong length or a character that is not allowed.
    public init?(_ text: String) {
        guard Limits.usernameBytes.contains(text.utf8.count),
            let first = text.utf8.first, RandomText.isLetterOrDigit(first),
            text.utf8.allSatisfy({ RandomText.isLetterOrDigit($0) || Self.punctuation.contains($0) })
        else { return nil }
        rawValue = text
    }

    /// The name with A–Z folded to a–z. Unique on a server.
    public var key: String { Self.folded(rawValue) }

    /// Any text, with A–Z folded to a–z: what keys are compared with, parts of them too.
    public static func folded(_ text: String) -> String {
        String(decoding: text.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// The name as it stands in messages.
    public var description: String { rawValue }

    private static let punctuation = Array("_.-".utf8)
}
