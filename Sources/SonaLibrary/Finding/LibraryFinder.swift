internal import SonaDatabase
package import SonaModel
internal import SonaText
package import SonaWire

/// Search, lists and single items of the library. Reads only.
package struct LibraryFinder: Sendable {
    let dao: MusicDAO
    let readLimit: Duration
    let covers: CoverKeys
    let genreCounts = GenreCounts()

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (inout ReadAccess) throws -> Value
    ) async throws(Refusal) -> Value {
        let readLimit = readLimit
        do {
            return try await dao.database.read { db in
                try db.withTimeLimit(readLimit) { db in try body(&db) }
            }
        } catch { throw Refusal(reading: error) }
    }

    /// Makes the objects that a listener is sent.
    func objects(for listener: Listener) -> MusicObjects { MusicObjects(listener: listener, covers: covers) }

    // MARK: Single items

    /// - Throws: `trackNotFound`, also if the listener does not see it; `busy`, `storage`.
    package func track(_ id: MusicID, for listener: Listener) async throws(Refusal) -> MusicTrack {
        let objects = objects(for: listener)
        return try await read { db in
            guard let row = try db.first(TrackRecord.filter(TrackRecord.id == id)),
                let track = try objects.tracks([row], in: &db).first
            else { throw Refusal(.trackNotFound) }
            return track
        }
    }

    /// The tracks of one album in a message.
    private static let albumTracksMax = 500

    /// - Throws: `albumNotFound`, `busy`, `storage`.
    package func album(_ id: MusicID, for listener: Listener) async throws(Refusal) -> AlbumDetails {
        let objects = objects(for: listener)
        return try await read { db in
            guard let row = try db.first(AlbumRecord.filter(AlbumRecord.id == id)), let number = row.number,
                let album = try objects.albums([row], in: &db).first
            else { throw Refusal(.albumNotFound) }
            let rows = try db.all(
                """
                SELECT \(TrackRecord.table.columnList) FROM tracks t
                WHERE t.album = \(number) AND \(Access.condition(for: listener))
                ORDER BY t.disc, t.place, t.number LIMIT \(Self.albumTracksMax)
                """
            ) { try TrackRecord(row: &$0) }
            return AlbumDetails(album: album, tracks: try objects.tracks(rows, in: &db))
        }
    }

    /// - Throws: `artistNotFound`, `busy`, `storage`.
    package func artist(_ id: MusicID, for listener: Listener) async throws(Refusal) -> ArtistDetails {
        let objects = objects(for: listener)
        return try await read { db in
            guard let row = try db.first(ArtistRecord.filter(ArtistRecord.id == id)), let number = row.number,
                let artist = try objects.artists([row], in: &db).first
            else { throw Refusal(.artistNotFound) }
            let albums = try db.all(
                """
                SELECT \(AlbumRecord.table.columnList) FROM albums
                WHERE number IN (SELECT album FROM album_artists WHERE artist = \(number)
                    UNION SELECT t.album FROM track_artists j JOIN tracks t ON t.number = j.track
                    WHERE j.artist = \(number) AND t.album IS NOT NULL)
                ORDER BY year DESC, number DESC LIMIT \(Int(Limits.musicPageCount.upperBound))
                """
            ) { try AlbumRecord(row: &$0) }
            let tracks = try db.all(
                """
                SELECT \(TrackRecord.table.columnList) FROM tracks t
                WHERE t.number IN (SELECT track FROM track_artists WHERE artist = \(number))
                    AND \(Access.condition(for: listener))
                ORDER BY t.plays DESC, t.number DESC LIMIT 10
                """
            ) { try TrackRecord(row: &$0) }
            return ArtistDetails(
                artist: artist, albums: try objects.albums(albums, in: &db),
                tracks: try objects.tracks(tracks, in: &db))
        }
    }

    /// - Throws: `busy`, `storage`.
    package func genres(for listener: Listener) async throws(Refusal) -> [MusicGroup] {
        let (objects, genreCounts) = (objects(for: listener), genreCounts)
        return try await read { db in
            let counts = try genreCounts.counts(for: listener, in: &db)
            let rows = try db.all(
                GenreRecord.self,
                """
                WHERE number IN (SELECT value FROM json_each(\(MusicObjects.list(Array(counts.keys)))))
                ORDER BY sort, number LIMIT 1000
                """)
            return try objects.genres(rows, counts, in: &db)
        }
    }
}
