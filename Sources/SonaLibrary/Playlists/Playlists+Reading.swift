internal import SonaDatabase
package import SonaModel
internal import SonaText
package import SonaWire

/// Reading playlists: pages of entries, lists of lists, and what is told of a change.
extension Playlists {
    // MARK: Entries

    /// A page of a list.
    ///
    /// - Throws: `playlistNotFound`, `invalid` for a cursor that is none, `busy`, `storage`.
    package func get(_ request: PlaylistGet, for listener: Listener) async throws(Refusal) -> PlaylistPage {
        let limit = min(max(request.limit, 1), Int(Limits.playlistPageCount.upperBound))
        let cursor = try request.cursor.map(Cursor.of)
        let (from, objects, now) = (request.from ?? 0, objects(for: listener), clock.nowMilliseconds())
        return try await finder.read { db in
            let list = try OpenPlaylist(request.playlist, for: listener, in: &db)
            guard var playlist = try objects.playlists([list.record], in: &db).first else {
                throw Refusal(.playlistNotFound)
            }
            if let rule = playlist.rule {
                let start = cursor?.place ?? from
                let all = try PlaylistRuleQuery(rule, owner: list.record.owner, now: now)
                    .tracks(for: listener, in: &db)
                return try Self.page(all, of: &playlist, start, limit, list.record, objects, &db)
            }
            let (rows, start) = try Self.rows(list, cursor, from, limit + 1, &db)
            let entries = Array(rows.prefix(limit))
            let next = start + entries.count
            return PlaylistPage(
                playlist: playlist, entries: try objects.entries(entries, in: &db), from: start,
                total: list.record.entryCount,
                nextCursor: rows.count > limit
                    ? entries.last.map { Cursor(list.record.generation, $0.key, $0.id, next).text } : nil)
        }
    }

    /// The entries of a page, and the place of the first.
    private static func rows(
        _ list: OpenPlaylist, _ cursor: Cursor?, _ from: Int, _ limit: Int, _ db: inout ReadAccess
    ) throws -> ([PlaylistEntryRecord], Int) {
        guard let cursor, cursor.generation == list.record.generation else {
            let start = cursor?.place ?? from
            let rows = try db.all(
                PlaylistEntryRecord.self,
                "WHERE playlist = \(list.number) ORDER BY key, id LIMIT \(limit) OFFSET \(start)")
            return (rows, min(start, list.record.entryCount))
        }
        let rows = try db.all(
            PlaylistEntryRecord.self,
            """
            WHERE playlist = \(list.number) AND (key, id) > (\(cursor.key), \(cursor.id))
            ORDER BY key, id LIMIT \(limit)
            """)
        let start: Int =
            try db.value(
                """
                SELECT count(*) FROM playlist_entries
                WHERE playlist = \(list.number) AND (key, id) <= (\(cursor.key), \(cursor.id))
                """) ?? 0
        return (rows, start)
    }

    /// A page of a smart list: its tracks are made by the rule when it is read.
    private static func page(
        _ all: [PlaylistRuleQuery.Found], of playlist: inout Playlist, _ start: Int, _ limit: Int,
        _ record: PlaylistRecord, _ objects: PlaylistObjects, _ db: inout ReadAccess
    ) throws -> PlaylistPage {
        let shown = all.dropFirst(start).prefix(limit)
        let tracks = try objects.tracks(shown.map(\.track), in: &db)
        let keys = FractionalKey.keys(between: nil, nil, count: min(all.count, start + limit))
        let entries = zip(shown, keys.dropFirst(start)).compactMap { found, key in
            tracks[found.track].map { track in
                PlaylistEntry(
                    id: track.id, key: key.text, track: track, by: nil, addedMilliseconds: track.addedMilliseconds)
            }
        }
        playlist.entryCount = all.count
        playlist.durationMilliseconds = all.reduce(0) { $0 + $1.durationMilliseconds }
        playlist.covers = try objects.covers(of: all.prefix(200).map { ($0.track, $0.album) }, in: &db)
        let next = start + shown.count
        return PlaylistPage(
            playlist: playlist, entries: entries, from: min(start, all.count), total: all.count,
            nextCursor: next < all.count
                ? shown.last.map { Cursor(record.generation, "a0", $0.id, next).text } : nil)
    }

