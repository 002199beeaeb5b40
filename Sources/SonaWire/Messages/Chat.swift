extension Catalogue {
    /// Chat and reactions.
    ///
    /// Source: Protocol/spec/chat.md.
    static let chat = Area(
        "chat",
        requests: [ChatSend.self, ChatEdit.self, ChatDelete.self, ChatHistory.self, ReactionSend.self],
        events: [ChatPosted.self, ChatChanged.self, Reactions.self])
}

extension Limits {
    /// The feature that announces chat and reactions.
    public static let chatFeature = "chat"
    /// Identifiers of chat messages.
    public static let chatID: ClosedRange<Int64> = 1...integerMax
    /// Grapheme clusters of a message.
    public static let chatTextGraphemes = 1...500
    /// UTF-8 bytes of a message, whatever the number of its graphemes.
    public static let chatTextBytesMax = 4_000
    /// Line breaks in one message.
    public static let chatLineBreaksMax = 10
    /// Users mentioned in one message; further ones are not told.
    public static let chatMentionCount = 0...20
    /// Messages in a snapshot.
    public static let chatSnapshotCount = 50
    /// Messages in one page of the history.
    public static let chatPageCount: ClosedRange<Int64> = 1...100
    /// Messages in one page of the history if the request says nothing.
    public static let chatPageCountDefault = 50
    /// Bytes of the messages in a snapshot or a page, as JSON: it gets shorter before it would grow past this.
    public static let chatBytesMax = 65_536
    /// Seconds after which an author can no longer edit.
    public static let chatEditSeconds = 900
    /// Messages and edits of one person in a room within `chatRateSeconds`; further ones are `chat.rate_limited`.
    public static let chatRateMessages = 5
    /// Seconds in which at most `chatRateMessages` are taken from one person.
    public static let chatRateSeconds = 10
    /// Seconds between two messages of one person that a room can require. 0: slow mode is off.
    public static let slowModeSeconds: ClosedRange<Int64> = 0...3_600
    /// Bytes of one reaction's sign.
    public static let reactionBytes = 1...32
    /// Different signs in one `reactions`.
    public static let reactionKinds = 1...32
    /// Reactions of one connection in a second that are counted; further ones change nothing.
    public static let reactionsPerSecond = 10
    /// Milliseconds from one `reactions` to the next.
    public static let reactionsIntervalMilliseconds = 250
    /// A reaction further than this from now belongs to now.
    public static let reactionReachMicroseconds: Int64 = 10_000_000
}

// MARK: - Objects

/// A message in a room's chat.
///
/// Source: Protocol/spec/chat.md, "Chat message".
public struct ChatMessage: DeclaredObject, Hashable {
    /// 1 to 2^53 − 1; a later message of the room has a greater one.
    public var id: Int64
    /// The author, as others see them.
    public var user: User
    /// Plain, as `ChatText` has it; empty if deleted.
    public var text: String
    /// Milliseconds since 1970, UTC, like `editedMilliseconds`.
    public var atMilliseconds: Int64
    /// When the text was last edited, milliseconds since 1970, UTC. `nil` if it never was.
    public var editedMilliseconds: Int64?
    /// Whether the author or a moderator deleted the message.
    public var isDeleted: Bool
    /// At most 20, each once, in the order of the text.
    public var mentions: [UserID]
    /// The message that this one answers, which may be gone.
    public var replyTo: Int64?

    public init(
        id: Int64, user: User, text: String, atMilliseconds: Int64, editedMilliseconds: Int64? = nil,
        isDeleted: Bool = false, mentions: [UserID] = [], replyTo: Int64? = nil
    ) {
        self.id = id
        self.user = user
        self.text = text
        self.atMilliseconds = atMilliseconds
        self.editedMilliseconds = editedMilliseconds
        self.isDeleted = isDeleted
        self.mentions = mentions
        self.replyTo = replyTo
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .chatID),
        Member("user", \Self.user, .object),
        Member("text", \Self.text, .text(bytes: 0...Limits.chatTextBytesMax)),
        Member("at_ms", \Self.atMilliseconds, .wallTime),
        Member(nullable: "edited_ms", \Self.editedMilliseconds, .wallTime),
        Member("deleted", \Self.isDeleted, .flag),
        Member("mentions", \Self.mentions, .userIDs(count: Limits.chatMentionCount)),
        Member(nullable: "reply_to", \Self.replyTo, .chatID),
        make: Self.init
    ).checked(
        Schema([
            "if": ["properties": ["deleted": ["const": true]]], "then": ["properties": ["text": ["maxLength": 0]]],
        ])
    ) { message, fields throws(WireError) in
        if message.isDeleted, !message.text.isEmpty {
            throw fields.invalid("text", "must be empty in a deleted message")
        }
    }
}

