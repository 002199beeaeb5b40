internal import SonaDatabase
internal import SonaWire

/// Makes the objects of messages out of rows, a few statements for a whole page.
struct MusicObjects {
    let listener: Listener
    let covers: CoverKeys

    /// Rows for `IN (SELECT value FROM json_each(…))`: one statement whatever their number.
    static func list(_ numbers: [Int64]) -> String { "[" + numbers.map(String.init).joined(separator: ",") + "]" }

    /// Tracks that the listener sees, in the order of the rows. Others are left out.
    func tracks(
        _ rows: [TrackRecord], in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [MusicTrack] {
        let numbers = Self.list(rows.compactMap(\.number))
        let artists = try names(
            """
            SELECT j.track, a.id, a.name FROM track_artists j JOIN artists a ON a.number = j.artist
            WHERE j.track IN (SELECT value FROM json_each(\(numbers))) ORDER BY j.track, j.place
            """, in: &db)
        let genres = try names(
            """
            SELECT j.track, g.id, g.name FROM track_genres j JOIN genres g ON g.number = j.genre
            WHERE j.track IN (SELECT value FROM json_each(\(numbers))) ORDER BY j.track, j.place
            """, in: &db)
        let albums = try names(
            """
            SELECT number, id, name FROM albums
            WHERE number IN (SELECT value FROM json_each(\(Self.list(rows.compactMap(\.albumNumber)))))
            """, in: &db)
        let albumGains = try TrackGain.ofAlbums(rows.compactMap(\.albumNumber), in: &db)
        let sources = try CoverSource.find(rows.compactMap(\.number), in: &db)
        let edited = Set(
            try db.values(
                "SELECT track FROM track_edits WHERE track IN (SELECT value FROM json_each(\(numbers)))",
                as: Int64.self))
        let opinions = try opinions(.track, numbers, in: &db)
        var lyrics: [Int64: LyricsKind] = [:]
        try db.forEach("SELECT track, synced FROM lyrics WHERE track IN (SELECT value FROM json_each(\(numbers)))") {
            row in
            let track: Int64 = try row.next()
            lyrics[track] = try row.next(Bool.self) ? .synced : .plain
            return true
        }
        var tracks: [MusicTrack] = []
        tracks.reserveCapacity(rows.count)
        for row in rows {
            let access = Access.to(try Access.rights(of: row, for: listener, in: &db), for: listener)
            guard access != .none, let number = row.number else { continue }
            tracks.append(
                MusicTrack(
                    id: row.id, title: row.title, artists: artists[number] ?? [],
                    album: row.albumNumber.flatMap { albums[$0]?.first }, disc: row.disc, place: row.place,
                    year: row.year, genres: genres[number] ?? [], durationMilliseconds: row.durationMilliseconds,
                    kind: row.kind, bitrate: row.bitrate, sampleRate: row.sampleRate, channels: row.channels,
                    loudness: row.loudness, cover: sources[number].map(covers.cover), access: access, owner: row.owner,
                    status: row.status, isEdited: edited.contains(number), plays: row.plays,
                    addedMilliseconds: row.addedMilliseconds, isLiked: opinions?[number]?.isLiked ?? isNotLiked,
                    rating: opinions?[number]?.rating, lyrics: access == .full ? lyrics[number] : nil,
                    gain: row.gain, albumGain: row.albumNumber.flatMap { albumGains[$0] }))
        }
        return tracks
    }

    /// The tracks among these that the listener may hear whole, in the order of the identifiers.
    func wholeTracks(
        _ ids: [MusicID], in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [MusicTrack] {
        let named = PlaylistEditor.json(ids)
        let rows = try db.all(TrackRecord.self, "WHERE id IN (SELECT value FROM json_each(\(named)))")
        let seen = Dictionary(try tracks(rows, in: &db).map { ($0.id, $0) }) { first, _ in first }
        return ids.compactMap { seen[$0] }.filter { $0.access == .full }
    }

    private func names(
        _ sql: SQL, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [Int64: [MusicName]] {
        var names: [Int64: [MusicName]] = [:]
        try db.forEach(sql) { row in
            let of: Int64 = try row.next()
            names[of, default: []].append(MusicName(id: try row.next(), name: try row.next()))
            return true
        }
        return names
    }

    /// Albums with the tracks that the listener sees. Albums without one are left out.
    func albums(
        _ rows: [AlbumRecord], in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [MusicAlbum] {
        let condition = Access.condition(for: listener)
        let artists = try names(
            """
            SELECT j.album, a.id, a.name FROM album_artists j JOIN artists a ON a.number = j.artist
            WHERE j.album IN (SELECT value FROM json_each(\(Self.list(rows.compactMap(\.number)))))
            ORDER BY j.album, j.place
            """, in: &db)
        let opinions = try opinions(.album, Self.list(rows.compactMap(\.number)), in: &db)
        let first = try firstTracks(of: rows.compactMap(\.number), condition, in: &db)
        let sources = try CoverSource.find(Array(first.values), in: &db)
        var sums: [Int64: (count: Int, milliseconds: Int64)] = [:]
        try db.forEach(
            """
            SELECT t.album, count(*), coalesce(sum(t.duration_ms), 0) FROM tracks t
            WHERE t.album IN (SELECT value FROM json_each(\(Self.list(rows.compactMap(\.number))))) AND \(condition)
            GROUP BY t.album
            """
        ) { row in
            sums[try row.next()] = (try row.next(), try row.next())
            return true
        }
        var albums: [MusicAlbum] = []
        for row in rows {
            guard let number = row.number, let sum = sums[number] else { continue }
            let cover = first[number].flatMap { sources[$0] }.map(covers.cover)
            albums.append(
                MusicAlbum(
                    id: row.id, name: row.name, artists: artists[number] ?? [], year: row.year,
                    trackCount: sum.count, durationMilliseconds: sum.milliseconds, cover: cover,
                    isLiked: opinions?[number]?.isLiked ?? isNotLiked, rating: opinions?[number]?.rating))
        }
        return albums
    }

    /// The first track with a cover of each album, of those that the listener sees.
    private func firstTracks(
        of albums: [Int64], _ condition: SQL, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [Int64: Int64] {
        var first: [Int64: Int64] = [:]
        // SQLite takes the other columns from the row of the least value.
        try db.forEach(
            """
            SELECT t.album, t.number, min((coalesce(t.disc, 0) << 32) + coalesce(t.place, 0)) FROM tracks t
            JOIN music_files f ON f.track = t.number LEFT JOIN music_directories d ON d.number = f.directory
            WHERE t.album IN (SELECT value FROM json_each(\(Self.list(albums))))
                AND \(CoverSource.condition) AND \(condition)
            GROUP BY t.album
            """
        ) { row in
            first[try row.next()] = try row.next(Int64.self)
            return true
        }
        return first
    }

    /// Artists with the number of tracks that the listener sees. Artists without one are left out.
    func artists(
        _ rows: [ArtistRecord], in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [MusicGroup] {
        var counts: [Int64: (count: Int, track: Int64)] = [:]
        // SQLite takes the number of the track from the row of the greatest value.
        try db.forEach(
            """
            SELECT j.artist, count(*), t.number, max(t.plays) FROM track_artists j JOIN tracks t ON t.number = j.track
            WHERE j.artist IN (SELECT value FROM json_each(\(Self.list(rows.compactMap(\.number)))))
                AND \(Access.condition(for: listener)) GROUP BY j.artist
            """
        ) { row in
            counts[try row.next()] = (try row.next(), try row.next())
            return true
        }
        let covers = try groupCovers(
            counts.mapValues(\.track),
            firstOf: {
                "SELECT track FROM track_artists WHERE artist = \($0) ORDER BY track LIMIT \(Self.firstTracks)"
            },
            in: &db)
        let opinions = try opinions(.artist, Self.list(rows.compactMap(\.number)), in: &db)
        return rows.compactMap { row in
            guard let number = row.number, let known = counts[number] else { return nil }
            return MusicGroup(
                id: row.id, name: row.name, trackCount: known.count, cover: covers[number],
                isLiked: opinions?[number]?.isLiked ?? isNotLiked, rating: opinions?[number]?.rating, plays: row.plays)
        }
    }

    /// Genres with the number of tracks that the listener sees. Genres without one are left out.
    func genres(
        _ rows: [GenreRecord], _ counts: [Int64: GenreCounts.Count], in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [MusicGroup] {
        var tracks: [Int64: Int64] = [:]
        for number in rows.compactMap(\.number) { tracks[number] = counts[number]?.track }
        let covers = try groupCovers(
            tracks,
            firstOf: { "SELECT track FROM track_genres WHERE genre = \($0) ORDER BY track LIMIT \(Self.firstTracks)" },
            in: &db)
        return rows.compactMap { row in
            guard let number = row.number, let known = counts[number] else { return nil }
            return MusicGroup(id: row.id, name: row.name, trackCount: known.count, cover: covers[number])
        }
    }

    // MARK: Opinions

    /// The `liked` of things that the listener has no opinion of: `nil` for guests.
    var isNotLiked: Bool? { listener.uid == nil ? nil : false }

    /// The listener's opinions of a whole page, by number; `nil` for guests.
    func opinions(
        _ kind: LikeKind, _ numbers: String, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [Int64: (isLiked: Bool, rating: Int?)]? {
        guard let uid = listener.uid else { return nil }
        var opinions: [Int64: (isLiked: Bool, rating: Int?)] = [:]
        try db.forEach(
            """
            SELECT \(kind.column), liked_ms IS NOT NULL, rating FROM \(kind.opinions)
            WHERE uid = \(uid) AND \(kind.column) IN (SELECT value FROM json_each(\(numbers)))
            """
        ) { row in
            opinions[try row.next()] = (try row.next(), try row.next())
            return true
        }
        return opinions
    }

    // MARK: Covers of artists and genres

    /// Tracks of an artist or a genre that are looked at for a cover: the cost of a page stays the same.
    private static let firstTracks = 8

    /// The cover of the track that was heard most; if that has none, of one of the first tracks.
    ///
    /// - Parameters:
    ///   - heard: The track that was heard most, by artist or genre.
    ///   - firstOf: The query for the first tracks of one.
    private func groupCovers(
        _ heard: [Int64: Int64], firstOf: (SQL) -> SQL, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [Int64: MusicCover] {
        var sources = try CoverSource.find(Array(Set(heard.values)), in: &db)
        let condition = Access.condition(for: listener)
        var tracks = heard.filter { sources[$0.value] != nil }
        let rest = heard.keys.filter { tracks[$0] == nil }
        if !rest.isEmpty {
            try db.forEach(
                """
                SELECT g.value, (SELECT t.number FROM tracks t JOIN music_files f ON f.track = t.number
                    LEFT JOIN music_directories d ON d.number = f.directory
                    WHERE t.number IN (\(firstOf("g.value"))) AND \(CoverSource.condition) AND \(condition) LIMIT 1)
                FROM json_each(\(Self.list(rest))) g
                """
            ) { row in
                let group: Int64 = try row.next()
                if let track: Int64 = try row.next() { tracks[group] = track }
                return true
            }
            sources.merge(try CoverSource.find(rest.compactMap { tracks[$0] }, in: &db)) { $1 }
        }
        return tracks.compactMapValues { sources[$0].map(covers.cover) }
    }
}
