package import SonaWire

/// A room as the directory stores it.
package struct DirectoryEntry: Sendable, Equatable {
    /// The room as search results show it.
    package var room: Room
    /// Each tag is one line.
    package var tags: [String]

    package init(room: Room, tags: [String] = []) {
        self.room = room
        self.tags = tags
    }
}
