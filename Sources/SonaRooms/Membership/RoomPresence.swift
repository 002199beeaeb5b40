package import SonaWire

/// The people in a room, each counted once whatever the number of their connections. Somebody with at least one
/// connection that is not a ghost is visible.
package struct RoomPresence: Sendable, Equatable {
    /// Number of connections of each visible person, ghosts not counted.
    private var seen: [UserID: Int32] = [:]
    private var ghosts: [UserID: Int32] = [:]
    /// Number of people who are here and not visible.
    package private(set) var ghostCount = 0

    /// Number of visible people.
    package var count: Int { seen.count }

    package func isSeen(_ uid: UserID) -> Bool { seen[uid] != nil }

    package func contains(_ uid: UserID) -> Bool { seen[uid] != nil || ghosts[uid] != nil }

    /// Connections of a person.
    package func connectionCount(of uid: UserID) -> Int { Int(seen[uid, default: 0] + ghosts[uid, default: 0]) }

    /// A connection has come (+1) or gone (−1).
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
