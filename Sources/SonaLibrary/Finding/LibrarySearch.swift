internal import SonaDatabase
package import SonaModel
internal import SonaText
package import SonaWire

/// Finding music by the beginnings of its words.
///
/// Words that are rare are ranked (BM25). Words that many rows have, such as one letter, are not: all matches would
/// have to be read and compared. They come by how often they were heard, and reading stops as soon as the page is full.
///
/// Source: Protocol/spec/library.md, "search".
extension LibraryFinder {
    /// Matches that are ranked. Beyond that the words are too frequent to say which match is better.
    private static let rankedMax = 1_500

    /// - Throws: `busy`, `storage`.
    package func search(_ request: MusicSearch, for listener: Listener) async throws(Refusal) -> MusicSearchResult {
        let words = SearchKey(request.query).text
        let pattern = Self.pattern(words)
        guard !pattern.isEmpty else {
            return MusicSearchResult(tracks: [], albums: [], artists: [], genres: [])
        }
        let limit = min(max(request.limit, 1), Int(Limits.musicPageCount.upperBound))
        let page = Page(limit: limit, offset: min(max(request.offset, 0), Limits.musicSearchDepthMax))
        func wants(_ kind: MusicSearchGroup) -> Bool { request.kind.map { $0 == kind } ?? true }
        let wanted = Set(MusicSearchGroup.allCases.filter { wants($0) && ($0 == .tracks || request.field == nil) })
        let (objects, genreCounts) = (objects(for: listener), genreCounts)
        return try await read { db in
            let condition = Access.condition(for: listener)
            var result = MusicSearchResult(tracks: [], albums: [], artists: [], genres: [])
            if wanted.contains(.tracks) {
                let rows = try Self.tracks(pattern, words, request.field, condition, page, &db)
                result.tracks = try objects.tracks(rows, in: &db)
            }
            if wanted.contains(.albums) {
                result.albums = try objects.albums(try Self.albums(pattern, words, condition, page, &db), in: &db)
            }
            if wanted.contains(.artists) {
                result.artists = try objects.artists(try Self.artists(pattern, words, condition, page, &db), in: &db)
            }
            if wanted.contains(.genres) {
                let counts = try genreCounts.counts(for: listener, in: &db)
                result.genres = try objects.genres(try Self.genres(words, counts, page, &db), counts, in: &db)
            }
            if wanted.contains(.playlists) {
                let rows = try Self.playlists(pattern, listener, page, &db)
                result.playlists = try PlaylistObjects(music: objects).playlists(rows, in: &db)
            }
            return result
        }
    }

    private struct Page {
        let limit: Int
        let offset: Int
    }

    // MARK: Groups

    private static func tracks(
        _ text: String, _ words: String, _ field: MusicField?, _ condition: SQL, _ page: Page,
        _ db: inout ReadAccess
    ) throws -> [TrackRecord] {
        let pattern =
            switch field {
            case .title: "{title_key} : (\(text))"
            case .artist: "{artist_key} : (\(text))"
            case .album: "{album_key} : (\(text))"
            case nil: text
            }
        let isRare = try isRare("SELECT 1 FROM tracks_search WHERE tracks_search MATCH \(pattern)", &db)
        if isRare {
            let found = try ranked(page, &db) { limit in
                """
                SELECT rowid FROM tracks_search WHERE tracks_search MATCH \(pattern)
                ORDER BY bm25(tracks_search, 4, 2, 1), rowid LIMIT \(limit)
                """
            } isSeen: { number, db in
                try db.exists("SELECT 1 FROM tracks t WHERE t.number = \(number) AND \(condition)")
            }
            return try found.compactMap { try db.first(TrackRecord.self, key: $0) }
        }
        let texts: SQL =
            switch field {
            case .title: "t.title_key"
            case .artist: "t.artist_key"
            case .album: "t.album_key"
            case nil: "t.title_key || ' ' || t.artist_key || ' ' || t.album_key"
            }
        return try db.all(
            """
            SELECT \(TrackRecord.table.columnList) FROM tracks t
            WHERE \(beginnings(words, in: texts)) AND \(condition)
            ORDER BY t.plays DESC, t.number DESC LIMIT \(page.limit) OFFSET \(page.offset)
            """
        ) { try TrackRecord(row: &$0) }
    }

    private static func albums(
        _ text: String, _ words: String, _ condition: SQL, _ page: Page, _ db: inout ReadAccess
    ) throws -> [AlbumRecord] {
        let isSeen: SQL = "EXISTS (SELECT 1 FROM tracks t WHERE t.album = a.number AND \(condition))"
        if try isRare("SELECT 1 FROM albums_search WHERE albums_search MATCH \(text)", &db) {
            let found = try ranked(page, &db) { limit in
                """
                SELECT rowid FROM albums_search WHERE albums_search MATCH \(text)
                ORDER BY bm25(albums_search, 2, 1), rowid LIMIT \(limit)
                """
            } isSeen: { number, db in
                try db.exists("SELECT 1 FROM tracks t WHERE t.album = \(number) AND \(condition)")
            }
            return try found.compactMap { try db.first(AlbumRecord.self, key: $0) }
        }
        return try db.all(
            """
            SELECT \(AlbumRecord.table.columnList) FROM albums a
            WHERE \(beginnings(words, in: "a.key || ' ' || a.artist_key")) AND \(isSeen)
            ORDER BY a.number LIMIT \(page.limit) OFFSET \(page.offset)
            """
        ) { try AlbumRecord(row: &$0) }
    }

