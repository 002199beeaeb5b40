internal import SonaCrypto
internal import SonaDatabase
package import SonaModel
package import SonaWire

/// Lists of the library, a page at a time. Each page begins where the one before ended, so it costs the same at any
/// depth.
///
/// Source: Protocol/spec/library.md, "library.list".
extension LibraryFinder {
    /// The end of a page: the sort key of its last row, and its number.
    struct Place {
        var key: [UInt8]
        var number: Int64

        init(key: [UInt8], number: Int64) {
            self.key = key
            self.number = number
        }

        init?(_ cursor: String) {
            let parts = cursor.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, let key = Base64.decode(String(parts[0])), let number = Int64(parts[1])
            else { return nil }
            self.key = key
            self.number = number
        }

        /// A time or a count as a key.
        init(_ value: Int64, number: Int64) {
            self.init(key: Array("\(value)".utf8), number: number)
        }

        var text: String { "\(Base64.encode(key)).\(number)" }
        /// A score as a key, to the last bit.
        init(bits score: Double, number: Int64) { self.init(Int64(bitPattern: score.bitPattern), number: number) }

        var bits: Double { Double(bitPattern: UInt64(bitPattern: value ?? 0)) }
        var value: Int64? { Int64(String(decoding: key, as: UTF8.self)) }
    }

    /// - Throws: `invalid` for a cursor that is none or an order that the kind does not have; `artistNotFound`,
    ///   `genreNotFound`, `busy`, `storage`.
    package func list(_ request: LibraryList, for listener: Listener) async throws(Refusal) -> LibraryPage {
        var request = request
        request.limit = min(max(request.limit, 1), Int(Limits.musicPageCount.upperBound))
        var after: Place?
        if let cursor = request.cursor {
            guard let place = Place(cursor) else {
                throw Refusal(.requestInvalid, "This is no cursor of such a list.", field: "data.cursor")
            }
            after = place
        }
        try Self.check(request)
        if request.scope == .own, listener.uid == nil { throw .accountRequired }
        let (asked, place, objects, genreCounts) = (request, after, objects(for: listener), genreCounts)
        return try await read { db in
            switch asked.kind {
            case .tracks: try Self.tracks(asked, place, objects, &db)
            case .albums: try Self.albums(asked, place, objects, &db)
            case .artists: try Self.artists(asked, place, objects, &db)
            case .genres: try Self.genres(asked, place, objects, genreCounts, &db)
            }
        }
    }

    static func check(_ request: LibraryList) throws(Refusal) {
        let isFine =
            switch (request.kind, request.sort) {
            case (.tracks, _), (_, .title), (.albums, .artist), (.albums, .added): true
            default: false
            }
        guard isFine else {
            throw Refusal(.requestInvalid, "Such a list does not have this order.", field: "data.sort")
        }
        if request.kind == .artists || request.kind == .genres, request.artist != nil || request.genre != nil {
            throw Refusal(
                .requestInvalid, "Only tracks and albums can be asked for by artist or genre.",
                field: request.artist != nil ? "data.artist" : "data.genre")
        }
    }

    /// The condition for tracks `t` of the artist and the genre that were asked for.
    static func filter(_ request: LibraryList, _ listener: Listener, _ db: inout ReadAccess) throws -> SQL {
        var filter = Access.condition(for: listener)
        if request.scope == .own { filter = "\(filter) AND t.owner_uid = \(listener.uid)" }
        if let id = request.artist {
            guard let artist: Int64 = try db.value("SELECT number FROM artists WHERE id = \(id)") else {
                throw Refusal(.artistNotFound)
            }
            filter = "\(filter) AND t.number IN (SELECT track FROM track_artists WHERE artist = \(artist))"
        }
        if let id = request.genre {
            guard let genre: Int64 = try db.value("SELECT number FROM genres WHERE id = \(id)") else {
                throw Refusal(.genreNotFound)
            }
            filter = "\(filter) AND t.number IN (SELECT track FROM track_genres WHERE genre = \(genre))"
        }
        return filter
    }

    /// The part of a query after its condition: the rows after a place, in order.
    private static func page(
        _ column: SQL, _ number: SQL, isDescending: Bool, _ after: Place?, isNumeric: Bool, _ limit: Int
    ) -> SQL {
        let order: SQL = isDescending ? "\(column) DESC, \(number) DESC" : "\(column), \(number)"
        guard let after else { return "ORDER BY \(order) LIMIT \(limit + 1)" }
        let key: SQL = isNumeric ? "\(after.value ?? Int64(0))" : "\(after.key)"
        return isDescending
            ? "AND (\(column), \(number)) < (\(key), \(after.number)) ORDER BY \(order) LIMIT \(limit + 1)"
            : "AND (\(column), \(number)) > (\(key), \(after.number)) ORDER BY \(order) LIMIT \(limit + 1)"
    }

