package import SonaWire

/// The list of a room's people.
extension LiveRoom {
    /// One person of the list.
    package struct Person: Sendable, Equatable {
        package let user: User
        package let standing: Standing
        /// Ms since 1970; `nil` for people who are not here.
        package let joinedMilliseconds: Int64?
        /// Lists go from the least to the greatest place; equal places are ordered by user identifier.
        package let place: Int64
    }

    /// The people who are here and visible, each once: the highest standing first, then by time of arrival.
    ///
    /// O(n log n) in the people who are here, so not for a loop that has other work.
    /// - Parameter includesAbsent: Adds, at the end, people who belong to the room and are not here. Only their
    ///   identifiers are known.
    package func people(includesAbsent: Bool) -> [Person] {
        var first: [UserID: Member] = [:]
        for member in members.values where !member.isGhost {
            if let known = first[member.user.uid], known.joinedMilliseconds <= member.joinedMilliseconds { continue }
            first[member.user.uid] = member
        }
        var people = first.values.map { member in
            let standing = standing(of: member.user)
            return Person(
                user: member.user, standing: standing, joinedMilliseconds: member.joinedMilliseconds,
                place: Self.place(standing, isHere: true, since: member.joinedMilliseconds))
        }
        if includesAbsent {
            var absent = roster.entries.filter { $0.value.standing > .listener && first[$0.key] == nil }.map {
                uid, entry in
                Person(
                    user: User(uid: uid, username: nil, isGuest: false), standing: entry.standing,
                    joinedMilliseconds: nil,
                    place: Self.place(entry.standing, isHere: false, since: entry.sinceMilliseconds))
            }
            if first[owner.uid] == nil {
                absent.append(
                    Person(
                        user: owner, standing: .owner, joinedMilliseconds: nil,
                        place: Self.place(.owner, isHere: false, since: createdMilliseconds)))
            }
            people += absent
        }
        return people.sorted { ($0.place, $0.user.uid.rawValue) < ($1.place, $1.user.uid.rawValue) }
    }

    /// The sort key: 1 bit for presence, 3 bits for standing, and a time, which fits into 52 bits for the next hundred
    /// thousand years.
    private static func place(_ standing: Standing, isHere: Bool, since milliseconds: Int64) -> Int64 {
        let rank = Int64(Standing.allCases.firstIndex(of: standing) ?? Standing.allCases.count)
        return (isHere ? 0 : 1) << 55 | rank << 52 | min(max(milliseconds, 0), 1 << 52 - 1)
    }
}
