internal import SonaDatabase
package import SonaModel
package import SonaWire

/// Artists, genres and single things by identifier, as players of other makers ask for them.
extension LibraryFinder {
    /// The artists of the albums and tracks that a listener sees, in their order.
    ///
    /// - Parameter folder: As `ShelfPage.folder`.
    /// - Throws: `busy`, `storage`.
    package func shelvedArtists(
        folder: Int64? = nil, for listener: Listener
    ) async throws(Refusal) -> [ShelvedArtist] {
        try await readList { db in
            var condition = Access.condition(for: listener)
            if let folder {
                condition = folder > 0 ? "\(condition) AND t.scope = \(folder)" : "\(condition) AND t.scope <= 0"
            }
            return try Self.artists(
                """
                EXISTS (SELECT 1 FROM track_artists j JOIN tracks t ON t.number = j.track
                    WHERE j.artist = a.number AND \(condition))
                OR EXISTS (SELECT 1 FROM album_artists j JOIN tracks t ON t.album = j.album
                    WHERE j.artist = a.number AND \(condition))
                """, condition, listener, &db)
        }
    }

    /// Artists in the order of the identifiers.
    ///
    /// - Throws: `busy`, `storage`.
    package func shelvedArtists(
        _ ids: [MusicID], for listener: Listener
    ) async throws(Refusal) -> [ShelvedArtist] {
        guard !ids.isEmpty else { return [] }
        return try await readList { db in
            let found = try Self.artists(
                "a.id IN (SELECT value FROM json_each(\(PlaylistEditor.json(ids))))", Access.condition(for: listener),
                listener, &db)
            let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
            return ids.compactMap { byID[$0] }
        }
    }

    private static func artists(
        _ which: SQL, _ condition: SQL, _ listener: Listener, _ db: inout ReadAccess
    ) throws -> [ShelvedArtist] {
        var artists: [ShelvedArtist] = []
        let uid = listener.uid
        try db.forEach(
            """
            SELECT a.id, a.name, a.sort, o.liked_ms, o.rating,
                (SELECT count(*) FROM album_artists j WHERE j.artist = a.number AND EXISTS (
                    SELECT 1 FROM tracks t WHERE t.album = j.album AND \(condition)))
            FROM artists a LEFT JOIN artist_opinions o ON o.artist = a.number AND o.uid IS \(uid)
            WHERE \(which) ORDER BY a.sort, a.number
            """
        ) { row in
            var artist = ShelvedArtist(id: try row.next(), name: try row.next())
            let key: [UInt8] = try row.next()
            artist.letter = ListLetters.letter(of: key)
            artist.likedMilliseconds = try row.next()
            artist.rating = try row.next()
            artist.albumCount = try row.next()
            artists.append(artist)
            return true
        }
        return artists
    }

    /// An artist with the albums that are theirs, the newest first, and those on which they are heard.
    ///
    /// - Throws: `artistNotFound`, `busy`, `storage`.
    package func shelvedArtist(
        _ id: MusicID, for listener: Listener
    ) async throws(Refusal) -> (artist: ShelvedArtist, albums: [ShelvedAlbum]) {
        let shelves = shelves(for: listener)
        return try await readList { db in
            guard let number: Int64 = try db.value("SELECT number FROM artists WHERE id = \(id)"),
                let artist = try Self.artists("a.number = \(number)", Access.condition(for: listener), listener, &db)
                    .first
            else { throw Refusal(.artistNotFound) }
            let rows = try db.all(
                """
                SELECT \(AlbumRecord.table.columnList) FROM albums a
                WHERE a.number IN (SELECT album FROM album_artists WHERE artist = \(number)
                    UNION SELECT t.album FROM track_artists j JOIN tracks t ON t.number = j.track
                    WHERE j.artist = \(number) AND t.album IS NOT NULL AND \(Access.condition(for: listener)))
                ORDER BY a.year DESC, a.sort, a.number LIMIT 2000
                """
            ) { try AlbumRecord(row: &$0) }
            let albums = try shelves.albums(rows, in: &db)
            let isHeard = try db.exists(
                """
                SELECT 1 FROM track_artists j JOIN tracks t ON t.number = j.track
                WHERE j.artist = \(number) AND \(Access.condition(for: listener))
                """)
            guard isHeard || !albums.isEmpty else { throw Refusal(.artistNotFound) }
            return (artist, albums)
        }
    }

    /// The genres with the tracks and albums that a listener sees.
    ///
    /// - Throws: `busy`, `storage`.
    package func shelvedGenres(for listener: Listener) async throws(Refusal) -> [ShelvedGenre] {
        try await readList { db in
            try db.all(
                """
                SELECT g.name, count(*), count(DISTINCT t.album) FROM genres g
                JOIN track_genres j ON j.genre = g.number JOIN tracks t ON t.number = j.track
                WHERE \(Access.condition(for: listener)) GROUP BY g.number ORDER BY g.sort, g.number
                """
            ) { row in
                ShelvedGenre(name: try row.next(), trackCount: try row.next(), albumCount: try row.next())
            }
        }
    }

    // MARK: Identifiers

    /// What an identifier names; `nil` if nothing. It says nothing about who sees it.
    ///
    /// - Throws: `busy`, `storage`.
    package func kind(of id: MusicID) async throws(Refusal) -> LikeKind? {
        try await read { db in
            for kind in [LikeKind.track, .album, .artist, .playlist] {
                if try db.exists("SELECT 1 FROM \(kind.things) WHERE id = \(id)") { return kind }
            }
            return nil
        }
    }

    /// The cover of a track, an album or an artist that a listener sees; `nil` if there is none.
    ///
    /// - Throws: `busy`, `storage`.
    package func cover(of id: MusicID, _ kind: LikeKind, for listener: Listener) async throws(Refusal) -> MusicCover? {
        let objects = objects(for: listener)
        return try await read { db in
            switch kind {
            case .track:
                let row = try db.first(TrackRecord.filter(TrackRecord.id == id))
                return try objects.tracks(row.map { [$0] } ?? [], in: &db).first?.cover
            case .album:
                let row = try db.first(AlbumRecord.filter(AlbumRecord.id == id))
                return try objects.albums(row.map { [$0] } ?? [], in: &db).first?.cover
            case .artist:
                let row = try db.first(ArtistRecord.filter(ArtistRecord.id == id))
                return try objects.artists(row.map { [$0] } ?? [], in: &db).first?.cover
            case .playlist: return nil
            }
        }
    }

    /// When music was last added, ms since 1970; 0 if there is none.
    ///
    /// - Throws: `busy`, `storage`.
    package func lastAddedMilliseconds() async throws(Refusal) -> Int64 {
        try await read { db in try db.value("SELECT coalesce(max(added_ms), 0) FROM tracks", as: Int64.self) ?? 0 }
    }
}

extension ListLetters {
    /// The letter under which a sort key stands.
    static func letter(of key: [UInt8]) -> String {
        guard key != SortNames.last else { return nameless }
        let after = all.firstIndex { key.lexicographicallyPrecedes($0.key) } ?? all.count
        return after == 0 ? symbols : all[after - 1].name
    }
}
