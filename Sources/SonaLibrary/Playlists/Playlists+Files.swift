internal import SonaDatabase
package import SonaModel
internal import SonaText
package import SonaWire

/// Playlists as files: out, and in again.
///
/// Source: Protocol/spec/playlists.md, "Files".
extension Playlists {
    // MARK: Out

    /// A list as the text of a file. Entries that the listener has no access to are left out.
    ///
    /// - Throws: `playlistNotFound`, `busy`, `storage`.
    package func export(_ request: PlaylistExport, for listener: Listener) async throws(Refusal) -> PlaylistFile {
        let now = clock.nowMilliseconds()
        let text = try await finder.read { db -> PlaylistText in
            let list = try OpenPlaylist(request.playlist, for: listener, in: &db)
            let rule = list.record.rule.flatMap(PlaylistRule.init(stored:))
            let tracks =
                try rule.map {
                    try PlaylistRuleQuery($0, owner: list.record.owner, now: now).tracks(for: listener, in: &db).map(
                        \.track)
                }
                ?? db.values(
                    """
                    SELECT t.number FROM playlist_entries e JOIN tracks t ON t.number = e.track
                    WHERE e.playlist = \(list.number) AND \(Access.condition(for: listener)) ORDER BY e.key, e.id
                    """, as: Int64.self)
            var items: [Int64: PlaylistText.Item] = [:]
            try db.forEach(
                """
                SELECT t.number, t.id, t.title, t.artist, t.album_name, t.duration_ms, f.name, d.path, m.name
                FROM tracks t LEFT JOIN music_files f ON f.track = t.number
                    LEFT JOIN music_directories d ON d.number = f.directory
                    LEFT JOIN music_folders m ON m.number = d.folder
                WHERE t.number IN (SELECT value FROM json_each(\(MusicObjects.list(tracks))))
                """
            ) { row in
                let number: Int64 = try row.next()
                items[number] = try Self.item(&row)
                return true
            }
            return PlaylistText(title: list.record.title, items: tracks.compactMap { items[$0] })
        }
        let (name, mediaType) =
            switch request.format {
            case .m3u8: ("m3u8", "application/vnd.apple.mpegurl")
            case .xspf: ("xspf", "application/xspf+xml")
            case .jspf: ("jspf", "application/json")
            }
        let title = String((text.title ?? "").map { $0 == "/" || $0 == "\\" || $0 == "\"" ? "_" : $0 })
        return PlaylistFile(name: "\(title).\(name)", mediaType: mediaType, text: text.text(request.format))
    }

