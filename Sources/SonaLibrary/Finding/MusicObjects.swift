internal import SonaDatabase
internal import SonaWire

/// Makes the objects of messages out of rows, a few statements for a whole page.
struct MusicObjects {
    let listener: Listener

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
        var covers: Set<Int64> = []
        try db.forEach(
            """
            SELECT f.track FROM music_files f LEFT JOIN music_directories d ON d.number = f.directory
            WHERE f.track IN (SELECT value FROM json_each(\(numbers)))
                AND f.missing_ms IS NULL AND (f.has_picture OR d.cover IS NOT NULL)
            """
        ) { row in
            covers.insert(try row.next())
            return true
        }
        let edited = Set(
            try db.values(
                "SELECT track FROM track_edits WHERE track IN (SELECT value FROM json_each(\(numbers)))",
                as: Int64.self))
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
                    loudness: row.loudness, hasCover: covers.contains(number), access: access, owner: row.owner,
                    status: row.status, isEdited: edited.contains(number), plays: row.plays,
                    addedMilliseconds: row.addedMilliseconds))
        }
        return tracks
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
            let cover = try db.value(
                """
                SELECT t.id FROM tracks t JOIN music_files f ON f.track = t.number
                LEFT JOIN music_directories d ON d.number = f.directory
                WHERE t.album = \(number) AND f.missing_ms IS NULL
                    AND (f.has_picture OR d.cover IS NOT NULL) AND \(condition)
                ORDER BY t.disc, t.place LIMIT 1
                """, as: MusicID.self)
            albums.append(
                MusicAlbum(
                    id: row.id, name: row.name, artists: artists[number] ?? [], year: row.year,
                    trackCount: sum.count, durationMilliseconds: sum.milliseconds, cover: cover))
        }
        return albums
    }

    /// Artists with the number of tracks that the listener sees. Artists without one are left out.
    func artists(
        _ rows: [ArtistRecord], in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [MusicGroup] {
        var counts: [Int64: Int] = [:]
        try db.forEach(
            """
            SELECT j.artist, count(*) FROM track_artists j JOIN tracks t ON t.number = j.track
            WHERE j.artist IN (SELECT value FROM json_each(\(Self.list(rows.compactMap(\.number)))))
                AND \(Access.condition(for: listener)) GROUP BY j.artist
            """
        ) { row in
            counts[try row.next()] = try row.next()
            return true
        }
        return rows.compactMap { row in
            guard let number = row.number, let count = counts[number] else { return nil }
            return MusicGroup(id: row.id, name: row.name, trackCount: count)
        }
    }

    /// Genres with the number of tracks that the listener sees. Genres without one are left out.
    func genres(_ rows: [GenreRecord], _ counts: [Int64: Int]) -> [MusicGroup] {
        rows.compactMap { row in
            guard let number = row.number, let count = counts[number] else { return nil }
            return MusicGroup(id: row.id, name: row.name, trackCount: count)
        }
    }
}
