extension Catalogue {
    /// What accounts have heard.
    ///
    /// Source: Protocol/spec/plays.md.
    static let plays = Area(
        "plays",
        requests: [
            PlayReport.self, PlayList.self, PlayClear.self, PlaySettings.self, StatsGet.self, LibraryRecount.self,
        ])
}

extension Limits {
    /// The feature that announces plays.
    public static let playsFeature = "plays"
    /// Milliseconds of listening after which a track counts as heard even if it is longer than twice that.
    public static let playMilliseconds: Int64 = 240_000
    /// Milliseconds of listening in one report.
    public static let heardMilliseconds: ClosedRange<Int64> = 0...86_400_000
    /// Bytes of the key of a report.
    public static let playKeyBytes = 1...64
    /// Days for which an account keeps its plays; 0: for good.
    public static let playDays: ClosedRange<Int64> = 0...3_650
    /// Years that statistics are about.
    public static let statsYears: ClosedRange<Int64> = 1970...9999
    /// Minutes that a place's clock is ahead of UTC.
    public static let offsetMinutes: ClosedRange<Int64> = -840...840
    /// Tracks, albums, artists and genres of statistics, each.
    public static let statsTopMax = 20
}

// MARK: - Words

/// How a track was heard.
public enum PlaySource: String, CaseIterable, Sendable {
    /// By oneself.
    case alone
    /// In a room, with others.
    case room
}

// MARK: - Reporting

/// `play.report`: how much of a track was heard so far, by somebody who listens alone.
///
/// Source: Protocol/spec/plays.md, "play.report".
public struct PlayReport: DeclaredRequest {
    public typealias Response = PlayReceipt
    public static let type = "play.report"
    public static let permission: Permission? = .libraryCollect

    public var track: MusicID
    /// The token of the stream that was heard; `nil` if the stream was fetched with `Authorization`.
    public var token: String?
    /// The client's name for this one hearing.
    public var key: String
    /// Milliseconds that sounded so far.
    public var heardMilliseconds: Int64
    /// The time at which it began, milliseconds since 1970.
    public var startedMilliseconds: Int64

    public init(
        track: MusicID, token: String? = nil, key: String, heardMilliseconds: Int64, startedMilliseconds: Int64
    ) {
        self.track = track
        self.token = token
        self.key = key
        self.heardMilliseconds = heardMilliseconds
        self.startedMilliseconds = startedMilliseconds
    }

    public static let declaration = Declaration(
        Member("track", \Self.track, .musicID),
        Member(optional: "token", \Self.token, .text(bytes: Limits.mediaTokenBytes)),
        Member("key", \Self.key, .line(bytes: Limits.playKeyBytes)),
        Member("heard_ms", \Self.heardMilliseconds, .integer(Limits.heardMilliseconds)),
        Member("started_ms", \Self.startedMilliseconds, .wallTime),
        make: Self.init)
}

/// The answer to `play.report`.
public struct PlayReceipt: DeclaredObject, Equatable {
    /// Whether it is a play by now.
    public var isCounted: Bool
    /// What the server believes of what was said, milliseconds.
    public var heardMilliseconds: Int64

    public init(isCounted: Bool, heardMilliseconds: Int64) {
        self.isCounted = isCounted
        self.heardMilliseconds = heardMilliseconds
    }

    public static let declaration = Declaration(
        Member("counted", \Self.isCounted, .flag), Member("heard_ms", \Self.heardMilliseconds, .count),
        make: Self.init)
}

// MARK: - Lists

/// One hearing of a track.
public struct PlayedTrack: DeclaredObject, Equatable {
    /// The track's identifier.
    public var id: MusicID
    /// The time at which it began, milliseconds since 1970.
    public var atMilliseconds: Int64
    public var heardMilliseconds: Int64
    public var source: PlaySource
    /// The room in which it was heard.
    public var room: RoomID?
    /// `nil` if the caller does not see the track any more.
    public var track: MusicTrack?

    public init(
        id: MusicID, atMilliseconds: Int64, heardMilliseconds: Int64, source: PlaySource, room: RoomID?,
        track: MusicTrack?
    ) {
        self.id = id
        self.atMilliseconds = atMilliseconds
        self.heardMilliseconds = heardMilliseconds
        self.source = source
        self.room = room
        self.track = track
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .musicID),
        Member("at_ms", \Self.atMilliseconds, .wallTime),
        Member("heard_ms", \Self.heardMilliseconds, .count),
        Member("source", \Self.source, .word),
        Member(optional: "room", \Self.room, .roomID),
        Member(optional: "track", \Self.track, .object),
        make: Self.init)
}

/// `play.list`: what the caller heard, the last first.
///
/// Source: Protocol/spec/plays.md, "play.list".
public struct PlayList: DeclaredRequest {
    public typealias Response = PlayedPage
    public static let type = "play.list"
    public static let permission: Permission? = .libraryCollect

    /// 1 to 100.
    public var limit: Int
    public var cursor: String?

    public init(limit: Int = Limits.musicPageCountDefault, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }

