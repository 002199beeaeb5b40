internal import SonaDatabase
package import SonaModel
package import SonaWire

/// Adding, removing and moving entries.
///
/// Requests without a version go by entries, not by places: edits that two devices made apart come together. An add
/// that comes twice adds once, a move of an entry that is gone is not done, and removing twice is no error.
extension Playlists {
    /// - Throws: `playlistNotFound`, `playlistForbidden`, `playlistSmart`, `playlistConflict`, `playlistFull`,
    ///   `trackNotFound` if none of the tracks is seen, `albumNotFound`, `accountRequired`, `busy`, `storage`.
    package func add(_ request: PlaylistAdd, by listener: Listener) async throws(Refusal) -> PlaylistEdit {
        try await edit(request.playlist, request.version, by: listener) { uid, editor, db in
            var additions = try Self.additions(
                request.tracks, request.entries, for: listener, mayBeNone: request.album != nil, &db)
            if let album = request.album { additions.found += try Self.additions(album, for: listener, &db) }
            if let key = request.key {
                for (place, addition) in additions.found.enumerated() where addition.entry == nil {
                    additions.found[place].entry = PlaylistEditor.entry(
                        key, by: uid, editor.list.record, place: place, track: addition.trackID)
                }
            }
            if request.isWithoutDuplicates {
                additions.found = try Self.withoutDuplicates(additions.found, in: editor.list, &editor, &db)
            }
            editor.skip(additions.unseen)
            try editor.add(additions.found, at: request.target, &db)
        }
    }

    /// - Throws: `playlistNotFound`, `playlistForbidden`, `playlistSmart`, `playlistConflict`, `accountRequired`,
    /// `busy`, `storage`.
    package func remove(_ request: PlaylistRemove, by listener: Listener) async throws(Refusal) -> PlaylistEdit {
        try await edit(request.playlist, request.version, by: listener) { _, editor, db in
            try editor.remove(request.entries, &db)
        }
    }

    /// - Throws: As `remove`.
    package func move(_ request: PlaylistMove, by listener: Listener) async throws(Refusal) -> PlaylistEdit {
        try await edit(request.playlist, request.version, by: listener) { _, editor, db in
            try editor.move(request.entries, to: request.target, &db)
        }
    }

    private func edit(
        _ id: MusicID, _ version: Int64?, by listener: Listener,
        _ body: @escaping @Sendable (UserID, inout PlaylistEditor, inout WriteAccess) throws -> Void
    ) async throws(Refusal) -> PlaylistEdit {
        let uid = try Self.account(listener)
        let now = clock.nowMilliseconds()
        let (edit, change) = try await dao.write { db in
            try AdminRights.require(.libraryCollect, of: uid, now: now, in: &db)
            let list = try OpenPlaylist(id, for: listener, in: &db)
            var editor = try PlaylistEditor(list, version: version, by: uid, now: now)
            try body(uid, &editor, &db)
            return try editor.finish(&db)
        }
        if let change { announcer.tell(change) }
        return edit
    }

    // MARK: Tracks

    /// What is added for tracks, in their order, and those that the listener does not see.
    ///
    /// - Throws: `trackNotFound` if none is seen.
    static func additions(
        _ tracks: [MusicID], _ entries: [MusicID]? = nil, for listener: Listener, mayBeNone: Bool = false,
        _ db: inout WriteAccess
    ) throws -> (found: [PlaylistEditor.Addition], unseen: [MusicID]) {
        var known: [MusicID: (number: Int64, duration: Int64)] = [:]
        try db.forEach(
            """
            SELECT t.id, t.number, t.duration_ms FROM tracks t
            WHERE t.id IN (SELECT value FROM json_each(\(PlaylistEditor.json(tracks))))
                AND \(Access.condition(for: listener))
            """
        ) { row in
            known[try row.next()] = (try row.next(), try row.next())
            return true
        }
        var found: [PlaylistEditor.Addition] = []
        var unseen: [MusicID] = []
        for (place, id) in tracks.enumerated() {
            guard let track = known[id] else {
                unseen.append(id)
                continue
            }
            found.append(
                PlaylistEditor.Addition(
                    track: track.number, trackID: id, durationMilliseconds: track.duration, entry: entries?[place]))
        }
        guard !found.isEmpty || mayBeNone else { throw Refusal(.trackNotFound) }
        return (found, unseen)
    }

    /// The tracks of an album that the listener sees, in its order.
    ///
    /// - Throws: `albumNotFound` if there is none.
    private static func additions(
        _ album: MusicID, for listener: Listener, _ db: inout WriteAccess
    ) throws -> [PlaylistEditor.Addition] {
        let found = try db.all(
            """
            SELECT t.number, t.id, t.duration_ms FROM tracks t
            WHERE t.album = (SELECT number FROM albums WHERE id = \(album)) AND \(Access.condition(for: listener))
            ORDER BY t.disc, t.place, t.number LIMIT \(Limits.playlistBatch.upperBound)
            """
        ) { row in
            PlaylistEditor.Addition(
                track: try row.next(), trackID: try row.next(), durationMilliseconds: try row.next(), entry: nil)
        }
        guard !found.isEmpty else { throw Refusal(.albumNotFound) }
        return found
    }

    private static func withoutDuplicates(
        _ additions: [PlaylistEditor.Addition], in list: OpenPlaylist, _ editor: inout PlaylistEditor,
        _ db: inout WriteAccess
    ) throws -> [PlaylistEditor.Addition] {
        var there = Set(
            try db.values(
                """
                SELECT track FROM playlist_entries
                WHERE track IN (SELECT value FROM json_each(\(MusicObjects.list(additions.map(\.track)))))
                    AND playlist = \(list.number)
                """, as: Int64.self))
        var kept: [PlaylistEditor.Addition] = []
        for addition in additions {
            if there.insert(addition.track).inserted { kept.append(addition) } else { editor.skip([addition.trackID]) }
        }
        return kept
    }
}
