/// `chat.send`: says something.
///
/// Source: Protocol/spec/chat.md, "chat.send".
public struct ChatSend: WireRequest {
    public typealias Response = ChatResult
    public static let type = "chat.send"
    public static let permission: Permission? = .roomsListen

    /// As `ChatText` has it.
    public var text: String
    /// The message that this one answers.
    public var replyTo: Int64?
    /// The room the connection is in if absent.
    public var room: RoomReference?

    public init(text: String, replyTo: Int64? = nil, room: RoomReference? = nil) {
        self.text = text
        self.replyTo = replyTo
        self.room = room
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.roomIfPresent()
        text = try fields.chatText()
        replyTo = try fields.integerIfPresent("reply_to", in: Limits.chatID)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", ifPresent: room?.text)
            writer.member("text", text)
            writer.member("reply_to", ifPresent: replyTo)
        }
    }
}

/// `chat.edit`: the author says it otherwise.
///
/// Source: Protocol/spec/chat.md, "chat.edit".
public struct ChatEdit: WireRequest {
    public typealias Response = ChatResult
    public static let type = "chat.edit"
    public static let permission: Permission? = .roomsListen

    public var id: Int64
    /// As `ChatText` has it.
    public var text: String
    /// The room the connection is in if absent.
    public var room: RoomReference?

    public init(id: Int64, text: String, room: RoomReference? = nil) {
        self.id = id
        self.text = text
        self.room = room
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.roomIfPresent()
        id = try fields.integer("id", in: Limits.chatID)
        text = try fields.chatText()
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", ifPresent: room?.text)
            writer.member("id", id)
            writer.member("text", text)
        }
    }
}

/// One message: the answer to `chat.send` and `chat.edit`.
public struct ChatResult: WireObject, Equatable {
    public var message: ChatMessage

    public init(message: ChatMessage) { self.message = message }

    public init(_ json: JSON) throws(WireError) {
        message = try Fields(json).object("message", as: ChatMessage.self)
    }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("message", message) } }
}

/// `chat.delete`: the author or a moderator takes it away.
///
/// Source: Protocol/spec/chat.md, "chat.delete".
public struct ChatDelete: WireRequest {
    public typealias Response = Empty
    public static let type = "chat.delete"
    public static let permission: Permission? = .roomsListen

    public var id: Int64
    /// The room the connection is in if absent.
    public var room: RoomReference?

    public init(id: Int64, room: RoomReference? = nil) {
        self.id = id
        self.room = room
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.roomIfPresent()
        id = try fields.integer("id", in: Limits.chatID)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", ifPresent: room?.text)
            writer.member("id", id)
        }
    }
}

/// `chat.history`: what was said before, a page at a time.
///
/// Source: Protocol/spec/chat.md, "chat.history".
public struct ChatHistory: WireRequest {
    public typealias Response = ChatPage
    public static let type = "chat.history"
    public static let permission: Permission? = .roomsListen

    /// Only messages of a smaller `id`: `nextBefore` of the page before.
    public var before: Int64?
    /// 1 to 100.
    public var limit: Int
    /// The room the connection is in if absent.
    public var room: RoomReference?

    public init(before: Int64? = nil, limit: Int = Limits.chatPageCountDefault, room: RoomReference? = nil) {
        self.before = before
        self.limit = limit
        self.room = room
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.roomIfPresent()
        before = try fields.integerIfPresent("before", in: Limits.chatID)
        limit =
            try fields.integerIfPresent("limit", in: Limits.chatPageCount).map { Int($0) }
            ?? Limits.chatPageCountDefault
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", ifPresent: room?.text)
            writer.member("before", ifPresent: before)
            writer.member("limit", limit)
        }
    }
}

/// The answer to `chat.history`.
public struct ChatPage: WireObject, Equatable {
    /// Oldest first, in at most `Limits.chatBytesMax` bytes.
    public var messages: [ChatMessage]
    /// What to ask with as `before` for the page before this one; `nil` on the first.
    public var nextBefore: Int64?

    public init(messages: [ChatMessage], nextBefore: Int64?) {
        self.messages = messages
        self.nextBefore = nextBefore
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        messages = try fields.array(
            "messages", of: ChatMessage.self, count: 0...Int(Limits.chatPageCount.upperBound))
        nextBefore = try fields.integerIfPresent("next_before", in: Limits.chatID)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("messages", messages)
            writer.member("next_before", orNull: nextBefore)
        }
    }
}

/// `reaction.send`: a sign at a moment of the audio, which nobody keeps.
///
/// Source: Protocol/spec/chat.md, "reaction.send".
public struct ReactionSend: WireRequest {
    public typealias Response = Empty
    public static let type = "reaction.send"
    public static let permission: Permission? = .roomsListen

    /// One grapheme cluster of 1 to 32 bytes.
    public var emoji: String
    /// Server time of the audio that it belongs to; now if absent.
    public var atMicroseconds: Int64?

    public init(emoji: String, atMicroseconds: Int64? = nil) {
        self.emoji = emoji
        self.atMicroseconds = atMicroseconds
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        emoji = try fields.emoji()
        atMicroseconds = try fields.integerIfPresent("at_us", in: -Limits.integerMax...Limits.integerMax)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("emoji", emoji)
            writer.member("at_us", ifPresent: atMicroseconds)
        }
    }
}

extension Fields {
    /// What is to stand in a chat.
    /// - Throws: `chat.text_invalid`.
    func chatText() throws(WireError) -> String {
        try parsed("text", "plain text of 1 to 500 characters", code: .chatTextInvalid) {
            ChatText.isAcceptable($0) ? $0 : nil
        }
    }

    /// The sign under `emoji`.
    func emoji() throws(WireError) -> String {
        try parsed("emoji", "one character of 1 to 32 bytes") { ChatText.isReaction($0) ? $0 : nil }
    }
}
