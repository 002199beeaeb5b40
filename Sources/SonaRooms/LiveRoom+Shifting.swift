package import SonaWire

/// Members who hear the room later than others do.
extension LiveRoom {
    /// A member hears the room later from now on, or at its live place again.
    ///
    /// - Throws: `room.not_joined`.
    package mutating func shift(_ member: MemberID, isShifted: Bool) throws(WireError) -> [RoomEffect] {
        guard members[member] != nil else { throw WireError(.roomNotJoined) }
        guard shifted.contains(member) != isShifted else { return [] }
        if isShifted { shifted.insert(member) } else { shifted.remove(member) }
        return [.listenersChanged]
    }

    /// Members who hear the room later, each connection counted.
    package var shiftedCount: Int { shifted.count }

    /// Whether a user is here, and hears the room later over each connection. O(members who do).
    package func isShifted(_ uid: UserID) -> Bool {
        let count = shifted.count { members[$0]?.user.uid == uid }
        return count > 0 && count == presence.connectionCount(of: uid)
    }

    /// People who hear the room later, each counted once. O(members who do).
    package var shiftedPeople: Int {
        guard !shifted.isEmpty else { return 0 }
        let counts = shifted.reduce(into: [UserID: Int]()) { counts, member in
            if let uid = members[member]?.user.uid { counts[uid, default: 0] += 1 }
        }
        return counts.count { $1 == presence.connectionCount(of: $0) }
    }
}
