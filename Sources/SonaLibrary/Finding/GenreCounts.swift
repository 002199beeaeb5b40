internal import SonaBase
internal import SonaDatabase
internal import SonaWire

/// How many tracks of each genre a listener sees, and which of them was heard most.
///
/// Counting reads every track: 90 ms over 100 000. So the sums over the scopes are kept, and made anew when they are older
/// than twenty times what that took: at once in a small library, after two seconds in a large one. What an account has
/// uploaded, and what blocks hide from it, is few rows, and is counted each time.
final class GenreCounts: Sendable {
    /// The tracks of a genre.
    struct Count {
        var count: Int
        /// The track that was heard most, and how often.
        var track: Int64
        var plays: Int64

        /// Adds the counts of two sets of tracks. The track that was heard most stays.
        func adding(_ other: Count) -> Count {
            let more = other.plays > plays ? other : self
            return Count(count: count + other.count, track: more.track, plays: more.plays)
        }
    }

    private struct Kept {
        /// By genre, then by scope.
        var sums: [Int64: [Int64: Count]] = [:]
        var until = ContinuousClock.now
    }

    private let kept = Monitor(Kept())

    /// - Returns: By the number of the genre; genres without a track that is seen are left out.
    func counts(
        for listener: Listener, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [Int64: Count] {
        if listener.most == .none { return [:] }
        var counts: [Int64: Count] = [:]
        for (genre, scopes) in try sums(in: &db) {
            for (scope, count) in scopes
            where listener.sight == .all || scope == TrackScope.approved || listener.folders.contains(scope) {
                counts[genre] = counts[genre]?.adding(count) ?? count
            }
        }
        guard let uid = listener.uid, listener.sight != .all else { return counts }
        let unseen: SQL =
            listener.sight == .submissions
            ? "(t.owner_uid = \(uid) OR t.status IS NOT NULL AND t.scope = \(TrackScope.own))" : "t.owner_uid = \(uid)"
        try db.forEach(
            """
            SELECT j.genre, count(*), t.number, max(t.plays) FROM tracks t JOIN track_genres j ON j.track = t.number
            WHERE \(unseen) AND t.scope <> \(TrackScope.approved) GROUP BY j.genre
            """
        ) { row in
            let genre: Int64 = try row.next()
            let count = try Count(row: &row)
            counts[genre] = counts[genre]?.adding(count) ?? count
            return true
        }
        // Curators hear what was submitted, whoever has blocked them.
        if listener.sight == .submissions { return counts }
        try db.forEach(
            """
            SELECT j.genre, count(*) FROM tracks t JOIN track_genres j ON j.track = t.number
            WHERE t.scope = \(TrackScope.approved) AND t.owner_uid IN (
                SELECT blocked_uid FROM blocks WHERE blocker_uid = \(uid)
                UNION SELECT blocker_uid FROM blocks WHERE blocked_uid = \(uid)) GROUP BY j.genre
            """
        ) { row in
            let genre: Int64 = try row.next()
            let hidden: Int = try row.next()
            if var count = counts[genre] {
                count.count -= hidden
                counts[genre] = count.count > 0 ? count : nil
            }
            return true
        }
        return counts
    }

    /// The genres of what a listener has uploaded.
    static func own(_ uid: UserID?, in db: inout some DatabaseAccess & ~Copyable) throws -> [Int64: Count] {
        var counts: [Int64: Count] = [:]
        try db.forEach(
            """
            SELECT j.genre, count(*), t.number, max(t.plays) FROM tracks t JOIN track_genres j ON j.track = t.number
            WHERE t.owner_uid = \(uid) GROUP BY j.genre
            """
        ) { row in
            counts[try row.next(Int64.self)] = try Count(row: &row)
            return true
        }
        return counts
    }

    private func sums(in db: inout some DatabaseAccess & ~Copyable) throws -> [Int64: [Int64: Count]] {
        let start = ContinuousClock.now
        if let sums = kept.withLock({ $0.until > start ? $0.sums : nil }) { return sums }
        var sums: [Int64: [Int64: Count]] = [:]
        // SQLite takes the number of the track from the row of the greatest value.
        try db.forEach(
            """
            SELECT j.genre, t.scope, count(*), t.number, max(t.plays) FROM track_genres j JOIN tracks t ON t.number = j.track
            GROUP BY j.genre, t.scope
            """
        ) { row in
            let genre: Int64 = try row.next()
            sums[genre, default: [:]][try row.next()] = try Count(row: &row)
            return true
        }
        let now = ContinuousClock.now
        let found = sums
        kept.withLock { $0 = Kept(sums: found, until: now + (now - start) * 20) }
        return sums
    }
}

extension GenreCounts.Count {
    fileprivate init(row: inout Row) throws(DatabaseError) {
        count = try row.next()
        track = try row.next()
        plays = try row.next()
    }
}
