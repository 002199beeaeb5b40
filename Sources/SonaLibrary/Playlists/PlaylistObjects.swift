internal import SonaDatabase
internal import SonaModel
internal import SonaWire

/// Makes the objects of messages about playlists out of rows, a few statements for a whole page.
struct PlaylistObjects {
    let music: MusicObjects
    private var listener: Listener { music.listener }

    /// Entries that are looked at for the covers of one list.
    private static let coverEntries = 200
    private static let coversMax = 4

    // MARK: Playlists

    /// Lists that the listener may see, in the order of the rows.
    func playlists(
        _ rows: [PlaylistRecord], in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [Playlist] {
        let numbers = MusicObjects.list(rows.compactMap(\.number))
        let owners = try users(rows.map(\.owner), in: &db)
        var collaborators: [Int64: Int] = [:]
        try db.forEach(
            """
            SELECT playlist, count(*) FROM playlist_collaborators
            WHERE playlist IN (SELECT value FROM json_each(\(numbers))) GROUP BY playlist
            """
        ) { row in
            collaborators[try row.next()] = try row.next(Int.self)
            return true
        }
        var (pinned, joined): (Set<Int64>, Set<Int64>) = ([], [])
        if let uid = listener.uid {
            pinned = Set(
                try db.values(
                    """
                    SELECT playlist FROM playlist_pins
                    WHERE uid = \(uid) AND playlist IN (SELECT value FROM json_each(\(numbers)))
                    """, as: Int64.self))
            joined = Set(
                try db.values(
                    """
                    SELECT playlist FROM playlist_collaborators
                    WHERE uid = \(uid) AND playlist IN (SELECT value FROM json_each(\(numbers)))
                    """, as: Int64.self))
        }
        let opinions = try music.opinions(.playlist, numbers, in: &db)
        let pictures = try Self.pictures(numbers, in: &db)
        var lists: [Playlist] = []
        for row in rows {
            guard let number = row.number else { continue }
            lists.append(
                Playlist(
                    id: row.id, owner: owners[row.owner] ?? User(uid: row.owner, username: nil, isGuest: false),
                    title: row.title, about: row.about, visibility: row.visibility, version: row.version,
                    entryCount: row.entryCount, durationMilliseconds: row.durationMilliseconds,
                    covers: try covers(of: row, number, in: &db), rule: row.rule.flatMap(PlaylistRule.init(stored:)),
                    role: row.owner == listener.uid ? .owner : joined.contains(number) ? .collaborator : .listener,
                    isPinned: pinned.contains(number), collaboratorCount: collaborators[number] ?? 0,
                    createdMilliseconds: row.createdMilliseconds, changedMilliseconds: row.changedMilliseconds,
                    isLiked: opinions?[number]?.isLiked ?? music.isNotLiked, rating: opinions?[number]?.rating,
                    picture: pictures[number]))
        }
        return lists
    }

    /// The lists' own pictures.
    ///
    /// - Parameter numbers: The lists as a JSON array.
    static func pictures(
        _ numbers: String, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [Int64: Photo] {
        var pictures: [Int64: Photo] = [:]
        try db.forEach(
            """
            SELECT playlist, id, color, foreground, width, height FROM playlist_pictures
            WHERE playlist IN (SELECT value FROM json_each(\(numbers)))
            """
        ) { row in
            pictures[try row.next()] = try Photo(row: &row)
            return true
        }
        return pictures
    }

    private func users(
        _ uids: [UserID], in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [UserID: User] {
        var users: [UserID: User] = [:]
        for uid in Set(uids) {
            let found = try db.first("SELECT username FROM users WHERE uid = \(uid)") { try $0.next(Username?.self) }
            if let name = found { users[uid] = User(uid: uid, username: name, isGuest: false) }
        }
        return users
    }

    // MARK: Covers

    /// The covers of the first four different albums among the entries that the listener sees. A track on no album
    /// counts as one of its own.
    private func covers(
        of row: PlaylistRecord, _ number: Int64, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [MusicCover] {
        guard row.rule == nil, row.entryCount > 0 else { return [] }
        let tracks = try db.all(
            """
            SELECT t.number, t.album FROM (SELECT track, key, id FROM playlist_entries WHERE playlist = \(number)
                    ORDER BY key, id LIMIT \(Self.coverEntries)) e
                JOIN tracks t ON t.number = e.track WHERE \(Access.condition(for: listener)) ORDER BY e.key, e.id
            """
        ) { row in (track: try row.next(Int64.self), album: try row.next(Int64?.self)) }
        return try covers(of: tracks, in: &db)
    }

    /// The same for tracks and their albums, in order.
    func covers(
        of tracks: [(track: Int64, album: Int64?)], in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [MusicCover] {
        var albums: Set<Int64> = []
        var singles: Set<Int64> = []
        // Not every album has a cover: a few more than are wanted.
        let firsts = tracks.filter { track in
            if let album = track.album { return albums.insert(album).inserted }
            return singles.insert(track.track).inserted
        }.prefix(Self.coversMax * 4).map(\.track)
        let sources = try CoverSource.find(firsts, in: &db)
        return firsts.compactMap { sources[$0].map(music.covers.cover) }.prefix(Self.coversMax).map { $0 }
    }

    // MARK: Entries

    /// Entries with their tracks. One whose track the listener does not see is a gap.
    func entries(
        _ rows: [PlaylistEntryRecord], in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [PlaylistEntry] {
        let found = try tracks(Array(Set(rows.compactMap(\.track))), in: &db)
        let people = try users(rows.compactMap(\.by), in: &db)
        return rows.map { row in
            PlaylistEntry(
                id: row.id, key: row.key, track: row.track.flatMap { found[$0] }, by: row.by.flatMap { people[$0] },
                addedMilliseconds: row.addedMilliseconds)
        }
    }

    /// Tracks that the listener sees, by their numbers.
    func tracks(
        _ numbers: [Int64], in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [Int64: MusicTrack] {
        let rows = try db.all(
            TrackRecord.self, "WHERE number IN (SELECT value FROM json_each(\(MusicObjects.list(numbers))))")
        var ids: [MusicID: Int64] = [:]
        for row in rows { ids[row.id] = row.number }
        var tracks: [Int64: MusicTrack] = [:]
        for track in try music.tracks(rows, in: &db) {
            if let number = ids[track.id] { tracks[number] = track }
        }
        return tracks
    }
}

extension PlaylistRule {
    /// The rule as it is stored; `nil` if it is of a later server.
    init?(stored text: String) {
        guard let json = try? SonaWire.JSON.parse(Array(text.utf8)), let rule = try? PlaylistRule(json) else {
            return nil
        }
        self = rule
    }

    /// The rule as a column has it.
    var stored: String { String(decoding: encoded(), as: UTF8.self) }
}