/// The rules for texts of chat messages.
///
/// Source: Protocol/spec/chat.md, "Text".
public enum ChatText {
    /// Whether `text` has 1 to 500 grapheme clusters (UAX #29) in at most 4000 bytes, and at most 10 line feeds.
    ///
    /// It must hold something to see, and no other control character or line separator. Time is linear in the bytes, of
    /// which at most 4000 are looked at.
    public static func isAcceptable(_ text: String) -> Bool {
        guard 1...Limits.chatTextBytesMax ~= text.utf8.count else { return false }
        var lineBreaks = 0
        var isVisible = false
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A: lineBreaks += 1
            case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029: return false
            default: isVisible = isVisible || !scalar.properties.isWhitespace
            }
        }
        return isVisible && lineBreaks <= Limits.chatLineBreaksMax && Limits.chatTextGraphemes.contains(text.count)
    }

    /// Whether `text` is one grapheme cluster of 1 to 32 bytes without control characters and white space.
    public static func isReaction(_ text: String) -> Bool {
        Limits.reactionBytes.contains(text.utf8.count) && text.count == 1
            && text.unicodeScalars.allSatisfy { scalar in
                !(0x00...0x1F ~= scalar.value || 0x7F...0x9F ~= scalar.value) && !scalar.properties.isWhitespace
            }
    }
}

/// Who may write in a room's chat.
///
/// Source: Protocol/spec/chat.md, "Rules".
public enum ChatRule: String, CaseIterable, Sendable {
    /// Everybody who may chat in the room, guests included.
    case everyone
    /// Members and higher standings.
    case members
    /// Moderators and higher standings.
    case moderators
    /// Nobody, not even the owner.
    case off

    /// Whether somebody of this standing may write.
    public func admits(_ standing: Standing) -> Bool {
        switch self {
        case .everyone: true
        case .members: standing >= .member
        case .moderators: standing >= .moderator
        case .off: false
        }
    }
}

// MARK: - Requests

/// `chat.send`: says something.
///
/// Source: Protocol/spec/chat.md, "chat.send".
public struct ChatSend: DeclaredRequest {
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

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference),
        Member("text", \Self.text, .chatText),
        Member(optional: "reply_to", \Self.replyTo, .chatID)
    ) { Self(text: $1, replyTo: $2, room: $0) }
}

/// `chat.edit`: the author changes the text of a message.
///
/// Source: Protocol/spec/chat.md, "chat.edit".
public struct ChatEdit: DeclaredRequest {
    public typealias Response = ChatResult
    public static let type = "chat.edit"
    public static let permission: Permission? = .roomsListen

    /// The message to edit, `Limits.chatID`.
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

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference),
        Member("id", \Self.id, .chatID),
        Member("text", \Self.text, .chatText)
    ) { Self(id: $1, text: $2, room: $0) }
}

/// One message: the answer to `chat.send` and `chat.edit`.
public struct ChatResult: DeclaredObject, Equatable {
    /// The message after the request.
    public var message: ChatMessage

    public init(message: ChatMessage) { self.message = message }

    public static let declaration = Declaration(
        Member("message", \Self.message, .object),
        make: Self.init)
}

/// `chat.delete`: the author or a moderator takes it away.
///
/// Source: Protocol/spec/chat.md, "chat.delete".
public struct ChatDelete: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "chat.delete"
    public static let permission: Permission? = .roomsListen

    /// The message to delete, `Limits.chatID`.
    public var id: Int64
    /// The room the connection is in if absent.
    public var room: RoomReference?

    public init(id: Int64, room: RoomReference? = nil) {
        self.id = id
        self.room = room
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference),
        Member("id", \Self.id, .chatID)
    ) { Self(id: $1, room: $0) }
}

/// `chat.history`: what was said before, a page at a time.
///
/// Source: Protocol/spec/chat.md, "chat.history".
public struct ChatHistory: DeclaredRequest {
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

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference),
        Member(optional: "before", \Self.before, .chatID),
        Member("limit", \Self.limit, .integer(Limits.chatPageCount), default: Limits.chatPageCountDefault)
    ) { Self(before: $1, limit: $2, room: $0) }
}

