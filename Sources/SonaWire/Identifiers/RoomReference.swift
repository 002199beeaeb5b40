/// How a request names a room: by its identifier, or by the user who is live in it.
///
/// `@username` means the room the user is live in, or else the one they used last.
///
/// Source: Protocol/spec/identifiers.md, "Room references".
public enum RoomReference: Hashable, Sendable, CustomStringConvertible {
    /// The room of this identifier: the text without `@`.
    case id(RoomID)
    /// The room in which this user is live, or was last: the text with `@`.
    case username(Username)

    /// - Returns: `nil` if `text` is neither a room identifier nor `@` and a username.
    public init?(_ text: String) {
        if text.utf8.first == UInt8(ascii: "@") {
            // A byte, not a Character: a combining mark after the `@` must not vanish along with it.
            guard let username = Username(String(Substring(text.utf8.dropFirst()))) else { return nil }
            self = .username(username)
        } else {
            guard let id = RoomID(text) else { return nil }
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
