extension Catalogue {
    /// Playlists.
    ///
    /// Source: Protocol/spec/playlists.md.
    static let playlists = Area(
        "playlists",
        requests: [
            PlaylistCreate.self, PlaylistGet.self, PlaylistList.self, PlaylistUpdate.self, PlaylistDelete.self,
            PlaylistPin.self, PlaylistCopy.self, PlaylistAdd.self, PlaylistRemove.self, PlaylistMove.self,
            PlaylistShuffled.self, PlaylistPreview.self, PlaylistInvite.self, PlaylistAccept.self,
            PlaylistCollaborators.self,
            PlaylistLeave.self, PlaylistExport.self, PlaylistImport.self, PlaylistRemovePicture.self,
        ], events: [PlaylistChanged.self])
}

extension Limits {
    /// The feature that announces playlists.
    public static let playlistsFeature = "playlists"
    /// Entries of one playlist.
    public static let playlistEntriesMax = 10_000
    /// Playlists of one account.
    public static let playlistsPerAccountMax = 1_000
    /// Playlists that one account has pinned.
    public static let playlistPinsMax = 1_000
    /// Accounts that may edit one playlist besides its owner.
    public static let playlistCollaboratorsMax = 20
    /// Entries that one request may add, remove or move.
    public static let playlistBatch = 1...500
    /// Bytes of the title of a playlist.
    public static let playlistTitleBytes = 1...100
    /// Bytes of the description of a playlist.
    public static let playlistDescriptionBytes = 0...1_000
    /// Bytes of the key of an entry. All keys of a list are made anew before one gets longer.
    public static let playlistKeyBytesMax = 64
    /// Bytes of a key by which a repeated request is known.
    public static let requestKeyBytes = 1...64
    /// Playlists, or entries, of one page.
    public static let playlistPageCount: ClosedRange<Int64> = 1...500
    /// Playlists, or entries, of one page if the request says nothing.
    public static let playlistPageCountDefault = 100
    /// Days for which the identifiers of removed entries are kept.
    public static let playlistRemovalDays = 30
}

// MARK: - Words

/// Who sees a playlist.
///
/// Source: Protocol/spec/playlists.md, "Who sees a playlist".
public enum PlaylistVisibility: String, CaseIterable, Sendable {
    /// Its owner and its collaborators.
    case `private`
    /// Also whoever knows its identifier.
    case unlisted
    /// Everybody; it is found by `search` and `playlist.list`.
    case `public`
}

/// What a playlist is to the caller.
public enum PlaylistRole: String, CaseIterable, Sendable {
    case owner, collaborator, listener
}

// MARK: - Objects

/// A playlist as the caller sees it.
///
/// Source: Protocol/spec/playlists.md, "Playlist".
public struct Playlist: DeclaredObject, Hashable {
    public var id: MusicID
    public var owner: User
    public var title: String
    /// Empty if there is none.
    public var about: String
    public var visibility: PlaylistVisibility
    /// Counts the changes of the playlist, from 1.
    public var version: Int64
    /// Entries, gaps included. 0 for a smart one, whose entries `playlist.get` counts.
    public var entryCount: Int
    /// Of all entries together.
    public var durationMilliseconds: Int64
    /// Of the first four different albums of which the caller sees a track.
    public var covers: [MusicCover]
    /// A picture of its own, shown in place of the covers; `nil` if it has none.
    public var picture: Photo?
    /// What a smart playlist is made of; `nil` for others.
    public var rule: PlaylistRule?
    public var role: PlaylistRole
    public var isPinned: Bool
    /// Accounts that may edit it besides its owner.
    public var collaboratorCount: Int
    /// Milliseconds since 1970, UTC, as the next one.
    public var createdMilliseconds: Int64
    public var changedMilliseconds: Int64
    /// Whether the caller likes it; `nil` for guests, who like nothing.
    public var isLiked: Bool?
    /// The caller's rating, 1 to 5; `nil` if there is none.
    public var rating: Int?

    public init(
        id: MusicID, owner: User, title: String, about: String, visibility: PlaylistVisibility, version: Int64,
        entryCount: Int, durationMilliseconds: Int64, covers: [MusicCover], rule: PlaylistRule?, role: PlaylistRole,
        isPinned: Bool, collaboratorCount: Int, createdMilliseconds: Int64, changedMilliseconds: Int64,
        isLiked: Bool? = nil, rating: Int? = nil, picture: Photo? = nil
    ) {
        self.id = id
        self.owner = owner
        self.title = title
        self.about = about
        self.visibility = visibility
        self.version = version
        self.entryCount = entryCount
        self.durationMilliseconds = durationMilliseconds
        self.covers = covers
        self.rule = rule
        self.role = role
        self.isPinned = isPinned
        self.collaboratorCount = collaboratorCount
        self.createdMilliseconds = createdMilliseconds
        self.changedMilliseconds = changedMilliseconds
        self.isLiked = isLiked
        self.rating = rating
        self.picture = picture
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .musicID),
        Member("owner", \Self.owner, .object),
        Member("title", \Self.title, .line(bytes: Limits.playlistTitleBytes)),
        Member("description", \Self.about, .text(bytes: Limits.playlistDescriptionBytes)),
        Member("visibility", \Self.visibility, .word),
        Member("version", \Self.version, .count),
        Member("tracks", \Self.entryCount, .count),
        Member("duration_ms", \Self.durationMilliseconds, .count),
        Member("covers", \Self.covers, .objects(count: 0...4)),
        Member(nullable: "rule", \Self.rule, .object),
        Member("role", \Self.role, .word),
        Member("pinned", \Self.isPinned, .flag),
        Member("collaborators", \Self.collaboratorCount, .count),
        Member("created_ms", \Self.createdMilliseconds, .wallTime),
        Member("changed_ms", \Self.changedMilliseconds, .wallTime),
        Member(optional: "liked", \Self.isLiked, .flag),
        Member(optional: "rating", \Self.rating, .integer(Limits.ratings)),
        Member(optional: "picture", \Self.picture, .object),
        make: Self.init)
}

