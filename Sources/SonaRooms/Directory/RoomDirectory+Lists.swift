internal import SonaText
package import SonaWire

extension DirectorySubscription {
    /// The list as it was found last.
    package var entries: [DirectoryEntry] { found.prefix(limit).map(\.record.entry) }
}

extension RoomDirectory {
    /// How many rooms a query finds. O(rooms), but for the empty query.
    package func count(_ query: DirectoryQuery) -> Int {
        if query.isEmpty { return publicCount }
        return found(query, limit: .max).count
    }

    /// Every room of an owner, private ones too, in no order.
    package func rooms(of owner: UserID) -> [DirectoryEntry] {
        slots(of: [owner]).compactMap { shelf.records[Int($0)]?.entry }
    }
}

extension DirectoryQuery {
    /// Whether it finds all that is public, and nothing else.
    fileprivate var isEmpty: Bool { words.isEmpty && scope == .all && hidden.isEmpty && admitted.isEmpty }
}
