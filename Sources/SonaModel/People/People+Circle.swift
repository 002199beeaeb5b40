internal import SonaDatabase
package import SonaWire

extension People {
    /// The owners whose rooms a user searches.
    package struct Circle: Sendable, Equatable {
        /// `nil`: all owners.
        package let owners: Set<UserID>?
        /// Users who have blocked the asker or whom the asker has blocked.
        package let hidden: Set<UserID>
    }

    /// Returns the owners whose rooms `uid` sees in a scope.
    ///
    /// - Throws: `busy`, `storage`.
    package func circle(of uid: UserID, _ scope: RoomScope) async throws(Refusal) -> Circle {
        try await people.read { db in
            let blocked = try db.all(BlockRecord.filter(BlockRecord.blocker == uid)).map(\.blocked)
            let blockers = try db.all(BlockRecord.filter(BlockRecord.blocked == uid)).map(\.blocker)
            let hidden = Set(blocked + blockers)
            guard scope != .all else { return Circle(owners: nil, hidden: hidden) }
            let following = Set(try db.all(FollowRecord.filter(FollowRecord.follower == uid)).map(\.followed))
            guard scope == .friends else { return Circle(owners: following, hidden: hidden) }
            let followers = Set(try db.all(FollowRecord.filter(FollowRecord.followed == uid)).map(\.follower))
            return Circle(owners: following.intersection(followers), hidden: hidden)
        }
    }
}
