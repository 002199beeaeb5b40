/// `room.create`: makes a room that the user owns.
///
/// Source: Protocol/spec/rooms.md, "room.create".
public struct RoomCreate: WireRequest {
    public typealias Response = RoomResult
    public static let type = "room.create"
    public static let permission: Permission? = .roomsCreate

    /// One line of 1 to 200 bytes; the server finds one if absent.
    public var title: String?
    public var visibility: Visibility
    public var delivery: Delivery
    /// 150 to 10 000.
    public var leadMilliseconds: Int
    /// At most eight, each one line of 1 to 32 bytes.
    public var tags: [String]
    /// The wire's `description`: 1 to 1000 bytes that may hold line breaks.
    public var about: String?
    /// Whether guests may enter.
    public var allowsGuests: Bool
    public var privatePolicy: PrivatePolicy

    public init(
        title: String? = nil, visibility: Visibility = .public, delivery: Delivery = .party,
        leadMilliseconds: Int = Limits.leadMillisecondsDefault, tags: [String] = [], about: String? = nil,
        allowsGuests: Bool = true, privatePolicy: PrivatePolicy = .stay
    ) {
        self.title = title
        self.visibility = visibility
        self.delivery = delivery
        self.leadMilliseconds = leadMilliseconds
        self.tags = tags
        self.about = about
        self.allowsGuests = allowsGuests
        self.privatePolicy = privatePolicy
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        title = try fields.lineIfPresent("title", bytes: Limits.titleBytes)
        visibility = try fields.wordIfPresent("visibility", as: Visibility.self) ?? .public
        delivery = try fields.wordIfPresent("delivery", as: Delivery.self) ?? .party
        leadMilliseconds =
            try fields.integerIfPresent("lead_ms", in: Limits.leadMilliseconds).map { Int($0) }
            ?? Limits.leadMillisecondsDefault
        tags = try fields.tags() ?? []
        about = try fields.stringIfPresent("description", bytes: Limits.roomDescriptionBytes)
        allowsGuests = try fields.boolIfPresent("guests") ?? true
        privatePolicy = try fields.wordIfPresent("on_private", as: PrivatePolicy.self) ?? .stay
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("title", ifPresent: title)
            writer.member("visibility", visibility.rawValue)
            writer.member("delivery", delivery.rawValue)
            writer.member("lead_ms", leadMilliseconds)
            writer.member("tags", tags)
            writer.member("description", ifPresent: about)
            writer.member("guests", allowsGuests)
            writer.member("on_private", privatePolicy.rawValue)
        }
    }
}

/// `room.get`: one room as it is now.
///
/// Source: Protocol/spec/rooms.md, "room.get".
public struct RoomGet: RoomRequest {
    public typealias Response = RoomNow
    public static let type = "room.get"

    public var room: RoomReference

    public init(room: RoomReference) { self.room = room }
}

/// `room.list`: public rooms, or the user's own, a page at a time.
///
/// Source: Protocol/spec/rooms.md, "room.list".
public struct RoomList: WireRequest {
    public typealias Response = RoomPage
    public static let type = "room.list"

    /// 1 to 200.
    public var limit: Int
    /// `nextCursor` of the page before.
    public var cursor: String?
    public var isMine: Bool

    public init(limit: Int = Limits.roomListCountDefault, cursor: String? = nil, isMine: Bool = false) {
        self.limit = limit
        self.cursor = cursor
        self.isMine = isMine
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        limit =
            try fields.integerIfPresent("limit", in: Limits.roomListCount).map { Int($0) }
            ?? Limits.roomListCountDefault
        cursor = try fields.stringIfPresent("cursor", bytes: Limits.cursorBytes)
        isMine = try fields.boolIfPresent("mine") ?? false
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("limit", limit)
            writer.member("cursor", ifPresent: cursor)
            writer.member("mine", isMine)
        }
    }
}

/// `room.join`: enters a room, leaving the one before.
///
/// Source: Protocol/spec/rooms.md, "room.join".
public struct RoomJoin: WireRequest {
    public typealias Response = RoomSnapshot
    public static let type = "room.join"
    public static let permission: Permission? = .roomsListen

    public var room: RoomReference
    /// Whether to send audio; positions and events come in any case.
    public var wantsAudio: Bool
    /// The code of an invite, 1 to 200 bytes; whether it is good, only the server knows.
    public var invite: String?
    /// Whether to be there unseen: counted, but in no list.
    public var isGhost: Bool

    public init(room: RoomReference, wantsAudio: Bool = true, invite: String? = nil, isGhost: Bool = false) {
        self.room = room
        self.wantsAudio = wantsAudio
        self.invite = invite
        self.isGhost = isGhost
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.room()
        wantsAudio = try fields.boolIfPresent("audio") ?? true
        invite = try fields.stringIfPresent("invite", bytes: Limits.inviteCodeBytes)
        isGhost = try fields.boolIfPresent("ghost") ?? false
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", room.text)
            writer.member("audio", wantsAudio)
            writer.member("invite", ifPresent: invite)
            writer.member("ghost", isGhost)
        }
    }
}

/// `room.leave`: leaves the room the connection is in.
///
/// Source: Protocol/spec/rooms.md, "room.leave".
public struct RoomLeave: FieldlessRequest {
    public typealias Response = Empty
    public static let type = "room.leave"

    public init() {}
}

extension Fields {
    /// The reference under `room`.
    func roomIfPresent() throws(WireError) -> RoomReference? {
        try parsedIfPresent("room", "a room identifier or @username", RoomReference.init)
    }

    func room() throws(WireError) -> RoomReference {
        guard let room = try roomIfPresent() else { throw invalid("room", "is missing") }
        return room
    }
}
