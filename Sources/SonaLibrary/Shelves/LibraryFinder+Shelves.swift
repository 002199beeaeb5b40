internal import SonaDatabase
package import SonaModel
package import SonaWire

/// Pages of the library by offset, as players of other makers ask for them.
///
/// The order is that of an index, so a page costs what is skipped and what is shown: no row is read of what is skipped but
/// what decides whether the listener sees it.
extension LibraryFinder {
    /// How long a whole list may take: some players ask for all artists at once.
    private static let listLimit = Duration.seconds(5)

    func readList<Value: Sendable>(
        _ body: @escaping @Sendable (inout ReadAccess) throws -> Value
    ) async throws(Refusal) -> Value {
        do {
            return try await dao.database.read { db in
                try db.withTimeLimit(Self.listLimit) { db in try body(&db) }
            }
        } catch { throw Refusal(reading: error) }
    }

    func shelves(for listener: Listener) -> ShelfObjects { ShelfObjects(music: objects(for: listener)) }

    /// The condition for tracks `t` of a page.
    private static func condition(_ listener: Listener, _ page: ShelfPage) -> SQL {
        let condition = Access.condition(for: listener)
        guard let folder = page.folder else { return condition }
        return folder > 0 ? "\(condition) AND t.scope = \(folder)" : "\(condition) AND t.scope <= 0"
    }

    // MARK: Albums

    /// - Returns: The page, and its end if another one follows it.
    /// - Throws: `busy`, `storage`.
    package func albums(
        _ order: AlbumOrder, _ page: ShelfPage, for listener: Listener
    ) async throws(Refusal) -> (albums: [ShelvedAlbum], end: ShelfMark?) {
        let shelves = shelves(for: listener)
        return try await readList { db in
            guard let query = Self.albumQuery(order, page, listener) else { return ([], nil) }
            let rows = try db.all(query) { try AlbumRecord(row: &$0) }
            let last = rows.count == page.limit ? rows.last : nil
            return (
                try shelves.albums(rows, in: &db), last.map { ShelfMark(key: $0.sort, number: $0.number ?? 0) }
            )
        }
    }

    private static func albumQuery(_ order: AlbumOrder, _ page: ShelfPage, _ listener: Listener) -> SQL? {
        let condition = condition(listener, page)
        let (columns, rest): (SQL, SQL) = (
            "SELECT \(AlbumRecord.table.columnList) FROM albums a", "LIMIT \(page.limit) OFFSET \(page.offset)"
        )
        // Where no index has the order, numbers are sorted: whole rows would be copied for that.
        func sorted(_ which: SQL, _ order: SQL) -> SQL {
            """
            \(columns) WHERE a.number IN (SELECT a.number FROM albums a WHERE \(which) ORDER BY \(order) \(rest))
            ORDER BY \(order)
            """
        }
        let isSeen: SQL = "EXISTS (SELECT 1 FROM tracks t WHERE t.album = a.number AND \(condition))"
        func opinions(_ which: SQL, by key: SQL) -> SQL? {
            guard let uid = listener.uid else { return nil }
            return """
                \(columns) WHERE \(isSeen) AND a.number IN (SELECT album FROM album_opinions WHERE uid = \(uid) AND \(which))
                ORDER BY (SELECT \(key) FROM album_opinions WHERE uid = \(uid) AND album = a.number) DESC, a.number \(rest)
                """
        }
        func heard(_ key: SQL) -> SQL? {
            guard let uid = listener.uid else { return nil }
            return """
                SELECT \(AlbumRecord.table.columnList) FROM albums a JOIN (
                    SELECT t.album AS heard, \(key) AS score FROM plays p JOIN tracks t ON t.number = p.track
                    WHERE p.uid = \(uid) AND t.album IS NOT NULL GROUP BY t.album) h ON h.heard = a.number
                WHERE \(isSeen) ORDER BY h.score DESC, a.number \(rest)
                """
        }
        switch order {
        case .name:
            guard let after = page.after else { return "\(columns) WHERE \(isSeen) ORDER BY a.sort, a.number \(rest)" }
            return """
                \(columns) WHERE (a.sort, a.number) > (\(after.key), \(after.number)) AND \(isSeen)
                ORDER BY a.sort, a.number LIMIT \(page.limit)
                """
        case .artist: return "\(columns) WHERE \(isSeen) ORDER BY a.artist_sort, a.number \(rest)"
        case .newest: return "\(columns) WHERE \(isSeen) ORDER BY a.added_ms DESC, a.number DESC \(rest)"
        case .random: return "\(columns) WHERE \(isSeen) ORDER BY random() LIMIT \(page.limit)"
        case .rated: return opinions("rating IS NOT NULL", by: "rating")
        case .liked: return opinions("liked_ms IS NOT NULL", by: "liked_ms")
        case .frequent: return heard("count(*)")
        case .recent: return heard("max(p.at_ms)")
        case .years(let from, let to) where from <= to:
            return sorted("a.year BETWEEN \(from) AND \(to) AND \(isSeen)", "a.year, a.sort, a.number")
        case .years(let from, let to):
            return sorted("a.year BETWEEN \(to) AND \(from) AND \(isSeen)", "a.year DESC, a.sort, a.number")
        case .genre(let name):
            return sorted(
                """
                a.number IN (SELECT t.album FROM genres g JOIN track_genres j ON j.genre = g.number
                    JOIN tracks t ON t.number = j.track WHERE g.name = \(name) AND \(condition))
                """, "a.sort, a.number")
        }
    }

