/// A message in a room's chat.
///
/// Source: Protocol/spec/chat.md, "Chat message".
public struct ChatMessage: WireObject, Hashable {
    /// 1 to 2^53 − 1; a later message of the room has a greater one.
    public var id: Int64
    public var user: User
    /// Plain, as `ChatText` has it; empty if deleted.
    public var text: String
    /// Milliseconds since 1970, UTC, like `editedMilliseconds`.
    public var atMilliseconds: Int64
    public var editedMilliseconds: Int64?
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

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        id = try fields.integer("id", in: Limits.chatID)
        user = try fields.object("user", as: User.self)
        text = try fields.string("text", bytes: 0...Limits.chatTextBytesMax)
        atMilliseconds = try fields.integer("at_ms", in: 0...Limits.integerMax)
        editedMilliseconds = try fields.integerIfPresent("edited_ms", in: 0...Limits.integerMax)
        isDeleted = try fields.bool("deleted")
        if isDeleted, !text.isEmpty { throw fields.invalid("text", "must be empty in a deleted message") }
        mentions = try fields.userIDs("mentions", count: Limits.chatMentionCount)
        replyTo = try fields.integerIfPresent("reply_to", in: Limits.chatID)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("user", user)
            writer.member("text", text)
            writer.member("at_ms", atMilliseconds)
            writer.member("edited_ms", orNull: editedMilliseconds)
            writer.member("deleted", isDeleted)
            writer.member("mentions", mentions.map(\.rawValue))
            writer.member("reply_to", orNull: replyTo)
        }
    }
}

/// What may be written in a chat.
///
/// Source: Protocol/spec/chat.md, "Text".
public enum ChatText {
    /// Whether `text` has 1 to 500 grapheme clusters (UAX #29) in at most 4000 bytes, at most 10 line feeds, something
    /// to see, and no other control character or separator of lines. Linear in the bytes, of which no more than 4000
    /// are looked at.
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

extension Fields {
    /// A bounded array of user identifiers, each once. An item at fault is named by its place.
    func userIDs(_ key: String, count: ClosedRange<Int>) throws(WireError) -> [UserID] {
        guard let texts = try linesIfPresent(key, bytes: Limits.userIDBytes, count: count) else {
            throw invalid(key, "is missing")
        }
        var ids: [UserID] = []
        ids.reserveCapacity(texts.count)
        for (index, text) in texts.enumerated() {
            guard let id = UserID(text) else { throw invalid("\(key)[\(index)]", "must be a user identifier") }
            ids.append(id)
        }
        guard Set(ids).count == ids.count else { throw invalid(key, "must name each user once") }
        return ids
    }
}
