/// `room.kick`: puts somebody out, who may come again.
///
/// Source: Protocol/spec/roles.md, "room.kick".
public struct RoomKick: WireRequest {
    public typealias Response = Empty
    public static let type = "room.kick"
    public static let permission: Permission? = .roomsControl

    public var room: RoomReference
    public var user: UserReference
    /// One line of at most 200 bytes, which the person is shown.
    public var reason: String?

    public init(room: RoomReference, user: UserReference, reason: String? = nil) {
        self.room = room
        self.user = user
        self.reason = reason
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.room()
        user = try fields.user()
        reason = try fields.lineIfPresent("reason", bytes: Limits.banReasonBytes)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", room.text)
            writer.member("user", user.text)
            writer.member("reason", ifPresent: reason)
        }
    }
}

/// `room.ban`: puts somebody out and keeps them out.
///
/// Source: Protocol/spec/roles.md, "room.ban".
public struct RoomBan: WireRequest {
    public typealias Response = Empty
    public static let type = "room.ban"
    public static let permission: Permission? = .roomsControl

    public var room: RoomReference
    public var user: UserReference
    /// Up to ten years; for good if absent.
    public var seconds: Int64?
    /// One line of at most 200 bytes, which the person is shown.
    public var reason: String?

    public init(room: RoomReference, user: UserReference, seconds: Int64? = nil, reason: String? = nil) {
        self.room = room
        self.user = user
        self.seconds = seconds
        self.reason = reason
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.room()
        user = try fields.user()
        seconds = try fields.integerIfPresent("seconds", in: Limits.banSeconds)
        reason = try fields.lineIfPresent("reason", bytes: Limits.banReasonBytes)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", room.text)
            writer.member("user", user.text)
            writer.member("seconds", ifPresent: seconds)
            writer.member("reason", ifPresent: reason)
        }
    }
}

/// `room.unban`: lets somebody come again. Without a ban, nothing happens.
///
/// Source: Protocol/spec/roles.md, "room.unban".
public struct RoomUnban: RoomUserRequest {
    public typealias Response = Empty
    public static let type = "room.unban"
    public static let permission: Permission? = .roomsControl

    public var room: RoomReference
    public var user: UserReference

    public init(room: RoomReference, user: UserReference) {
        self.room = room
        self.user = user
    }
}

/// `room.bans`: who may not enter a room, the newest first, a page at a time.
///
/// Source: Protocol/spec/roles.md, "room.bans".
public struct RoomBans: WireRequest {
    public typealias Response = RoomBanPage
    public static let type = "room.bans"
    public static let permission: Permission? = .roomsControl

    public var room: RoomReference
    /// 1 to 100.
    public var limit: Int
    /// `nextCursor` of the page before.
    public var cursor: String?

    public init(room: RoomReference, limit: Int = Limits.userPageCountDefault, cursor: String? = nil) {
        self.room = room
        self.limit = limit
        self.cursor = cursor
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.room()
        limit = try fields.userLimit()
        cursor = try fields.cursor()
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", room.text)
            writer.member("limit", limit)
            writer.member("cursor", ifPresent: cursor)
        }
    }
}

/// The answer to `room.bans`.
public struct RoomBanPage: WireObject, Equatable {
    public var bans: [RoomBanned]
    /// What to ask with for the next page; `nil` on the last.
    public var nextCursor: String?

    public init(bans: [RoomBanned], nextCursor: String?) {
        self.bans = bans
        self.nextCursor = nextCursor
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        bans = try fields.array("bans", of: RoomBanned.self, count: 0...Int(Limits.userPageCount.upperBound))
        nextCursor = try fields.stringIfPresent("next_cursor", bytes: Limits.cursorBytes)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("bans", bans)
            writer.member("next_cursor", orNull: nextCursor)
        }
    }
}

/// `room.mute`: keeps somebody from writing and reacting.
///
/// Source: Protocol/spec/roles.md, "room.mute".
public struct RoomMute: WireRequest {
    public typealias Response = Empty
    public static let type = "room.mute"
    public static let permission: Permission? = .roomsControl

    public var room: RoomReference
    public var user: UserReference
    /// Up to ten years; until somebody lifts it if absent.
    public var seconds: Int64?

    public init(room: RoomReference, user: UserReference, seconds: Int64? = nil) {
        self.room = room
        self.user = user
        self.seconds = seconds
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.room()
        user = try fields.user()
        seconds = try fields.integerIfPresent("seconds", in: Limits.banSeconds)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", room.text)
            writer.member("user", user.text)
            writer.member("seconds", ifPresent: seconds)
        }
    }
}

/// `room.unmute`: lets somebody write again. Without a mute, nothing happens.
///
/// Source: Protocol/spec/roles.md, "room.unmute".
public struct RoomUnmute: RoomUserRequest {
    public typealias Response = Empty
    public static let type = "room.unmute"
    public static let permission: Permission? = .roomsControl

    public var room: RoomReference
    public var user: UserReference

    public init(room: RoomReference, user: UserReference) {
        self.room = room
        self.user = user
    }
}
