package import SonaWire

/// A room as the directory knows it.
package struct DirectoryEntry: Sendable, Equatable {
    /// What those are shown who find it.
    package var room: Room
    /// One line each.
    package var tags: [String]

    package init(room: Room, tags: [String] = []) {
        self.room = room
        self.tags = tags
    }
}
