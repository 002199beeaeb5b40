/// `rooms.changed`: what became of the list that the connection watches. Personal, at most one round a second.
///
/// Each event makes the list before it into the one after it, so none may be lost: that is why it has a `seq`.
///
/// Source: Protocol/spec/finding.md, "rooms.changed".
public struct RoomsChanged: WireEvent {
    public static let type = "rooms.changed"

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

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        let count = 0...Int(Limits.roomWatchCount.upperBound)
        removed = try fields.roomIDs("removed", count: count)
        rooms = try fields.array("rooms", of: Room.self, count: count)
        order = try fields.roomIDs("order", count: count)
        guard Set(order).count == order.count else { throw fields.invalid("order", "must name each room once") }
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("removed", removed.map(\.rawValue))
            writer.member("rooms", rooms)
            writer.member("order", order.map(\.rawValue))
        }
    }
}

extension Fields {
    /// A bounded array of room identifiers. An item at fault is named by its place.
    func roomIDs(_ key: String, count: ClosedRange<Int>) throws(WireError) -> [RoomID] {
        let bytes = RoomID.count...RoomID.count
        guard let texts = try linesIfPresent(key, bytes: bytes, count: count) else { throw invalid(key, "is missing") }
        var ids: [RoomID] = []
        ids.reserveCapacity(texts.count)
        for (index, text) in texts.enumerated() {
            guard let id = RoomID(text) else { throw invalid("\(key)[\(index)]", "must be a room identifier") }
            ids.append(id)
        }
        return ids
    }
}
