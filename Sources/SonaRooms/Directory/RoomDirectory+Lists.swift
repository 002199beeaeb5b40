internal import SonaText
package import SonaWire

extension DirectorySubscription {
    /// The list as it was last found.
    package var entries: [DirectoryEntry] { found.prefix(limit).map(\.record.entry) }
}

extension RoomDirectory {
    /// Number of rooms that a query finds. O(rooms), except for the empty query.
    package func count(_ query: DirectoryQuery) -> Int {
        if query.isEmpty { return publicCount }
        return found(query, limit: .max).count
    }

    /// All rooms of an owner, including private ones, in no order.
    package func rooms(of owner: UserID) -> [DirectoryEntry] {
        slots(of: [owner]).compactMap { shelf.records[Int($0)]?.entry }
    }
}

extension DirectoryQuery {
    /// Whether the query finds exactly the public rooms.
    fileprivate var isEmpty: Bool { words.isEmpty && scope == .all && hidden.isEmpty && admitted.isEmpty }
}