    /// The same for tracks by popularity; others than those that somebody hears are left out.
    private static func popularPage(_ after: Place?, _ limit: Int) -> SQL {
        let order: SQL = "ORDER BY t.popularity DESC, t.number DESC LIMIT \(limit + 1)"
        guard let after else { return "AND t.popularity IS NOT NULL \(order)" }
        return """
            AND t.popularity IS NOT NULL AND (t.popularity, t.number) < (\(after.bits), \(after.number)) \(order)
            """
    }

    private static func tracks(
        _ request: LibraryList, _ after: Place?, _ objects: MusicObjects, _ db: inout ReadAccess
    ) throws -> LibraryPage {
        let end =
            switch request.sort {
            case .title:
                page("t.title_sort", "t.number", isDescending: false, after, isNumeric: false, request.limit)
            case .artist:
                page("t.artist_sort", "t.number", isDescending: false, after, isNumeric: false, request.limit)
            case .added: page("t.added_ms", "t.number", isDescending: true, after, isNumeric: true, request.limit)
            case .plays: page("t.plays", "t.number", isDescending: true, after, isNumeric: true, request.limit)
            case .popular: popularPage(after, request.limit)
            }
        var rows = try db.all(
            """
            SELECT \(TrackRecord.table.columnList) FROM tracks t WHERE \(try filter(request, objects.listener, &db)) \(end)
            """
        ) { try TrackRecord(row: &$0) }
        var next: String?
        if rows.count > request.limit {
            rows.removeLast()
            next = rows.last.map { last in
                let number = last.number ?? 0
                return switch request.sort {
                case .title: Place(key: last.titleSort, number: number).text
                case .artist: Place(key: last.artistSort, number: number).text
                case .added: Place(last.addedMilliseconds, number: number).text
                case .plays: Place(last.plays, number: number).text
                case .popular: Place(bits: last.popularity ?? 0, number: number).text
                }
            }
        }
        return LibraryPage(tracks: try objects.tracks(rows, in: &db), nextCursor: next)
    }

    private static func albums(
        _ request: LibraryList, _ after: Place?, _ objects: MusicObjects, _ db: inout ReadAccess
    ) throws -> LibraryPage {
        let end =
            switch request.sort {
            case .artist: page("a.artist_sort", "a.number", isDescending: false, after, isNumeric: false, request.limit)
            case .added: page("a.added_ms", "a.number", isDescending: true, after, isNumeric: true, request.limit)
            default: page("a.sort", "a.number", isDescending: false, after, isNumeric: false, request.limit)
            }
        let filter = try filter(request, objects.listener, &db)
        var rows = try db.all(
            """
            SELECT \(AlbumRecord.table.columnList) FROM albums a
            WHERE EXISTS (SELECT 1 FROM tracks t WHERE t.album = a.number AND \(filter)) \(end)
            """
        ) { try AlbumRecord(row: &$0) }
        var next: String?
        if rows.count > request.limit {
            rows.removeLast()
            next = rows.last.map { last in
                let number = last.number ?? 0
                return switch request.sort {
                case .artist: Place(key: last.artistSort, number: number).text
                case .added: Place(last.addedMilliseconds, number: number).text
                default: Place(key: last.sort, number: number).text
                }
            }
        }
        return LibraryPage(albums: try objects.albums(rows, in: &db), nextCursor: next)
    }

    private static func artists(
        _ request: LibraryList, _ after: Place?, _ objects: MusicObjects, _ db: inout ReadAccess
    ) throws -> LibraryPage {
        let filter = try filter(request, objects.listener, &db)
        let end = page("a.sort", "a.number", isDescending: false, after, isNumeric: false, request.limit)
        var rows = try db.all(
            """
            SELECT \(ArtistRecord.table.columnList) FROM artists a
            WHERE EXISTS (SELECT 1 FROM track_artists j JOIN tracks t ON t.number = j.track
                WHERE j.artist = a.number AND \(filter)) \(end)
            """
        ) { try ArtistRecord(row: &$0) }
        var next: String?
        if rows.count > request.limit {
            rows.removeLast()
            next = rows.last.map { Place(key: $0.sort, number: $0.number ?? 0).text }
        }
        return LibraryPage(artists: try objects.artists(rows, in: &db), nextCursor: next)
    }

    private static func genres(
        _ request: LibraryList, _ after: Place?, _ objects: MusicObjects, _ genreCounts: GenreCounts,
        _ db: inout ReadAccess
    ) throws -> LibraryPage {
        var counts = try genreCounts.counts(for: objects.listener, in: &db)
        if request.scope == .own { counts = try GenreCounts.own(objects.listener.uid, in: &db) }
        let end = page("g.sort", "g.number", isDescending: false, after, isNumeric: false, request.limit)
        var rows = try db.all(
            """
            SELECT \(GenreRecord.table.columnList) FROM genres g
            WHERE g.number IN (SELECT value FROM json_each(\(MusicObjects.list(Array(counts.keys))))) \(end)
            """
        ) { try GenreRecord(row: &$0) }
        var next: String?
        if rows.count > request.limit {
            rows.removeLast()
            next = rows.last.map { Place(key: $0.sort, number: $0.number ?? 0).text }
        }
        return LibraryPage(genres: try objects.genres(rows, counts, in: &db), nextCursor: next)
    }
}
