extension Limits {
    /// Streams of what is heard now that are open at one time.
    public static let nowStreamsMax = 1_000
    /// The endings of the paths, after `roomsPathPrefix` and the identifier of the room.
    public static let (nowPathEnding, nowEventsPathEnding) = ("/now", "/now/events")
}

/// What is heard in a public room, for pages and programs that don't speak the protocol.
///
/// Source: Protocol/spec/listening.md, "What is heard, over HTTP".
public struct NowDocument: DeclaredObject, Equatable {
    public var room: Room
    /// The track that is heard. `nil` if the host named none, or nothing plays.
    public var nowPlaying: TimedTrack?
    /// Tracks announced for later, soonest first. Mostly empty.
    public var upcomingTracks: [TimedTrack]
    /// Where the room is in its track.
    public var playback: Playback
    /// Server time, µs, and the server's wall clock, milliseconds since 1970, when it was written.
    public var serverMicroseconds: Int64
    public var serverMilliseconds: Int64

    public init(
        room: Room, nowPlaying: TimedTrack?, upcomingTracks: [TimedTrack], playback: Playback,
        serverMicroseconds: Int64,
        serverMilliseconds: Int64
    ) {
        self.room = room
        self.nowPlaying = nowPlaying
        self.upcomingTracks = upcomingTracks
        self.playback = playback
        self.serverMicroseconds = serverMicroseconds
        self.serverMilliseconds = serverMilliseconds
    }

    public static let declaration = Declaration(
        Member("room", \Self.room, .object),
        Member(nullable: "now_playing", \Self.nowPlaying, .object),
        Member("upcoming_tracks", \Self.upcomingTracks, .objects()),
        Member("playback", \Self.playback, .object),
        Member("server_us", \Self.serverMicroseconds, .serverTime),
        Member("server_ms", \Self.serverMilliseconds, .wallTime),
        make: Self.init)
}
