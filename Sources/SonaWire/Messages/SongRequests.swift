extension Catalogue {
    /// Tracks that visitors of other pages ask a room for.
    ///
    /// Source: Protocol/spec/song-requests.md.
    static let songRequests = Area("song-requests", requests: [SongRequestsGet.self, SongRequestsSet.self])
}

extension Limits {
    /// The feature that announces song requests.
    public static let songRequestsFeature = "song_requests"
    /// The end of the path at which visitors search and ask. `roomsPathPrefix` and the room's identifier come before it.
    public static let songRequestsPathEnding = "/song-requests"
    /// Bytes of what a visitor searches for.
    public static let songSearchBytes = 1...200
    /// Tracks in one answer.
    public static let songsFoundMax = 20
}

/// Whether visitors may ask a room for tracks, and for which.
///
/// Source: Protocol/spec/song-requests.md, "SongRequests".
public struct SongRequests: DeclaredObject, Hashable {
    public var isOn: Bool
    /// Only what is in this playlist. `nil`: all that guests of the server see.
    public var playlist: MusicID?

    public init(isOn: Bool, playlist: MusicID? = nil) {
        self.isOn = isOn
        self.playlist = playlist
    }

    public static let declaration = Declaration(
        Member("on", \Self.isOn, .flag), Member(nullable: "playlist", \Self.playlist, .musicID), make: Self.init)
}

/// The answer to `song_requests.get` and `song_requests.set`.
public struct SongRequestsResult: DeclaredObject, Hashable {
    public var songRequests: SongRequests

    public init(songRequests: SongRequests) { self.songRequests = songRequests }

    public static let declaration = Declaration(
        Member("song_requests", \Self.songRequests, .object), make: Self.init)
}

/// `song_requests.get`: whether visitors may ask a room for tracks.
///
/// Source: Protocol/spec/song-requests.md, "song_requests.get".
public struct SongRequestsGet: DeclaredRequest {
    public typealias Response = SongRequestsResult
    public static let type = "song_requests.get"
    public static let permission: Permission? = .roomsControl

    /// The joined room if `nil`.
    public var room: RoomReference?

    public init(room: RoomReference? = nil) { self.room = room }

    public static let declaration = Declaration(Member(optional: "room", \Self.room, .roomReference), make: Self.init)
}

/// `song_requests.set`: lets visitors ask a room for tracks, or stops that.
///
/// Source: Protocol/spec/song-requests.md, "song_requests.set".
public struct SongRequestsSet: DeclaredRequest {
    public typealias Response = SongRequestsResult
    public static let type = "song_requests.set"
    public static let permission: Permission? = .roomsControl

    /// The joined room if `nil`.
    public var room: RoomReference?
    public var isOn: Bool
    /// `nil`: none, whatever was set before.
    public var playlist: MusicID?

    public init(room: RoomReference? = nil, isOn: Bool, playlist: MusicID? = nil) {
        self.room = room
        self.isOn = isOn
        self.playlist = playlist
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference), Member("on", \Self.isOn, .flag),
        Member(optional: "playlist", \Self.playlist, .musicID), make: Self.init)
}

// MARK: - Over HTTP

/// What visitors may ask for, as far as their words find it.
///
/// Source: Protocol/spec/song-requests.md, "Asking, over HTTP".
public struct SongsFound: DeclaredObject, Hashable {
    /// Titles and no sound.
    public var tracks: [Track]
    /// Whether somebody has to approve what is asked for.
    public var needsApproval: Bool

    public init(tracks: [Track], needsApproval: Bool) {
        self.tracks = tracks
        self.needsApproval = needsApproval
    }

    public static let declaration = Declaration(
        Member("tracks", \Self.tracks, .objects(count: 0...Limits.songsFoundMax)),
        Member("needs_approval", \Self.needsApproval, .flag), make: Self.init)
}

/// What a visitor asks for.
///
/// Source: Protocol/spec/song-requests.md, "Asking, over HTTP".
public struct SongAsked: DeclaredObject, Hashable {
    public var track: MusicID

    public init(track: MusicID) { self.track = track }

    public static let declaration = Declaration(Member("track", \Self.track, .musicID), make: Self.init)
}

/// That it is in the room's queue.
///
/// Source: Protocol/spec/song-requests.md, "Asking, over HTTP".
public struct SongTaken: DeclaredObject, Hashable {
    /// Whether it waits to be played; else somebody has to approve it first.
    public var isApproved: Bool

    public init(isApproved: Bool) { self.isApproved = isApproved }

    public static let declaration = Declaration(Member("approved", \Self.isApproved, .flag), make: Self.init)
}
