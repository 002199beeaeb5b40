extension Catalogue {
    /// Finding music in the library.
    ///
    /// Source: Protocol/spec/library.md.
    static let library = Area(
        "library",
        requests: [
            MusicSearch.self, LibraryList.self, LibraryOutline.self, AlbumGet.self, ArtistGet.self, GenreList.self,
        ])
}

extension Limits {
    /// The feature that announces the library.
    public static let libraryFeature = "library"
    /// Bytes of the text that music is searched by.
    public static let musicQueryBytes = 1...200
    /// Items of one group, or of one page.
    public static let musicPageCount: ClosedRange<Int64> = 1...100
    /// Items of one group of a search if the request says nothing.
    public static let musicSearchCountDefault = 10
    /// Items of one page if the request says nothing.
    public static let musicPageCountDefault = 50
    /// How many hits of one group pages go through.
    public static let musicSearchDepthMax = 1_000
}

// MARK: - Search

/// A field that a search looks in.
public enum MusicField: String, CaseIterable, Sendable {
    case title, artist, album
}

/// A group of what a search finds.
public enum MusicSearchGroup: String, CaseIterable, Sendable {
    case tracks, albums, artists, genres, playlists
}

/// `search`: tracks, albums, artists, genres and playlists by the beginnings of their words.
///
/// Source: Protocol/spec/library.md, "search".
public struct MusicSearch: DeclaredRequest {
    public typealias Response = MusicSearchResult
    public static let type = "search"
    public static let permission: Permission? = .libraryListen

    public var query: String
    /// Look for tracks in this field only, and for nothing else.
    public var field: MusicField?
    /// Only one group. `nil`: all of them.
    public var kind: MusicSearchGroup?
    /// Items of each group, 1 to 100.
    public var limit: Int
    /// How many items of each group to leave out, 0 to 1000.
    public var offset: Int

    public init(
        query: String, field: MusicField? = nil, kind: MusicSearchGroup? = nil,
        limit: Int = Limits.musicSearchCountDefault, offset: Int = 0
    ) {
        self.query = query
        self.field = field
        self.kind = kind
        self.limit = limit
        self.offset = offset
    }

    public static let declaration = Declaration(
        Member("query", \Self.query, .line(bytes: Limits.musicQueryBytes)),
        Member(optional: "field", \Self.field, .word),
        Member(optional: "kind", \Self.kind, .word),
        Member("limit", \Self.limit, .integer(Limits.musicPageCount), default: Limits.musicSearchCountDefault),
        Member("offset", \Self.offset, .integer(0...Int64(Limits.musicSearchDepthMax)), default: 0),
        make: Self.init)
}

/// What a search found: the answer to `search`.
public struct MusicSearchResult: DeclaredObject, Equatable {
    public var tracks: [MusicTrack]
    public var albums: [MusicAlbum]
    public var artists: [MusicGroup]
    public var genres: [MusicGroup]
    /// Public ones.
    public var playlists: [Playlist]

    public init(
        tracks: [MusicTrack], albums: [MusicAlbum], artists: [MusicGroup], genres: [MusicGroup],
        playlists: [Playlist] = []
    ) {
        self.tracks = tracks
        self.albums = albums
        self.artists = artists
        self.genres = genres
        self.playlists = playlists
    }

    public static let declaration = Declaration(
        Member("tracks", \Self.tracks, .objects()),
        Member("albums", \Self.albums, .objects()),
        Member("artists", \Self.artists, .objects()),
        Member("genres", \Self.genres, .objects()),
        Member("playlists", \Self.playlists, .objects(), default: []),
        make: Self.init)
}

// MARK: - Lists

/// A kind of items of the library.
public enum LibraryKind: String, CaseIterable, Sendable {
    case tracks, albums, artists, genres
}

/// Whose music is listed.
public enum LibraryScope: String, CaseIterable, Sendable {
    /// Everything that the caller sees.
    case all
    /// What the caller uploaded.
    case own
}

/// In which order a list is. Equal items are in the order in which they came into the library.
public enum LibrarySort: String, CaseIterable, Sendable {
    /// By title or name, after the collation of Unicode's root locale.
    case title
    /// By the first artist; tracks and albums only. Unknown ones are last.
    case artist
    /// The newest first; tracks and albums only.
    case added
    /// The most heard first; tracks only.
    case plays
    /// Tracks that people hear, those of most people of late first; tracks only.
    case popular
}

/// `library.list`: a page of the library.
///
/// Source: Protocol/spec/library.md, "library.list".
public struct LibraryList: DeclaredRequest {
    public typealias Response = LibraryPage
    public static let type = "library.list"
    public static let permission: Permission? = .libraryListen

    public var kind: LibraryKind
    public var scope: LibraryScope
    public var sort: LibrarySort
    /// Only tracks or albums of this artist.
    public var artist: MusicID?
    /// Only tracks or albums of this genre.
    public var genre: MusicID?
    public var limit: Int
    public var cursor: String?

