/// `room.waiting`: who knocks.
///
/// Source: Protocol/spec/joining.md, "room.waiting".
public struct RoomWaiting: RoomRequest {
    public typealias Response = RoomWaitingResult
    public static let type = "room.waiting"
    public static let permission: Permission? = .roomsControl

    public var room: RoomReference

    public init(room: RoomReference) { self.room = room }
}

/// The answer to `room.waiting`.
public struct RoomWaitingResult: WireObject, Equatable {
    /// In the order they came, at most 200.
    public var users: [UserCard]

    public init(users: [UserCard]) { self.users = users }

    public init(_ json: JSON) throws(WireError) {
        users = try Fields(json).array("users", of: UserCard.self, count: 0...Limits.waitingRoomMax)
    }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("users", users) } }
}

/// `room.admit`: lets in who waits.
///
/// Source: Protocol/spec/joining.md, "room.admit".
public struct RoomAdmit: RoomUserRequest {
    public typealias Response = Empty
    public static let type = "room.admit"
    public static let permission: Permission? = .roomsControl

    public var room: RoomReference
    public var user: UserReference

    public init(room: RoomReference, user: UserReference) {
        self.room = room
        self.user = user
    }
}

/// `room.deny`: sends away who waits.
///
/// Source: Protocol/spec/joining.md, "room.deny".
public struct RoomDeny: RoomUserRequest {
    public typealias Response = Empty
    public static let type = "room.deny"
    public static let permission: Permission? = .roomsControl

    public var room: RoomReference
    public var user: UserReference

    public init(room: RoomReference, user: UserReference) {
        self.room = room
        self.user = user
    }
}
