/// `queue.next`: goes on to what comes next.
///
/// Source: Protocol/spec/queue.md, "queue.next".
public struct QueueNext: WireRequest {
    public typealias Response = QueueResult
    public static let type = "queue.next"
    public static let permission: Permission? = .roomsListen

    /// What has to play for that, so that two who press at once skip one track.
    public var id: Int64?
    /// The room the connection is in if absent.
    public var room: RoomReference?

    public init(from id: Int64? = nil, room: RoomReference? = nil) {
        self.id = id
        self.room = room
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.roomIfPresent()
        id = try fields.integerIfPresent("id", in: Limits.queueEntryID)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", ifPresent: room?.text)
            writer.member("id", ifPresent: id)
        }
    }
}

/// `queue.previous`: goes back to what ended last.
///
/// Source: Protocol/spec/queue.md, "queue.previous".
public struct QueuePrevious: QueueRequest {
    public static let type = "queue.previous"
    public var room: RoomReference?

    public init(room: RoomReference? = nil) { self.room = room }
}

/// `queue.started`: the host says that an entry begins to sound.
///
/// Source: Protocol/spec/queue.md, "queue.started".
public struct QueueStarted: QueueEntryRequest {
    public static let type = "queue.started"
    public var id: Int64
    public var room: RoomReference?

    public init(id: Int64, room: RoomReference? = nil) {
        self.id = id
        self.room = room
    }
}

/// `queue.finished`: the host says that what plays has come to its end.
///
/// Source: Protocol/spec/queue.md, "queue.finished".
public struct QueueFinished: QueueEntryRequest {
    public static let type = "queue.finished"
    public var id: Int64
    public var room: RoomReference?

    public init(id: Int64, room: RoomReference? = nil) {
        self.id = id
        self.room = room
    }
}

/// `queue.suggest`: proposes a track.
///
/// Source: Protocol/spec/queue.md, "queue.suggest".
public struct QueueSuggest: WireRequest {
    public typealias Response = QueueResult
    public static let type = "queue.suggest"
    public static let permission: Permission? = .roomsListen

    public var reference: QueueReference
    /// The room the connection is in if absent.
    public var room: RoomReference?

    public init(_ reference: QueueReference, room: RoomReference? = nil) {
        self.reference = reference
        self.room = room
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.roomIfPresent()
        reference = QueueReference(
            track: try fields.object("track", as: Track.self),
            source: try fields.stringIfPresent("source", bytes: Limits.trackSourceBytes))
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", ifPresent: room?.text)
            writer.member("track", reference.track)
            writer.member("source", ifPresent: reference.source)
        }
    }
}

/// `queue.vote`: likes or dislikes an entry that waits, or takes that back.
///
/// Source: Protocol/spec/queue.md, "queue.vote".
public struct QueueVote: WireRequest {
    public typealias Response = QueueResult
    public static let type = "queue.vote"
    public static let permission: Permission? = .roomsListen

    public var id: Int64
    /// `nil` takes the vote back.
    public var vote: Vote?
    /// The room the connection is in if absent.
    public var room: RoomReference?

    public init(_ vote: Vote?, for id: Int64, room: RoomReference? = nil) {
        self.id = id
        self.vote = vote
        self.room = room
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.roomIfPresent()
        id = try fields.integer("id", in: Limits.queueEntryID)
        vote = try fields.wordIfPresent("vote", as: Vote.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", ifPresent: room?.text)
            writer.member("id", id)
            writer.member("vote", ifPresent: vote?.rawValue)
        }
    }
}

/// `queue.vote_skip`: wants skipped what plays, or no longer.
///
/// Source: Protocol/spec/queue.md, "queue.vote_skip".
public struct QueueVoteSkip: WireRequest {
    public typealias Response = QueueResult
    public static let type = "queue.vote_skip"
    public static let permission: Permission? = .roomsListen

    /// What has to play.
    public var id: Int64
    public var isWanted: Bool
    /// The room the connection is in if absent.
    public var room: RoomReference?

    public init(id: Int64, isWanted: Bool = true, room: RoomReference? = nil) {
        self.id = id
        self.isWanted = isWanted
        self.room = room
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.roomIfPresent()
        id = try fields.integer("id", in: Limits.queueEntryID)
        isWanted = try fields.boolIfPresent("skip") ?? true
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", ifPresent: room?.text)
            writer.member("id", id)
            writer.member("skip", isWanted)
        }
    }
}
