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
    /// An upload, and everything else of the same content, which is refused from then on.
    case track(MusicID, reason: String?)

    /// The words of the protocol.
    public enum Kind: String, CaseIterable, Sendable {
        case room
        case roomText = "room_text"
        case roomPicture = "room_picture"
        case message
        case photo
        case profile
        case track
    }

    public var kind: Kind {
        switch self {
        case .room: .room
        case .roomText: .roomText
        case .roomPicture: .roomPicture
        case .message: .message
        case .photo: .photo
        case .profile: .profile
        case .track: .track
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
    public var track: MusicID?
    /// Told to whoever uploaded the track.
    public var reason: String?

    public init(_ content: TakeDown) {
        kind = content.kind
        switch content {
        case .room(let room), .roomText(let room), .roomPicture(let room): self.room = room
        case .message(let room, let id): (self.room, message) = (room, id)
        case .photo(let user), .profile(let user): self.user = user
        case .track(let track, let reason): (self.track, self.reason) = (track, reason)
        }
    }

    private init(
        kind: TakeDown.Kind, room: RoomReference?, message: Int64?, user: UserReference?, track: MusicID?,
        reason: String?
    ) {
        self.kind = kind
        self.room = room
        self.message = message
        self.user = user
        self.track = track
        self.reason = reason
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
        case .track: .track(try needed(track, "track"), reason: reason)
        }
    }

    public static let declaration = Declaration(
        Member("kind", \Self.kind, .word),
        Member(optional: "room", \Self.room, .roomReference),
        Member(optional: "message", \Self.message, .chatID),
        Member(optional: "user", \Self.user, .userReference),
        Member(optional: "track", \Self.track, .musicID),
        Member(optional: "reason", \Self.reason, .line(bytes: Limits.takeDownReasonBytes)),
        make: { Self(kind: $0, room: $1, message: $2, user: $3, track: $4, reason: $5) })
}

extension Limits {
    /// Bytes of the reason why something was taken down.
    public static let takeDownReasonBytes = 1...500
    /// Bytes of SHA-256 in hexadecimal digits.
    static let contentHashBytes = 64...64
    /// Contents in one page.
    public static let refusedContentPageCount: ClosedRange<Int64> = 1...100
    /// Contents in one page if the request says nothing.
    public static let refusedContentPageCountDefault = 50
}

// MARK: - Refused content

/// The content of a file that is refused when it is uploaded, because it was taken down.
///
/// Source: Protocol/spec/permissions.md, "content.taken_down".
public struct RefusedContent: DeclaredObject, Hashable {
    /// 1, 2, 3 and so on.
    public var id: Int64
    /// SHA-256 of the file, 64 hexadecimal digits.
    public var sha256: String
    /// The title of the track that was taken down.
    public var title: String
    public var reason: String?
    /// Milliseconds since 1970, UTC.
    public var atMilliseconds: Int64
    /// Who took it down; `nil` for the operator, and for an account that is gone.
    public var by: User?

    public init(id: Int64, sha256: String, title: String, reason: String?, atMilliseconds: Int64, by: User?) {
        self.id = id
        self.sha256 = sha256
        self.title = title
        self.reason = reason
        self.atMilliseconds = atMilliseconds
        self.by = by
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .number),
        Member("sha256", \Self.sha256, .line(bytes: Limits.contentHashBytes)),
        Member("title", \Self.title, .line(bytes: Limits.musicTextBytes)),
        Member(nullable: "reason", \Self.reason, .line(bytes: Limits.takeDownReasonBytes)),
        Member("at_ms", \Self.atMilliseconds, .wallTime),
        Member(nullable: "by", \Self.by, .object),
        make: Self.init)
}

/// `content.taken_down`: what is refused when it is uploaded, the newest first.
///
/// Source: Protocol/spec/permissions.md, "content.taken_down".
public struct ContentTakenDown: DeclaredRequest {
    public typealias Response = RefusedContentPage
    public static let type = "content.taken_down"
    public static let permission: Permission? = .contentTakeDown

    /// Only those of a smaller `id`: `nextBefore` of the page before.
    public var before: Int64?
    /// 1 to 100.
    public var limit: Int

    public init(before: Int64? = nil, limit: Int = Limits.refusedContentPageCountDefault) {
        self.before = before
        self.limit = limit
    }

    public static let declaration = Declaration(
        Member(optional: "before", \Self.before, .number),
        Member(
            "limit", \Self.limit, .integer(Limits.refusedContentPageCount),
            default: Limits.refusedContentPageCountDefault),
        make: Self.init)
}

/// The answer to `content.taken_down`.
public struct RefusedContentPage: DeclaredObject, Equatable {
    public var contents: [RefusedContent]
    /// What to ask with as `before` for the page after; `nil` on the last page.
    public var nextBefore: Int64?

    public init(contents: [RefusedContent], nextBefore: Int64?) {
        self.contents = contents
        self.nextBefore = nextBefore
    }

    public static let declaration = Declaration(
        Member("contents", \Self.contents, .objects()), Member(nullable: "next_before", \Self.nextBefore, .number),
        make: Self.init)
}

/// `content.allow`: takes a content that was refused again. Tracks that were taken down stay gone.
///
/// Source: Protocol/spec/permissions.md, "content.allow".
public struct ContentAllow: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "content.allow"
    public static let permission: Permission? = .contentTakeDown

    public var id: Int64

    public init(id: Int64) { self.id = id }

    public static let declaration = Declaration(Member("id", \Self.id, .number), make: Self.init)
}
