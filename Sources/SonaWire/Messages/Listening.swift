extension Catalogue {
    /// The track that plays, and the history of the tracks before it.
    ///
    /// Source: Protocol/spec/listening.md.
    static let listening = Area(
        "listening",
        requests: [RoomHistory.self, RoomRecap.self, RoomAudience.self])
}

extension Limits {
    /// The feature that announces what plays and played: now-playing, history, recaps.
    public static let historyFeature = "history"
    /// Identifiers of plays in a room's history.
    public static let playID: ClosedRange<Int64> = 1...integerMax
    /// Plays in one page of the history.
    public static let historyPageCount: ClosedRange<Int64> = 1...100
    /// Plays in one page of the history if the request says nothing.
    public static let historyPageCountDefault = 50
    /// Bytes of the plays in a page, as JSON: it gets shorter before it would grow past this.
    public static let historyBytesMax = 65_536
    /// Plays in a recap, and bytes of its text: more is `history.too_long`.
    public static let recapCountMax = 2_000
    /// Bytes of a recap's text.
    public static let recapBytesMax = 1_048_576
    /// Bytes of a media type.
    public static let mediaTypeBytes = 1...64
    /// Joins of the same room by one connection beyond the first that are granted at once; from there on one in
    /// `resyncSeconds`.
    public static let resyncBurst = 2
    /// Seconds after which one more join of the same room is granted.
    public static let resyncSeconds = 5
    /// The same track that begins again within this has not been played twice.
    public static let replayMicroseconds: Int64 = 10_000_000
}

// MARK: - Objects

/// A track that could be heard in a room: an entry of its history.
///
/// Source: Protocol/spec/listening.md, "Play".
public struct RoomPlay: DeclaredObject, Hashable {
    /// 1 to 2^53 − 1, greater for a later one of the same room.
    public var id: Int64
    /// The `id` of the first play of the same broadcast.
    public var session: Int64
    /// When it became audible: milliseconds since 1970, UTC.
    public var atMilliseconds: Int64
    /// What was played, as the host said.
    public var track: Track
    /// Who played it. `nil` if that is no longer known.
    public var host: User?

    public init(id: Int64, session: Int64, atMilliseconds: Int64, track: Track, host: User?) {
        self.id = id
        self.session = session
        self.atMilliseconds = atMilliseconds
        self.track = track
        self.host = host
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .playID),
        Member("session", \Self.session, .playID),
        Member("at_ms", \Self.atMilliseconds, .wallTime),
        Member("track", \Self.track, .object),
        Member(nullable: "host", \Self.host, .object),
        make: Self.init)
}

/// How a recap is written.
public enum RecapFormat: String, CaseIterable, Sendable {
    /// A JSON object.
    case json
    /// Extended M3U, in UTF-8.
    case m3u
    /// XSPF in JSON.
    case jspf
    /// A table of comma-separated values.
    case csv

    /// The media type of a text in this format.
    public var mediaType: String {
        switch self {
        case .json: "application/json"
        case .m3u: "audio/x-mpegurl"
        case .jspf: "application/jspf+json"
        case .csv: "text/csv"
        }
    }
}

/// A track, and from when it is heard.
///
/// Source: Protocol/spec/listening.md, "Now playing".
public struct TimedTrack: DeclaredObject, Hashable {
    /// `nil`: from then on nothing.
    public var track: Track?
    /// Server time.
    public var atMicroseconds: Int64

    public init(track: Track?, atMicroseconds: Int64) {
        self.track = track
        self.atMicroseconds = atMicroseconds
    }

    public static let declaration = Declaration(
        Member(nullable: "track", \Self.track, .object),
        Member("at_us", \Self.atMicroseconds, .serverTime),
        make: Self.init)
}

// MARK: - Requests

/// `room.history`: what was heard, a page at a time.
///
/// Source: Protocol/spec/listening.md, "room.history".
public struct RoomHistory: DeclaredRequest {
    public typealias Response = PlayPage
    public static let type = "room.history"
    public static let permission: Permission? = .roomsListen

    /// The room the connection is in if absent.
    public var room: RoomReference?
    /// Only plays of a smaller `id`: `nextBefore` of the page before.
    public var before: Int64?
    /// 1 to 100.
    public var limit: Int

    public init(room: RoomReference? = nil, before: Int64? = nil, limit: Int = Limits.historyPageCountDefault) {
        self.room = room
        self.before = before
        self.limit = limit
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference),
        Member(optional: "before", \Self.before, .playID),
        Member("limit", \Self.limit, .integer(Limits.historyPageCount), default: Limits.historyPageCountDefault),
        make: Self.init)
}

/// The answer to `room.history`.
public struct PlayPage: DeclaredObject, Equatable {
    /// Newest first.
    public var plays: [RoomPlay]
    /// The `before` that asks for the page of older plays. `nil` on the last page.
    public var nextBefore: Int64?

    public init(plays: [RoomPlay], nextBefore: Int64?) {
        self.plays = plays
        self.nextBefore = nextBefore
    }

    public static let declaration = Declaration(
        Member("plays", \Self.plays, .objects(count: 0...Int(Limits.historyPageCount.upperBound))),
        Member(nullable: "next_before", \Self.nextBefore, .playID),
        make: Self.init)
}

/// `room.recap`: what was heard in a broadcast, or in some time, as a list for other programs.
///
/// Source: Protocol/spec/listening.md, "room.recap".
public struct RoomRecap: DeclaredRequest {
    public typealias Response = RecapText
    public static let type = "room.recap"
    public static let permission: Permission? = .roomsListen

    /// The room the connection is in if absent.
    public var room: RoomReference?
    /// How the list is written. `json` if absent.
    public var format: RecapFormat
    /// One broadcast; the last one if neither this nor a time is given.
    public var session: Int64?
    /// Milliseconds since 1970, UTC: from and including this.
    public var fromMilliseconds: Int64?
    /// Before this.
    public var toMilliseconds: Int64?

    public init(
        room: RoomReference? = nil, format: RecapFormat = .json, session: Int64? = nil,
        fromMilliseconds: Int64? = nil, toMilliseconds: Int64? = nil
    ) {
        self.room = room
        self.format = format
        self.session = session
        self.fromMilliseconds = fromMilliseconds
        self.toMilliseconds = toMilliseconds
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference),
        Member("format", \Self.format, .word, default: .json),
        Member(optional: "session", \Self.session, .playID),
        Member(optional: "from_ms", \Self.fromMilliseconds, .count),
        Member(optional: "to_ms", \Self.toMilliseconds, .count),
        make: Self.init)
}

/// The answer to `room.recap`.
public struct RecapText: DeclaredObject, Equatable {
    /// The media type of the text, 1 to 64 bytes.
    public var mediaType: String
    /// How many plays there are in it.
    public var count: Int
    /// At most 1 048 576 bytes.
    public var text: String

    public init(mediaType: String, count: Int, text: String) {
        self.mediaType = mediaType
        self.count = count
        self.text = text
    }

    public static let declaration = Declaration(
        Member("media_type", \Self.mediaType, .line(bytes: Limits.mediaTypeBytes)),
        Member("count", \Self.count, .integer(0...Int64(Limits.recapCountMax))),
        Member("text", \Self.text, .text(bytes: 0...Limits.recapBytesMax)),
        make: Self.init)
}