    public init(
        kind: LibraryKind = .tracks, scope: LibraryScope = .all, sort: LibrarySort = .title, artist: MusicID? = nil,
        genre: MusicID? = nil, limit: Int = Limits.musicPageCountDefault, cursor: String? = nil
    ) {
        self.kind = kind
        self.scope = scope
        self.sort = sort
        self.artist = artist
        self.genre = genre
        self.limit = limit
        self.cursor = cursor
    }

    public static let declaration = Declaration(
        Member("kind", \Self.kind, .word, default: .tracks),
        Member("scope", \Self.scope, .word, default: .all),
        Member("sort", \Self.sort, .word, default: .title),
        Member(optional: "artist", \Self.artist, .musicID),
        Member(optional: "genre", \Self.genre, .musicID),
        Member("limit", \Self.limit, .integer(Limits.musicPageCount), default: Limits.musicPageCountDefault),
        Member(optional: "cursor", \Self.cursor, .cursor),
        make: Self.init)
}

/// A page of the library: the answer to `library.list`. Only the list of the kind that was asked for has items.
public struct LibraryPage: DeclaredObject, Equatable {
    public var tracks: [MusicTrack]
    public var albums: [MusicAlbum]
    public var artists: [MusicGroup]
    public var genres: [MusicGroup]
    /// The cursor that asks for the next page. `nil` on the last page.
    public var nextCursor: String?

    public init(
        tracks: [MusicTrack] = [], albums: [MusicAlbum] = [], artists: [MusicGroup] = [], genres: [MusicGroup] = [],
        nextCursor: String? = nil
    ) {
        self.tracks = tracks
        self.albums = albums
        self.artists = artists
        self.genres = genres
        self.nextCursor = nextCursor
    }

    public static let declaration = Declaration(
        Member("tracks", \Self.tracks, .objects()),
        Member("albums", \Self.albums, .objects()),
        Member("artists", \Self.artists, .objects()),
        Member("genres", \Self.genres, .objects()),
        Member(nullable: "next_cursor", \Self.nextCursor, .cursor),
        make: Self.init)
}

/// `genre.list`: all genres of which the caller sees a track, by name.
///
/// Source: Protocol/spec/library.md, "genre.list".
public struct GenreList: FieldlessRequest {
    public typealias Response = GenreListResult
    public static let type = "genre.list"
    public static let permission: Permission? = .libraryListen

    public init() {}
}

/// The answer to `genre.list`.
public struct GenreListResult: DeclaredObject, Equatable {
    public var genres: [MusicGroup]

    public init(genres: [MusicGroup]) { self.genres = genres }

    public static let declaration = Declaration(Member("genres", \Self.genres, .objects()), make: Self.init)
}

// MARK: - One album, one artist

/// `album.get`: an album with its tracks.
///
/// Source: Protocol/spec/library.md, "album.get".
public struct AlbumGet: DeclaredRequest {
    public typealias Response = AlbumDetails
    public static let type = "album.get"
    public static let permission: Permission? = .libraryListen

    public var album: MusicID

    public init(album: MusicID) { self.album = album }

    public static let declaration = Declaration(Member("album", \Self.album, .musicID), make: Self.init)
}

/// The answer to `album.get`.
public struct AlbumDetails: DeclaredObject, Equatable {
    public var album: MusicAlbum
    /// At most 500 of those that the caller sees, by disc and place.
    public var tracks: [MusicTrack]

    public init(album: MusicAlbum, tracks: [MusicTrack]) {
        self.album = album
        self.tracks = tracks
    }

    public static let declaration = Declaration(
        Member("album", \Self.album, .object), Member("tracks", \Self.tracks, .objects()), make: Self.init)
}

/// `artist.get`: an artist with the albums.
///
/// Source: Protocol/spec/library.md, "artist.get".
public struct ArtistGet: DeclaredRequest {
    public typealias Response = ArtistDetails
    public static let type = "artist.get"
    public static let permission: Permission? = .libraryListen

    public var artist: MusicID

    public init(artist: MusicID) { self.artist = artist }

    public static let declaration = Declaration(Member("artist", \Self.artist, .musicID), make: Self.init)
}

/// The answer to `artist.get`.
public struct ArtistDetails: DeclaredObject, Equatable {
    public var artist: MusicGroup
    /// At most 100, the newest first. `library.list` has all of them.
    public var albums: [MusicAlbum]
    /// The ten that are heard most.
    public var tracks: [MusicTrack]

    public init(artist: MusicGroup, albums: [MusicAlbum], tracks: [MusicTrack]) {
        self.artist = artist
        self.albums = albums
        self.tracks = tracks
    }

    public static let declaration = Declaration(
        Member("artist", \Self.artist, .object), Member("albums", \Self.albums, .objects()),
        Member("tracks", \Self.tracks, .objects()), make: Self.init)
}
