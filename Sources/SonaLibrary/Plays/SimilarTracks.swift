internal import Glibc
internal import SonaDatabase
package import SonaModel
package import SonaWire

/// Which tracks go together, told from who plays and likes what.
///
/// The listeners of a track are the people who played it lately, and those who like it; of each, the tracks that they
/// played lately and like are looked at. A track `b` scores
///
///     Σ over listeners u of both: 1 / log2(2 + tracks of u)   divided by   √(listeners of b)
///
/// so that somebody who hears everything says little, and a track that everybody hears is like nothing in particular.
/// Everything that is looked at is bounded, and the whole has the time limit of a read.
///
/// Source: Protocol/spec/discovering.md, "track.similar".
struct CoListening {
    /// Listeners of the tracks asked about, and tracks of each listener: by plays and by likes, the newest of both.
    static let listenersMax = 200
    static let tracksMax = 300
    /// Candidates whose own listeners are counted.
    static let candidatesMax = 200

    /// Tracks by number, the most alike first, without those asked about.
    static func similar(
        to seeds: [Int64], _ listener: Listener, in db: inout ReadAccess
    ) throws -> [(track: Int64, score: Double)] {
        let people = try listeners(of: seeds, &db)
        guard !people.isEmpty else { return [] }
        let asked = Set(seeds)
        var weights: [Int64: Double] = [:]
        for uid in people {
            let tracks = try tracks(of: uid, &db)
            let weight = 1 / log2(2 + Double(tracks.count))
            for track in tracks where !asked.contains(track) { weights[track, default: 0] += weight }
        }
        // Equal ones by number, so that the same rows give the same order.
        let candidates = weights.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(candidatesMax)
        let counts = try listenerCounts(of: candidates.map(\.key), &db)
        return candidates.map { (track: $0.key, score: $0.value / Double(max(1, counts[$0.key] ?? 1)).squareRoot()) }
            .sorted { ($0.score, $1.track) > ($1.score, $0.track) }
    }

    private static func listeners(of seeds: [Int64], _ db: inout ReadAccess) throws -> [UserID] {
        let list = MusicObjects.list(seeds)
        let played = try db.values(
            """
            SELECT uid FROM plays WHERE track IN (SELECT value FROM json_each(\(list))) AND uid IS NOT NULL
            GROUP BY uid ORDER BY max(at_ms) DESC, uid LIMIT \(listenersMax)
            """, as: UserID.self)
        let liked = try db.values(
            """
            SELECT uid FROM track_opinions
            WHERE track IN (SELECT value FROM json_each(\(list))) AND liked_ms IS NOT NULL
            GROUP BY uid ORDER BY max(liked_ms) DESC, uid LIMIT \(listenersMax)
            """, as: UserID.self)
        var known = Set(played)
        return Array((played + liked.filter { known.insert($0).inserted }).prefix(listenersMax))
    }

    private static func tracks(of uid: UserID, _ db: inout ReadAccess) throws -> Set<Int64> {
        Set(
            try db.values(
                """
                SELECT track FROM (SELECT track FROM plays WHERE uid = \(uid)
                    ORDER BY at_ms DESC, number DESC LIMIT \(tracksMax))
                UNION SELECT track FROM (SELECT track FROM track_opinions WHERE uid = \(uid) AND liked_ms IS NOT NULL
                    ORDER BY liked_ms DESC, track DESC LIMIT \(tracksMax))
                """, as: Int64.self))
    }

    private static func listenerCounts(of tracks: [Int64], _ db: inout ReadAccess) throws -> [Int64: Int] {
        var counts: [Int64: Int] = [:]
        try db.forEach(
            """
            SELECT track, count(DISTINCT uid) FROM plays
            WHERE track IN (SELECT value FROM json_each(\(MusicObjects.list(tracks)))) AND uid IS NOT NULL
            GROUP BY track
            """
        ) { row in
            counts[try row.next()] = try row.next(Int.self)
            return true
        }
        return counts
    }

    /// Tracks that share an artist with the ones asked about, then those that share a genre; the most popular first.
    static func related(
        to seeds: [Int64], _ limit: Int, _ listener: Listener, in db: inout ReadAccess
    ) throws -> [Int64] {
        let list = MusicObjects.list(seeds)
        let condition = Access.condition(for: listener)
        let byArtist = try db.values(
            """
            SELECT DISTINCT t.number FROM track_artists j JOIN tracks t ON t.number = j.track
            WHERE j.artist IN (SELECT artist FROM track_artists WHERE track IN (SELECT value FROM json_each(\(list))))
                AND t.number NOT IN (SELECT value FROM json_each(\(list))) AND \(condition)
            ORDER BY t.popularity DESC, t.number LIMIT \(limit)
            """, as: Int64.self)
        let byGenre = try db.values(
            """
            SELECT DISTINCT t.number FROM track_genres j JOIN tracks t ON t.number = j.track
            WHERE j.genre IN (SELECT genre FROM track_genres WHERE track IN (SELECT value FROM json_each(\(list))))
                AND t.number NOT IN (SELECT value FROM json_each(\(list))) AND \(condition)
            ORDER BY t.popularity DESC, t.number LIMIT \(limit)
            """, as: Int64.self)
        var known = Set(byArtist)
        return byArtist + byGenre.filter { known.insert($0).inserted }
    }
}

extension LibraryFinder {
    /// - Throws: `trackNotFound`, also if the listener does not see it; `busy`, `storage`.
    package func similar(_ request: TrackSimilar, for listener: Listener) async throws(Refusal) -> SimilarTracks {
        let objects = objects(for: listener)
        return try await read { db in
            let seed = try Self.seen(request.track, listener, &db)
            let alike = try CoListening.similar(to: [seed], listener, in: &db).map(\.track)
            let byListeners = try Self.ordered(alike, request.limit, objects, &db)
            var tracks = byListeners
            if tracks.count < request.limit {
                let known = Set(tracks.map(\.id))
                let related = try CoListening.related(to: [seed], request.limit * 2, listener, in: &db)
                let more = try Self.ordered(related, request.limit * 2, objects, &db).filter { !known.contains($0.id) }
                tracks += more.prefix(request.limit - tracks.count)
            }
            return SimilarTracks(tracks: tracks, byListeners: byListeners.count)
        }
    }

    /// The number of a track that the listener sees.
    static func seen(_ id: MusicID, _ listener: Listener, _ db: inout ReadAccess) throws -> Int64 {
        guard
            let number: Int64 = try db.value(
                "SELECT t.number FROM tracks t WHERE t.id = \(id) AND \(Access.condition(for: listener))")
        else { throw Refusal(.trackNotFound) }
        return number
    }

    /// The first of these tracks that the listener sees, in the order of the numbers.
    static func ordered(
        _ numbers: [Int64], _ limit: Int, _ objects: MusicObjects, _ db: inout ReadAccess
    ) throws -> [MusicTrack] {
        var tracks: [MusicTrack] = []
        var rest = numbers[...]
        while tracks.count < limit, !rest.isEmpty {
            let part = Array(rest.prefix(limit))
            rest = rest.dropFirst(limit)
            let found = try self.tracks(part, objects, &db)
            tracks += part.compactMap { found[$0]?.track }
        }
        return Array(tracks.prefix(limit))
    }
}
