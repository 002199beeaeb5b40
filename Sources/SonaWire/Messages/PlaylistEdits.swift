/// Where entries go: before or after another entry, or to a place from 0. All absent: to the end.
public struct PlaylistTarget: Hashable, Sendable {
    public var before: MusicID?
    public var after: MusicID?
    /// Counted without the entries that move; past the end counts as the end.
    public var place: Int?

    public init(before: MusicID? = nil, after: MusicID? = nil, place: Int? = nil) {
        self.before = before
        self.after = after
        self.place = place
    }

    /// To the end of the list.
    public static let end = PlaylistTarget()
}

extension Spread where Value == PlaylistTarget {
    static var target: Spread {
        let (entry, place) = (Form<MusicID>.musicID, Form<Int>.integer(0...Int64(Limits.playlistEntriesMax)))
        return Spread(
            read: { fields throws(WireError) in
                let target = PlaylistTarget(
                    before: try entry.read(fields, "before"), after: try entry.read(fields, "after"),
                    place: try place.read(fields, "at"))
                let count =
                    (target.before == nil ? 0 : 1) + (target.after == nil ? 0 : 1) + (target.place == nil ? 0 : 1)
                guard count <= 1 else { throw fields.invalid("at", "must be absent with before or after") }
                return target
            },
            write: { target, writer in
                writer.member("before", ifPresent: target.before?.rawValue)
                writer.member("after", ifPresent: target.after?.rawValue)
                writer.member("at", ifPresent: target.place)
            },
            properties: [
                .init("before", entry.schema.orNull, isRequired: false),
                .init("after", entry.schema.orNull, isRequired: false),
                .init("at", place.schema.orNull, isRequired: false),
            ])
    }
}

/// `playlist.add`: adds tracks, or an album.
///
/// Source: Protocol/spec/playlists.md, "playlist.add".
public struct PlaylistAdd: DeclaredRequest {
    public typealias Response = PlaylistEdit
    public static let type = "playlist.add"
    public static let permission: Permission? = .libraryCollect

    public var playlist: MusicID
    /// In their order; a track may come more than once.
    public var tracks: [MusicID]
    /// An album, whose tracks are added in its order, after `tracks`.
    public var album: MusicID?
    /// The identifiers of the new entries, one for each of `tracks`; the server makes them otherwise.
    public var entries: [MusicID]?
    public var target: PlaylistTarget
    /// Leave out tracks that are in the list already.
    public var isWithoutDuplicates: Bool
    /// A request of the same key adds nothing again.
    public var key: String?
    /// Refused unless the playlist has this version.
    public var version: Int64?

    public init(
        playlist: MusicID, tracks: [MusicID] = [], album: MusicID? = nil, entries: [MusicID]? = nil,
        target: PlaylistTarget = .end, isWithoutDuplicates: Bool = false, key: String? = nil, version: Int64? = nil
    ) {
        self.playlist = playlist
        self.tracks = tracks
        self.album = album
        self.entries = entries
        self.target = target
        self.isWithoutDuplicates = isWithoutDuplicates
        self.key = key
        self.version = version
    }

    public static let declaration = Declaration(
        Member("playlist", \Self.playlist, .musicID),
        Member("tracks", \Self.tracks, .musicIDs(count: 0...Limits.playlistBatch.upperBound), default: []),
        Member(optional: "album", \Self.album, .musicID),
        Member(
            optional: "entries", \Self.entries,
            .musicIDs(count: 0...Limits.playlistBatch.upperBound, isUnique: true)),
        Member(\Self.target, spread: .target),
        Member("no_duplicates", \Self.isWithoutDuplicates, .flag, default: false),
        Member(optional: "key", \Self.key, .requestKey),
        Member(optional: "version", \Self.version, .count),
        make: Self.init
    ).checked(
        Schema([
            "anyOf": [
                ["properties": ["tracks": ["type": "array", "minItems": 1]], "required": ["tracks"]],
                ["properties": ["album": ["type": "string"]], "required": ["album"]],
            ]
        ])
    ) { request, fields throws(WireError) in
        guard !request.tracks.isEmpty || request.album != nil else {
            throw fields.invalid("tracks", "must name a track, or album an album")
        }
        if let entries = request.entries {
            guard entries.count == request.tracks.count else {
                throw fields.invalid("entries", "must name one new entry for each track")
            }
        }
    }
}

