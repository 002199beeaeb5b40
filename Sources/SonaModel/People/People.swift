internal import SonaDatabase
package import SonaWire

/// Follows, blocks, profiles and settings of users, and what users see of each other.
///
/// A user who has blocked another is invisible to them: in searches, lists and answers.
package struct People: Sendable {
    let users: UserDAO
    let people: PeopleDAO
    let notifications: Notifications
    let journal: Journal
    let clock: WallClock
    /// The time limit of a search. Strangers choose what is searched for, and there are few readers.
    let readLimit: Duration

    init(
        _ daos: ModelDAOs, notifications: Notifications, journal: Journal, clock: WallClock, readLimit: Duration
    ) {
        self.notifications = notifications
        self.journal = journal
        self.readLimit = readLimit
        users = daos.users
        people = daos.people
        self.clock = clock
    }

    // MARK: One user

    /// Returns what `asker` may see of a user.
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
                if try PeopleDAO.isUnapproved(user.uid, for: nil, in: &db) { throw Refusal.userUnknown }
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

    /// Makes `uid` follow a user. Not an error if they do so already.
    ///
    /// - Throws: `userUnknown`, `oneself`, `userBlocked` if the asker has blocked the user, `peopleLimitReached`,
    ///   `tokenInvalid` if the asker's account is gone, `busy`, `storage`.
    package func follow(_ reference: UserReference, _ uid: UserID) async throws(Refusal) -> Relation {
        let now = clock.nowMilliseconds()
        return try await change(reference, uid) { [notifications] other, db in
            let pair = UserPair(uid, other)
            if try db.exists(BlockRecord.self, key: pair) { throw Refusal.userBlocked }
            guard try !db.exists(FollowRecord.self, key: pair) else { return nil }
            guard try db.count(FollowRecord.filter(FollowRecord.follower == uid)) < Limits.followsMax else {
                throw Refusal.peopleLimitReached
            }
            try db.insert(FollowRecord(pair, now: now))
            // Once, however often somebody follows and stops.
            return try notifications.post(
                NewNotification(.follower, from: uid, key: "follower:\(uid.rawValue)"), to: other, in: &db)
        }
    }

    /// Ends following. Not an error if `uid` did not follow the user.
    ///
    /// - Throws: `userUnknown`, `oneself`, `tokenInvalid` if the asker's account is gone, `busy`, `storage`.
    package func unfollow(_ reference: UserReference, _ uid: UserID) async throws(Refusal) -> Relation {
        try await change(reference, uid) { other, db in
            _ = try db.delete(FollowRecord.self, key: UserPair(uid, other))
            return nil
        }
    }

    /// Blocks a user, and ends following in both directions. Not an error if there is a block already.
    ///
    /// - Throws: `userUnknown`, `oneself`, `peopleLimitReached`, `tokenInvalid` if the asker's account is gone, `busy`,
    ///   `storage`.
    package func block(_ reference: UserReference, _ uid: UserID) async throws(Refusal) -> Relation {
        let now = clock.nowMilliseconds()
        // A user who has blocked the asker can be blocked, too.
        return try await change(reference, uid, seesBlockers: true) { other, db in
            let pair = UserPair(uid, other)
            guard try !db.exists(BlockRecord.self, key: pair) else { return nil }
            guard try db.count(BlockRecord.filter(BlockRecord.blocker == uid)) < Limits.blocksMax else {
                throw Refusal.peopleLimitReached
            }
            _ = try db.delete(FollowRecord.self, key: pair)
            _ = try db.delete(FollowRecord.self, key: pair.reversed)
            try db.insert(BlockRecord(pair, now: now))
            // What the other one caused is not shown any longer.
            try db.execute("DELETE FROM notifications WHERE uid = \(uid) AND from_uid = \(other)")
            return nil
        }
    }

    /// Lifts a block. Not an error if there is none.
    ///
    /// - Throws: `userUnknown`, `oneself`, `tokenInvalid` if the asker's account is gone, `busy`, `storage`.
    package func unblock(_ reference: UserReference, _ uid: UserID) async throws(Refusal) -> Relation {
        try await change(reference, uid, seesBlockers: true) { other, db in
            _ = try db.delete(BlockRecord.self, key: UserPair(uid, other))
            return nil
        }
    }

    private func change(
        _ reference: UserReference, _ uid: UserID, seesBlockers: Bool = false,
        _ body: @escaping @Sendable (UserID, inout WriteAccess) throws -> PostedNotification?
    ) async throws(Refusal) -> Relation {
        let (relation, posted) = try await people.write { db -> (Relation, PostedNotification?) in
            // The account may have been removed a moment ago.
            guard try db.exists(UserRecord.self, key: uid) else { throw Refusal.tokenInvalid }
            let other =
                seesBlockers
                ? try UserDAO.find(reference, in: &db) : try PeopleDAO.find(reference, for: uid, in: &db)
            guard other.uid != uid else { throw Refusal.oneself }
            let posted = try body(other.uid, &db)
            return (try PeopleDAO.relation(of: uid, to: other.uid, in: &db), posted)
        }
        notifications.tell([posted].compactMap { $0 })
        return relation
    }

    /// Whether `blocker` has blocked `uid`.
    ///
    /// - Throws: `busy`, `storage`.
    package func hasBlocked(_ blocker: UserID, _ uid: UserID) async throws(Refusal) -> Bool {
        try await people.read { db in
            try db.exists(BlockRecord.self, key: UserPair(blocker, uid))
        }
    }
}
