/// How a request names a user: by identifier, or by the name they go by now.
///
/// A text that begins with `@` is always a username. An identifier from outside that begins so too cannot be referred
/// to; its user is found by username alone.
///
/// Source: Protocol/spec/identifiers.md, "User references".
public enum UserReference: Hashable, Sendable, CustomStringConvertible {
    /// The user of this identifier: the text without `@`.
    case id(UserID)
    /// The user who has this name now: the text with `@`.
    case username(Username)

    /// - Returns: `nil` if `text` is neither a user identifier nor `@` and a username.
    public init?(_ text: String) {
        if text.utf8.first == UInt8(ascii: "@") {
            // A byte, not a Character: a combining mark after the `@` must not vanish along with it.
            guard let username = Username(String(Substring(text.utf8.dropFirst()))) else { return nil }
            self = .username(username)
        } else {
            guard let id = UserID(text) else { return nil }
            self = .id(id)
        }
    }

    /// The reference as it stands in a message.
    public var text: String {
        switch self {
        case .id(let id): id.rawValue
        case .username(let username): "@" + username.rawValue
        }
    }

    /// The reference as it stands in messages.
    public var description: String { text }
}