// MARK: - Requests

/// `playlist.create`: a new playlist of one's own.
///
/// Source: Protocol/spec/playlists.md, "playlist.create".
public struct PlaylistCreate: DeclaredRequest {
    public typealias Response = PlaylistResult
    public static let type = "playlist.create"
    public static let permission: Permission? = .libraryCollect

    public var title: String
    public var about: String
    public var visibility: PlaylistVisibility
    /// Makes it a smart one, which has no entries of its own.
    public var rule: PlaylistRule?
    /// The first entries.
    public var tracks: [MusicID]
    /// A request of the same key makes no second playlist.
    public var key: String?

    public init(
        title: String, about: String = "", visibility: PlaylistVisibility = .private, rule: PlaylistRule? = nil,
        tracks: [MusicID] = [], key: String? = nil
    ) {
        self.title = title
        self.about = about
        self.visibility = visibility
        self.rule = rule
        self.tracks = tracks
        self.key = key
    }

    public static let declaration = Declaration(
        Member("title", \Self.title, .playlistTitle),
        Member("description", \Self.about, .text(bytes: Limits.playlistDescriptionBytes), default: ""),
        Member("visibility", \Self.visibility, .word, default: .private),
        Member(optional: "rule", \Self.rule, .object),
        Member("tracks", \Self.tracks, .musicIDs(count: 0...Limits.playlistBatch.upperBound), default: []),
        Member(optional: "key", \Self.key, .requestKey),
        make: Self.init)
}

/// A playlist as it is now.
public struct PlaylistResult: DeclaredObject, Equatable {
    public var playlist: Playlist

    public init(playlist: Playlist) { self.playlist = playlist }

    public static let declaration = Declaration(Member("playlist", \Self.playlist, .object), make: Self.init)
}

/// Whose playlists are listed.
public enum PlaylistScope: String, CaseIterable, Sendable {
    /// One's own.
    case own
    /// Those that one has pinned and sees.
    case pinned
    /// Those of others that one may edit.
    case shared
    /// Everybody's public ones.
    case `public`
}

/// `playlist.list`: playlists, those first that changed last.
///
/// Source: Protocol/spec/playlists.md, "playlist.list".
public struct PlaylistList: DeclaredRequest {
    public typealias Response = PlaylistListPage
    public static let type = "playlist.list"
    public static let permission: Permission? = .libraryListen

    public var scope: PlaylistScope
    /// Only those of this account. With the scope `public`.
    public var owner: UserReference?
    /// Only those whose titles have words that begin so.
    public var query: String?
    public var limit: Int
    public var cursor: String?

    public init(
        scope: PlaylistScope = .own, owner: UserReference? = nil, query: String? = nil,
        limit: Int = Limits.playlistPageCountDefault, cursor: String? = nil
    ) {
        self.scope = scope
        self.owner = owner
        self.query = query
        self.limit = limit
        self.cursor = cursor
    }

    public static let declaration = Declaration(
        Member("scope", \Self.scope, .word, default: .own),
        Member(optional: "owner", \Self.owner, .userReference),
        Member(optional: "query", \Self.query, .line(bytes: Limits.musicQueryBytes)),
        Member("limit", \Self.limit, .integer(Limits.playlistPageCount), default: Limits.playlistPageCountDefault),
        Member(optional: "cursor", \Self.cursor, .cursor),
        make: Self.init)
}

/// The answer to `playlist.list`.
public struct PlaylistListPage: DeclaredObject, Equatable {
    public var playlists: [Playlist]
    /// The cursor that asks for the next page. `nil` on the last page.
    public var nextCursor: String?

    public init(playlists: [Playlist], nextCursor: String?) {
        self.playlists = playlists
        self.nextCursor = nextCursor
    }

    public static let declaration = Declaration(
        Member("playlists", \Self.playlists, .objects()), Member(nullable: "next_cursor", \Self.nextCursor, .cursor),
        make: Self.init)
}

