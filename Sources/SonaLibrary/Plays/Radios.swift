internal import SonaBase
internal import SonaCrypto
internal import SonaDatabase
package import SonaModel
package import SonaWire

/// Tracks that go with a track, an artist or a genre, in an order that is good to listen to.
///
/// Tracks are drawn from three pools: those that the same listeners hear (weight 4), those of the same artists (2) and those
/// of the same genres (1), each weighing less the further down in its pool. No artist comes twice in a row as long as there
/// is another one.
///
/// Source: Protocol/spec/discovering.md, "radio.start".
extension LibraryFinder {
    private static let poolMax = 200
    /// Tracks of an artist or a genre that stand for it.
    private static let seedsMax = 20
    /// Entries of a playlist that stand for it.
    private static let playlistSeedsMax = 100

    /// - Throws: `trackNotFound`, `artistNotFound`, `genreNotFound`, `playlistNotFound`; `busy`, `storage`.
    package func radio(_ request: RadioStart, for listener: Listener) async throws(Refusal) -> Radio {
        let objects = objects(for: listener)
        var random = SecureRandom.Generator()
        let seed = request.seed ?? Int64.random(in: 0...Limits.integerMax, using: &random)
        return try await read { db in
            let seeds = try Self.seeds(of: request.from, listener, &db)
            var first: [Int64] = []
            if case .track = request.from { first = seeds }
            var weights: [Int64: Double] = [:]
            func add(_ tracks: [Int64], weight: Double) {
                for (place, track) in tracks.enumerated() { weights[track, default: 0] += weight / Double(2 + place) }
            }
            add(try CoListening.similar(to: seeds, listener, in: &db).map(\.track), weight: 4)
            add(try CoListening.related(to: seeds, Self.poolMax, listener, in: &db), weight: 2)
            if first.isEmpty { add(seeds, weight: 2) }
            let pool = weights.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(Self.poolMax)
            let found = try Self.tracks(first + pool.map(\.key), objects, &db)
            let drawn = Self.draw(
                pool.compactMap { entry in found[entry.key]?.track.map { (track: $0, weight: entry.value) } },
                after: first.compactMap { found[$0]?.track }, request.limit, seed)
            return Radio(tracks: drawn, seed: seed)
        }
    }

    private static func seeds(of from: RadioSeed, _ listener: Listener, _ db: inout ReadAccess) throws -> [Int64] {
        let condition = Access.condition(for: listener)
        switch from {
        case .track(let id): return [try seen(id, listener, &db)]
        case .artist(let id):
            let seeds = try db.values(
                """
                SELECT t.number FROM artists a JOIN track_artists j ON j.artist = a.number
                JOIN tracks t ON t.number = j.track
                WHERE a.id = \(id) AND \(condition) ORDER BY t.popularity DESC, t.number LIMIT \(seedsMax)
                """, as: Int64.self)
            guard !seeds.isEmpty else { throw Refusal(.artistNotFound) }
            return seeds
        case .genre(let id):
            let seeds = try db.values(
                """
                SELECT t.number FROM genres g JOIN track_genres j ON j.genre = g.number
                JOIN tracks t ON t.number = j.track
                WHERE g.id = \(id) AND \(condition) ORDER BY t.popularity DESC, t.number LIMIT \(seedsMax)
                """, as: Int64.self)
            guard !seeds.isEmpty else { throw Refusal(.genreNotFound) }
            return seeds
        case .playlist(let id):
            let list = try OpenPlaylist(id, for: listener, in: &db)
            if let rule = list.record.rule.flatMap(PlaylistRule.init(stored:)) {
                let query = PlaylistRuleQuery(rule, owner: list.record.owner, now: listener.askedMilliseconds)
                return try query.tracks(for: listener, in: &db).prefix(playlistSeedsMax).map(\.track)
            }
            return try db.values(
                """
                SELECT t.number FROM playlist_entries e JOIN tracks t ON t.number = e.track
                WHERE e.playlist = \(list.number) AND \(condition) ORDER BY e.key, e.id LIMIT \(playlistSeedsMax)
                """, as: Int64.self)
        }
    }

    /// Draws tracks by their weights, without putting one back.
    static func draw(
        _ pool: [(track: MusicTrack, weight: Double)], after first: [MusicTrack], _ limit: Int, _ seed: Int64
    ) -> [MusicTrack] {
        var dice = SeededGenerator(seed: UInt64(bitPattern: seed))
        var drawn = Array(first.prefix(limit))
        let known = Set(first.map(\.id))
        var rest = pool.filter { !known.contains($0.track.id) }
        while drawn.count < limit, !rest.isEmpty {
            let last = Set(drawn.last?.artists.map(\.id) ?? [])
            var open = rest.indices.filter { last.isDisjoint(with: rest[$0].track.artists.map(\.id)) }
            if open.isEmpty { open = Array(rest.indices) }
            var at = dice.fraction() * open.reduce(0) { $0 + rest[$1].weight }
            var chosen = open[open.count - 1]
            for index in open {
                at -= rest[index].weight
                if at < 0 {
                    chosen = index
                    break
                }
            }
            drawn.append(rest.remove(at: chosen).track)
        }
        return drawn
    }
}
