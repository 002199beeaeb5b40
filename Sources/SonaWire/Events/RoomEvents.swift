/// `room.updated`: something about the room has changed; here is all of it.
///
/// Source: Protocol/spec/rooms.md, "room.updated".
public struct RoomUpdated: WireEvent {
    public static let type = "room.updated"

    public var room: Room

    public init(room: Room) { self.room = room }

    public init(_ json: JSON) throws(WireError) { room = try Fields(json).object("room", as: Room.self) }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("room", room) } }
}

/// `room.closed`: the room is gone, and the connection is in none.
///
/// Source: Protocol/spec/rooms.md, "room.closed".
public struct RoomClosed: WireEvent {
    public static let type = "room.closed"

    /// A word for programs, 1 to 64 bytes; new ones may come.
    public var reason: String

    public init(reason: String) { self.reason = reason }

    public init(_ json: JSON) throws(WireError) {
        reason = try Fields(json).line("reason", bytes: Limits.reasonBytes)
    }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("reason", reason) } }
}

/// `room.listeners`: how many listen. Live only, at most once a second.
///
/// Source: Protocol/spec/rooms.md, "room.listeners".
public struct RoomListeners: WireEvent {
    public static let type = "room.listeners"

    public var count: Int

    public init(count: Int) { self.count = count }

    public init(_ json: JSON) throws(WireError) {
        count = Int(try Fields(json).integer("count", in: 0...Limits.integerMax))
    }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("count", count) } }
}

/// `host.changed`: somebody took the seat, left it, was lost, or came back.
///
/// Source: Protocol/spec/hosting.md, "host.changed".
public struct HostChanged: WireEvent {
    public static let type = "host.changed"

    /// `nil` exactly if `state` is `none`.
    public var host: User?
    public var state: HostState

    public init(host: User?, state: HostState) {
        self.host = host
        self.state = state
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        host = try fields.objectIfPresent("host", as: User.self)
        state = try fields.word("state", as: HostState.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("host", orNull: host)
            writer.member("state", state.rawValue)
        }
    }
}
