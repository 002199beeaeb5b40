package import SonaWire

/// The people of a room as a list.
extension LiveRoom {
    /// Somebody in the list.
    package struct Person: Sendable, Equatable {
        package let user: User
        package let standing: Standing
        /// Ms since 1970; `nil` for who is not here.
        package let joinedMilliseconds: Int64?
        /// Lists go from the least to the greatest; where it is the same, by user identifier.
        package let place: Int64
    }

    /// Who is here and is seen, each once: the highest standing first, then who came first.
    ///
    /// O(n log n) for as many as are here; not for a loop that has something else to do.
    /// - Parameter includesAbsent: Those behind them as well who belong to the room and are not here. Of them, only the
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
            if first[settings.owner.uid] == nil {
                absent.append(
                    Person(
                        user: settings.owner, standing: .owner, joinedMilliseconds: nil,
                        place: Self.place(.owner, isHere: false, since: settings.createdMilliseconds)))
            }
            people += absent
        }
        return people.sorted { ($0.place, $0.user.uid.rawValue) < ($1.place, $1.user.uid.rawValue) }
    }

    /// One number to compare by: 1 bit, 3 bits, and a time, which takes fewer than 52 for the next hundred thousand
    /// years.
    private static func place(_ standing: Standing, isHere: Bool, since milliseconds: Int64) -> Int64 {
        let rank = Int64(Standing.allCases.firstIndex(of: standing) ?? Standing.allCases.count)
        return (isHere ? 0 : 1) << 55 | rank << 52 | min(max(milliseconds, 0), 1 << 52 - 1)
    }
}