    private static func artists(
        _ text: String, _ words: String, _ condition: SQL, _ page: Page, _ db: inout ReadAccess
    ) throws -> [ArtistRecord] {
        let isSeen: SQL = """
            EXISTS (SELECT 1 FROM track_artists j JOIN tracks t ON t.number = j.track
                WHERE j.artist = a.number AND \(condition))
            """
        if try isRare("SELECT 1 FROM artists_search WHERE artists_search MATCH \(text)", &db) {
            let found = try ranked(page, &db) { limit in
                """
                SELECT rowid FROM artists_search WHERE artists_search MATCH \(text)
                ORDER BY bm25(artists_search), rowid LIMIT \(limit)
                """
            } isSeen: { number, db in
                try db.exists(
                    """
                    SELECT 1 FROM track_artists j JOIN tracks t ON t.number = j.track
                    WHERE j.artist = \(number) AND \(condition)
                    """)
            }
            return try found.compactMap { try db.first(ArtistRecord.self, key: $0) }
        }
        return try db.all(
            """
            SELECT \(ArtistRecord.table.columnList) FROM artists a
            WHERE \(beginnings(words, in: "a.key")) AND \(isSeen)
            ORDER BY a.number LIMIT \(page.limit) OFFSET \(page.offset)
            """
        ) { try ArtistRecord(row: &$0) }
    }

    /// There are few genres, so they have no index.
    private static func genres(
        _ words: String, _ counts: [Int64: GenreCounts.Count], _ page: Page, _ db: inout ReadAccess
    ) throws -> [GenreRecord] {
        try db.all(
            """
            SELECT \(GenreRecord.table.columnList) FROM genres g WHERE \(beginnings(words, in: "g.key"))
                AND g.number IN (SELECT value FROM json_each(\(MusicObjects.list(Array(counts.keys)))))
            ORDER BY sort, number LIMIT \(page.limit) OFFSET \(page.offset)
            """
        ) { try GenreRecord(row: &$0) }
    }

    /// Public playlists, the best first. Those of people who have blocked the listener are left out.
    private static func playlists(
        _ text: String, _ listener: Listener, _ page: Page, _ db: inout ReadAccess
    ) throws -> [PlaylistRecord] {
        let found = try ranked(page, &db) { limit in
            """
            SELECT rowid FROM playlists_search WHERE playlists_search MATCH \(text)
            ORDER BY bm25(playlists_search), rowid LIMIT \(limit)
            """
        } isSeen: { number, db in
            try db.exists(
                "SELECT 1 FROM playlists p WHERE p.number = \(number) AND \(OpenPlaylist.isPublic(for: listener))")
        }
        return try found.compactMap { try db.first(PlaylistRecord.self, key: $0) }
    }

    // MARK: Ranking

    /// A page of the best matches that the listener sees.
    ///
    /// Ranks first and looks at the rows afterwards: most matches are on no page, and reading a row costs as much as
    /// ranking five.
    private static func ranked(
        _ page: Page, _ db: inout ReadAccess, best: (_ limit: Int) -> SQL,
        isSeen: (Int64, inout ReadAccess) throws -> Bool
    ) throws -> [Int64] {
        let wanted = page.offset + page.limit
        var limit = wanted + 8
        while true {
            let found = try db.values(best(limit), as: Int64.self)
            var seen: [Int64] = []
            for number in found where seen.count < wanted {
                if try isSeen(number, &db) { seen.append(number) }
            }
            if seen.count == wanted || found.count < limit { return Array(seen.dropFirst(page.offset)) }
            limit *= 8
        }
    }

    // MARK: Words

    /// Every word, or what begins with it, as FTS5 takes it. Empty if there is nothing to look for.
    static func pattern(_ words: String) -> String {
        words.split(separator: " ").prefix(SearchText.wordsMax).compactMap { SearchText(String($0))?.pattern }
            .joined(separator: " ")
    }

    /// Whether a query has few enough rows to rank them; stops at the first too many.
    private static func isRare(_ query: SQL, _ db: inout ReadAccess) throws -> Bool {
        let count: Int = try db.value("SELECT count(*) FROM (\(query) LIMIT \(rankedMax + 1))") ?? 0
        return count <= rankedMax
    }

    /// Whether every word is the beginning of a word. Scripts without spaces have no beginnings within a text.
    private static func beginnings(_ words: String, in texts: SQL) -> SQL {
        var condition: SQL = "1"
        for word in words.split(separator: " ").prefix(SearchText.wordsMax) {
            let isLatin = word.unicodeScalars.first.map { $0.value < 0x2E80 && $0.value < 0x0E00 } ?? true
            let part = isLatin ? " \(word)" : String(word)
            condition = "\(condition) AND instr(' ' || \(texts), \(part)) > 0"
        }
        return condition
    }
}