    /// Albums in the order of the identifiers; those that the listener does not see are left out.
    ///
    /// - Throws: `busy`, `storage`.
    package func albums(_ ids: [MusicID], for listener: Listener) async throws(Refusal) -> [ShelvedAlbum] {
        let shelves = shelves(for: listener)
        return try await readList { db in
            let rows = try db.all(
                AlbumRecord.self, "WHERE id IN (SELECT value FROM json_each(\(PlaylistEditor.json(ids))))")
            let found = Dictionary(try shelves.albums(rows, in: &db).map { ($0.album.id, $0) }) { first, _ in first }
            return ids.compactMap { found[$0] }
        }
    }

    /// An album with its tracks in their order.
    ///
    /// - Throws: `albumNotFound`, `busy`, `storage`.
    package func shelvedAlbum(
        _ id: MusicID, for listener: Listener
    ) async throws(Refusal) -> (album: ShelvedAlbum, tracks: [ShelvedTrack]) {
        let shelves = shelves(for: listener)
        return try await readList { db in
            guard let row = try db.first(AlbumRecord.filter(AlbumRecord.id == id)), let number = row.number,
                let album = try shelves.albums([row], in: &db).first
            else { throw Refusal(.albumNotFound) }
            let rows = try db.all(
                """
                SELECT \(TrackRecord.table.columnList) FROM tracks t
                WHERE t.album = \(number) AND \(Access.condition(for: listener))
                ORDER BY t.disc, t.place, t.number LIMIT 5000
                """
            ) { try TrackRecord(row: &$0) }
            return (album, try shelves.tracks(rows, in: &db))
        }
    }

    // MARK: Tracks

    /// - Returns: The page, and its end if another one follows it.
    /// - Throws: `busy`, `storage`.
    package func tracks(
        _ order: TrackOrder, _ page: ShelfPage, for listener: Listener
    ) async throws(Refusal) -> (tracks: [ShelvedTrack], end: ShelfMark?) {
        let shelves = shelves(for: listener)
        return try await readList { db in
            let rows = try db.all(Self.trackQuery(order, page, listener)) { try TrackRecord(row: &$0) }
            let last = rows.count == page.limit ? rows.last : nil
            return (
                try shelves.tracks(rows, in: &db), last.map { ShelfMark(key: $0.titleSort, number: $0.number ?? 0) }
            )
        }
    }

    private static func trackQuery(_ order: TrackOrder, _ page: ShelfPage, _ listener: Listener) -> SQL {
        let condition = condition(listener, page)
        let (columns, rest): (SQL, SQL) = (
            "SELECT \(TrackRecord.table.columnList) FROM tracks t", "LIMIT \(page.limit) OFFSET \(page.offset)"
        )
        func ofGenre(_ name: String) -> SQL {
            "t.number IN (SELECT j.track FROM genres g JOIN track_genres j ON j.genre = g.number WHERE g.name = \(name))"
        }
        switch order {
        case .title:
            guard let after = page.after else {
                return "\(columns) WHERE \(condition) ORDER BY t.title_sort, t.number \(rest)"
            }
            return """
                \(columns) WHERE (t.title_sort, t.number) > (\(after.key), \(after.number)) AND \(condition)
                ORDER BY t.title_sort, t.number LIMIT \(page.limit)
                """
        case .genre(let name):
            return """
                \(columns) WHERE t.number IN (SELECT t.number FROM tracks t WHERE \(ofGenre(name)) AND \(condition)
                    ORDER BY t.title_sort, t.number \(rest))
                ORDER BY t.title_sort, t.number
                """
        case .random(let genre, let from, let to):
            var chosen = condition
            if let genre { chosen = "\(chosen) AND \(ofGenre(genre))" }
            if let from { chosen = "\(chosen) AND t.year >= \(from)" }
            if let to { chosen = "\(chosen) AND t.year <= \(to)" }
            // Only the numbers are sorted: the rows of a large library would be copied for that.
            return """
                \(columns) WHERE t.number IN
                    (SELECT t.number FROM tracks t WHERE \(chosen) ORDER BY random() LIMIT \(page.limit))
                ORDER BY random()
                """
        case .top(let artist):
            return """
                \(columns) WHERE t.number IN (SELECT j.track FROM artists a JOIN track_artists j ON j.artist = a.number
                    WHERE a.name = \(artist)) AND \(condition) ORDER BY t.plays DESC, t.number \(rest)
                """
        }
    }

    /// Tracks in the order of the identifiers; those that the listener does not see are left out.
    ///
    /// - Throws: `busy`, `storage`.
    package func shelvedTracks(_ ids: [MusicID], for listener: Listener) async throws(Refusal) -> [ShelvedTrack] {
        guard !ids.isEmpty else { return [] }
        let shelves = shelves(for: listener)
        return try await readList { db in
            let rows = try db.all(
                TrackRecord.self, "WHERE id IN (SELECT value FROM json_each(\(PlaylistEditor.json(ids))))")
            let found = Dictionary(try shelves.tracks(rows, in: &db).map { ($0.track.id, $0) }) { first, _ in first }
            return ids.compactMap { found[$0] }
        }
    }
}
