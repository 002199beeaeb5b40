/// `host.requested`: somebody in the room would like to be its host. Personal, to those who may offer the seat.
///
/// Source: Protocol/spec/hosting.md, "host.requested".
public struct HostRequested: WireEvent {
    public static let type = "host.requested"

    public var room: RoomID
    public var user: User

    public init(room: RoomID, user: User) {
        self.room = room
        self.user = user
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        room = try fields.roomID()
        user = try fields.object("user", as: User.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", room.rawValue)
            writer.member("user", user)
        }
    }
}

/// `host.offered`: the seat is this user's for 60 s: `host.start` takes it. Personal.
///
/// Source: Protocol/spec/hosting.md, "host.offered".
public struct HostOffered: WireEvent {
    public static let type = "host.offered"

    public var room: RoomID
    public var by: User

    public init(room: RoomID, by: User) {
        self.room = room
        self.by = by
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        room = try fields.roomID()
        by = try fields.object("by", as: User.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", room.rawValue)
            writer.member("by", by)
        }
    }
}

/// `host.lost_seat`: this connection is not the host any more, and did not ask for that. Personal.
///
/// Source: Protocol/spec/hosting.md, "host.lost_seat".
public struct HostLostSeat: WireEvent {
    public static let type = "host.lost_seat"

    // Reasons of this revision.
    public static let takenBack = "taken_back"
    public static let handedOver = "handed_over"
    public static let elsewhere = "elsewhere"

    public var room: RoomID
    /// A word for programs, 1 to 64 bytes; new ones may come.
    public var reason: String

    public init(room: RoomID, reason: String) {
        self.room = room
        self.reason = reason
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        room = try fields.roomID()
        reason = try fields.line("reason", bytes: Limits.reasonBytes)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", room.rawValue)
            writer.member("reason", reason)
        }
    }
}
