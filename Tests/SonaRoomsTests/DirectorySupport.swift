import SonaRooms
import SonaText
import SonaWire

extension UserID {
    /// A user of the tests.
    static func number(_ number: Int) -> Self {
        guard let uid = Self("user-\(number)") else { preconditionFailure("That is a user identifier.") }
        return uid
    }
}

extension RoomID {
    /// A room of the tests; the numbers are in the order of the identifiers.
    static func number(_ number: Int) -> Self {
        guard let id = Self(String(String(number + 1_000_000).dropFirst()) + "abcdefghijklmn") else {
            preconditionFailure("That is a room identifier.")
        }
        return id
    }
}

extension DirectoryEntry {
    /// A public room that differs from the plainest one in the given values.
    init(
        _ number: Int, _ title: String = "Room", by owner: Int = 0, named username: String? = nil,
        visibility: Visibility = .public, host: String? = nil, track: String? = nil, artist: String? = nil,
        isLive: Bool = false, listeners: Int = 0, created: Int64 = 0, tags: [String] = []
    ) {
        let host = host.map { User(uid: .number(999), username: Username($0), isGuest: false) }
        let owner = User(uid: .number(owner), username: username.flatMap { Username($0) }, isGuest: false)
        let isTrackKnown = track != nil || artist != nil
        self.init(
            room: Room(
                id: .number(number), settings: RoomSettings(title: title, visibility: visibility), owner: owner,
                host: host,
                hostState: host == nil ? .none : .here, isLive: isLive, listenerCount: listeners,
                createdMilliseconds: created, track: isTrackKnown ? Track(title: track, artist: artist) : nil),
            tags: tags)
    }
}

extension RoomDirectory {
    init(_ entries: [DirectoryEntry]) {
        self.init(seed: 1)
        for entry in entries { put(entry) }
    }

    /// All rooms that a query finds.
    mutating func all(_ query: DirectoryQuery) throws -> [RoomID] {
        try search(query, reader: .number(0), limit: .max, now: 0).entries.map(\.room.id)
    }

    mutating func all(_ text: String) throws -> [RoomID] { try all(DirectoryQuery(text)) }
}

extension DirectoryChanges {
    /// A client's list after these changes.
    func applied(to list: [DirectoryEntry]) -> [DirectoryEntry] {
        let leaving = Set(removed + moved.map(\.room))
        var entries: [RoomID: DirectoryEntry] = [:]
        for entry in list { entries[entry.room.id] = entry }
        var result = list.filter { !leaving.contains($0.room.id) }
        let movers = moved.compactMap { move in entries[move.room].map { (move.index, $0) } }
        let comers = added.map { ($0.index, $0.entry) } + movers
        for (index, entry) in comers.sorted(by: { $0.0 < $1.0 }) { result.insert(entry, at: index) }
        for entry in changed {
            for index in result.indices where result[index].room.id == entry.room.id { result[index] = entry }
        }
        for news in listeners {
            for index in result.indices where result[index].room.id == news.room {
                result[index].room.listenerCount = news.count
            }
        }
        return result
    }
}

/// A straightforward directory, written without regard for time.
struct NaiveDirectory {
    struct Question {
        var text = "" {
            didSet { words = SearchQuery(text) }
        }
        private(set) var words = SearchQuery("")
        var owners: Set<UserID>?
        var hidden: Set<UserID> = []
        var admitted: Set<RoomID> = []

        var query: DirectoryQuery {
            DirectoryQuery(text, scope: owners.map { .owners($0) } ?? .all, hidden: hidden, admitted: admitted)
        }
    }

    /// A room with its derived data; an object, because all of them are walked again and again.
    private final class Known {
        let entry: DirectoryEntry
        let names: SearchKey
        let all: SearchKey
        let step: Int

        init(_ entry: DirectoryEntry, names: SearchKey, all: SearchKey, step: Int) {
            self.entry = entry
            self.names = names
            self.all = all
            self.step = step
        }
    }

    private var rooms: [RoomID: Known] = [:]

    var entries: [DirectoryEntry] { rooms.values.map(\.entry).sorted { $0.room.id.rawValue < $1.room.id.rawValue } }
    var publicCount: Int { rooms.values.count { $0.entry.room.settings.visibility == .public } }

    subscript(room: RoomID) -> DirectoryEntry? { rooms[room]?.entry }

    mutating func put(_ entry: DirectoryEntry) {
        let room = entry.room
        let names = [
            room.settings.title, room.track?.title, room.host?.username?.rawValue, room.owner.username?.rawValue,
        ]
        let all = names + [room.track?.artist] + entry.tags
        rooms[room.id] = Known(
            entry, names: Self.key(names), all: Self.key(all),
            step: Self.step(room.listenerCount, after: rooms[room.id]?.step))
    }

    mutating func remove(_ room: RoomID) { rooms[room] = nil }

    private static func key(_ texts: [String?]) -> SearchKey {
        SearchKey(texts.compactMap { $0 }.joined(separator: " \n "))
    }

    /// By the table: 0, 1, 2, 4, 8 …, and one step lower only below three quarters of the step's lower edge.
    private static func step(_ count: Int, after former: Int?) -> Int {
        var edges = [0, 1]
        while edges[edges.count - 1] <= count { edges.append(edges[edges.count - 1] * 2) }
        let step = (edges.lastIndex { $0 <= count }) ?? 0
        guard let former, former == step + 1, former > 1 else { return step }
        return Double(count) >= Double(edges[former]) * 0.75 ? former : step
    }

    func finds(_ room: RoomID, _ question: Question) -> Bool {
        rooms[room].map { Self.finds($0, question) } ?? false
    }

    private static func finds(_ known: Known, _ question: Question) -> Bool {
        let owner = known.entry.room.owner.uid
        return (known.entry.room.settings.visibility == .public || question.admitted.contains(known.entry.room.id))
            && !question.hidden.contains(owner) && question.owners?.contains(owner) ?? true
            && known.all.prefixMatches(question.words)
    }

    func results(_ question: Question) -> [DirectoryEntry] {
        let ranked = rooms.values.filter { Self.finds($0, question) }.map { known in
            let room = known.entry.room
            let isNamed = known.names.prefixMatches(question.words)
            let place = (
                room.isLive ? 0 : 1, isNamed ? 0 : 1, -known.step, -room.createdMilliseconds, room.id.rawValue
            )
            return (known: known, place: place)
        }
        return ranked.sorted { $0.place < $1.place }.map(\.known.entry)
    }
}