    public static let declaration = Declaration(
        Member("limit", \Self.limit, .integer(Limits.musicPageCount), default: Limits.musicPageCountDefault),
        Member(optional: "cursor", \Self.cursor, .cursor), make: Self.init)
}

/// The answer to `play.list`.
public struct PlayedPage: DeclaredObject, Equatable {
    public var plays: [PlayedTrack]
    /// `nil` on the last page.
    public var nextCursor: String?

    public init(plays: [PlayedTrack], nextCursor: String?) {
        self.plays = plays
        self.nextCursor = nextCursor
    }

    public static let declaration = Declaration(
        Member("plays", \Self.plays, .objects()), Member(nullable: "next_cursor", \Self.nextCursor, .cursor),
        make: Self.init)
}

/// `play.clear`: forgets that it was the caller who heard something.
///
/// Source: Protocol/spec/plays.md, "play.clear".
public struct PlayClear: DeclaredRequest {
    public typealias Response = PlayClearResult
    public static let type = "play.clear"
    public static let permission: Permission? = .libraryCollect

    /// Only plays that began before this time, milliseconds since 1970. `nil`: all.
    public var beforeMilliseconds: Int64?
    /// Only plays of this track. `nil`: of all.
    public var track: MusicID?

    public init(beforeMilliseconds: Int64? = nil, track: MusicID? = nil) {
        self.beforeMilliseconds = beforeMilliseconds
        self.track = track
    }

    public static let declaration = Declaration(
        Member(optional: "before_ms", \Self.beforeMilliseconds, .wallTime),
        Member(optional: "track", \Self.track, .musicID), make: Self.init)
}

/// The answer to `play.clear`.
public struct PlayClearResult: DeclaredObject, Equatable {
    /// How many plays were forgotten.
    public var cleared: Int

    public init(cleared: Int) { self.cleared = cleared }

    public static let declaration = Declaration(Member("cleared", \Self.cleared, .count), make: Self.init)
}

// MARK: - Settings

/// What is kept of an account's plays, and who sees it.
///
/// Source: Protocol/spec/plays.md, "play.settings".
public struct PlayPrivacy: DeclaredObject, Hashable {
    /// Private listening: nothing that is heard from now on is kept.
    public var isPrivate: Bool
    /// Friends see what the account plays.
    public var sharesPlays: Bool
    /// Friends may find out what music the account and they have in common.
    public var sharesTaste: Bool
    /// Days for which plays are kept; 0: for good.
    public var keepDays: Int

    public init(isPrivate: Bool = false, sharesPlays: Bool = false, sharesTaste: Bool = false, keepDays: Int = 0) {
        self.isPrivate = isPrivate
        self.sharesPlays = sharesPlays
        self.sharesTaste = sharesTaste
        self.keepDays = keepDays
    }

    public static let declaration = Declaration(
        Member("private", \Self.isPrivate, .flag),
        Member("share_plays", \Self.sharesPlays, .flag),
        Member("share_taste", \Self.sharesTaste, .flag),
        Member("keep_days", \Self.keepDays, .integer(Limits.playDays)),
        make: Self.init)
}

/// `play.settings`: changes what is given and leaves the rest. Without fields it only tells.
///
/// Source: Protocol/spec/plays.md, "play.settings".
public struct PlaySettings: DeclaredRequest {
    public typealias Response = PlaySettingsResult
    public static let type = "play.settings"
    public static let permission: Permission? = .libraryCollect

    public var isPrivate: Bool?
    public var sharesPlays: Bool?
    public var sharesTaste: Bool?
    public var keepDays: Int?

    public init(isPrivate: Bool? = nil, sharesPlays: Bool? = nil, sharesTaste: Bool? = nil, keepDays: Int? = nil) {
        self.isPrivate = isPrivate
        self.sharesPlays = sharesPlays
        self.sharesTaste = sharesTaste
        self.keepDays = keepDays
    }

    public static let declaration = Declaration(
        Member(optional: "private", \Self.isPrivate, .flag),
        Member(optional: "share_plays", \Self.sharesPlays, .flag),
        Member(optional: "share_taste", \Self.sharesTaste, .flag),
        Member(optional: "keep_days", \Self.keepDays, .integer(Limits.playDays)),
        make: Self.init)
}

/// The settings after the request.
public struct PlaySettingsResult: DeclaredObject, Equatable {
    public var settings: PlayPrivacy

    public init(settings: PlayPrivacy) { self.settings = settings }

    public static let declaration = Declaration(Member("settings", \Self.settings, .object), make: Self.init)
}

// MARK: - Statistics

/// One line of a hit list of one's own. At most one of the objects is there.
public struct StatsTop: DeclaredObject, Equatable {
    public var id: MusicID
    /// Plays in the period, and milliseconds that were heard of it.
    public var plays: Int
    public var heardMilliseconds: Int64
    public var track: MusicTrack?
    public var album: MusicAlbum?
    public var artist: MusicGroup?
    public var genre: MusicGroup?