/// The answer to `chat.history`.
public struct ChatPage: DeclaredObject, Equatable {
    /// Oldest first, in at most `Limits.chatBytesMax` bytes.
    public var messages: [ChatMessage]
    /// The `before` that asks for the page of older messages. `nil` on the first page.
    public var nextBefore: Int64?

    public init(messages: [ChatMessage], nextBefore: Int64?) {
        self.messages = messages
        self.nextBefore = nextBefore
    }

    public static let declaration = Declaration(
        Member("messages", \Self.messages, .objects(count: 0...Int(Limits.chatPageCount.upperBound))),
        Member(nullable: "next_before", \Self.nextBefore, .chatID),
        make: Self.init)
}

/// `reaction.send`: a sign at a moment of the audio, which nobody keeps.
///
/// Source: Protocol/spec/chat.md, "reaction.send".
public struct ReactionSend: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "reaction.send"
    /// `true`: the request is about its connection, so HTTP does not serve it.
    public static let needsConnection = true
    public static let permission: Permission? = .roomsListen

    /// One grapheme cluster of 1 to 32 bytes.
    public var emoji: String
    /// Server time of the audio that it belongs to; now if absent.
    public var atMicroseconds: Int64?

    public init(emoji: String, atMicroseconds: Int64? = nil) {
        self.emoji = emoji
        self.atMicroseconds = atMicroseconds
    }

    public static let declaration = Declaration(
        Member("emoji", \Self.emoji, .reaction),
        Member(optional: "at_us", \Self.atMicroseconds, .serverTime),
        make: Self.init)
}

// MARK: - Events

/// `chat.message`: something was said.
///
/// Source: Protocol/spec/chat.md, "chat.message".
public struct ChatPosted: DeclaredEvent {
    public static let type = "chat.message"

    /// The new message.
    public var message: ChatMessage

    public init(message: ChatMessage) { self.message = message }

    public static let declaration = Declaration(Member("message", \Self.message, .object), make: Self.init)
}

/// `chat.changed`: a message was edited or deleted; here is what it is now.
///
/// Source: Protocol/spec/chat.md, "chat.changed".
public struct ChatChanged: DeclaredEvent {
    public static let type = "chat.changed"

    /// The message after the change. It replaces the one with the same identifier.
    public var message: ChatMessage

    public init(message: ChatMessage) { self.message = message }

    public static let declaration = Declaration(Member("message", \Self.message, .object), make: Self.init)
}

/// How often one sign was sent at one moment.
///
/// Source: Protocol/spec/chat.md, "reactions".
public struct ReactionCount: DeclaredObject, Hashable {
    /// One grapheme cluster of 1 to 32 bytes.
    public var emoji: String
    /// How often the sign was sent, at least 1.
    public var count: Int

    public init(emoji: String, count: Int) {
        self.emoji = emoji
        self.count = count
    }

    public static let declaration = Declaration(
        Member("emoji", \Self.emoji, .line(bytes: Limits.reactionBytes)),
        Member("count", \Self.count, .number),
        make: Self.init)
}

/// `reactions`: the signs that belong to a moment of the audio. Live only, at most four a second.
///
/// Source: Protocol/spec/chat.md, "reactions".
public struct Reactions: DeclaredEvent {
    public static let type = "reactions"
    public static let scope = EventScope.roomLive

    /// Server time of the audio that they belong to.
    public var atMicroseconds: Int64
    /// 1 to 32 different ones, the most frequent first.
    public var counts: [ReactionCount]

    public init(atMicroseconds: Int64, counts: [ReactionCount]) {
        self.atMicroseconds = atMicroseconds
        self.counts = counts
    }

    public static let declaration = Declaration(
        Member("at_us", \Self.atMicroseconds, .serverTime),
        Member("counts", \Self.counts, .objects(count: Limits.reactionKinds)),
        make: Self.init)
}

// MARK: - Forms

extension Form where Value == String {
    fileprivate static var reaction: Form {
        .parsed(
            Schema.string(bytes: Limits.reactionBytes).adding(
                "not",
                ["pattern": "[\\u0000-\\u0020\\u007F-\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000]"]
            ).described("One grapheme cluster of 1 to 32 bytes.").named("reaction"),
            "one character of 1 to 32 bytes", { ChatText.isReaction($0) ? $0 : nil }
        ) { $0 }
    }
}