    private static func item(_ row: inout Row) throws -> PlaylistText.Item {
        let id: MusicID = try row.next()
        let title: String = try row.next()
        let (artist, album): (String, String) = (try row.next(), try row.next())
        let duration: Int64 = try row.next()
        let (name, directory): ([UInt8]?, [UInt8]?) = (try row.next(), try row.next())
        let folder: String? = try row.next()
        let path = [
            folder, directory.map { String(decoding: $0, as: UTF8.self) },
            name.map { String(decoding: $0, as: UTF8.self) },
        ]
        .compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "/")
        return PlaylistText.Item(
            path: path.isEmpty ? nil : path, title: title, artist: artist.isEmpty ? nil : artist,
            album: album.isEmpty ? nil : album, durationMilliseconds: duration > 0 ? duration : nil, id: id)
    }

    // MARK: In

    /// Adds the tracks of a file to a list, or to a new one.
    ///
    /// They are added 500 at a time. A request of a key that was cut off goes on where it ended.
    ///
    /// - Throws: `playlistUnreadable`, `playlistFull`, and as `create` and `add`.
    package func read(
        _ request: PlaylistImport, by listener: Listener, title checked: (String) throws -> String
    ) async throws -> PlaylistImported {
        _ = try Self.account(listener)
        guard let file = PlaylistText.parse(request.text, request.format) else {
            throw Refusal(.playlistUnreadable, field: "data.text")
        }
        let found = try await find(file.items, for: listener)
        var list: Playlist
        if let id = request.playlist {
            list = try await get(PlaylistGet(playlist: id, limit: 1), for: listener).playlist
        } else {
            let title = try checked(request.title ?? Self.cut(file.title) ?? "Imported playlist")
            list = try await create(PlaylistCreate(title: title, key: request.key), by: listener)
        }
        var added = 0
        let tracks = found.compactMap { $0 }
        guard list.entryCount + tracks.count <= Limits.playlistEntriesMax || request.key != nil else {
            throw Refusal(.playlistFull)
        }
        for start in stride(from: 0, to: tracks.count, by: Limits.playlistBatch.upperBound) {
            let batch = Array(tracks[start..<min(start + Limits.playlistBatch.upperBound, tracks.count)])
            let edit = try await add(
                PlaylistAdd(playlist: list.id, tracks: batch, key: request.key.map { "\($0) \(start)" }), by: listener)
            added += edit.added.count
        }
        list = try await get(PlaylistGet(playlist: list.id, limit: 1), for: listener).playlist
        let missing = file.items.indices.filter { found[$0] == nil }
        return PlaylistImported(
            playlist: list, addedCount: added,
            missing: missing.prefix(Limits.playlistMissingMax).map { place in
                PlaylistMissing(place: place + 1, text: Self.line(file.items[place].line))
            }, missingCount: missing.count)
    }

    /// The title of a file as far as it may be the title of a list.
    private static func cut(_ title: String?) -> String? {
        guard let title else { return nil }
        var cut = String(title.map { $0.isNewline ? " " : $0 })
        while cut.utf8.count > Limits.playlistTitleBytes.upperBound { cut.removeLast() }
        return (try? Self.title(cut)) == nil ? nil : cut
    }

    private static func line(_ text: String) -> String {
        var line = String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter {
                    $0.value >= 0x20 && !(0x7F...0x9F ~= $0.value) && $0.value != 0x2028 && $0.value != 0x2029
                }))
        while line.utf8.count > Limits.musicTextBytesMax { line.removeLast() }
        return line
    }

    /// A track that an item may be.
    private struct Candidate {
        let id: MusicID
        let titleKey: String
        let artistKey: String
        let durationMilliseconds: Int64
        /// Components of the path, the last one last.
        var path: [String] = []
    }

    /// How much the length of a recording may differ between two files of it.
    private static let durationMilliseconds: Int64 = 3_000

    /// The tracks of items: by identifier, then by path, then by title, artist and length. Two passes over the library
    /// whatever the number of items.
    private func find(
        _ items: [PlaylistText.Item], for listener: Listener
    ) async throws(Refusal) -> [MusicID?] {
        let condition = Access.condition(for: listener)
        let paths = items.map { $0.path.map(PlaylistText.components) ?? [] }
        let names = Self.texts(paths.compactMap(\.last))
        let keys = items.map { item in item.title.map { SearchKey($0).text } ?? "" }
        let titles = Self.texts(keys)
        let ids = PlaylistEditor.json(items.compactMap(\.id))
        let (known, byName, byTitle) = try await dao.read { db in
            let known = Set(
                try db.values(
                    "SELECT t.id FROM tracks t WHERE t.id IN (SELECT value FROM json_each(\(ids))) AND \(condition)",
                    as: MusicID.self))
            var byName: [String: [Candidate]] = [:]
            try db.forEach(
                """
                SELECT t.id, t.title_key, t.artist_key, t.duration_ms, m.name, d.path, f.name
                FROM music_files f JOIN tracks t ON t.number = f.track
                    LEFT JOIN music_directories d ON d.number = f.directory
                    LEFT JOIN music_folders m ON m.number = d.folder
                WHERE f.name IN (SELECT CAST(value AS BLOB) FROM json_each(\(names))) AND \(condition)
                """
            ) { row in
                var candidate = try Self.candidate(&row)
                let folder: String? = try row.next()
                let directory: [UInt8]? = try row.next()
                let name = String(decoding: try row.next([UInt8]?.self) ?? [], as: UTF8.self)
                candidate.path =
                    (folder.map { [$0] } ?? [])
                    + PlaylistText.components(String(decoding: directory ?? [], as: UTF8.self)) + [name]
                byName[name, default: []].append(candidate)
                return true
            }
            var byTitle: [String: [Candidate]] = [:]
            try db.forEach(
                """
                SELECT t.id, t.title_key, t.artist_key, t.duration_ms FROM tracks t
                WHERE t.title_key IN (SELECT value FROM json_each(\(titles))) AND \(condition)
                """
            ) { row in
                let candidate = try Self.candidate(&row)
                byTitle[candidate.titleKey, default: []].append(candidate)
                return true
            }
            return (known, byName, byTitle)
        }
        return items.indices.map { place in
            let item = items[place]
            if let id = item.id, known.contains(id) { return id }
            if let name = paths[place].last, let id = Self.best(byName[name] ?? [], paths[place], item) { return id }
            return Self.best(byTitle[keys[place]] ?? [], item)
        }
    }

    private static func texts(_ texts: [String]) -> String {
        let distinct = Set(texts.filter { !$0.isEmpty })
        return String(decoding: SonaWire.JSON.array(distinct.map { .string($0) }).encoded(), as: UTF8.self)
    }

    private static func candidate(_ row: inout Row) throws -> Candidate {
        Candidate(
            id: try row.next(), titleKey: try row.next(), artistKey: try row.next(),
            durationMilliseconds: try row.next())
    }

    /// The candidate whose path has most in common with that of the item, from its end. If only names of files are
    /// the same, that is enough if nothing else of the item says otherwise.
    private static func best(_ candidates: [Candidate], _ path: [String], _ item: PlaylistText.Item) -> MusicID? {
        let common = candidates.map { candidate in
            zip(candidate.path.reversed(), path.reversed()).prefix { $0 == $1 }.count
        }
        guard let most = common.max() else { return nil }
        let best = zip(candidates, common).filter { $1 == most }.map(\.0).filter { most > 1 || fits($0, item) }
        return best.count == 1 || most > 1 ? best.first?.id : nil
    }

    private static func fits(_ candidate: Candidate, _ item: PlaylistText.Item) -> Bool {
        if let duration = item.durationMilliseconds {
            return abs(candidate.durationMilliseconds - duration) <= durationMilliseconds
        }
        return true
    }

    /// The candidate of the same title by the same artist, of nearly the same length. An item without an artist must
    /// have one candidate alone.
    private static func best(_ candidates: [Candidate], _ item: PlaylistText.Item) -> MusicID? {
        let fitting = candidates.filter { fits($0, item) }
        guard let artist = item.artist.map({ SearchKey($0).text }), !artist.isEmpty else {
            return fitting.count == 1 ? fitting.first?.id : nil
        }
        let duration = item.durationMilliseconds
        return fitting.filter { $0.artistKey == artist }.min { one, other in
            guard let duration else { return false }
            return abs(one.durationMilliseconds - duration) < abs(other.durationMilliseconds - duration)
        }?.id
    }
}
