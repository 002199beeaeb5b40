internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// One connection's list of rooms, and what of it the connection has been told.
///
/// Begun (`beginning`) → told of changes, once a second at most (`changes`).
struct DirectoryWatch {
    let request: RoomWatch
    let reader: Accounts.Account
    /// Of the request.
    let generation: UInt64
    /// Whether the reply with its beginning is out.
    var isBegun = false
    /// Whom the reader has blocked or follows may be others by now.
    var isCircleStale = false
    private var circleMicroseconds: Int64
    private var subscription: DirectorySubscription
    /// What the client has.
    private var known: [RoomID: Room] = [:]
    private var toldMicroseconds: Int64 = 0
    /// Not all of what is in the list has fitted into what was told.
    private var isBehind = false

    /// Follows are looked up again after this long.
    private static let circleMicrosecondsMax: Int64 = 30_000_000
    /// A change of nothing but listeners waits this long.
    private static let calmMicroseconds: Int64 = 30_000_000
    /// Bytes of rooms in one message; the rest is for identifiers and the envelope.
    private static let roomBytesMax = Limits.directoryBytesMax - 8_192

    init(_ request: RoomWatch, _ reader: Accounts.Account, _ query: DirectoryQuery, _ generation: UInt64) {
        self.request = request
        self.reader = reader
        self.generation = generation
        subscription = DirectorySubscription(query, limit: request.limit)
        circleMicroseconds = 0
    }

    /// How many rooms, from the first, fit into one message.
    static func fittingCount(_ rooms: [Room]) -> Int {
        var bytes = 0
        for (index, room) in rooms.enumerated() {
            bytes += room.encoded().count + 1
            if bytes > roomBytesMax { return index }
        }
        return rooms.count
    }

    /// The list as it begins.
    mutating func beginning(_ directory: inout RoomDirectory, now: Int64) -> [Room] {
        circleMicroseconds = now
        _ = directory.changes(for: &subscription, now: now)
        let rooms = subscription.entries.map(\.room)
        let first = Array(rooms.prefix(Self.fittingCount(rooms)))
        isBehind = first.count < rooms.count
        for room in first { known[room.id] = room }
        toldMicroseconds = now
        return first
    }

    func needsCircle(now: Int64) -> Bool {
        !reader.isGuest && (isCircleStale || now - circleMicroseconds > Self.circleMicrosecondsMax)
    }

    /// Looks for something else from now on.
    mutating func take(_ query: DirectoryQuery, now: Int64) {
        subscription.query = query
        isCircleStale = false
        circleMicroseconds = now
    }

    /// What has changed, in as many events as it takes.
    mutating func changes(_ directory: inout RoomDirectory, now: Int64) -> [RoomsChanged] {
        let changes = directory.changes(for: &subscription, now: now)
        let isCalm = now - toldMicroseconds < Self.calmMicroseconds
        guard isBehind || changes.map({ !isCalm || !$0.isListenersOnly }) ?? !isCalm else { return [] }
        let rooms = subscription.entries.map(\.room)
        let order = rooms.map(\.id)
        var removed = known.keys.filter { !order.contains($0) }
        var fresh = rooms.filter { known[$0.id] != $0 }
        guard !removed.isEmpty || !fresh.isEmpty || changes?.moved.isEmpty == false else { return [] }
        toldMicroseconds = now
        isBehind = false
        for id in removed { known[id] = nil }
        var events: [RoomsChanged] = []
        repeat {
            let part = Array(fresh.prefix(max(1, Self.fittingCount(fresh))))
            fresh.removeFirst(part.count)
            for room in part { known[room.id] = room }
            events.append(RoomsChanged(removed: removed, rooms: part, order: order.filter { known[$0] != nil }))
            removed = []
        } while !fresh.isEmpty
        return events
    }
}

extension DirectoryChanges {
    /// Whether nothing has changed but how many listen.
    fileprivate var isListenersOnly: Bool {
        removed.isEmpty && added.isEmpty && moved.isEmpty && changed.isEmpty
    }
}
