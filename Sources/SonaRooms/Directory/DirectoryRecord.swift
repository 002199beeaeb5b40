internal import SonaText
internal import SonaWire

/// A room in the directory: its entry and the search data derived from it. Immutable; an update makes a new record.
final class DirectoryRecord: Sendable {
    let entry: DirectoryEntry
    let words: DirectoryWords
    let rank: DirectoryRank

    /// - Parameter former: The room's record so far. Unchanged search data is taken over from it.
    init(_ entry: DirectoryEntry, after former: DirectoryRecord?) {
        self.entry = entry
        words = DirectoryWords(entry, after: former)
        rank = DirectoryRank(entry.room, formerStep: former?.rank.step)
    }

    var id: RoomID { entry.room.id }
    var owner: UserID { entry.room.owner.uid }
    var isPublic: Bool { entry.room.settings.visibility == .public }

    /// How the room matches, if it does.
    func match(_ query: SearchQuery) -> DirectoryMatch? {
        if words.names.prefixMatches(query) { return .name }
        return words.all.prefixMatches(query) ? .mention : nil
    }
}

/// The fields in which a query was found. A name ranks above a mention.
enum DirectoryMatch: Sendable {
    /// Every word of the query is in the titles of room and track and the usernames of host and owner.
    case name
    /// At least one word is found only in the artist or in a tag.
    case mention
}

/// The words by which a room is found.
struct DirectoryWords: Sendable {
    /// Bytes that are searched in one field: the length of the longest room title.
    static let fieldBytesMax = Limits.titleBytes.upperBound

    /// Words of the room's title and of the usernames of host and owner. They stay when the track changes.
    private let lasting: SearchKey
    /// The `lasting` words, followed by the track's title.
    let names: SearchKey
    /// The `names`, followed by artist and tags.
    let all: SearchKey
    let signature: WordSignature

    init(_ entry: DirectoryEntry, after former: DirectoryRecord?) {
        let lastingFields = Self.lasting(entry)
        let passingFields = Self.passing(entry)
        let isLasting = former.map { Self.lasting($0.entry) == lastingFields } ?? false
        if let former, isLasting, Self.passing(former.entry) == passingFields {
            self = former.words
            return
        }
        lasting = if let former, isLasting { former.words.lasting } else { Self.key(lastingFields) }
        names = Self.joined(lasting, Self.key([entry.room.track?.title]))
        all = Self.joined(names, Self.key(passingFields.dropFirst()))
        signature = WordSignature(all)
    }

    private static func lasting(_ entry: DirectoryEntry) -> [String?] {
        [entry.room.settings.title, entry.room.host?.username?.rawValue, entry.room.owner.username?.rawValue]
    }

    /// The track's title, and the fields that are not names.
    private static func passing(_ entry: DirectoryEntry) -> [String?] {
        [entry.room.track?.title, entry.room.track?.artist, entry.tags.joined(separator: "\n")]
    }

    /// Puts each field on a line of its own, so that no word runs from one field into the next.
    private static func key(_ fields: some Sequence<String?>) -> SearchKey {
        SearchKey(fields.compactMap { $0.map(beginning) }.joined(separator: "\n"))
    }

    private static func joined(_ one: SearchKey, _ other: SearchKey) -> SearchKey {
        if one.isEmpty { return other }
        return other.isEmpty ? one : SearchKey(stored: "\(one.text) \(other.text)")
    }

    private static func beginning(of text: String) -> Substring {
        guard text.utf8.count > fieldBytesMax else { return text[...] }
        var end = text.utf8.index(text.startIndex, offsetBy: fieldBytesMax)
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return text[..<end]
    }
}
