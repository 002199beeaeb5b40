internal import SonaDatabase
package import SonaModel
internal import SonaText
package import SonaWire

/// The tracks that visitors without an account may ask a room for: those that guests of this server see. Visitors get
/// their titles and no sound.
extension RoomMusic {
    /// Finds tracks by the beginnings of their words, among those of a playlist or of the whole library.
    ///
    /// - Parameters:
    ///   - query: `nil`: any.
    ///   - playlist: Read as the room's owner sees it.
    /// - Returns: At most `Limits.songsFoundMax`, by title. Empty if the playlist is gone.
    /// - Throws: `busy`, `storage`.
    package func offered(
        matching query: String?, from playlist: MusicID?, of owner: UserID, to guest: Listener
    ) async throws(Refusal) -> [Track] {
        var matches: SQL = ""
        if let query {
            let pattern = LibraryFinder.pattern(SearchKey(query).text)
            guard !pattern.isEmpty else { return [] }
            matches =
                "AND t.number IN (SELECT rowid FROM tracks_search WHERE tracks_search MATCH \(pattern) LIMIT 2000)"
        }
        return try await offered(where: matches, from: playlist, of: owner, to: guest)
    }

    /// One track, if visitors may ask for it.
    ///
    /// - Throws: `trackNotFound`, `busy`, `storage`.
    package func offered(
        _ track: MusicID, from playlist: MusicID?, of owner: UserID, to guest: Listener
    ) async throws(Refusal) -> Track {
        let found = try await offered(where: "AND t.id = \(track)", from: playlist, of: owner, to: guest)
        guard let found = found.first else { throw Refusal(.trackNotFound) }
        return found
    }

    private func offered(
        where condition: SQL, from playlist: MusicID?, of owner: UserID, to guest: Listener
    ) async throws(Refusal) -> [Track] {
        let listener = try await listener(owner)
        let (objects, now) = (finder.objects(for: guest), tracks.clock.nowMilliseconds())
        return try await finder.read { db in
            var among: SQL = ""
            if let playlist {
                guard let list = try? OpenPlaylist(playlist, for: listener, in: &db) else { return [] }
                if let rule = list.record.rule.flatMap(PlaylistRule.init(stored:)) {
                    let numbers = try PlaylistRuleQuery(rule, owner: list.record.owner, now: now)
                        .tracks(for: listener, in: &db).map(\.track)
                    among = "AND t.number IN (SELECT value FROM json_each(\(MusicObjects.list(numbers))))"
                } else {
                    among = "AND t.number IN (SELECT track FROM playlist_entries WHERE playlist = \(list.number))"
                }
            }
            let rows = try db.all(
                """
                SELECT \(TrackRecord.table.columnList) FROM tracks t
                WHERE \(Access.condition(for: guest)) AND \(Access.condition(for: listener)) \(among) \(condition)
                ORDER BY t.title_sort, t.number LIMIT \(Limits.songsFoundMax)
                """
            ) { try TrackRecord(row: &$0) }
            return try objects.tracks(rows, in: &db).map { Track($0) }
        }
    }
}