    /// A page of a list in the shuffled order for a seed.
    ///
    /// - Throws: `playlistNotFound`, `busy`, `storage`.
    package func shuffled(
        _ request: PlaylistShuffled, for listener: Listener
    ) async throws(Refusal) -> PlaylistPage {
        let limit = min(max(request.limit, 1), Int(Limits.playlistPageCount.upperBound))
        let (objects, now) = (objects(for: listener), clock.nowMilliseconds())
        return try await finder.read { db in
            let list = try OpenPlaylist(request.playlist, for: listener, in: &db)
            guard var playlist = try objects.playlists([list.record], in: &db).first else {
                throw Refusal(.playlistNotFound)
            }
            if let rule = playlist.rule {
                let all = try PlaylistRuleQuery(rule, owner: list.record.owner, now: now)
                    .tracks(for: listener, in: &db)
                var byID: [MusicID: PlaylistRuleQuery.Found] = [:]
                for found in all { byID[found.id] = found }
                let order = PlaylistShuffle.order(all.map(\.id), seed: request.seed).compactMap { byID[$0] }
                var page = try Self.page(order, of: &playlist, request.from, limit, list.record, objects, &db)
                page.nextCursor = nil
                return page
            }
            let ids = try db.values("SELECT id FROM playlist_entries WHERE playlist = \(list.number)", as: MusicID.self)
            let shown = Array(
                PlaylistShuffle.order(ids, seed: request.seed).dropFirst(request.from).prefix(limit))
            let rows = try db.all(
                PlaylistEntryRecord.self,
                """
                WHERE playlist = \(list.number)
                    AND id IN (SELECT value FROM json_each(\(PlaylistEditor.json(shown))))
                """)
            var entries: [MusicID: PlaylistEntry] = [:]
            for entry in try objects.entries(rows, in: &db) { entries[entry.id] = entry }
            return PlaylistPage(
                playlist: playlist, entries: shown.compactMap { entries[$0] }, from: min(request.from, ids.count),
                total: ids.count, nextCursor: nil)
        }
    }

    /// What a smart playlist of the caller's with this rule would have now. Nothing is stored.
    ///
    /// - Throws: `busy` for a rule that takes too long, `storage`.
    package func preview(
        _ request: PlaylistPreview, for listener: Listener
    ) async throws(Refusal) -> PlaylistPreviewed {
        let owner = try Self.account(listener)
        let limit = min(max(request.limit, 1), Int(Limits.playlistPreviewCount.upperBound))
        let (objects, now) = (objects(for: listener), clock.nowMilliseconds())
        return try await finder.read { db in
            let all = try PlaylistRuleQuery(request.rule, owner: owner, now: now).tracks(for: listener, in: &db)
            let shown = all.prefix(limit)
            let tracks = try objects.tracks(shown.map(\.track), in: &db)
            return PlaylistPreviewed(
                total: all.count, durationMilliseconds: all.reduce(0) { $0 + $1.durationMilliseconds },
                tracks: shown.compactMap { tracks[$0.track] })
        }
    }

    /// The end of a page.
    private struct Cursor {
        let generation: Int64
        let key: String
        let id: MusicID
        /// The place of the next entry, for a list whose keys were made anew meanwhile.
        let place: Int

        init(_ generation: Int64, _ key: String, _ id: MusicID, _ place: Int) {
            self.generation = generation
            self.key = key
            self.id = id
            self.place = place
        }

        /// - Throws: `invalid`.
        static func of(_ text: String) throws(Refusal) -> Cursor {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 4, let generation = Int64(parts[0]), FractionalKey(parts[1]) != nil,
                let id = MusicID(parts[2]), let place = Int(parts[3]), 0...Limits.playlistEntriesMax ~= place
            else { throw Refusal(.requestInvalid, "This is no cursor of such a list.", field: "data.cursor") }
            return Cursor(generation, parts[1], id, place)
        }

