/// One room and what is heard in it: the answer to `room.get`.
public struct RoomNow: WireObject, Equatable {
    public var room: Room
    /// What is heard now; `nil` if nobody has said, or nothing plays.
    public var nowPlaying: TimedTrack?
    /// What is announced for later, soonest first. Mostly empty.
    public var upcomingTracks: [TimedTrack]

    public init(room: Room, nowPlaying: TimedTrack? = nil, upcomingTracks: [TimedTrack] = []) {
        self.room = room
        self.nowPlaying = nowPlaying
        self.upcomingTracks = upcomingTracks
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        room = try fields.object("room", as: Room.self)
        nowPlaying = try fields.objectIfPresent("now_playing", as: TimedTrack.self)
        upcomingTracks = try fields.arrayIfPresent("upcoming_tracks", of: TimedTrack.self) ?? []
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", room)
            writer.member("now_playing", orNull: nowPlaying)
            writer.member("upcoming_tracks", upcomingTracks)
        }
    }
}

/// `room.history`: what was heard, a page at a time.
///
/// Source: Protocol/spec/listening.md, "room.history".
public struct RoomHistory: WireRequest {
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

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.roomIfPresent()
        before = try fields.integerIfPresent("before", in: Limits.playID)
        limit =
            try fields.integerIfPresent("limit", in: Limits.historyPageCount).map { Int($0) }
            ?? Limits.historyPageCountDefault
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", ifPresent: room?.text)
            writer.member("before", ifPresent: before)
            writer.member("limit", limit)
        }
    }
}

/// The answer to `room.history`.
public struct PlayPage: WireObject, Equatable {
    /// Newest first.
    public var plays: [RoomPlay]
    /// What to ask with as `before` for the page of older ones; `nil` on the last.
    public var nextBefore: Int64?

    public init(plays: [RoomPlay], nextBefore: Int64?) {
        self.plays = plays
        self.nextBefore = nextBefore
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        plays = try fields.array("plays", of: RoomPlay.self, count: 0...Int(Limits.historyPageCount.upperBound))
        nextBefore = try fields.integerIfPresent("next_before", in: Limits.playID)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("plays", plays)
            writer.member("next_before", orNull: nextBefore)
        }
    }
}

/// `room.recap`: what was heard in a broadcast, or in some time, as a list for other programs.
///
/// Source: Protocol/spec/listening.md, "room.recap".
public struct RoomRecap: WireRequest {
    public typealias Response = RecapText
    public static let type = "room.recap"
    public static let permission: Permission? = .roomsListen

    /// The room the connection is in if absent.
    public var room: RoomReference?
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

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.roomIfPresent()
        format = try fields.wordIfPresent("format", as: RecapFormat.self) ?? .json
        session = try fields.integerIfPresent("session", in: Limits.playID)
        fromMilliseconds = try fields.integerIfPresent("from_ms", in: 0...Limits.integerMax)
        toMilliseconds = try fields.integerIfPresent("to_ms", in: 0...Limits.integerMax)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", ifPresent: room?.text)
            writer.member("format", format.rawValue)
            writer.member("session", ifPresent: session)
            writer.member("from_ms", ifPresent: fromMilliseconds)
            writer.member("to_ms", ifPresent: toMilliseconds)
        }
    }
}

/// The answer to `room.recap`.
public struct RecapText: WireObject, Equatable {
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

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        mediaType = try fields.line("media_type", bytes: Limits.mediaTypeBytes)
        count = Int(try fields.integer("count", in: 0...Int64(Limits.recapCountMax)))
        text = try fields.string("text", bytes: 0...Limits.recapBytesMax)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("media_type", mediaType)
            writer.member("count", count)
            writer.member("text", text)
        }
    }
}
