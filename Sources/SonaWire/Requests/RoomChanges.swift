/// `room.update`: changes what is given and leaves the rest.
///
/// Source: Protocol/spec/rooms.md, "room.update".
public struct RoomUpdate: WireRequest {
    public typealias Response = RoomResult
    public static let type = "room.update"
    public static let permission: Permission? = .roomsControl

    public var room: RoomReference
    /// One line of 1 to 200 bytes.
    public var title: String?
    /// At most eight of 1 to 32 bytes, in place of all there were.
    public var tags: [String]?
    /// The wire's `description`: at most 1000 bytes; empty clears it.
    public var about: String?
    public var visibility: Visibility?
    public var allowsGuests: Bool?
    public var privatePolicy: PrivatePolicy?
    /// Not while the room is live, like the lead.
    public var delivery: Delivery?
    /// 150 to 10 000.
    public var leadMilliseconds: Int?
    public var hasWaitingRoom: Bool?
    /// The wire's `chat`.
    public var chatRule: ChatRule?
    /// 0 to 3600.
    public var slowModeSeconds: Int?

    public init(
        room: RoomReference, title: String? = nil, tags: [String]? = nil, about: String? = nil,
        visibility: Visibility? = nil, allowsGuests: Bool? = nil, privatePolicy: PrivatePolicy? = nil,
        delivery: Delivery? = nil, leadMilliseconds: Int? = nil, hasWaitingRoom: Bool? = nil,
        chatRule: ChatRule? = nil, slowModeSeconds: Int? = nil
    ) {
        self.room = room
        self.title = title
        self.tags = tags
        self.about = about
        self.visibility = visibility
        self.allowsGuests = allowsGuests
        self.privatePolicy = privatePolicy
        self.delivery = delivery
        self.leadMilliseconds = leadMilliseconds
        self.hasWaitingRoom = hasWaitingRoom
        self.chatRule = chatRule
        self.slowModeSeconds = slowModeSeconds
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        room = try fields.room()
        title = try fields.lineIfPresent("title", bytes: Limits.titleBytes)
        tags = try fields.tags()
        about = try fields.stringIfPresent("description", bytes: 0...Limits.roomDescriptionBytes.upperBound)
        visibility = try fields.wordIfPresent("visibility", as: Visibility.self)
        allowsGuests = try fields.boolIfPresent("guests")
        privatePolicy = try fields.wordIfPresent("on_private", as: PrivatePolicy.self)
        delivery = try fields.wordIfPresent("delivery", as: Delivery.self)
        leadMilliseconds = try fields.integerIfPresent("lead_ms", in: Limits.leadMilliseconds).map { Int($0) }
        hasWaitingRoom = try fields.boolIfPresent("waiting_room")
        chatRule = try fields.wordIfPresent("chat", as: ChatRule.self)
        slowModeSeconds = try fields.integerIfPresent("slow_mode_s", in: Limits.slowModeSeconds).map { Int($0) }
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", room.text)
            writer.member("title", ifPresent: title)
            if let tags { writer.member("tags", tags) }
            writer.member("description", ifPresent: about)
            writer.member("visibility", ifPresent: visibility?.rawValue)
            writer.member("guests", ifPresent: allowsGuests)
            writer.member("on_private", ifPresent: privatePolicy?.rawValue)
            writer.member("delivery", ifPresent: delivery?.rawValue)
            writer.member("lead_ms", ifPresent: leadMilliseconds)
            writer.member("waiting_room", ifPresent: hasWaitingRoom)
            writer.member("chat", ifPresent: chatRule?.rawValue)
            writer.member("slow_mode_s", ifPresent: slowModeSeconds)
        }
    }
}

/// `room.close`: the room ends for good.
///
/// Source: Protocol/spec/rooms.md, "room.close".
public struct RoomClose: RoomRequest {
    public typealias Response = Empty
    public static let type = "room.close"
    public static let permission: Permission? = .roomsControl

    public var room: RoomReference

    public init(room: RoomReference) { self.room = room }
}

/// `room.remove_picture`: takes the room's picture away. Without one, nothing happens.
///
/// Source: Protocol/spec/rooms.md, "room.remove_picture".
public struct RoomRemovePicture: RoomRequest {
    public typealias Response = RoomResult
    public static let type = "room.remove_picture"
    public static let permission: Permission? = .roomsControl

    public var room: RoomReference

    public init(room: RoomReference) { self.room = room }
}
