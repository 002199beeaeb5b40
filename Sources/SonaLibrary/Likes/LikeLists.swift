internal import SonaDatabase
package import SonaModel
package import SonaWire

/// Lists of what an account likes, the last like first.
///
/// Source: Protocol/spec/likes.md, "like.list".
extension LibraryFinder {
    /// - Throws: `invalid` for a cursor that is none; `accountRequired`, `busy`, `storage`.
    package func likes(_ request: LikeList, for listener: Listener) async throws(Refusal) -> LikePage {
        guard let uid = listener.uid else { throw .accountRequired }
        var after: Place?
        if let cursor = request.cursor {
            guard let place = Place(cursor), place.value != nil else {
                throw Refusal(.requestInvalid, "This is no cursor of such a list.", field: "data.cursor")
            }
            after = place
        }
        let (kind, limit, place, objects) = (request.kind, request.limit, after, objects(for: listener))
        return try await read { db in
            var rest: SQL = ""
            if let place {
                rest = "AND (o.liked_ms, o.\(kind.column)) < (\(place.value ?? 0), \(place.number))"
            }
            var rows = try db.all(
                """
                SELECT o.\(kind.column), x.id, o.liked_ms FROM \(kind.opinions) o
                JOIN \(kind.things) x ON x.number = o.\(kind.column)
                WHERE o.uid = \(uid) AND o.liked_ms IS NOT NULL \(rest)
                ORDER BY o.liked_ms DESC, o.\(kind.column) DESC LIMIT \(limit + 1)
                """
            ) { row in LikeRow(number: try row.next(), id: try row.next(), milliseconds: try row.next()) }
            var next: String?
            if rows.count > limit {
                rows.removeLast()
                next = rows.last.map { Place($0.milliseconds, number: $0.number).text }
            }
            let count: Int =
                try db.value(
                    "SELECT count(*) FROM \(kind.opinions) WHERE uid = \(uid) AND liked_ms IS NOT NULL") ?? 0
            return LikePage(likes: try Self.items(rows, kind, objects, &db), count: count, nextCursor: next)
        }
    }

    private struct LikeRow {
        let number: Int64
        let id: MusicID
        let milliseconds: Int64
    }

    private static func items(
        _ rows: [LikeRow], _ kind: LikeKind, _ objects: MusicObjects, _ db: inout ReadAccess
    ) throws -> [LikedItem] {
        var items = rows.map { LikedItem(id: $0.id, likedMilliseconds: $0.milliseconds) }
        let numbers = MusicObjects.list(rows.map(\.number))
        func fill<Object>(_ objects: [Object], _ id: KeyPath<Object, MusicID>, _ set: (inout LikedItem, Object) -> Void)
        {
            let byID = Dictionary(objects.map { ($0[keyPath: id], $0) }) { first, _ in first }
            for index in items.indices { if let object = byID[items[index].id] { set(&items[index], object) } }
        }
        switch kind {
        case .track:
            let rows = try db.all(TrackRecord.self, "WHERE number IN (SELECT value FROM json_each(\(numbers)))")
            fill(try objects.tracks(rows, in: &db), \.id) { $0.track = $1 }
        case .album:
            let rows = try db.all(AlbumRecord.self, "WHERE number IN (SELECT value FROM json_each(\(numbers)))")
            fill(try objects.albums(rows, in: &db), \.id) { $0.album = $1 }
        case .artist:
            let rows = try db.all(ArtistRecord.self, "WHERE number IN (SELECT value FROM json_each(\(numbers)))")
            fill(try objects.artists(rows, in: &db), \.id) { $0.artist = $1 }
        case .playlist:
            let rows = try db.all(
                """
                SELECT \(PlaylistRecord.table.columnList) FROM playlists p
                WHERE p.number IN (SELECT value FROM json_each(\(numbers)))
                    AND \(LikeKind.isSeenPlaylist(by: objects.listener))
                """
            ) { try PlaylistRecord(row: &$0) }
            fill(try PlaylistObjects(music: objects).playlists(rows, in: &db), \.id) { $0.playlist = $1 }
        }
        return items
    }
}
