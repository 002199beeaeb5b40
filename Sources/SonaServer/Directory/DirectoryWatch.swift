internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// One session's list of rooms, and the part of it that its client has been told.
///
/// Begun (`beginning`) → told of changes, once a second at most (`changes`).
struct DirectoryWatch {
    let request: RoomWatch
    let reader: Accounts.Account
    /// The generation of the request.
    let generation: UInt64
    /// Whether the reply with the beginning of the list is out.
    var isBegun = false
    /// Whether the reader's blocks or follows, or bans of owners, may have changed.
    var isCircleStale = false
    private var circleMicroseconds: Int64
    private var subscription: DirectorySubscription
    /// The rooms as the client knows them.
    private var known: [RoomID: Room] = [:]
    private var toldMicroseconds: Int64 = 0
    /// Whether the list has rooms that did not fit into the last message.
    private var isBehind = false

    /// Blocks, follows and bans are looked up again after this long. That a ban has ended by its time, nobody is told.
    private static let circleMicrosecondsMax: Int64 = 30_000_000
    /// A change of only the number of listeners waits this long.
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

    /// The first rooms of the list, as many as fit into one message.
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
        isCircleStale || now - circleMicroseconds > Self.circleMicrosecondsMax
    }

    /// Replaces the query by one with the same text.
    mutating func take(_ query: DirectoryQuery, now: Int64) {
        // Another query costs a search of the whole directory.
        if !subscription.query.hasLimits(of: query) { subscription.query = query }
        isCircleStale = false
        circleMicroseconds = now
    }

    /// The changes since the last look, in as many events as they take.
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
    /// Whether only numbers of listeners have changed.
    fileprivate var isListenersOnly: Bool {
        removed.isEmpty && added.isEmpty && moved.isEmpty && changed.isEmpty
    }
}
