internal import SonaWire

/// People who came into a room and people who left it since its members were last told.
///
/// Keeps no more names than one event may hold; of all others only the fact that there were some (`hasMore`).
struct MemberChanges {
    private static let most = Limits.membersChangedCount.upperBound

    private(set) var joined: [UserID: User] = [:]
    private(set) var left: Set<UserID> = []
    /// Whether more people came, or left, than are named here.
    private var haveMoreJoined = false
    private var haveMoreLeft = false

    mutating func came(_ user: User) {
        // A user who left and came back is named in both lists, and one who came and left in the list of those who left: a
        // client may have read the list of people in between. If some who left are not named, this user may be one of them.
        guard !haveMoreLeft, joined.count < Self.most else {
            haveMoreJoined = true
            return
        }
        joined[user.uid] = user
    }

    mutating func went(_ uid: UserID) {
        joined[uid] = nil
        if left.contains(uid) { return }
        guard !haveMoreJoined, left.count < Self.most else {
            haveMoreLeft = true
            return
        }
        left.insert(uid)
    }

    /// The event for the members; `nil` if nothing changed. Starts anew.
    mutating func take(count: Int, ghostCount: Int) -> RoomMembersChanged? {
        let hasMore = haveMoreJoined || haveMoreLeft
        guard !joined.isEmpty || !left.isEmpty || hasMore else { return nil }
        let changed = RoomMembersChanged(
            joined: Array(joined.values), left: Array(left), hasMore: hasMore, count: count, ghostCount: ghostCount)
        self = MemberChanges()
        return changed
    }
}

/// Reactions since members were last told, counted by emoji.
struct ReactionTally {
    private(set) var counts: [String: Int] = [:]
    /// The moment of the audio they belong to, µs.
    private(set) var atMicroseconds: Int64 = 0

    static let spanMicroseconds: Int64 = 250_000

    /// - Returns: Whether it is the first, so that members have to be told soon.
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
