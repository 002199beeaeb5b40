extension Catalogue {
    /// Evenings of a room that are kept, to be heard and read again in their own time.
    ///
    /// Source: Protocol/spec/replays.md.
    static let replays = Area(
        "replays",
        requests: [
            ReplayList.self, ReplayGet.self, ReplayPassages.self, ReplayMoments.self, ReplayRemove.self,
            HostRecord.self, ReplayRecordings.self, ReplayRemoveRecording.self,
        ])
}

extension Limits {
    /// The feature that announces replays of rooms.
    public static let replaysFeature = "replays"
    /// The prefix of the address of a replay's page, before its identifier.
    public static let replayPathPrefix = "/replay/"
    /// How long a silence ends a replay, ms.
    public static let replaySilenceMilliseconds: Int64 = 600_000
    /// How long a replay may be, ms: a day.
    public static let replayLengthMilliseconds: Int64 = 86_400_000
    /// Replays that a room keeps; the oldest go first.
    public static let replaysPerRoomMax = 100
    /// Passages of one replay.
    public static let replayPassagesMax = 10_000
    /// Messages of one replay.
    public static let replayMessagesMax: Int64 = 10_000
    /// Counts of reactions, of one sign in one second each, in one replay.
    public static let replayReactionsMax = 20_000
    /// Replays in one page.
    public static let replayPageCount: ClosedRange<Int64> = 1...50
    /// Replays in one page if the request says nothing.
    public static let replayPageCountDefault = 20
    /// Passages in one page.
    public static let passagePageCount: ClosedRange<Int64> = 1...200
    /// Passages in one page if the request says nothing.
    public static let passagePageCountDefault = 100
    /// Messages in one page of moments.
    public static let momentPageCount: ClosedRange<Int64> = 1...100
    /// Messages in one page of moments if the request says nothing.
    public static let momentPageCountDefault = 50
    /// Seconds with reactions in one page of moments.
    public static let momentReactionsCount = 200
}

// MARK: - Objects

/// A time in which a room was heard, kept with what was said in it.
///
/// Source: Protocol/spec/replays.md, "Replay".
public struct Replay: DeclaredObject, Hashable {
    /// Names it for ever.
    public var id: ReplayID
    /// Whose replay it is.
    public var room: RoomID
    /// Milliseconds since 1970, UTC: moment 0.
    public var startMilliseconds: Int64
    /// `nil` while it goes on.
    public var endMilliseconds: Int64?
    /// How many tracks were heard in it.
    public var playCount: Int

    public init(
        id: ReplayID, room: RoomID, startMilliseconds: Int64, endMilliseconds: Int64?, playCount: Int
    ) {
        self.id = id
        self.room = room
        self.startMilliseconds = startMilliseconds
        self.endMilliseconds = endMilliseconds
        self.playCount = playCount
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .replayID),
        Member("room", \Self.room, .roomID),
        Member("start_ms", \Self.startMilliseconds, .wallTime),
        Member(nullable: "end_ms", \Self.endMilliseconds, .wallTime),
        Member("plays", \Self.playCount, .count),
        make: Self.init)
}

/// A stretch of a replay in which the same sound goes on, or none. It lasts until the next one.
///
/// Source: Protocol/spec/replays.md, "Passage".
public struct ReplayPassage: DeclaredObject, Hashable {
    /// Milliseconds since the replay's start.
    public var atMilliseconds: Int64
    /// Whether something was heard.
    public var isSounding: Bool
    /// The `id` of the play that was heard; `nil` if nothing was, or nobody had said what.
    public var play: Int64?
    /// The place in the track with which the passage begins, µs.
    public var positionMicroseconds: Int64

    public init(atMilliseconds: Int64, isSounding: Bool, play: Int64?, positionMicroseconds: Int64) {
        self.atMilliseconds = atMilliseconds
        self.isSounding = isSounding
        self.play = play
        self.positionMicroseconds = positionMicroseconds
    }