    public init(
        id: MusicID, plays: Int, heardMilliseconds: Int64, track: MusicTrack? = nil, album: MusicAlbum? = nil,
        artist: MusicGroup? = nil, genre: MusicGroup? = nil
    ) {
        self.id = id
        self.plays = plays
        self.heardMilliseconds = heardMilliseconds
        self.track = track
        self.album = album
        self.artist = artist
        self.genre = genre
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .musicID),
        Member("plays", \Self.plays, .count),
        Member("heard_ms", \Self.heardMilliseconds, .count),
        Member(optional: "track", \Self.track, .object),
        Member(optional: "album", \Self.album, .object),
        Member(optional: "artist", \Self.artist, .object),
        Member(optional: "genre", \Self.genre, .object),
        make: Self.init)
}

/// `stats.get`: what the caller heard in a year or a month.
///
/// Source: Protocol/spec/plays.md, "stats.get".
public struct StatsGet: DeclaredRequest {
    public typealias Response = Stats
    public static let type = "stats.get"
    public static let permission: Permission? = .libraryCollect

    public var year: Int
    /// 1 to 12; `nil`: the whole year.
    public var month: Int?
    /// Minutes by which the caller's clock is ahead of UTC: days and hours are those of the caller.
    public var offsetMinutes: Int
    /// Lines of each hit list, 1 to 20.
    public var limit: Int

    public init(year: Int, month: Int? = nil, offsetMinutes: Int = 0, limit: Int = 10) {
        self.year = year
        self.month = month
        self.offsetMinutes = offsetMinutes
        self.limit = limit
    }

    public static let declaration = Declaration(
        Member("year", \Self.year, .integer(Limits.statsYears)),
        Member(optional: "month", \Self.month, .integer(1...12)),
        Member("utc_offset_min", \Self.offsetMinutes, .integer(Limits.offsetMinutes), default: 0),
        Member("limit", \Self.limit, .integer(1...Int64(Limits.statsTopMax)), default: 10),
        make: Self.init)
}

/// The answer to `stats.get`.
public struct Stats: DeclaredObject, Equatable {
    /// The period, milliseconds since 1970: from the first, and before the second.
    public var fromMilliseconds: Int64
    public var toMilliseconds: Int64
    public var plays: Int
    public var heardMilliseconds: Int64
    /// How many different tracks and artists.
    public var trackCount: Int
    public var artistCount: Int
    /// The most heard first.
    public var tracks: [StatsTop]
    public var albums: [StatsTop]
    public var artists: [StatsTop]
    public var genres: [StatsTop]
    /// Milliseconds heard by hour of the day, 24 values.
    public var hours: [Int64]
    /// Milliseconds heard on each day of the period.
    public var days: [Int64]

    public init(
        fromMilliseconds: Int64, toMilliseconds: Int64, plays: Int, heardMilliseconds: Int64, trackCount: Int,
        artistCount: Int, tracks: [StatsTop], albums: [StatsTop], artists: [StatsTop], genres: [StatsTop],
        hours: [Int64], days: [Int64]
    ) {
        self.fromMilliseconds = fromMilliseconds
        self.toMilliseconds = toMilliseconds
        self.plays = plays
        self.heardMilliseconds = heardMilliseconds
        self.trackCount = trackCount
        self.artistCount = artistCount
        self.tracks = tracks
        self.albums = albums
        self.artists = artists
        self.genres = genres
        self.hours = hours
        self.days = days
    }

    public static let declaration = Declaration(
        Member("from_ms", \Self.fromMilliseconds, .integer(-Limits.integerMax...Limits.integerMax)),
        Member("to_ms", \Self.toMilliseconds, .integer(-Limits.integerMax...Limits.integerMax)),
        Member("plays", \Self.plays, .count),
        Member("heard_ms", \Self.heardMilliseconds, .count),
        Member("track_count", \Self.trackCount, .count),
        Member("artist_count", \Self.artistCount, .count),
        Member("tracks", \Self.tracks, .objects()),
        Member("albums", \Self.albums, .objects()),
        Member("artists", \Self.artists, .objects()),
        Member("genres", \Self.genres, .objects()),
        Member("hours", \Self.hours, .integers(0...Limits.integerMax)),
        Member("days", \Self.days, .integers(0...Limits.integerMax)),
        make: Self.init)
}

// MARK: - Counting anew

/// `library.recount`: makes the counters of tracks and artists anew from the plays.
///
/// Source: Protocol/spec/plays.md, "library.recount".
public struct LibraryRecount: FieldlessRequest {
    public typealias Response = LibraryRecountResult
    public static let type = "library.recount"
    public static let permission: Permission? = .libraryManage

    public init() {}
}

/// The answer to `library.recount`.
public struct LibraryRecountResult: DeclaredObject, Equatable {
    /// All plays.
    public var plays: Int64
    /// Tracks and artists whose counter was another one.
    public var tracks: Int
    public var artists: Int

    public init(plays: Int64, tracks: Int, artists: Int) {
        self.plays = plays
        self.tracks = tracks
        self.artists = artists
    }

    public static let declaration = Declaration(
        Member("plays", \Self.plays, .count), Member("tracks", \Self.tracks, .count),
        Member("artists", \Self.artists, .count), make: Self.init)
}
