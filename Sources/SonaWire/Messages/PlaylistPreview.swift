extension Limits {
    /// Tracks that a preview of a rule shows.
    public static let playlistPreviewCount: ClosedRange<Int64> = 1...50
    /// Tracks that a preview of a rule shows if the request says nothing.
    public static let playlistPreviewCountDefault = 5
}

/// `playlist.preview`: what a smart playlist with a rule would have, before there is one.
///
/// Source: Protocol/spec/playlists.md, "playlist.preview".
public struct PlaylistPreview: DeclaredRequest {
    public typealias Response = PlaylistPreviewed
    public static let type = "playlist.preview"
    public static let permission: Permission? = .libraryCollect

    public var rule: PlaylistRule
    /// 1 to 50.
    public var limit: Int

    public init(rule: PlaylistRule, limit: Int = Limits.playlistPreviewCountDefault) {
        self.rule = rule
        self.limit = limit
    }

    public static let declaration = Declaration(
        Member("rule", \Self.rule, .object),
        Member(
            "limit", \Self.limit, .integer(Limits.playlistPreviewCount), default: Limits.playlistPreviewCountDefault),
        make: Self.init)
}

/// The answer to `playlist.preview`.
public struct PlaylistPreviewed: DeclaredObject, Equatable {
    /// How many tracks the rule finds.
    public var total: Int
    /// Of all of them together.
    public var durationMilliseconds: Int64
    /// The first of them, in the order of the rule.
    public var tracks: [MusicTrack]

    public init(total: Int, durationMilliseconds: Int64, tracks: [MusicTrack]) {
        self.total = total
        self.durationMilliseconds = durationMilliseconds
        self.tracks = tracks
    }

    public static let declaration = Declaration(
        Member("total", \Self.total, .count), Member("duration_ms", \Self.durationMilliseconds, .count),
        Member("tracks", \Self.tracks, .objects()), make: Self.init)
}
