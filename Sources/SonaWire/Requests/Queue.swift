/// `queue.get`: what plays, what waits, and by which rules; a page at a time.
///
/// Source: Protocol/spec/queue.md, "queue.get".
public struct QueueGet: WireRequest {
    public typealias Response = QueuePage
    public static let type = "queue.get"
    public static let permission: Permission? = .roomsListen

    /// How many entries to leave out.
    public var offset: Int
    /// 1 to 100.
    public var limit: Int
    /// The room the connection is in if absent.
    public var room: RoomReference?

    public init(offset: Int = 0, limit: Int = Limits.queuePageCountDefault, room: RoomReference? = nil) {
        self.offset = offset
        self.limit = limit
        self.room = room
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.roomIfPresent()
        offset = try fields.integerIfPresent("offset", in: 0...Limits.queueOffsetMax).map { Int($0) } ?? 0
        limit =
            try fields.integerIfPresent("limit", in: Limits.queuePageCount).map { Int($0) }
            ?? Limits.queuePageCountDefault
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", ifPresent: room?.text)
            writer.member("offset", offset)
            writer.member("limit", limit)
        }
    }
}

/// The answer to `queue.get`.
public struct QueuePage: WireObject, Equatable {
    /// What the caller has voted.
    public struct OwnVotes: WireObject, Equatable {
        /// Entries they like.
        public var up: [Int64]
        public var down: [Int64]
        /// Whether they want skipped what plays.
        public var skip: Bool

        public init(up: [Int64] = [], down: [Int64] = [], skip: Bool = false) {
            self.up = up
            self.down = down
            self.skip = skip
        }

        public init(_ json: JSON) throws(WireError) {
            let fields = try Fields(json)
            up = try fields.entryIDs("up")
            down = try fields.entryIDs("down")
            skip = try fields.bool("skip")
        }

        public func encode(into writer: inout JSONWriter) {
            writer.object { writer in
                writer.member("up", up)
                writer.member("down", down)
                writer.member("skip", skip)
            }
        }
    }

    /// Of the last change that is in this.
    public var revision: Int64
    public var rules: QueueRules
    public var repeatMode: RepeatMode
    public var now: QueueNow?
    /// Who wants skipped what plays, and how many that takes.
    public var skipVotes: Int
    public var skipVotesNeeded: Int
    /// Entries that wait, on all pages.
    public var waitingCount: Int
    /// Entries to be approved, on all pages.
    public var pendingCount: Int
    /// Those that wait as they stand, then those to be approved, the oldest first; in at most
    /// `Limits.queueBytesMax` bytes.
    public var entries: [QueuedTrack]
    /// What to ask with as `offset` for the next page; `nil` on the last.
    public var nextOffset: Int?
    /// All that wait in the order in which they will play, where that is by votes.
    public var order: [Int64]?
    public var ownVotes: OwnVotes

    public init(
        revision: Int64, rules: QueueRules, repeatMode: RepeatMode, now: QueueNow?, skipVotes: Int,
        skipVotesNeeded: Int, waitingCount: Int, pendingCount: Int, entries: [QueuedTrack], nextOffset: Int?,
        order: [Int64]?, ownVotes: OwnVotes
    ) {
        self.revision = revision
        self.rules = rules
        self.repeatMode = repeatMode
        self.now = now
        self.skipVotes = skipVotes
        self.skipVotesNeeded = skipVotesNeeded
        self.waitingCount = waitingCount
        self.pendingCount = pendingCount
        self.entries = entries
        self.nextOffset = nextOffset
        self.order = order
        self.ownVotes = ownVotes
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        let count = { (key: String) throws(WireError) in Int(try fields.integer(key, in: 0...Limits.integerMax)) }
        revision = try fields.integer("revision", in: 0...Limits.integerMax)
        rules = try fields.object("rules", as: QueueRules.self)
        repeatMode = try fields.word("repeat", as: RepeatMode.self)
        now = try fields.objectIfPresent("now", as: QueueNow.self)
        skipVotes = try count("skip_votes")
        skipVotesNeeded = try count("skip_votes_needed")
        waitingCount = try count("waiting")
        pendingCount = try count("pending")
        entries = try fields.array("entries", of: QueuedTrack.self)
        nextOffset = try fields.integerIfPresent("next_offset", in: 1...Limits.queueOffsetMax).map { Int($0) }
        order = try fields.value("order").map { _ throws(WireError) in try fields.entryIDs("order") }
        ownVotes = try fields.object("your_votes", as: OwnVotes.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("revision", revision)
            writer.member("rules", rules)
            writer.member("repeat", repeatMode.rawValue)
            writer.member("now", orNull: now)
            writer.member("skip_votes", skipVotes)
            writer.member("skip_votes_needed", skipVotesNeeded)
            writer.member("waiting", waitingCount)
            writer.member("pending", pendingCount)
            writer.member("entries", entries)
            writer.member("next_offset", orNull: nextOffset)
            if let order { writer.member("order", order) }
            writer.member("your_votes", ownVotes)
        }
    }
}

/// The answer to whatever changes a queue, given when it is stored.
public struct QueueResult: WireObject, Equatable {
    /// Of the change; where there was nothing to change, of the last one.
    public var revision: Int64
    /// What was added or suggested.
    public var entries: [QueuedTrack]?
    /// What the order after `queue.shuffle` came of.
    public var seed: Int64?

    public init(revision: Int64, entries: [QueuedTrack]? = nil, seed: Int64? = nil) {
        self.revision = revision
        self.entries = entries
        self.seed = seed
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        revision = try fields.integer("revision", in: 0...Limits.integerMax)
        entries = try fields.arrayIfPresent("entries", of: QueuedTrack.self)
        seed = try fields.integerIfPresent("seed", in: 0...Limits.integerMax)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("revision", revision)
            if let entries { writer.member("entries", entries) }
            writer.member("seed", ifPresent: seed)
        }
    }
}

/// Where in the queue something goes: at most one of `first`, `before` and `after`, else the end.
///
/// Source: Protocol/spec/queue.md, "Place".
public enum QueuePosition: Sendable, Hashable {
    case first
    case last
    case before(Int64)
    case after(Int64)
}

extension Fields {
    func queuePosition() throws(WireError) -> QueuePosition {
        let isFirst = try boolIfPresent("first") ?? false
        let before = try integerIfPresent("before", in: Limits.queueEntryID)
        let after = try integerIfPresent("after", in: Limits.queueEntryID)
        switch (isFirst, before, after) {
        case (false, nil, nil): return .last
        case (true, nil, nil): return .first
        case (false, let before?, nil): return .before(before)
        case (false, nil, let after?): return .after(after)
        default: throw invalid(after == nil ? "before" : "after", "names a second place")
        }
    }
}

extension JSONWriter {
    mutating func members(_ position: QueuePosition) {
        switch position {
        case .first: member("first", true)
        case .last: break
        case .before(let id): member("before", id)
        case .after(let id): member("after", id)
        }
    }
}