        var text: String { "\(generation).\(key).\(id.rawValue).\(place)" }
    }

    // MARK: Lists

    /// - Throws: `accountRequired` for guests who ask for lists of their own, `userUnknown`, `invalid` for a cursor
    /// that is none, `busy`, `storage`.
    package func list(_ request: PlaylistList, for listener: Listener) async throws(Refusal) -> PlaylistListPage {
        if request.scope != .public { _ = try Self.account(listener) }
        let limit = min(max(request.limit, 1), Int(Limits.playlistPageCount.upperBound))
        var after: LibraryFinder.Place?
        if let cursor = request.cursor {
            guard let place = LibraryFinder.Place(cursor), place.value != nil else {
                throw Refusal(.requestInvalid, "This is no cursor of such a list.", field: "data.cursor")
            }
            after = place
        }
        let (place, objects) = (after, objects(for: listener))
        return try await finder.read { db in
            var condition = Self.condition(request.scope, listener)
            if let owner = request.owner {
                condition = "\(condition) AND p.owner_uid = \(try UserLookup.uid(of: owner, in: &db))"
            }
            if let query = request.query {
                let pattern = LibraryFinder.pattern(SearchKey(query).text)
                guard !pattern.isEmpty else { return PlaylistListPage(playlists: [], nextCursor: nil) }
                condition = """
                    \(condition) AND p.number IN (
                        SELECT rowid FROM playlists_search WHERE playlists_search MATCH \(pattern))
                    """
            }
            if let place {
                condition = "\(condition) AND (p.changed_ms, p.number) < (\(place.value ?? 0), \(place.number))"
            }
            var rows = try db.all(
                """
                SELECT \(PlaylistRecord.table.columnList) FROM playlists p WHERE \(condition)
                ORDER BY p.changed_ms DESC, p.number DESC LIMIT \(limit + 1)
                """
            ) { try PlaylistRecord(row: &$0) }
            var next: String?
            if rows.count > limit {
                rows.removeLast()
                next = rows.last.map { LibraryFinder.Place($0.changedMilliseconds, number: $0.number ?? 0).text }
            }
            return PlaylistListPage(playlists: try objects.playlists(rows, in: &db), nextCursor: next)
        }
    }

    private static func condition(_ scope: PlaylistScope, _ listener: Listener) -> SQL {
        let visible = OpenPlaylist.isPublic(for: listener)
        switch scope {
        case .own: return "p.owner_uid = \(listener.uid)"
        case .public: return visible
        case .shared:
            return """
                p.number IN (SELECT playlist FROM playlist_collaborators WHERE uid = \(listener.uid))
                    AND \(OpenPlaylist.showsOwner(to: listener))
                """
        case .pinned:
            return """
                p.number IN (SELECT playlist FROM playlist_pins WHERE uid = \(listener.uid))
                    AND (p.owner_uid = \(listener.uid) OR \(OpenPlaylist.showsOwner(to: listener)) AND (p.visibility <> 'private'
                        OR p.number IN (SELECT playlist FROM playlist_collaborators WHERE uid = \(listener.uid))))
                """
        }
    }

    // MARK: Changes

    /// What a listener is told of a change. A list that the listener does not see any more is gone.
    ///
    /// - Throws: `busy`, `storage`.
    package func event(
        of change: PlaylistChange, for listener: Listener
    ) async throws(Refusal) -> PlaylistChanged {
        let objects = objects(for: listener)
        return try await finder.read { db in
            var event = PlaylistChanged(
                id: change.id, version: change.version, before: change.before, playlist: nil,
                isReload: change.isReload)
            guard let list = try? OpenPlaylist(change.id, for: listener, in: &db) else { return event }
            event.playlist = try objects.playlists([list.record], in: &db).first
            event.added = try objects.entries(change.added, in: &db)
            event.moved = change.moved
            event.removed = change.removed
            return event
        }
    }
}
