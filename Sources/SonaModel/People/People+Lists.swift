internal import SonaDatabase
package import SonaWire

/// Lists of people, newest first.
extension People {
    /// A list of people. `nil` stands for the asker's own list.
    package enum List: Sendable, Equatable {
        case followers(of: UserReference?)
        case following(of: UserReference?)
        case friends
        case blocked
    }

    /// Returns a page of a list.
    ///
    /// - Parameters:
    ///   - uid: The asker, and the owner of the list if the list names no other.
    ///   - limit: 1…100; other values are clamped.
    /// - Throws: `userUnknown`, `userPrivate`, `busy`, `storage`.
    package func page(
        _ list: List, for uid: UserID, after cursor: PageCursor?, limit: Int
    ) async throws(Refusal) -> UserPage {
        let limit = min(max(limit, 1), Int(Limits.userPageCount.upperBound))
        return try await people.read { db in
            let found: [(card: UserCard, sortKey: Int64)]
            switch list {
            case .followers(let reference):
                let owner = try Self.owner(reference, uid, in: &db)
                found = try Self.cards(Self.followers(of: owner, after: cursor, limit), hiddenFrom: uid, in: &db)
            case .following(let reference):
                let owner = try Self.owner(reference, uid, in: &db)
                found = try Self.cards(Self.following(of: owner, after: cursor, limit), hiddenFrom: uid, in: &db)
            case .friends:
                found = try Self.cards(Self.friends(of: uid, after: cursor, limit), hiddenFrom: uid, in: &db)
            case .blocked:
                found = try Self.cards(Self.blocked(by: uid, after: cursor, limit), hiddenFrom: nil, in: &db)
            }
            let last = found.count == limit ? found.last : nil
            let next = last.map { PageCursor(sortKey: $0.sortKey, uid: $0.card.user.uid).text }
            return UserPage(users: found.map(\.card), nextCursor: next)
        }
    }

    /// Returns the owner of the list that is asked for.
    ///
    /// - Throws: `userUnknown`; `userPrivate` if the owner's profile is private and the two are not friends.
    private static func owner(
        _ reference: UserReference?, _ uid: UserID, in db: inout ReadAccess
    ) throws -> UserID {
        guard let reference else { return uid }
        let user = try PeopleDAO.find(reference, for: uid, in: &db)
        if user.uid == uid { return uid }
        let isPublic = try db.first(ProfileRecord.self, key: user.uid)?.isPublic == true
        guard try isPublic || PeopleDAO.relation(of: uid, to: user.uid, in: &db).areFriends else {
            throw Refusal.userPrivate
        }
        return user.uid
    }

    /// A query of people: each row `e` of `table` relates a person to the owner of the list at a time. `person` is the
    /// column that names the person.
    private struct Edges {
        let table: SQL
        let person: SQL
        let condition: SQL
        let cursor: PageCursor?
        let limit: Int
    }

    private static func followers(of uid: UserID, after cursor: PageCursor?, _ limit: Int) -> Edges {
        Edges(
            table: "follows", person: "e.follower_uid", condition: "e.followed_uid = \(uid)", cursor: cursor,
            limit: limit)
    }

    private static func following(of uid: UserID, after cursor: PageCursor?, _ limit: Int) -> Edges {
        Edges(
            table: "follows", person: "e.followed_uid", condition: "e.follower_uid = \(uid)", cursor: cursor,
            limit: limit)
    }

    private static func friends(of uid: UserID, after cursor: PageCursor?, _ limit: Int) -> Edges {
        Edges(
            table: "follows", person: "e.followed_uid",
            condition: """
                e.follower_uid = \(uid) AND EXISTS (SELECT 1 FROM follows b
                    WHERE b.follower_uid = e.followed_uid AND b.followed_uid = \(uid))
                """, cursor: cursor, limit: limit)
    }

    private static func blocked(by uid: UserID, after cursor: PageCursor?, _ limit: Int) -> Edges {
        Edges(
            table: "blocks", person: "e.blocked_uid", condition: "e.blocker_uid = \(uid)", cursor: cursor,
            limit: limit)
    }

    /// Reads the cards of a list.
    ///
    /// - Parameter asker: The list leaves out users with a block between them and the asker. `nil`: no user is left
    ///   out.
    private static func cards(
        _ edges: Edges, hiddenFrom asker: UserID?, in db: inout ReadAccess
    ) throws -> [(card: UserCard, sortKey: Int64)] {
        var condition = edges.condition
        if let asker {
            condition = """
                \(condition) AND NOT EXISTS (SELECT 1 FROM blocks x
                    WHERE x.blocker_uid = \(edges.person) AND x.blocked_uid = \(asker))
                AND NOT EXISTS (SELECT 1 FROM blocks x
                    WHERE x.blocker_uid = \(asker) AND x.blocked_uid = \(edges.person))
                """
        }
        if let cursor = edges.cursor {
            condition = "\(condition) AND (e.created_ms, \(edges.person)) < (\(cursor.sortKey), \(cursor.uid))"
        }
        return try PeopleDAO.cards(
            """
            e.created_ms FROM \(edges.table) e JOIN users u ON u.uid = \(edges.person) \(PeopleDAO.cardJoins)
            WHERE \(condition) ORDER BY e.created_ms DESC, \(edges.person) DESC LIMIT \(edges.limit)
            """, in: &db)
    }
}
