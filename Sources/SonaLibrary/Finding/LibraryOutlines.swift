internal import SonaDatabase
package import SonaModel
package import SonaWire

/// How long lists are, and cursors into them: one pass over an index.
///
/// Source: Protocol/spec/library.md, "library.outline".
extension LibraryFinder {
    /// - Throws: As `list`.
    package func outline(
        _ request: LibraryOutline, for listener: Listener
    ) async throws(Refusal) -> LibraryOutlineResult {
        let list = LibraryList(
            kind: request.kind, scope: request.scope, sort: request.sort, artist: request.artist, genre: request.genre)
        try Self.check(list)
        if list.scope == .own, listener.uid == nil { throw .accountRequired }
        let genreCounts = genreCounts
        return try await read { db in
            let rows: SQL
            switch list.kind {
            case .tracks:
                let filter = try Self.outlineFilter(list, listener, &db)
                rows =
                    switch list.sort {
                    case .title: "SELECT t.title_sort, t.number FROM tracks t WHERE \(filter) ORDER BY 1, 2"
                    case .artist: "SELECT t.artist_sort, t.number FROM tracks t WHERE \(filter) ORDER BY 1, 2"
                    case .added: "SELECT t.added_ms, t.number FROM tracks t WHERE \(filter) ORDER BY 1 DESC, 2 DESC"
                    case .popular:
                        """
                        SELECT t.popularity, t.number FROM tracks t WHERE \(filter) AND t.popularity IS NOT NULL
                        ORDER BY 1 DESC, 2 DESC
                        """
                    case .plays: "SELECT t.plays, t.number FROM tracks t WHERE \(filter) ORDER BY 1 DESC, 2 DESC"
                    }
            case .albums:
                let isSeen: SQL =
                    "EXISTS (SELECT 1 FROM tracks t WHERE t.album = a.number AND \(try Self.filter(list, listener, &db)))"
                rows =
                    switch list.sort {
                    case .artist: "SELECT a.artist_sort, a.number FROM albums a WHERE \(isSeen) ORDER BY 1, 2"
                    case .added: "SELECT a.added_ms, a.number FROM albums a WHERE \(isSeen) ORDER BY 1 DESC, 2 DESC"
                    default: "SELECT a.sort, a.number FROM albums a WHERE \(isSeen) ORDER BY 1, 2"
                    }
            case .artists:
                rows = """
                    SELECT a.sort, a.number FROM artists a WHERE EXISTS (SELECT 1 FROM track_artists j
                        JOIN tracks t ON t.number = j.track
                        WHERE j.artist = a.number AND \(try Self.filter(list, listener, &db))) ORDER BY 1, 2
                    """
            case .genres:
                var seen = try genreCounts.counts(for: listener, in: &db)
                if list.scope == .own { seen = try GenreCounts.own(listener.uid, in: &db) }
                rows = """
                    SELECT g.sort, g.number FROM genres g
                    WHERE g.number IN (SELECT value FROM json_each(\(MusicObjects.list(Array(seen.keys)))))
                    ORDER BY 1, 2
                    """
            }
            var outline = ListOutline()
            let isByTexts = list.sort == .title || list.sort == .artist
            try db.forEach(rows) { row in
                let number: Int64 = try row[1]
                if isByTexts {
                    try row.withBlob(0) { outline.add(key: $0, number: number) }
                } else if list.sort == .popular {
                    let score: Double = try row[0]
                    outline.add(value: Int64(bitPattern: score.bitPattern), number: number)
                } else {
                    outline.add(value: try row[0], number: number)
                }
                return true
            }
            return outline.result
        }
    }

    /// The condition for tracks `t` of a whole list.
    ///
    /// To decide about each row of the index takes a look at its track: 110 ms over 100 000 in the order of titles. In the
    /// order of the table it takes 20 ms to find those that are not seen, which mostly are few; the index then is read alone.
    private static func outlineFilter(
        _ list: LibraryList, _ listener: Listener, _ db: inout ReadAccess
    ) throws -> SQL {
        guard list.scope == .all, list.artist == nil, list.genre == nil, listener.sight != .all else {
            return try filter(list, listener, &db)
        }
        return "t.number NOT IN (SELECT t.number FROM tracks t WHERE NOT \(Access.condition(for: listener)))"
    }
}
