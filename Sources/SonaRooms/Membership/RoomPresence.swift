package import SonaWire

/// Who is in a room, each once, whatever the number of their connections. Somebody is seen who has one that is no ghost.
package struct RoomPresence: Sendable, Equatable {
    /// Connections of each.
    private var seen: [UserID: Int32] = [:]
    private var ghosts: [UserID: Int32] = [:]
    /// People who are here unseen.
    package private(set) var ghostCount = 0

    /// People who are seen.
    package var count: Int { seen.count }

    package func isSeen(_ uid: UserID) -> Bool { seen[uid] != nil }

    package func contains(_ uid: UserID) -> Bool { seen[uid] != nil || ghosts[uid] != nil }

    /// A connection has come, or, by −1, gone.
    mutating func change(_ uid: UserID, isGhost: Bool, by step: Int32) {
        if isUnseen(uid) { ghostCount -= 1 }
        if isGhost {
            let count = ghosts[uid, default: 0] + step
            ghosts[uid] = count > 0 ? count : nil
        } else {
            let count = seen[uid, default: 0] + step
            seen[uid] = count > 0 ? count : nil
        }
        if isUnseen(uid) { ghostCount += 1 }
    }

    private func isUnseen(_ uid: UserID) -> Bool { ghosts[uid] != nil && seen[uid] == nil }
}
