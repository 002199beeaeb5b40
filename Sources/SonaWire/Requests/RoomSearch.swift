/// Whose rooms are looked for.
///
/// Source: Protocol/spec/finding.md, "Scopes".
public enum RoomScope: String, CaseIterable, Sendable {
    case all
    /// Of the caller's friends. Not for guests, like `following`.
    case friends
    /// Of those whom the caller follows.
    case following
}

/// `room.search`: rooms by what stands on them, a page at a time.
///
/// Source: Protocol/spec/finding.md, "room.search".
public struct RoomSearch: WireRequest {
    public typealias Response = RoomSearchPage
    public static let type = "room.search"
    public static let permission: Permission? = .roomsListen

    /// One line of at most 100 bytes; empty finds every room.
    public var query: String
    public var scope: RoomScope
    /// 1 to 100.
    public var limit: Int
    /// `nextCursor` of the page before.
    public var cursor: String?

    public init(
        query: String, scope: RoomScope = .all, limit: Int = Limits.roomSearchCountDefault, cursor: String? = nil
    ) {
        self.query = query
        self.scope = scope
        self.limit = limit
        self.cursor = cursor
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        query = try fields.line("query", bytes: Limits.roomQueryBytes)
        scope = try fields.wordIfPresent("scope", as: RoomScope.self) ?? .all
        limit =
            try fields.integerIfPresent("limit", in: Limits.roomSearchCount).map { Int($0) }
            ?? Limits.roomSearchCountDefault
        cursor = try fields.cursor()
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("query", query)
            writer.member("scope", scope.rawValue)
            writer.member("limit", limit)
            writer.member("cursor", ifPresent: cursor)
        }
    }
}

/// A page of rooms that were found: the answer to `room.search`.
public struct RoomSearchPage: WireObject, Equatable {
    /// At most `Limits.roomSearchCount` of them, the best first.
    public var rooms: [Room]
    /// What to ask with for the next page; `nil` on the last.
    public var nextCursor: String?
    /// How many rooms the caller can find so, on all pages.
    public var count: Int

    public init(rooms: [Room], nextCursor: String?, count: Int) {
        self.rooms = rooms
        self.nextCursor = nextCursor
        self.count = count
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        rooms = try fields.array("rooms", of: Room.self, count: 0...Int(Limits.roomSearchCount.upperBound))
        nextCursor = try fields.stringIfPresent("next_cursor", bytes: Limits.cursorBytes)
        count = Int(try fields.integer("count", in: 0...Limits.integerMax))
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("rooms", rooms)
            writer.member("next_cursor", orNull: nextCursor)
            writer.member("count", count)
        }
    }
}
