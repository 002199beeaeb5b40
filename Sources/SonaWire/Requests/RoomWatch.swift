/// `room.watch`: a list of rooms that stays true: `rooms.changed` tells what becomes of it.
///
/// A connection watches one list; a second request replaces the first. Not served over HTTP.
///
/// Source: Protocol/spec/finding.md, "room.watch".
public struct RoomWatch: WireRequest {
    public typealias Response = RoomWatchResult
    public static let type = "room.watch"
    public static let permission: Permission? = .roomsListen

    /// One line of at most 100 bytes; empty finds every room.
    public var query: String
    public var scope: RoomScope
    /// 1 to 100.
    public var limit: Int

    public init(query: String = "", scope: RoomScope = .all, limit: Int = Limits.roomWatchCountDefault) {
        self.query = query
        self.scope = scope
        self.limit = limit
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        query = try fields.lineIfPresent("query", bytes: Limits.roomQueryBytes) ?? ""
        scope = try fields.wordIfPresent("scope", as: RoomScope.self) ?? .all
        limit =
            try fields.integerIfPresent("limit", in: Limits.roomWatchCount).map { Int($0) }
            ?? Limits.roomWatchCountDefault
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("query", query)
            writer.member("scope", scope.rawValue)
            writer.member("limit", limit)
        }
    }
}

/// The list as it is at first: the answer to `room.watch`.
public struct RoomWatchResult: WireObject, Equatable {
    /// At most `Limits.roomWatchCount` of them, the best first.
    public var rooms: [Room]

    public init(rooms: [Room]) { self.rooms = rooms }

    public init(_ json: JSON) throws(WireError) {
        rooms = try Fields(json).array("rooms", of: Room.self, count: 0...Int(Limits.roomWatchCount.upperBound))
    }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("rooms", rooms) } }
}

/// `room.unwatch`: no more `rooms.changed`. Without a list, nothing happens.
///
/// Source: Protocol/spec/finding.md, "room.unwatch".
public struct RoomUnwatch: FieldlessRequest {
    public typealias Response = Empty
    public static let type = "room.unwatch"

    public init() {}
}