/// `playlist.remove`: takes entries out.
///
/// Source: Protocol/spec/playlists.md, "playlist.remove".
public struct PlaylistRemove: DeclaredRequest {
    public typealias Response = PlaylistEdit
    public static let type = "playlist.remove"
    public static let permission: Permission? = .libraryCollect

    public var playlist: MusicID
    public var entries: [MusicID]
    /// Refused unless the playlist has this version.
    public var version: Int64?

    public init(playlist: MusicID, entries: [MusicID], version: Int64? = nil) {
        self.playlist = playlist
        self.entries = entries
        self.version = version
    }

    public static let declaration = Declaration(
        Member("playlist", \Self.playlist, .musicID),
        Member("entries", \Self.entries, .musicIDs(count: Limits.playlistBatch)),
        Member(optional: "version", \Self.version, .count),
        make: Self.init)
}

/// `playlist.move`: moves entries, which then stand together in the order of the request.
///
/// Source: Protocol/spec/playlists.md, "playlist.move".
public struct PlaylistMove: DeclaredRequest {
    public typealias Response = PlaylistEdit
    public static let type = "playlist.move"
    public static let permission: Permission? = .libraryCollect

    public var playlist: MusicID
    public var entries: [MusicID]
    public var target: PlaylistTarget
    /// Refused unless the playlist has this version.
    public var version: Int64?

    public init(playlist: MusicID, entries: [MusicID], target: PlaylistTarget, version: Int64? = nil) {
        self.playlist = playlist
        self.entries = entries
        self.target = target
        self.version = version
    }

    public static let declaration = Declaration(
        Member("playlist", \Self.playlist, .musicID),
        Member("entries", \Self.entries, .musicIDs(count: Limits.playlistBatch, isUnique: true)),
        Member(\Self.target, spread: .target),
        Member(optional: "version", \Self.version, .count),
        make: Self.init)
}

/// What an edit did: the answer to `playlist.add`, `playlist.remove` and `playlist.move`.
public struct PlaylistEdit: DeclaredObject, Equatable {
    /// The version after the edit; the old one if it changed nothing.
    public var version: Int64
    /// Entries of the whole list.
    public var entryCount: Int
    /// New entries, in their order.
    public var added: [PlaylistPlace]
    public var moved: [PlaylistPlace]
    public var removed: [MusicID]
    /// What was not done: tracks that the caller does not see or that are there already, and entries that are not there
    /// any more or were there before.
    public var skipped: [MusicID]
    /// All keys were made anew, so that the client has to get the list again.
    public var isRebalanced: Bool

    public init(
        version: Int64, entryCount: Int, added: [PlaylistPlace] = [], moved: [PlaylistPlace] = [],
        removed: [MusicID] = [], skipped: [MusicID] = [], isRebalanced: Bool = false
    ) {
        self.version = version
        self.entryCount = entryCount
        self.added = added
        self.moved = moved
        self.removed = removed
        self.skipped = skipped
        self.isRebalanced = isRebalanced
    }

    public static let declaration = Declaration(
        Member("version", \Self.version, .count),
        Member("tracks", \Self.entryCount, .count),
        Member("added", \Self.added, .objects()),
        Member("moved", \Self.moved, .objects()),
        Member("removed", \Self.removed, .musicIDs(count: 0...Int.max)),
        Member("skipped", \Self.skipped, .musicIDs(count: 0...Int.max)),
        Member("reload", \Self.isRebalanced, .flag),
        make: Self.init)
}
