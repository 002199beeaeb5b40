internal import SonaDatabase
package import SonaWire

/// Who knows whom, and what they show each other.
///
/// Whoever has blocked somebody does not exist for them: not in a search, a list or an answer.
package struct People: Sendable {
    let users: UserDAO
    let people: PeopleDAO
    let clock: WallClock
    /// How long a search may take in the database: what is searched for is a stranger's choice, and readers are few.
    let readLimit: Duration

    init(_ daos: SonaDAOs, clock: WallClock, readLimit: Duration) {
        self.readLimit = readLimit
        users = daos.users
        people = daos.people
        self.clock = clock
    }

    // MARK: One user

    /// A user as `asker` may see them.
    ///
    /// - Parameter asker: `nil` for guests.
    /// - Throws: `userUnknown`, `busy`, `storage`.
    package func details(
        of reference: UserReference, for asker: UserID?
    ) async throws(Refusal) -> UserDetails {
        try await people.read { db in
            let user: UserRecord
            var relation: Relation?
            if let asker {
                user = try PeopleDAO.find(reference, for: asker, in: &db)
                if user.uid != asker { relation = try PeopleDAO.relation(of: asker, to: user.uid, in: &db) }
            } else {
                user = try UserDAO.find(reference, in: &db)
            }
            guard let profile = try Self.profile(of: user.uid, in: &db) else { throw Refusal.userUnknown }
            let isShown = profile.isPublic || user.uid == asker || relation?.areFriends == true
            return UserDetails(
                user: User(uid: user.uid, username: user.username, isGuest: false),
                profile: isShown ? profile : nil, relation: relation,
                followerCount: try db.count(FollowRecord.filter(FollowRecord.followed == user.uid)),
                followingCount: try db.count(FollowRecord.filter(FollowRecord.follower == user.uid)))
        }
    }

    // MARK: Following and blocking

    /// - Throws: `userUnknown`, `oneself`, `userBlocked` if the asker has blocked them, `peopleLimitReached`, `busy`,
    ///   `storage`.
    package func follow(_ reference: UserReference, _ uid: UserID) async throws(Refusal) -> Relation {
        let now = clock.nowMilliseconds()
        return try await change(reference, uid) { other, db in
            let pair = UserPair(uid, other)
            if try db.exists(BlockRecord.self, key: pair) { throw Refusal.userBlocked }
            guard try !db.exists(FollowRecord.self, key: pair) else { return }
            guard try db.count(FollowRecord.filter(FollowRecord.follower == uid)) < Limits.followsMax else {
                throw Refusal.peopleLimitReached
            }
            try db.insert(FollowRecord(pair, now: now))
        }
    }

    /// That one did not follow them is no error.
    package func unfollow(_ reference: UserReference, _ uid: UserID) async throws(Refusal) -> Relation {
        try await change(reference, uid) { other, db in
            _ = try db.delete(FollowRecord.self, key: UserPair(uid, other))
        }
    }

    /// Ends following in both directions, too.
    ///
    /// - Throws: `userUnknown`, `oneself`, `peopleLimitReached`, `busy`, `storage`.
    package func block(_ reference: UserReference, _ uid: UserID) async throws(Refusal) -> Relation {
        let now = clock.nowMilliseconds()
        // Somebody who has blocked us can be blocked in turn.
        return try await change(reference, uid, seesBlockers: true) { other, db in
            let pair = UserPair(uid, other)
            guard try !db.exists(BlockRecord.self, key: pair) else { return }
            guard try db.count(BlockRecord.filter(BlockRecord.blocker == uid)) < Limits.blocksMax else {
                throw Refusal.peopleLimitReached
            }
            _ = try db.delete(FollowRecord.self, key: pair)
            _ = try db.delete(FollowRecord.self, key: pair.reversed)
            try db.insert(BlockRecord(pair, now: now))
        }
    }

    package func unblock(_ reference: UserReference, _ uid: UserID) async throws(Refusal) -> Relation {
        try await change(reference, uid, seesBlockers: true) { other, db in
            _ = try db.delete(BlockRecord.self, key: UserPair(uid, other))
        }
    }

    private func change(
        _ reference: UserReference, _ uid: UserID, seesBlockers: Bool = false,
        _ body: @escaping @Sendable (UserID, inout WriteAccess) throws -> Void
    ) async throws(Refusal) -> Relation {
        try await people.write { db in
            // An account that was removed a moment ago.
            guard try db.exists(UserRecord.self, key: uid) else { throw Refusal.tokenInvalid }
            let other =
                seesBlockers
                ? try UserDAO.find(reference, in: &db) : try PeopleDAO.find(reference, for: uid, in: &db)
            guard other.uid != uid else { throw Refusal.oneself }
            try body(other.uid, &db)
            return try PeopleDAO.relation(of: uid, to: other.uid, in: &db)
        }
    }

    /// Whether `blocker` has blocked `uid`.
    package func hasBlocked(_ blocker: UserID, _ uid: UserID) async throws(Refusal) -> Bool {
        try await people.read { db in
            try db.exists(BlockRecord.self, key: UserPair(blocker, uid))
        }
    }
}
