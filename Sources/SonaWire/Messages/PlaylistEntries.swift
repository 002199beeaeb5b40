// MARK: - Objects

/// An entry of a playlist: one track at one place.
///
/// Source: Protocol/spec/playlists.md, "Entry".
public struct PlaylistEntry: DeclaredObject, Hashable {
    /// Names the entry for ever; of a smart playlist, the track.
    public var id: MusicID
    /// Entries are in the order of the bytes of their keys, equal ones in that of their identifiers.
    public var key: String
    /// `nil`: a gap. The track is gone, or the caller may not hear it.
    public var track: MusicTrack?
    /// Who added it; `nil` for an account that is gone, and in smart playlists.
    public var by: User?
    /// Milliseconds since 1970, UTC.
    public var addedMilliseconds: Int64

    public init(id: MusicID, key: String, track: MusicTrack?, by: User?, addedMilliseconds: Int64) {
        self.id = id
        self.key = key
        self.track = track
        self.by = by
        self.addedMilliseconds = addedMilliseconds
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .musicID),
        Member("key", \Self.key, .playlistKey),
        Member(nullable: "track", \Self.track, .object),
        Member(nullable: "by", \Self.by, .object),
        Member("added_ms", \Self.addedMilliseconds, .wallTime),
        make: Self.init)
}

/// Where an entry stands.
public struct PlaylistPlace: DeclaredObject, Hashable {
    public var id: MusicID
    public var key: String

    public init(id: MusicID, key: String) {
        self.id = id
        self.key = key
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .musicID), Member("key", \Self.key, .playlistKey), make: Self.init)
}

// MARK: - Reading

/// `playlist.get`: a playlist and a page of its entries.
///
/// Source: Protocol/spec/playlists.md, "playlist.get".
public struct PlaylistGet: DeclaredRequest {
    public typealias Response = PlaylistPage
    public static let type = "playlist.get"
    public static let permission: Permission? = .libraryListen

    public var playlist: MusicID
    /// 1 to 500.
    public var limit: Int
    /// `nextCursor` of the page before. Stays good when entries come, go and move.
    public var cursor: String?
    /// The place of the first entry, from 0, in place of a cursor.
    public var from: Int?

    public init(
        playlist: MusicID, limit: Int = Limits.playlistPageCountDefault, cursor: String? = nil, from: Int? = nil
    ) {
        self.playlist = playlist
        self.limit = limit
        self.cursor = cursor
        self.from = from
    }

    public static let declaration = Declaration(
        Member("playlist", \Self.playlist, .musicID),
        Member("limit", \Self.limit, .integer(Limits.playlistPageCount), default: Limits.playlistPageCountDefault),
        Member(optional: "cursor", \Self.cursor, .cursor),
        Member(optional: "from", \Self.from, .integer(0...Int64(Limits.playlistEntriesMax))),
        make: Self.init
    ).checked { request, fields throws(WireError) in
        guard request.cursor == nil || request.from == nil else {
            throw fields.invalid("from", "must be absent with a cursor")
        }
    }
}

/// A page of a playlist: the answer to `playlist.get` and `playlist.shuffle`.
public struct PlaylistPage: DeclaredObject, Equatable {
    public var playlist: Playlist
    public var entries: [PlaylistEntry]
    /// The place of the first entry of the page, from 0.
    public var from: Int
    /// Entries of the whole list.
    public var total: Int
    /// The cursor that asks for the next page. `nil` on the last page.
    public var nextCursor: String?

    public init(playlist: Playlist, entries: [PlaylistEntry], from: Int, total: Int, nextCursor: String?) {
        self.playlist = playlist
        self.entries = entries
        self.from = from
        self.total = total
        self.nextCursor = nextCursor
    }

    public static let declaration = Declaration(
        Member("playlist", \Self.playlist, .object), Member("entries", \Self.entries, .objects()),
        Member("from", \Self.from, .count), Member("total", \Self.total, .count),
        Member(nullable: "next_cursor", \Self.nextCursor, .cursor), make: Self.init)
}

/// `playlist.shuffle`: a page of a playlist in the shuffled order for a seed.
///
/// Source: Protocol/spec/playlists.md, "playlist.shuffle".
public struct PlaylistShuffled: DeclaredRequest {
    public typealias Response = PlaylistPage
    public static let type = "playlist.shuffle"
    public static let permission: Permission? = .libraryListen

    public var playlist: MusicID
    /// 0 to 2^53 − 1.
    public var seed: Int64
    /// The place of the first entry in the shuffled order, from 0.
    public var from: Int
    /// 1 to 500.
    public var limit: Int

    public init(
        playlist: MusicID, seed: Int64, from: Int = 0, limit: Int = Limits.playlistPageCountDefault
    ) {
        self.playlist = playlist
        self.seed = seed
        self.from = from
        self.limit = limit
    }

    public static let declaration = Declaration(
        Member("playlist", \Self.playlist, .musicID),
        Member("seed", \Self.seed, .count),
        Member("from", \Self.from, .integer(0...Int64(Limits.playlistEntriesMax)), default: 0),
        Member("limit", \Self.limit, .integer(Limits.playlistPageCount), default: Limits.playlistPageCountDefault),
        make: Self.init)
}

// MARK: - Events

/// `playlist.changed`: a playlist is another one than before. To all connections of its owner, of its collaborators,
/// and of those who have pinned it.
///
/// Source: Protocol/spec/playlists.md, "playlist.changed".
public struct PlaylistChanged: DeclaredEvent {
    public static let type = "playlist.changed"
    public static let scope = EventScope.personal

    public var id: MusicID
    /// The version after the change.
    public var version: Int64
    /// The version before. A client that has another one missed a change, and gets the list again.
    public var before: Int64
    public var added: [PlaylistEntry]
    public var moved: [PlaylistPlace]
    public var removed: [MusicID]
    /// The playlist as the receiver sees it now; `nil` if it is gone for the receiver.
    public var playlist: Playlist?
    /// The change is too large to be told: the client gets the list again.
    public var isReload: Bool

    public init(
        id: MusicID, version: Int64, before: Int64, added: [PlaylistEntry] = [], moved: [PlaylistPlace] = [],
        removed: [MusicID] = [], playlist: Playlist?, isReload: Bool = false
    ) {
        self.id = id
        self.version = version
        self.before = before
        self.added = added
        self.moved = moved
        self.removed = removed
        self.playlist = playlist
        self.isReload = isReload
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .musicID),
        Member("version", \Self.version, .count),
        Member("before", \Self.before, .count),
        Member("added", \Self.added, .objects()),
        Member("moved", \Self.moved, .objects()),
        Member("removed", \Self.removed, .musicIDs(count: 0...Int.max)),
        Member(nullable: "playlist", \Self.playlist, .object),
        Member("reload", \Self.isReload, .flag),
        make: Self.init)
}

// MARK: - Forms

extension Form where Value == String {
    /// The key of an entry.
    static var playlistKey: Form {
        let bytes = 1...Limits.playlistKeyBytesMax
        return Form(
            Schema.ascii(bytes, without: "[^0-9A-Za-z]").described("Base 62.").named("playlist_key"),
            read: { fields, key throws(WireError) in
                guard let text = try fields.lineIfPresent(key, bytes: bytes) else { return nil }
                let isFine = text.utf8.allSatisfy {
                    0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0
                }
                guard isFine else { throw fields.invalid(key, "must be letters and digits") }
                return text
            }, write: { $1.string($0) })
    }
}
