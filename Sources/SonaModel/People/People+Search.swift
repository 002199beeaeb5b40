internal import SonaDatabase
package import SonaWire

extension People {
    /// The number of hits that pages go through.
    private static let searchDepthMax = 1_000

    /// Searches people by the words of their names. The last word may be incomplete. Finds public profiles, best match
    /// first. A user with exactly that username comes before all others, even with a private profile.
    ///
    /// - Parameters:
    ///   - offset: How many hits the previous pages had. `nil`: the first page.
    ///   - limit: 1…100; other values are clamped.
    /// - Throws: `busy`, `storage`.
    package func search(
        _ query: String, for uid: UserID, offset: Int?, limit: Int
    ) async throws(Refusal) -> UserPage {
        let limit = min(max(limit, 1), Int(Limits.userPageCount.upperBound))
        let isFirst = offset == nil
        let offset = min(max(offset ?? 0, 0), Self.searchDepthMax)
        let readLimit = self.readLimit
        return try await people.readDetached { db in
            try db.withTimeLimit(readLimit) { db in
                try Self.page(query, for: uid, isFirst ? nil : offset, limit, in: &db)
            }
        }
    }

    private static func page(
        _ query: String, for uid: UserID, _ asked: Int?, _ limit: Int, in db: inout ReadAccess
    ) throws -> UserPage {
        let (isFirst, offset) = (asked == nil, asked ?? 0)
        var found: [UserID] = []
        let typed = query.first == "@" ? String(query.dropFirst()) : query
        if let name = Username(typed),
            let exact = try db.first(UserRecord.filter(UserRecord.usernameKey == name.key))
        {
            found.append(exact.uid)
        }
        var isLast = true
        if let text = SearchText(query) {
            let hits = try db.search(
                DirectoryRecord.self, text, weights: [DirectoryRecord.username.weight(2)], limit: limit,
                offset: offset)
            isLast = hits.count < limit
            // The user with exactly that name comes first, once.
            found = (isFirst ? found : []) + hits.map(\.uid).filter { !found.contains($0) }
        }
        let shown = found.prefix(limit)
        let cards = try shown.compactMap { other in try Self.card(of: other, for: uid, in: &db) }
        // The user with exactly that name may have pushed the last hit to the next page.
        let end = offset + limit - (found.count - shown.count)
        let next = isLast && shown.count == found.count || end > Self.searchDepthMax ? nil : String(end)
        return UserPage(users: cards, nextCursor: next)
    }

    /// - Returns: `nil` if one of the two has blocked the other, or if the other waits for approval.
    private static func card(
        of other: UserID, for uid: UserID, in db: inout ReadAccess
    ) throws -> UserCard? {
        let pair = UserPair(uid, other)
        if try db.exists(BlockRecord.self, key: pair) || db.exists(BlockRecord.self, key: pair.reversed) { return nil }
        if try PeopleDAO.isUnapproved(other, for: uid, in: &db) { return nil }
        return try PeopleDAO.cards(
            "0 FROM users u \(PeopleDAO.cardJoins) WHERE u.uid = \(other)", in: &db
        ).first?.card
    }

    // MARK: Presence

    /// Returns the candidates whose whereabouts `uid` may know: `uid` follows them, their settings allow it, and there
    /// is no block between them.
    ///
    /// - Parameter candidates: Users who are in a room now.
    /// - Throws: `busy`, `storage`.
    package func visible(
        _ candidates: [UserID], to uid: UserID
    ) async throws(Refusal) -> [UserCard] {
        guard !candidates.isEmpty else { return [] }
        return try await people.read { db in
            try candidates.compactMap { other -> UserCard? in
                guard try db.exists(FollowRecord.self, key: UserPair(uid, other)),
                    let settings = try db.first(SettingsRecord.self, key: other)?.settings
                else { return nil }
                switch settings.presence {
                case .nobody: return nil
                case .followers: break
                case .friends:
                    guard try db.exists(FollowRecord.self, key: UserPair(other, uid)) else { return nil }
                }
                return try Self.card(of: other, for: uid, in: &db)
            }
        }
    }

    /// Returns the users whom `uid` follows.
    ///
    /// - Throws: `busy`, `storage`.
    package func followed(by uid: UserID) async throws(Refusal) -> [UserID] {
        try await people.read { db in
            try db.all(FollowRecord.filter(FollowRecord.follower == uid)).map(\.followed)
        }
    }
}
