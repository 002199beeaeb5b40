extension Catalogue {
    /// Searching and watching rooms.
    ///
    /// Source: Protocol/spec/finding.md.
    static let finding = Area(
        "finding",
        requests: [RoomSearch.self, RoomWatch.self, RoomUnwatch.self],
        events: [RoomsChanged.self])
}

extension Limits {
    /// The feature that announces changing, closing, finding and watching rooms.
    public static let directoryFeature = "directory"
    /// Bytes of the text that rooms are searched by. Empty: all rooms.
    public static let roomQueryBytes = 0...100
    /// Rooms in one answer to `room.search`.
    public static let roomSearchCount: ClosedRange<Int64> = 1...100
    /// Rooms in one answer to `room.search` if the request says nothing.
    public static let roomSearchCountDefault = 20
    /// Rooms in a live list.
    public static let roomWatchCount: ClosedRange<Int64> = 1...100
    /// Rooms in a live list if the request says nothing.
    public static let roomWatchCountDefault = 50
    /// Bytes of an answer to `room.search` or `room.watch`, and of one `rooms.changed`. A page gets shorter, and a
    /// change is split over several events, before one would exceed this.
    public static let directoryBytesMax = 65_536
    /// Milliseconds from one round of `rooms.changed` to the next, and to the change of a room being seen by all.
    public static let directoryIntervalMilliseconds = 1_000
}

// MARK: - Requests

/// Whose rooms are looked for.
///
/// Source: Protocol/spec/finding.md, "Scopes".
public enum RoomScope: String, CaseIterable, Sendable {
    /// Everybody's rooms.
    case all
    /// Rooms of the caller's friends. Not for guests, like `following`.
    case friends
    /// Rooms of people the caller follows.
    case following
}

/// `room.search`: rooms by what stands on them, a page at a time.
///
/// Source: Protocol/spec/finding.md, "room.search".
public struct RoomSearch: DeclaredRequest {
    public typealias Response = RoomSearchPage
    public static let type = "room.search"
    public static let permission: Permission? = .roomsListen

    /// One line of at most 100 bytes; empty finds every room.
    public var query: String
    /// Among which rooms to search.
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

    public static let declaration = Declaration(
        Member("query", \Self.query, .line(bytes: Limits.roomQueryBytes)),
        Member("scope", \Self.scope, .word, default: .all),
        Member("limit", \Self.limit, .integer(Limits.roomSearchCount), default: Limits.roomSearchCountDefault),
        Member(optional: "cursor", \Self.cursor, .cursor),
        make: Self.init)
}

/// A page of rooms that were found: the answer to `room.search`.
public struct RoomSearchPage: DeclaredObject, Equatable {
    /// At most `Limits.roomSearchCount` of them, the best first.
    public var rooms: [Room]
    /// The cursor that asks for the next page. `nil` on the last page.
    public var nextCursor: String?
    /// How many rooms the caller can find so, on all pages.
    public var count: Int

    public init(rooms: [Room], nextCursor: String?, count: Int) {
        self.rooms = rooms
        self.nextCursor = nextCursor
        self.count = count
    }

    public static let declaration = Declaration(
        Member("rooms", \Self.rooms, .objects(count: 0...Int(Limits.roomSearchCount.upperBound))),
        Member(nullable: "next_cursor", \Self.nextCursor, .cursor),
        Member("count", \Self.count, .count),
        make: Self.init)
}

/// `room.watch`: a list of rooms that stays true: `rooms.changed` tells what becomes of it.
///
/// A connection watches one list; a second request replaces the first. Not served over HTTP.
///
/// Source: Protocol/spec/finding.md, "room.watch".
public struct RoomWatch: DeclaredRequest {
    public typealias Response = RoomWatchResult
    public static let type = "room.watch"
    /// `true`: the request is about its connection, so HTTP does not serve it.
    public static let needsConnection = true
    public static let permission: Permission? = .roomsListen

    /// One line of at most 100 bytes; empty finds every room.
    public var query: String
    /// Among which rooms to look.
    public var scope: RoomScope
    /// 1 to 100.
    public var limit: Int

    public init(query: String = "", scope: RoomScope = .all, limit: Int = Limits.roomWatchCountDefault) {
        self.query = query
        self.scope = scope
        self.limit = limit
    }

    public static let declaration = Declaration(
        Member("query", \Self.query, .line(bytes: Limits.roomQueryBytes), default: ""),
        Member("scope", \Self.scope, .word, default: .all),
        Member("limit", \Self.limit, .integer(Limits.roomWatchCount), default: Limits.roomWatchCountDefault),
        make: Self.init)
}

/// The list as it is at first: the answer to `room.watch`.
public struct RoomWatchResult: DeclaredObject, Equatable {
    /// At most `Limits.roomWatchCount` of them, the best first.
    public var rooms: [Room]

    public init(rooms: [Room]) { self.rooms = rooms }

    public static let declaration = Declaration(
        Member("rooms", \Self.rooms, .objects(count: 0...Int(Limits.roomWatchCount.upperBound))),
        make: Self.init)
}

/// `room.unwatch`: no more `rooms.changed`. Without a list, nothing happens.
///
/// Source: Protocol/spec/finding.md, "room.unwatch".
public struct RoomUnwatch: FieldlessRequest {
    public typealias Response = Empty
    public static let type = "room.unwatch"
    /// `true`: the request is about its connection, so HTTP does not serve it.
    public static let needsConnection = true

    public init() {}
}

// MARK: - Events

/// `rooms.changed`: what became of the list that the connection watches. Personal, at most one round a second.
///
/// Each event makes the list before it into the one after it, so none may be lost: that is why it has a `seq`.
///
/// Source: Protocol/spec/finding.md, "rooms.changed".
public struct RoomsChanged: DeclaredEvent {
    public static let type = "rooms.changed"
    public static let scope = EventScope.personal

    /// No longer in the list: closed, turned private, or pushed out by others.
    public var removed: [RoomID]
    /// New in the list, or changed; each one whole.
    public var rooms: [Room]
    /// The whole list in order, each room once.
    public var order: [RoomID]

    public init(removed: [RoomID], rooms: [Room], order: [RoomID]) {
        self.removed = removed
        self.rooms = rooms
        self.order = order
    }

    public static let declaration = Declaration(
        Member("removed", \Self.removed, .roomIDs(count: 0...Int(Limits.roomWatchCount.upperBound))),
        Member("rooms", \Self.rooms, .objects(count: 0...Int(Limits.roomWatchCount.upperBound))),
        Member("order", \Self.order, .distinctRoomIDs(count: 0...Int(Limits.roomWatchCount.upperBound))),
        make: Self.init)
}

// MARK: - Forms

extension Form where Value == [RoomID] {
    /// Rooms, each once.
    fileprivate static func distinctRoomIDs(count: ClosedRange<Int>) -> Form {
        let ids = roomIDs(count: count)
        return Form(
            Schema.roomID.array(count: count, isUnique: true),
            read: { fields, key throws(WireError) in
                guard let rooms = try ids.read(fields, key) else { return nil }
                guard Set(rooms).count == rooms.count else { throw fields.invalid(key, "must name each room once") }
                return rooms
            }, write: ids.write)
    }
}
