/// `chat.message`: something was said.
///
/// Source: Protocol/spec/chat.md, "chat.message".
public struct ChatPosted: WireEvent {
    public static let type = "chat.message"

    public var message: ChatMessage

    public init(message: ChatMessage) { self.message = message }

    public init(_ json: JSON) throws(WireError) {
        message = try Fields(json).object("message", as: ChatMessage.self)
    }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("message", message) } }
}

/// `chat.changed`: a message was edited or deleted; here is what it is now.
///
/// Source: Protocol/spec/chat.md, "chat.changed".
public struct ChatChanged: WireEvent {
    public static let type = "chat.changed"

    public var message: ChatMessage

    public init(message: ChatMessage) { self.message = message }

    public init(_ json: JSON) throws(WireError) {
        message = try Fields(json).object("message", as: ChatMessage.self)
    }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("message", message) } }
}

/// How often one sign was sent at one moment.
///
/// Source: Protocol/spec/chat.md, "reactions".
public struct ReactionCount: WireObject, Hashable {
    /// One grapheme cluster of 1 to 32 bytes.
    public var emoji: String
    public var count: Int

    public init(emoji: String, count: Int) {
        self.emoji = emoji
        self.count = count
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        emoji = try fields.line("emoji", bytes: Limits.reactionBytes)
        count = Int(try fields.integer("count", in: 1...Limits.integerMax))
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("emoji", emoji)
            writer.member("count", count)
        }
    }
}

/// `reactions`: the signs that belong to a moment of the audio. Live only, at most four a second.
///
/// Source: Protocol/spec/chat.md, "reactions".
public struct Reactions: WireEvent {
    public static let type = "reactions"

    /// Server time of the audio that they belong to.
    public var atMicroseconds: Int64
    /// 1 to 32 different ones, the most frequent first.
    public var counts: [ReactionCount]

    public init(atMicroseconds: Int64, counts: [ReactionCount]) {
        self.atMicroseconds = atMicroseconds
        self.counts = counts
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        atMicroseconds = try fields.integer("at_us", in: -Limits.integerMax...Limits.integerMax)
        counts = try fields.array("counts", of: ReactionCount.self, count: Limits.reactionKinds)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("at_us", atMicroseconds)
            writer.member("counts", counts)
        }
    }
}
