/// `queue.add`: puts tracks in, one behind the other, all or none.
///
/// Source: Protocol/spec/queue.md, "queue.add".
public struct QueueAdd: WireRequest {
    public typealias Response = QueueResult
    public static let type = "queue.add"
    public static let permission: Permission? = .roomsListen

    /// 1 to 20.
    public var tracks: [QueueReference]
    public var position: QueuePosition
    /// The room the connection is in if absent.
    public var room: RoomReference?

    public init(tracks: [QueueReference], position: QueuePosition = .last, room: RoomReference? = nil) {
        self.tracks = tracks
        self.position = position
        self.room = room
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.roomIfPresent()
        tracks = try fields.array("tracks", of: QueueReference.self, count: Limits.queueAddCount)
        position = try fields.queuePosition()
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", ifPresent: room?.text)
            writer.member("tracks", tracks)
            writer.members(position)
        }
    }
}

/// A request about one entry of a queue.
public protocol QueueEntryRequest: WireRequest where Response == QueueResult {
    var id: Int64 { get }
    var room: RoomReference? { get }
    init(id: Int64, room: RoomReference?)
}

extension QueueEntryRequest {
    public static var permission: Permission? { .roomsListen }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        self.init(id: try fields.integer("id", in: Limits.queueEntryID), room: try fields.roomIfPresent())
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", ifPresent: room?.text)
            writer.member("id", id)
        }
    }
}

/// A request about a queue as a whole.
public protocol QueueRequest: WireRequest where Response == QueueResult {
    var room: RoomReference? { get }
    init(room: RoomReference?)
}

extension QueueRequest {
    public static var permission: Permission? { .roomsListen }

    public init(_ data: JSON) throws(WireError) { self.init(room: try Fields(request: data).roomIfPresent()) }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("room", ifPresent: room?.text) } }
}

/// `queue.approve`: a suggestion is to be played.
///
/// Source: Protocol/spec/queue.md, "queue.approve".
public struct QueueApprove: QueueEntryRequest {
    public static let type = "queue.approve"
    public var id: Int64
    public var room: RoomReference?

    public init(id: Int64, room: RoomReference? = nil) {
        self.id = id
        self.room = room
    }
}

/// `queue.reject`: a suggestion is not to be played.
///
/// Source: Protocol/spec/queue.md, "queue.reject".
public struct QueueReject: QueueEntryRequest {
    public static let type = "queue.reject"
    public var id: Int64
    public var room: RoomReference?

    public init(id: Int64, room: RoomReference? = nil) {
        self.id = id
        self.room = room
    }
}

/// `queue.remove`: takes out an entry, one's own or, with control, anybody's.
///
/// Source: Protocol/spec/queue.md, "queue.remove".
public struct QueueRemove: QueueEntryRequest {
    public static let type = "queue.remove"
    public var id: Int64
    public var room: RoomReference?

    public init(id: Int64, room: RoomReference? = nil) {
        self.id = id
        self.room = room
    }
}

/// `queue.move`: an entry stands somewhere else.
///
/// Source: Protocol/spec/queue.md, "queue.move".
public struct QueueMove: WireRequest {
    public typealias Response = QueueResult
    public static let type = "queue.move"
    public static let permission: Permission? = .roomsListen

    public var id: Int64
    public var position: QueuePosition
    /// The room the connection is in if absent.
    public var room: RoomReference?

    public init(id: Int64, to position: QueuePosition, room: RoomReference? = nil) {
        self.id = id
        self.position = position
        self.room = room
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.roomIfPresent()
        id = try fields.integer("id", in: Limits.queueEntryID)
        position = try fields.queuePosition()
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", ifPresent: room?.text)
            writer.member("id", id)
            writer.members(position)
        }
    }
}

/// `queue.clear`: nothing waits any more.
///
/// Source: Protocol/spec/queue.md, "queue.clear".
public struct QueueClear: QueueRequest {
    public static let type = "queue.clear"
    public var room: RoomReference?

    public init(room: RoomReference? = nil) { self.room = room }
}

/// `queue.shuffle`: what waits stands in another order, which a seed decides.
///
/// Source: Protocol/spec/queue.md, "queue.shuffle".
public struct QueueShuffle: WireRequest {
    public typealias Response = QueueResult
    public static let type = "queue.shuffle"
    public static let permission: Permission? = .roomsListen

    /// 0 to 2^53 − 1; the server draws one if absent.
    public var seed: Int64?
    /// The room the connection is in if absent.
    public var room: RoomReference?

    public init(seed: Int64? = nil, room: RoomReference? = nil) {
        self.seed = seed
        self.room = room
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.roomIfPresent()
        seed = try fields.integerIfPresent("seed", in: 0...Limits.integerMax)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", ifPresent: room?.text)
            writer.member("seed", ifPresent: seed)
        }
    }
}

/// `queue.set_repeat`: whether what was played comes again.
///
/// Source: Protocol/spec/queue.md, "queue.set_repeat".
public struct QueueSetRepeat: WireRequest {
    public typealias Response = QueueResult
    public static let type = "queue.set_repeat"
    public static let permission: Permission? = .roomsListen

    public var mode: RepeatMode
    /// The room the connection is in if absent.
    public var room: RoomReference?

    public init(_ mode: RepeatMode, room: RoomReference? = nil) {
        self.mode = mode
        self.room = room
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.roomIfPresent()
        mode = try fields.word("repeat", as: RepeatMode.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", ifPresent: room?.text)
            writer.member("repeat", mode.rawValue)
        }
    }
}

/// `queue.set_rules`: changes some of the rules.
///
/// Source: Protocol/spec/queue.md, "queue.set_rules".
public struct QueueSetRules: WireRequest {
    public typealias Response = QueueResult
    public static let type = "queue.set_rules"
    public static let permission: Permission? = .roomsListen

    public var rules: QueueRules.Change
    /// The room the connection is in if absent.
    public var room: RoomReference?

    public init(_ rules: QueueRules.Change, room: RoomReference? = nil) {
        self.rules = rules
        self.room = room
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.roomIfPresent()
        rules = try fields.object("rules", as: QueueRules.Change.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", ifPresent: room?.text)
            writer.member("rules", rules)
        }
    }
}
