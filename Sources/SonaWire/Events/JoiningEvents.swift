/// `room.removed`: the connection was put out of a room, and is in none. Personal.
///
/// Source: Protocol/spec/joining.md, "room.removed".
public struct RoomRemoved: WireEvent {
    public static let type = "room.removed"

    // Reasons of this revision.
    public static let kicked = "kicked"
    public static let banned = "banned"
    public static let inviteRevoked = "invite_revoked"

    public var room: RoomID
    /// A word for programs, 1 to 64 bytes; new ones may come.
    public var reason: String
    /// When one may come again, in milliseconds since 1970, UTC, if that is known.
    public var untilMilliseconds: Int64?
    /// What whoever did it wants to be shown: one line of at most 200 bytes.
    public var message: String?

    public init(room: RoomID, reason: String, untilMilliseconds: Int64? = nil, message: String? = nil) {
        self.room = room
        self.reason = reason
        self.untilMilliseconds = untilMilliseconds
        self.message = message
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        room = try fields.roomID()
        reason = try fields.line("reason", bytes: Limits.reasonBytes)
        untilMilliseconds = try fields.integerIfPresent("until_ms", in: 0...Limits.integerMax)
        message = try fields.lineIfPresent("message", bytes: Limits.banReasonBytes)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", room.rawValue)
            writer.member("reason", reason)
            writer.member("until_ms", ifPresent: untilMilliseconds)
            writer.member("message", ifPresent: message)
        }
    }
}

/// `room.knocked`: somebody waits to be let in. Personal, to those in the room who may moderate.
///
/// Source: Protocol/spec/joining.md, "room.knocked".
public struct RoomKnocked: WireEvent {
    public static let type = "room.knocked"

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

/// `room.admitted`: the room that this connection knocked at may be joined. Personal.
///
/// Source: Protocol/spec/joining.md, "room.admitted".
public struct RoomAdmitted: WireEvent {
    public static let type = "room.admitted"

    public var room: RoomID

    public init(room: RoomID) { self.room = room }

    public init(_ json: JSON) throws(WireError) { room = try Fields(json).roomID() }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("room", room.rawValue) } }
}

/// `room.denied`: the room that this connection knocked at stays shut. Personal.
///
/// Source: Protocol/spec/joining.md, "room.denied".
public struct RoomDenied: WireEvent {
    public static let type = "room.denied"

    public var room: RoomID

    public init(room: RoomID) { self.room = room }

    public init(_ json: JSON) throws(WireError) { room = try Fields(json).roomID() }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("room", room.rawValue) } }
}

extension Fields {
    /// The identifier under `room`.
    func roomID() throws(WireError) -> RoomID { try parsed("room", "a room identifier", RoomID.init) }
}
