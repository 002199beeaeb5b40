extension Catalogue {
    /// Single tracks: details, edits, removal, and the way to their sound.
    ///
    /// Source: Protocol/spec/tracks.md.
    static let tracks = Area(
        "tracks", requests: [TrackGet.self, TrackUpdate.self, TrackRemove.self, TrackOpen.self, TrackLyrics.self])
}

extension Limits {
    /// The part of the path before a track's identifier: streams and downloads.
    public static let tracksPathPrefix = "/v1/tracks/"
    /// Seconds that a media token is good for.
    public static let mediaTokenSeconds = 6 * 3_600
    /// Bytes of a media token.
    public static let mediaTokenBytes = 1...512
    static let musicYear: ClosedRange<Int64> = 0...9_999
    static let musicPlace: ClosedRange<Int64> = 0...9_999
}

// MARK: - Details

/// `track.get`: a track.
///
/// Source: Protocol/spec/tracks.md, "track.get".
public struct TrackGet: DeclaredRequest {
    public typealias Response = TrackResult
    public static let type = "track.get"
    public static let permission: Permission? = .libraryListen

    public var track: MusicID

    public init(track: MusicID) { self.track = track }

    public static let declaration = Declaration(Member("track", \Self.track, .musicID), make: Self.init)
}

/// A track: the answer to `track.get` and `track.update`.
public struct TrackResult: DeclaredObject, Equatable {
    public var track: MusicTrack

    public init(track: MusicTrack) { self.track = track }

    public static let declaration = Declaration(Member("track", \Self.track, .object), make: Self.init)
}

// MARK: - Changes

/// A field of a track that can be edited.
public enum TrackField: String, CaseIterable, Sendable {
    case title, artists, album
    case albumArtists = "album_artists"
    case genres, year, disc, place
}

/// `track.update`: edits what a track says of itself. The file stays as it is.
///
/// Source: Protocol/spec/tracks.md, "track.update".
public struct TrackUpdate: DeclaredRequest {
    public typealias Response = TrackResult
    public static let type = "track.update"
    public static let permission: Permission? = .libraryUpload

    public var track: MusicID
    // `nil` leaves a field as it is. An empty text or list and the number 0 mean "none".
    public var title: String?
    public var artists: [String]?
    public var album: String?
    public var albumArtists: [String]?
    public var genres: [String]?
    public var year: Int?
    public var disc: Int?
    public var place: Int?
    /// Fields that say again what the file says.
    public var reset: [String]

    public init(
        track: MusicID, title: String? = nil, artists: [String]? = nil, album: String? = nil,
        albumArtists: [String]? = nil, genres: [String]? = nil, year: Int? = nil, disc: Int? = nil, place: Int? = nil,
        reset: [String] = []
    ) {
        self.track = track
        self.title = title
        self.artists = artists
        self.album = album
        self.albumArtists = albumArtists
        self.genres = genres
        self.year = year
        self.disc = disc
        self.place = place
        self.reset = reset
    }

    public static let declaration = Declaration(
        Member("track", \Self.track, .musicID),
        Member(optional: "title", \Self.title, .musicText),
        Member(optional: "artists", \Self.artists, .musicNames),
        Member(optional: "album", \Self.album, .line(bytes: 0...Limits.musicTextBytesMax)),
        Member(optional: "album_artists", \Self.albumArtists, .musicNames),
        Member(optional: "genres", \Self.genres, .musicNames),
        Member(optional: "year", \Self.year, .integer(Limits.musicYear)),
        Member(optional: "disc", \Self.disc, .integer(Limits.musicPlace)),
        Member(optional: "place", \Self.place, .integer(Limits.musicPlace)),
        Member("reset", \Self.reset, .lines(bytes: 1...32, count: 0...8), default: []),
        make: Self.init)
}

/// `track.remove`: removes an upload.
///
/// Source: Protocol/spec/tracks.md, "track.remove".
public struct TrackRemove: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "track.remove"
    public static let permission: Permission? = .libraryUpload

    public var track: MusicID

    public init(track: MusicID) { self.track = track }

    public static let declaration = Declaration(Member("track", \Self.track, .musicID), make: Self.init)
}

// MARK: - Sound

/// `track.open`: a token by which players that send no headers get a track's sound.
///
/// Source: Protocol/spec/tracks.md, "track.open".
public struct TrackOpen: DeclaredRequest {
    public typealias Response = MediaTicket
    public static let type = "track.open"
    public static let permission: Permission? = .libraryListen

    public var track: MusicID

    public init(track: MusicID) { self.track = track }

    public static let declaration = Declaration(Member("track", \Self.track, .musicID), make: Self.init)
}

/// The answer to `track.open`.
public struct MediaTicket: DeclaredObject, Equatable {
    /// Goes into the `t` of the query.
    public var token: String
    /// Path and query of the stream, on this server.
    public var stream: String
    /// What the token gives.
    public var access: TrackAccess
    /// Milliseconds since 1970, UTC.
    public var expiresMilliseconds: Int64

    public init(token: String, stream: String, access: TrackAccess, expiresMilliseconds: Int64) {
        self.token = token
        self.stream = stream
        self.access = access
        self.expiresMilliseconds = expiresMilliseconds
    }

    public static let declaration = Declaration(
        Member("token", \Self.token, .text(bytes: Limits.mediaTokenBytes)),
        Member("stream", \Self.stream, .line(bytes: 1...1_000)),
        Member("access", \Self.access, .word),
        Member("expires_ms", \Self.expiresMilliseconds, .wallTime),
        make: Self.init)
}

extension Form where Value == [String] {
    /// Names of artists or genres.
    static var musicNames: Form {
        lines(bytes: Limits.musicTextBytes, count: 0...Limits.musicNamesMax)
    }
}
