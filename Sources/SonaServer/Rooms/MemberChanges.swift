internal import SonaWire

/// Who came into a room and who went, until its members are told.
///
/// No more than can be told is kept, however many that are: of a wave of thousands the rest is said to be there.
struct MemberChanges {
    private static let most = Limits.membersChangedCount.upperBound

    private(set) var joined: [UserID: User] = [:]
    private(set) var left: Set<UserID> = []
    /// Whether there were others who came, and others who went.
    private var haveMoreJoined = false
    private var haveMoreLeft = false

    mutating func came(_ user: User) {
        // Who went and came back is where they were; and so may be who comes now, if not all who went are known.
        if left.remove(user.uid) != nil { return }
        guard !haveMoreLeft, joined.count < Self.most else {
            haveMoreJoined = true
            return
        }
        joined[user.uid] = user
    }

    mutating func went(_ uid: UserID) {
        if joined.removeValue(forKey: uid) != nil { return }
        guard !haveMoreJoined, left.count < Self.most else {
            haveMoreLeft = true
            return
        }
        left.insert(uid)
    }

    /// What there is to tell; `nil` for nothing.
    mutating func take(count: Int, ghostCount: Int) -> RoomMembersChanged? {
        let hasMore = haveMoreJoined || haveMoreLeft
        guard !joined.isEmpty || !left.isEmpty || hasMore else { return nil }
        let changed = RoomMembersChanged(
            joined: Array(joined.values), left: Array(left), hasMore: hasMore, count: count, ghostCount: ghostCount)
        self = MemberChanges()
        return changed
    }
}

/// Reactions since members were told, by what they are.
struct ReactionTally {
    private(set) var counts: [String: Int] = [:]
    /// The moment of the audio they belong to, µs.
    private(set) var atMicroseconds: Int64 = 0

    static let spanMicroseconds: Int64 = 250_000

    /// - Returns: Whether it is the first, and members have to be told soon.
    mutating func add(_ emoji: String, at microseconds: Int64) -> Bool {
        let isFirst = counts.isEmpty
        if isFirst { atMicroseconds = microseconds / Self.spanMicroseconds * Self.spanMicroseconds }
        guard counts[emoji] != nil || counts.count < Limits.reactionKinds.upperBound else { return false }
        counts[emoji, default: 0] += 1
        return isFirst
    }

    mutating func take() -> Reactions {
        let told = Reactions(
            atMicroseconds: atMicroseconds,
            counts: counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
                ReactionCount(emoji: $0.key, count: $0.value)
            })
        counts = [:]
        return told
    }
}
