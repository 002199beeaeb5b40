internal import SonaDatabase
internal import SonaWire

/// Makes items of shelves out of rows, a few statements for a whole page.
struct ShelfObjects {
    let music: MusicObjects

    private var uid: UserID? { music.listener.uid }

    // MARK: Tracks

    /// Tracks that the listener sees, in the order of the rows.
    func tracks(_ rows: [TrackRecord], in db: inout some DatabaseAccess & ~Copyable) throws -> [ShelvedTrack] {
        let seen = try music.tracks(rows, in: &db)
        let numbers = Dictionary(rows.map { ($0.id, $0.number ?? 0) }) { first, _ in first }
        let list = MusicObjects.list(seen.compactMap { numbers[$0.id] })
        var files: [Int64: (size: Int64, suffix: String)] = [:]
        try db.forEach(
            """
            SELECT track, size, name FROM music_files
            WHERE track IN (SELECT value FROM json_each(\(list))) AND missing_ms IS NULL AND problem IS NULL
            """
        ) { row in
            let track: Int64 = try row.next()
            let size: Int64 = try row.next()
            files[track] = (size, Self.suffix(of: try row.next([UInt8]?.self) ?? []))
            return true
        }
        let liked = try liked(.track, list, in: &db)
        var albumArtists: [Int64: [MusicName]] = [:]
        try db.forEach(
            """
            SELECT j.album, a.id, a.name FROM album_artists j JOIN artists a ON a.number = j.artist
            WHERE j.album IN (SELECT value FROM json_each(\(MusicObjects.list(rows.compactMap(\.albumNumber)))))
            ORDER BY j.album, j.place
            """
        ) { row in
            albumArtists[try row.next(Int64.self), default: []].append(
                MusicName(id: try row.next(), name: try row.next()))
            return true
        }
        let albums = Dictionary(rows.map { ($0.id, $0.albumNumber) }) { first, _ in first }
        return seen.map { track in
            var shelved = ShelvedTrack(track)
            guard let number = numbers[track.id] else { return shelved }
            if let file = files[number] { (shelved.size, shelved.suffix) = file }
            shelved.likedMilliseconds = liked[number]
            if let album = albums[track.id] ?? nil { shelved.albumArtists = albumArtists[album] ?? [] }
            return shelved
        }
    }

    /// The ending of a file's name: at most eight letters and digits, in lower case.
    static func suffix(of name: [UInt8]) -> String {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), 1...8 ~= name.count - dot - 1 else { return "" }
        let ending = String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
        return ending.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 } ? ending : ""
    }

    // MARK: Albums

    /// Albums of which the listener sees a track, in the order of the rows.
    func albums(_ rows: [AlbumRecord], in db: inout some DatabaseAccess & ~Copyable) throws -> [ShelvedAlbum] {
        let seen = try music.albums(rows, in: &db)
        let byID = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
        let list = MusicObjects.list(seen.compactMap { byID[$0.id]?.number })
        let liked = try liked(.album, list, in: &db)
        let (plays, genres) = try heard(list, in: &db)
        return seen.map { album in
            var shelved = ShelvedAlbum(album)
            guard let row = byID[album.id], let number = row.number else { return shelved }
            (shelved.artist, shelved.addedMilliseconds) = (row.artist, row.addedMilliseconds)
            (shelved.likedMilliseconds, shelved.plays) = (liked[number], plays[number] ?? 0)
            shelved.genres = genres[number] ?? []
            return shelved
        }
    }

    /// The plays of albums, and their genres with the most frequent first, by the numbers of the albums.
    ///
    /// One table at a time: joined, they are read in the wrong order by a database that does not know yet how much music
    /// there is.
    private func heard(
        _ albums: String, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> (plays: [Int64: Int64], genres: [Int64: [String]]) {
        var (plays, albumOf): ([Int64: Int64], [Int64: Int64]) = ([:], [:])
        try db.forEach(
            """
            SELECT t.number, t.album, t.plays FROM tracks t
            WHERE t.album IN (SELECT value FROM json_each(\(albums))) AND \(Access.condition(for: music.listener))
            """
        ) { row in
            let (track, album): (Int64, Int64) = (try row.next(), try row.next())
            albumOf[track] = album
            plays[album, default: 0] += try row.next(Int64.self)
            return true
        }
        var counts: [Int64: [Int64: Int]] = [:]
        try db.forEach(
            """
            SELECT track, genre FROM track_genres
            WHERE track IN (SELECT value FROM json_each(\(MusicObjects.list(Array(albumOf.keys)))))
            """
        ) { row in
            let track: Int64 = try row.next()
            let genre: Int64 = try row.next()
            if let album = albumOf[track] { counts[album, default: [:]][genre, default: 0] += 1 }
            return true
        }
        var names: [Int64: String] = [:]
        try db.forEach(
            """
            SELECT number, name FROM genres
            WHERE number IN (SELECT value FROM json_each(\(MusicObjects.list(Array(Set(counts.values.flatMap(\.keys)))))))
            """
        ) { row in
            names[try row.next()] = try row.next(String.self)
            return true
        }
        let genres = counts.mapValues { counts in
            counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.compactMap { names[$0.key] }
        }
        return (plays, genres)
    }

    // MARK: Likes

    /// When the listener liked things, by their numbers.
    private func liked(
        _ kind: LikeKind, _ numbers: String, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [Int64: Int64] {
        guard let uid else { return [:] }
        var liked: [Int64: Int64] = [:]
        try db.forEach(
            """
            SELECT \(kind.column), liked_ms FROM \(kind.opinions) WHERE uid = \(uid) AND liked_ms IS NOT NULL
                AND \(kind.column) IN (SELECT value FROM json_each(\(numbers)))
            """
        ) { row in
            liked[try row.next()] = try row.next(Int64.self)
            return true
        }
        return liked
    }
}
