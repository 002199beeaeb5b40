internal import SonaDatabase
package import SonaModel
package import SonaWire

/// What friends play, and what people have in common. Friends follow each other; who has blocked the other is none.
///
/// Source: Protocol/spec/discovering.md, "plays.feed" and "playlist.intersect".
extension LibraryFinder {
    /// Friends whose plays are looked at: the ones followed last.
    private static let friendsMax = 500
    /// Tracks of one person that are compared: those liked and played, the newest of both.
    private static let tasteMax = 20_000

    /// A friend's play, with the friend's identifier.
    package struct Heard: Sendable {
        package let uid: UserID
        package let atMilliseconds: Int64
        package let track: MusicTrack
    }

    /// A page of the feed. Plays of before a friend began to share are not in it, and none of tracks that the listener does
    /// not see.
    ///
    /// - Throws: `invalid` for a cursor that is none; `accountRequired`, `busy`, `storage`.
    package func feed(
        _ request: PlaysFeed, for listener: Listener
    ) async throws(Refusal) -> (plays: [Heard], nextCursor: String?) {
        guard let uid = listener.uid else { throw .accountRequired }
        let place = try Self.timePlace(request.cursor)
        let (limit, objects) = (request.limit, objects(for: listener))
        return try await read { db in
            var rest: SQL = ""
            if let place { rest = "AND (at_ms, number) < (\(place.value ?? 0), \(place.number))" }
            var rows = try db.all(
                """
                WITH friends AS (
                    SELECT f.followed_uid AS uid, s.shared_since_ms AS since FROM follows f
                    JOIN follows b ON b.follower_uid = f.followed_uid AND b.followed_uid = f.follower_uid
                    JOIN play_settings s ON s.uid = f.followed_uid AND s.share_plays
                    WHERE f.follower_uid = \(uid) AND NOT EXISTS (SELECT 1 FROM blocks x
                        WHERE x.blocker_uid = f.followed_uid AND x.blocked_uid = \(uid)
                            OR x.blocker_uid = \(uid) AND x.blocked_uid = f.followed_uid)
                    ORDER BY f.created_ms DESC, f.followed_uid DESC LIMIT \(Self.friendsMax))
                SELECT p.number, p.uid, p.track, p.at_ms FROM friends CROSS JOIN plays p ON p.number IN (
                    SELECT number FROM plays
                    WHERE uid = friends.uid AND at_ms >= friends.since \(rest)
                    ORDER BY at_ms DESC, number DESC LIMIT \(limit + 1))
                ORDER BY p.at_ms DESC, p.number DESC LIMIT \(limit + 1)
                """
            ) { row in
                (
                    number: try row.next(Int64.self), uid: try row.next(UserID.self),
                    track: try row.next(Int64.self), at: try row.next(Int64.self)
                )
            }
            var next: String?
            if rows.count > limit {
                rows.removeLast()
                next = rows.last.map { Place($0.at, number: $0.number).text }
            }
            let tracks = try Self.tracks(rows.map(\.track), objects, &db)
            let plays = rows.compactMap { row in
                tracks[row.track]?.track.map { Heard(uid: row.uid, atMilliseconds: row.at, track: $0) }
            }
            return (plays, next)
        }
    }

    /// Tracks that the listener and all of these people play or like.
    ///
    /// - Throws: `privacyDenied` unless each of them is a friend and allows it, whatever the reason; `accountRequired`,
    ///   `busy`, `storage`.
    package func common(
        _ request: PlaylistIntersect, for listener: Listener
    ) async throws(Refusal) -> CommonTracks {
        guard let uid = listener.uid else { throw .accountRequired }
        let others = request.users.filter { $0 != uid }
        guard !others.isEmpty else {
            throw Refusal(.requestInvalid, "Name somebody else.", field: "data.users")
        }
        let objects = objects(for: listener)
        return try await read { db in
            for other in others {
                guard try Self.mayCompare(uid, other, &db) else { throw Refusal(.privacyDenied) }
            }
            let people = [uid] + others
            var tracks = Self.taste(of: uid)
            for other in others { tracks = "\(tracks) INTERSECT SELECT track FROM (\(Self.taste(of: other)))" }
            let list = MusicObjects.list(try db.values(tracks, as: Int64.self))
            var likes: SQL = "0"
            for person in people {
                likes = """
                    \(likes) + EXISTS (SELECT 1 FROM track_opinions o
                        WHERE o.uid = \(person) AND o.track = t.number AND o.liked_ms IS NOT NULL)
                    """
            }
            let numbers = try db.values(
                """
                SELECT t.number FROM tracks t WHERE t.number IN (SELECT value FROM json_each(\(list)))
                    AND \(Access.condition(for: listener))
                ORDER BY \(likes) DESC, t.popularity DESC, t.number
                """, as: Int64.self)
            return CommonTracks(
                tracks: try Self.ordered(numbers, request.limit, objects, &db), count: numbers.count)
        }
    }

    private static func mayCompare(_ uid: UserID, _ other: UserID, _ db: inout ReadAccess) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM follows f
            JOIN follows b ON b.follower_uid = f.followed_uid AND b.followed_uid = f.follower_uid
            JOIN play_settings s ON s.uid = f.followed_uid AND s.share_taste
            WHERE f.follower_uid = \(uid) AND f.followed_uid = \(other) AND NOT EXISTS (SELECT 1 FROM blocks x
                WHERE x.blocker_uid = \(other) AND x.blocked_uid = \(uid)
                    OR x.blocker_uid = \(uid) AND x.blocked_uid = \(other))
            """)
    }

    private static func taste(of uid: UserID) -> SQL {
        """
        SELECT track FROM (SELECT track FROM plays WHERE uid = \(uid)
            ORDER BY at_ms DESC, number DESC LIMIT \(tasteMax))
        UNION SELECT track FROM (SELECT track FROM track_opinions WHERE uid = \(uid) AND liked_ms IS NOT NULL
            ORDER BY liked_ms DESC, track DESC LIMIT \(tasteMax))
        """
    }
}