    public static let declaration = Declaration(
        Member("at_ms", \Self.atMilliseconds, .count),
        Member("sounds", \Self.isSounding, .flag),
        Member(nullable: "play", \Self.play, .playID),
        Member("position_us", \Self.positionMicroseconds, .count),
        make: Self.init)
}

/// The reactions to one second of a replay.
///
/// Source: Protocol/spec/replays.md, "replay.moments".
public struct ReplayReactions: DeclaredObject, Hashable {
    /// Milliseconds since the replay's start, a whole second.
    public var atMilliseconds: Int64
    /// 1 to 32 different ones, the most frequent first.
    public var counts: [ReactionCount]

    public init(atMilliseconds: Int64, counts: [ReactionCount]) {
        self.atMilliseconds = atMilliseconds
        self.counts = counts
    }

    public static let declaration = Declaration(
        Member("at_ms", \Self.atMilliseconds, .count),
        Member("counts", \Self.counts, .objects(count: Limits.reactionKinds)),
        make: Self.init)
}

// MARK: - Requests

/// `replay.list`: the replays of a room, a page at a time.
///
/// Source: Protocol/spec/replays.md, "replay.list".
public struct ReplayList: DeclaredRequest {
    public typealias Response = ReplayPage
    public static let type = "replay.list"
    public static let permission: Permission? = .roomsListen

    /// The room the connection is in if absent.
    public var room: RoomReference?
    /// Only older ones than this: `nextBefore` of the page before.
    public var before: ReplayID?
    /// 1 to 50.
    public var limit: Int

    public init(
        room: RoomReference? = nil, before: ReplayID? = nil, limit: Int = Limits.replayPageCountDefault
    ) {
        self.room = room
        self.before = before
        self.limit = limit
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference),
        Member(optional: "before", \Self.before, .replayID),
        Member("limit", \Self.limit, .integer(Limits.replayPageCount), default: Limits.replayPageCountDefault),
        make: Self.init)
}

/// The answer to `replay.list`.
public struct ReplayPage: DeclaredObject, Equatable {
    /// Newest first.
    public var replays: [Replay]
    /// The `before` that asks for older ones. `nil` on the last page.
    public var nextBefore: ReplayID?

    public init(replays: [Replay], nextBefore: ReplayID?) {
        self.replays = replays
        self.nextBefore = nextBefore
    }

    public static let declaration = Declaration(
        Member("replays", \Self.replays, .objects(count: 0...Int(Limits.replayPageCount.upperBound))),
        Member(nullable: "next_before", \Self.nextBefore, .replayID),
        make: Self.init)
}

/// `replay.get`: one replay.
///
/// Source: Protocol/spec/replays.md, "replay.get".
public struct ReplayGet: DeclaredRequest {
    public typealias Response = ReplayResult
    public static let type = "replay.get"
    public static let permission: Permission? = .roomsListen

    public var replay: ReplayID

    public init(replay: ReplayID) { self.replay = replay }

    public static let declaration = Declaration(Member("replay", \Self.replay, .replayID), make: Self.init)
}

/// The answer to `replay.get`.
public struct ReplayResult: DeclaredObject, Equatable {
    public var replay: Replay
    /// The room as it is now.
    public var room: Room

    public init(replay: Replay, room: Room) {
        self.replay = replay
        self.room = room
    }

    public static let declaration = Declaration(
        Member("replay", \Self.replay, .object), Member("room", \Self.room, .object), make: Self.init)
}

/// `replay.passages`: what was heard, in order.
///
/// Source: Protocol/spec/replays.md, "replay.passages".
public struct ReplayPassages: DeclaredRequest {
    public typealias Response = PassagePage
    public static let type = "replay.passages"
    public static let permission: Permission? = .roomsListen

    public var replay: ReplayID
    /// `nextAfter` of the page before.
    public var after: Int64?
    /// 1 to 200.
    public var limit: Int

    public init(replay: ReplayID, after: Int64? = nil, limit: Int = Limits.passagePageCountDefault) {
        self.replay = replay
        self.after = after
        self.limit = limit
    }