/// `playlist.update`: another title, description, visibility or rule.
///
/// Source: Protocol/spec/playlists.md, "playlist.update".
public struct PlaylistUpdate: DeclaredRequest {
    public typealias Response = PlaylistResult
    public static let type = "playlist.update"
    public static let permission: Permission? = .libraryCollect

    public var playlist: MusicID
    /// Refused unless the playlist has this version.
    public var version: Int64?
    public var title: String?
    public var about: String?
    public var visibility: PlaylistVisibility?
    /// Smart playlists only.
    public var rule: PlaylistRule?

    public init(
        playlist: MusicID, version: Int64? = nil, title: String? = nil, about: String? = nil,
        visibility: PlaylistVisibility? = nil, rule: PlaylistRule? = nil
    ) {
        self.playlist = playlist
        self.version = version
        self.title = title
        self.about = about
        self.visibility = visibility
        self.rule = rule
    }

    public static let declaration = Declaration(
        Member("playlist", \Self.playlist, .musicID),
        Member(optional: "version", \Self.version, .count),
        Member(optional: "title", \Self.title, .playlistTitle),
        Member(optional: "description", \Self.about, .text(bytes: Limits.playlistDescriptionBytes)),
        Member(optional: "visibility", \Self.visibility, .word),
        Member(optional: "rule", \Self.rule, .object),
        make: Self.init)
}

/// `playlist.delete`: erases a playlist, for everybody.
///
/// Source: Protocol/spec/playlists.md, "playlist.delete".
public struct PlaylistDelete: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "playlist.delete"
    public static let permission: Permission? = .libraryCollect

    public var playlist: MusicID

    public init(playlist: MusicID) { self.playlist = playlist }

    public static let declaration = Declaration(Member("playlist", \Self.playlist, .musicID), make: Self.init)
}

/// `playlist.pin`: keeps a playlist among one's own, or no longer.
///
/// Source: Protocol/spec/playlists.md, "playlist.pin".
public struct PlaylistPin: DeclaredRequest {
    public typealias Response = PlaylistResult
    public static let type = "playlist.pin"
    public static let permission: Permission? = .libraryCollect

    public var playlist: MusicID
    public var isPinned: Bool

    public init(playlist: MusicID, isPinned: Bool = true) {
        self.playlist = playlist
        self.isPinned = isPinned
    }

    public static let declaration = Declaration(
        Member("playlist", \Self.playlist, .musicID), Member("pinned", \Self.isPinned, .flag, default: true),
        make: Self.init)
}

/// `playlist.copy`: a private playlist of one's own with the same entries.
///
/// Source: Protocol/spec/playlists.md, "playlist.copy".
public struct PlaylistCopy: DeclaredRequest {
    public typealias Response = PlaylistResult
    public static let type = "playlist.copy"
    public static let permission: Permission? = .libraryCollect

    public var playlist: MusicID
    /// The title of the copy. `nil`: that of the original.
    public var title: String?
    /// A request of the same key makes no second copy.
    public var key: String?

    public init(playlist: MusicID, title: String? = nil, key: String? = nil) {
        self.playlist = playlist
        self.title = title
        self.key = key
    }

    public static let declaration = Declaration(
        Member("playlist", \Self.playlist, .musicID), Member(optional: "title", \Self.title, .playlistTitle),
        Member(optional: "key", \Self.key, .requestKey), make: Self.init)
}

// MARK: - Forms

extension Form where Value == String {
    /// The title of a playlist as somebody typed it. Refused with `playlist.invalid_name` if it is empty or too long.
    static var playlistTitle: Form {
        .parsed(
            .line(bytes: Limits.playlistTitleBytes), "one line of 1 to 100 bytes", code: .playlistInvalidName,
            { text in
                let isLine = text.unicodeScalars.allSatisfy {
                    $0.value >= 0x20 && !(0x7F...0x9F ~= $0.value) && $0.value != 0x2028 && $0.value != 0x2029
                }
                return isLine && Limits.playlistTitleBytes.contains(text.utf8.count) ? text : nil
            }, text: { $0 })
    }

    /// A key by which a repeated request is known.
    static var requestKey: Form { line(bytes: Limits.requestKeyBytes) }
}

extension Form where Value == [MusicID] {
    /// - Parameter isUnique: Whether one identifier may not come twice.
    static func musicIDs(count: ClosedRange<Int>, isUnique: Bool = false) -> Form {
        Form(
            Schema.musicID.array(count: count, isUnique: isUnique),
            read: { fields, key throws(WireError) in
                guard let texts = try fields.linesIfPresent(key, bytes: 0...Limits.typeBytesMax, count: count) else {
                    return nil
                }
                var ids: [MusicID] = []
                ids.reserveCapacity(texts.count)
                for (index, text) in texts.enumerated() {
                    guard let id = MusicID(text) else {
                        throw fields.invalid("\(key)[\(index)]", "must be an identifier of music")
                    }
                    ids.append(id)
                }
                guard !isUnique || Set(ids).count == ids.count else {
                    throw fields.invalid(key, "must name each one once")
                }
                return ids
            }, write: { ids, writer in writer.array(ids) { $1.string($0.rawValue) } })
    }
}
