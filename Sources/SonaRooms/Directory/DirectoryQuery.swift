internal import SonaText
package import SonaWire

/// A search of the directory by one reader, with the limits of what that reader may see.
package struct DirectoryQuery: Sendable {
    /// The owners whose rooms are searched.
    package enum Scope: Sendable, Equatable {
        case all
        /// Only the rooms of these owners, such as friends or followed users.
        case owners(Set<UserID>)
    }

    /// Number of words that are searched for. Further words are ignored, so that no query costs much more than another.
    static let wordsMax = 10

    package var scope: Scope
    /// Owners whose rooms do not exist for the reader, because one of the two blocked the other.
    package var hidden: Set<UserID>
    /// Private rooms that the reader may enter. No other private room is ever found.
    package var admitted: Set<RoomID>
    /// The query text, shortened to the words that are searched for.
    let text: String
    let words: SearchQuery
    let signature: WordSignature

    /// - Parameter text: The text typed so far, cut by the protocol and folded as `SearchKey` says. A text without
    ///   words matches every room.
    package init(
        _ text: String = "", scope: Scope = .all, hidden: Set<UserID> = [], admitted: Set<RoomID> = []
    ) {
        self.scope = scope
        self.hidden = hidden
        self.admitted = admitted
        self.text = Self.shortened(text)
        words = SearchQuery(self.text)
        signature = WordSignature(query: self.text)
    }

    private static func shortened(_ text: String) -> String {
        let words = SearchKey(text).text.split(separator: " ")
        guard words.count > wordsMax else { return text }
        return words.prefix(wordsMax).joined(separator: " ")
    }

    /// Whether the readers of both queries see the same rooms, whatever the text.
    package func hasLimits(of other: DirectoryQuery) -> Bool {
        scope == other.scope && hidden == other.hidden && admitted == other.admitted
    }

    /// Whether the room exists for the reader and is within the scope. The query text is not checked here.
    func admits(_ record: DirectoryRecord) -> Bool {
        guard record.isPublic || admitted.contains(record.id) else { return false }
        if !hidden.isEmpty, hidden.contains(record.owner) { return false }
        switch scope {
        case .all: return true
        case .owners(let owners): return owners.contains(record.owner)
        }
    }
}