    public static let declaration = Declaration(
        Member("replay", \Self.replay, .replayID),
        Member(optional: "after", \Self.after, .playID),
        Member("limit", \Self.limit, .integer(Limits.passagePageCount), default: Limits.passagePageCountDefault),
        make: Self.init)
}

/// The answer to `replay.passages`.
public struct PassagePage: DeclaredObject, Equatable {
    /// In the order of their time.
    public var passages: [ReplayPassage]
    /// The plays that they name, each once, oldest first.
    public var plays: [RoomPlay]
    /// The `after` that asks for those that follow. `nil` on the last page.
    public var nextAfter: Int64?

    public init(passages: [ReplayPassage], plays: [RoomPlay], nextAfter: Int64?) {
        self.passages = passages
        self.plays = plays
        self.nextAfter = nextAfter
    }

    public static let declaration = Declaration(
        Member("passages", \Self.passages, .objects(count: 0...Int(Limits.passagePageCount.upperBound))),
        Member("plays", \Self.plays, .objects(count: 0...Int(Limits.passagePageCount.upperBound))),
        Member(nullable: "next_after", \Self.nextAfter, .playID),
        make: Self.init)
}

/// `replay.moments`: what was said, and the reactions, from some moment on.
///
/// Source: Protocol/spec/replays.md, "replay.moments".
public struct ReplayMoments: DeclaredRequest {
    public typealias Response = MomentPage
    public static let type = "replay.moments"
    public static let permission: Permission? = .roomsListen

    public var replay: ReplayID
    /// Milliseconds since the replay's start: from and including this.
    public var fromMilliseconds: Int64
    /// Before this. To its end if absent.
    public var toMilliseconds: Int64?
    /// 1 to 100 messages.
    public var limit: Int

    public init(
        replay: ReplayID, fromMilliseconds: Int64 = 0, toMilliseconds: Int64? = nil,
        limit: Int = Limits.momentPageCountDefault
    ) {
        self.replay = replay
        self.fromMilliseconds = fromMilliseconds
        self.toMilliseconds = toMilliseconds
        self.limit = limit
    }

    public static let declaration = Declaration(
        Member("replay", \Self.replay, .replayID),
        Member("from_ms", \Self.fromMilliseconds, .count, default: 0),
        Member(optional: "to_ms", \Self.toMilliseconds, .count),
        Member("limit", \Self.limit, .integer(Limits.momentPageCount), default: Limits.momentPageCountDefault),
        make: Self.init)
}

/// The answer to `replay.moments`.
public struct MomentPage: DeclaredObject, Equatable {
    /// Messages that are still there, in the order of their time. Their `at_ms` is of the calendar.
    public var messages: [ChatMessage]
    /// In the order of their time.
    public var reactions: [ReplayReactions]
    /// The `from_ms` that asks for what follows. `nil`: nothing does up to `to_ms`.
    public var nextMilliseconds: Int64?

    public init(messages: [ChatMessage], reactions: [ReplayReactions], nextMilliseconds: Int64?) {
        self.messages = messages
        self.reactions = reactions
        self.nextMilliseconds = nextMilliseconds
    }

    public static let declaration = Declaration(
        Member("messages", \Self.messages, .objects(count: 0...Int(Limits.momentPageCount.upperBound))),
        Member("reactions", \Self.reactions, .objects(count: 0...Limits.momentReactionsCount)),
        Member(nullable: "next_ms", \Self.nextMilliseconds, .count),
        make: Self.init)
}

/// `replay.remove`: a replay is forgotten.
///
/// Source: Protocol/spec/replays.md, "replay.remove".
public struct ReplayRemove: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "replay.remove"
    public static let permission: Permission? = .roomsControl

    public var replay: ReplayID

    public init(replay: ReplayID) { self.replay = replay }

    public static let declaration = Declaration(Member("replay", \Self.replay, .replayID), make: Self.init)
}

// MARK: - Forms

extension Form where Value == ReplayID {
    static var replayID: Form {
        .parsed(.musicID, "an identifier of a replay", ReplayID.init) { $0.rawValue }
    }
}
