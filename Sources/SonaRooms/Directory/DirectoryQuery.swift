internal import SonaText
package import SonaWire

/// What somebody looks for in the directory, and what they may see there.
package struct DirectoryQuery: Sendable {
    /// Whose rooms are looked through.
    package enum Scope: Sendable, Equatable {
        case all
        /// Those of friends, for instance, or of whom one follows.
        case owners(Set<UserID>)
    }

    /// Words looked for; those behind them are not, so that no query costs much more than another.
    static let wordsMax = 10

    package var scope: Scope
    /// Owners whose rooms do not exist for the one who asks, by a block of either.
    package var hidden: Set<UserID>
    /// Private rooms that the one who asks may enter; no other private room is ever found.
    package var admitted: Set<RoomID>
    /// As far as it is looked for.
    let text: String
    let words: SearchQuery
    let signature: WordSignature

    /// - Parameter text: What was typed so far, cut by the protocol; folded as `SearchKey` says. Without words in it,
    ///   every room matches.
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

    /// Whether the room exists for the one who asks, in their scope; of its text nothing is said.
    func admits(_ record: DirectoryRecord) -> Bool {
        guard record.isPublic || admitted.contains(record.id) else { return false }
        if !hidden.isEmpty, hidden.contains(record.owner) { return false }
        switch scope {
        case .all: return true
        case .owners(let owners): return owners.contains(record.owner)
        }
    }
}
