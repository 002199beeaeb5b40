internal import SonaText
internal import SonaWire

/// A room in the directory: the entry and what is made of it. Never changed; an update makes another.
final class DirectoryRecord: Sendable {
    let entry: DirectoryEntry
    let words: DirectoryWords
    let rank: DirectoryRank

    /// - Parameter former: The room's record so far, from which goes over what has not changed.
    init(_ entry: DirectoryEntry, after former: DirectoryRecord?) {
        self.entry = entry
        words = DirectoryWords(entry, after: former)
        rank = DirectoryRank(entry.room, formerStep: former?.rank.step)
    }

    var id: RoomID { entry.room.id }
    var owner: UserID { entry.room.owner.uid }
    var isPublic: Bool { entry.room.visibility == .public }

    /// How the room matches, if it does.
    func match(_ query: SearchQuery) -> DirectoryMatch? {
        if words.names.prefixMatches(query) { return .name }
        return words.all.prefixMatches(query) ? .mention : nil
    }
}

/// Where a query was found. A name comes before a mention.
enum DirectoryMatch: Sendable {
    /// All of it in the titles of room and track and the usernames of host and owner.
    case name
    /// Some of it in the artist or a tag.
    case mention
}

/// The words by which a room is found.
struct DirectoryWords: Sendable {
    /// Of one field that much is searched, bytes: as much as the longest title of a room.
    static let fieldBytesMax = Limits.titleBytes.upperBound

    /// Of the title of the room and of host and owner, which stay while one track follows another.
    private let lasting: SearchKey
    /// What lasts, and behind it the title of the track.
    let names: SearchKey
    /// The names, and behind them artist and tags.
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
        [entry.room.title, entry.room.host?.username?.rawValue, entry.room.owner.username?.rawValue]
    }

    /// The title of the track, and what is not a name.
    private static func passing(_ entry: DirectoryEntry) -> [String?] {
        [entry.room.track?.title, entry.room.track?.artist, entry.tags.joined(separator: "\n")]
    }

    /// A line each: no word goes on from one field into the next.
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
