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
        let condition = Access.condition(for: music.listener)
        var plays: [Int64: Int64] = [:]
        try db.forEach(
            """
            SELECT t.album, sum(t.plays) FROM tracks t
            WHERE t.album IN (SELECT value FROM json_each(\(list))) AND \(condition) GROUP BY t.album
            """
        ) { row in
            plays[try row.next()] = try row.next(Int64.self)
            return true
        }
        var genres: [Int64: [String]] = [:]
        try db.forEach(
            """
            SELECT t.album, g.name, count(*) FROM tracks t JOIN track_genres j ON j.track = t.number
            JOIN genres g ON g.number = j.genre
            WHERE t.album IN (SELECT value FROM json_each(\(list))) AND \(condition)
            GROUP BY t.album, j.genre ORDER BY t.album, 3 DESC, g.sort
            """
        ) { row in
            genres[try row.next(Int64.self), default: []].append(try row.next())
            return true
        }
        return seen.map { album in
            var shelved = ShelvedAlbum(album)
            guard let row = byID[album.id], let number = row.number else { return shelved }
            (shelved.artist, shelved.addedMilliseconds) = (row.artist, row.addedMilliseconds)
            (shelved.likedMilliseconds, shelved.plays) = (liked[number], plays[number] ?? 0)
            shelved.genres = genres[number] ?? []
            return shelved
        }
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
