internal import SonaBase
internal import SonaDatabase
internal import SonaWire

/// How many tracks of each genre a listener sees.
///
/// Counting reads every track: 90 ms over 100 000. So the sums over the scopes are kept, and made anew when they are older
/// than twenty times what that took: at once in a small library, after two seconds in a large one. What an account has
/// uploaded, and what blocks hide from it, is few rows, and is counted each time.
final class GenreCounts: Sendable {
    private struct Kept {
        /// By genre, then by scope.
        var sums: [Int64: [Int64: Int]] = [:]
        var until = ContinuousClock.now
    }

    private let kept = Monitor(Kept())

    /// - Returns: By the number of the genre; genres without a track that is seen are left out.
    func counts(
        for listener: Listener, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [Int64: Int] {
        if listener.most == .none { return [:] }
        var counts: [Int64: Int] = [:]
        for (genre, scopes) in try sums(in: &db) {
            let count = scopes.reduce(0) { sum, scope in
                let isSeen =
                    listener.mayCurate || scope.key == TrackScope.approved || listener.folders.contains(scope.key)
                return isSeen ? sum + scope.value : sum
            }
            if count > 0 { counts[genre] = count }
        }
        guard let uid = listener.uid, !listener.mayCurate else { return counts }
        try db.forEach(
            """
            SELECT j.genre, count(*) FROM tracks t JOIN track_genres j ON j.track = t.number
            WHERE t.owner_uid = \(uid) AND t.scope <> \(TrackScope.approved) GROUP BY j.genre
            """
        ) { row in
            counts[try row.next(Int64.self), default: 0] += try row.next(Int.self)
            return true
        }
        try db.forEach(
            """
            SELECT j.genre, count(*) FROM tracks t JOIN track_genres j ON j.track = t.number
            WHERE t.scope = \(TrackScope.approved) AND t.owner_uid IN (
                SELECT blocked_uid FROM blocks WHERE blocker_uid = \(uid)
                UNION SELECT blocker_uid FROM blocks WHERE blocked_uid = \(uid)) GROUP BY j.genre
            """
        ) { row in
            let genre: Int64 = try row.next()
            let rest = (counts[genre] ?? 0) - (try row.next(Int.self))
            counts[genre] = rest > 0 ? rest : nil
            return true
        }
        return counts
    }

    private func sums(in db: inout some DatabaseAccess & ~Copyable) throws -> [Int64: [Int64: Int]] {
        let start = ContinuousClock.now
        if let sums = kept.withLock({ $0.until > start ? $0.sums : nil }) { return sums }
        var sums: [Int64: [Int64: Int]] = [:]
        try db.forEach(
            """
            SELECT j.genre, t.scope, count(*) FROM track_genres j JOIN tracks t ON t.number = j.track
            GROUP BY j.genre, t.scope
            """
        ) { row in
            let genre: Int64 = try row.next()
            sums[genre, default: [:]][try row.next()] = try row.next()
            return true
        }
        let now = ContinuousClock.now
        let found = sums
        kept.withLock { $0 = Kept(sums: found, until: now + (now - start) * 20) }
        return sums
    }
}
