/// What an administrator takes down.
///
/// Source: Protocol/spec/permissions.md, "content.take_down".
public enum TakeDown: Hashable, Sendable {
    /// The room ends for good.
    case room(RoomReference)
    /// Title, description and tags of a room.
    case roomText(RoomReference)
    case roomPicture(RoomReference)
    /// The text of a message in a room's chat.
    case message(RoomReference, id: Int64)
    /// The photo of a profile.
    case photo(UserReference)
    /// Longer name, text about oneself and links of a profile.
    case profile(UserReference)

    /// The words of the protocol.
    public enum Kind: String, CaseIterable, Sendable {
        case room
        case roomText = "room_text"
        case roomPicture = "room_picture"
        case message
        case photo
        case profile
    }

    public var kind: Kind {
        switch self {
        case .room: .room
        case .roomText: .roomText
        case .roomPicture: .roomPicture
        case .message: .message
        case .photo: .photo
        case .profile: .profile
        }
    }
}

/// `content.take_down`: takes down what somebody has made, whoever they are.
///
/// Source: Protocol/spec/permissions.md, "content.take_down".
public struct ContentTakeDown: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "content.take_down"
    public static let permission: Permission? = .contentTakeDown

    public var kind: TakeDown.Kind
    /// Of a room's parts and of messages.
    public var room: RoomReference?
    /// The number of the message.
    public var message: Int64?
    /// Of a profile's parts.
    public var user: UserReference?

    public init(_ content: TakeDown) {
        kind = content.kind
        switch content {
        case .room(let room), .roomText(let room), .roomPicture(let room): self.room = room
        case .message(let room, let id): (self.room, message) = (room, id)
        case .photo(let user), .profile(let user): self.user = user
        }
    }

    private init(kind: TakeDown.Kind, room: RoomReference?, message: Int64?, user: UserReference?) {
        self.kind = kind
        self.room = room
        self.message = message
        self.user = user
    }

    /// What is meant; `nil` if a field is missing that the kind needs. The error names it.
    ///
    /// - Throws: `request.invalid`.
    public func content() throws(WireError) -> TakeDown {
        func needed<Value>(_ value: Value?, _ field: String) throws(WireError) -> Value {
            guard let value else { throw WireError(.requestInvalid, field: "data.\(field)") }
            return value
        }
        return switch kind {
        case .room: .room(try needed(room, "room"))
        case .roomText: .roomText(try needed(room, "room"))
        case .roomPicture: .roomPicture(try needed(room, "room"))
        case .message: .message(try needed(room, "room"), id: try needed(message, "message"))
        case .photo: .photo(try needed(user, "user"))
        case .profile: .profile(try needed(user, "user"))
        }
    }

    public static let declaration = Declaration(
        Member("kind", \Self.kind, .word),
        Member(optional: "room", \Self.room, .roomReference),
        Member(optional: "message", \Self.message, .chatID),
        Member(optional: "user", \Self.user, .userReference),
        make: { Self(kind: $0, room: $1, message: $2, user: $3) })
}
