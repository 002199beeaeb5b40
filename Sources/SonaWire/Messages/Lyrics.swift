extension Limits {
    /// The feature that announces lyrics.
    public static let lyricsFeature = "lyrics"
    static let lyricsLineBytes = 0...500
    static let lyricsTextBytes = 1...65_536
}

/// What is known of a track's words.
public enum LyricsKind: String, CaseIterable, Sendable {
    /// Each line has its time.
    case synced
    /// A text.
    case plain
}

/// A line, and when it begins.
public struct LyricsLine: DeclaredObject, Equatable {
    /// From the beginning of the track.
    public var atMilliseconds: Int64
    /// Empty where nothing is sung.
    public var text: String

    public init(atMilliseconds: Int64, text: String) {
        self.atMilliseconds = atMilliseconds
        self.text = text
    }

    public static let declaration = Declaration(
        Member("at_ms", \Self.atMilliseconds, .count), Member("text", \Self.text, .line(bytes: Limits.lyricsLineBytes)),
        make: Self.init)
}

/// `track.lyrics`: the words of a track.
///
/// Source: Protocol/spec/tracks.md, "track.lyrics".
public struct TrackLyrics: DeclaredRequest {
    public typealias Response = TrackLyricsResult
    public static let type = "track.lyrics"
    public static let permission: Permission? = .libraryListen

    public var track: MusicID

    public init(track: MusicID) { self.track = track }

    public static let declaration = Declaration(Member("track", \Self.track, .musicID), make: Self.init)
}

/// The answer to `track.lyrics`: lines with their times, or a text.
public struct TrackLyricsResult: DeclaredObject, Equatable {
    /// In the order of their times. `nil`: there are no times.
    public var lines: [LyricsLine]?
    /// Lines with `\n` between them. `nil`: the lines have times.
    public var text: String?

    public init(lines: [LyricsLine]? = nil, text: String? = nil) {
        self.lines = lines
        self.text = text
    }

    public static let declaration = Declaration(
        Member(optional: "lines", \Self.lines, .objects()),
        Member(optional: "text", \Self.text, .text(bytes: Limits.lyricsTextBytes)), make: Self.init)
}
