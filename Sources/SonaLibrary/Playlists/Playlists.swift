internal import SonaDatabase
package import SonaModel
internal import SonaText
package import SonaWire

/// Playlists: making, changing and erasing them. Each change is one transaction, in which everything is decided.
///
/// Durable plane.
package struct Playlists: Sendable {
    let dao: PlaylistDAO
    let finder: LibraryFinder
    let clock: WallClock
    let journal: Journal
    let announcer = PlaylistAnnouncer()

    init(_ dao: PlaylistDAO, finder: LibraryFinder, journal: Journal, clock: WallClock) {
        self.dao = dao
        self.finder = finder
        self.journal = journal
        self.clock = clock
    }

    /// Has changes told, in the order of their versions. The handler only takes the change.
    package func onChange(_ handler: @escaping @Sendable (PlaylistChange) -> Void) { announcer.setHandler(handler) }

    func objects(for listener: Listener) -> PlaylistObjects { PlaylistObjects(music: finder.objects(for: listener)) }

    /// The account that asks.
    ///
    /// - Throws: `accountRequired` for guests.
    static func account(_ listener: Listener) throws(Refusal) -> UserID {
        guard let uid = listener.uid else { throw .accountRequired }
        return uid
    }

    // MARK: Texts

    /// - Throws: `playlistInvalidName`.
    static func title(_ typed: String) throws(Refusal) -> String {
        var rules = DisplayText.Rules.name
        rules.bytesMax = Limits.playlistTitleBytes.upperBound
        guard let title = try? DisplayText(typed, rules).text else {
            throw Refusal(.playlistInvalidName, field: "data.title")
        }
        return title
    }

    /// - Throws: `invalid`.
    static func about(_ typed: String) throws(Refusal) -> String {
        var rules = DisplayText.Rules.lines
        rules.bytesMax = Limits.playlistDescriptionBytes.upperBound
        guard let text = try? DisplayText(typed, rules).text else {
            throw Refusal(.requestInvalid, "This can't be shown as a description.", field: "data.description")
        }
        return text
    }

    // MARK: Making

    /// Makes a playlist. A request of a key that was answered before gets the same list again.
    ///
    /// - Throws: `playlistInvalidName`, `playlistLimitReached`, `trackNotFound` if none of the tracks is seen,
    ///   `accountRequired`, `forbidden`, `invalid`, `busy`, `storage`.
    package func create(_ request: PlaylistCreate, by listener: Listener) async throws(Refusal) -> Playlist {
        let uid = try Self.account(listener)
        let record = PlaylistRecord(
            owner: uid, title: try Self.title(request.title), about: try Self.about(request.about),
            visibility: request.visibility, rule: request.rule?.stored, requestKey: request.key,
            now: clock.nowMilliseconds())
        guard request.rule == nil || request.tracks.isEmpty else { throw Refusal(.playlistSmart, field: "data.tracks") }
        let (now, objects) = (record.createdMilliseconds, objects(for: listener))
        let (made, change) = try await dao.write { db in
            if let same = try Self.made(by: uid, request.key, objects, &db) { return (same, nil as PlaylistChange?) }
            let list = try Self.insert(record, by: uid, now: now, for: listener, &db)
            var editor = request.tracks.isEmpty ? nil : try PlaylistEditor(list, version: nil, by: uid, now: now)
            if editor != nil {
                let additions = try Self.additions(request.tracks, for: listener, &db)
                try editor?.add(additions.found, at: .end, &db)
                _ = try editor?.finish(&db)
            }
            let made = editor?.list ?? list
            let change = PlaylistChange(
                id: record.id, number: list.number, before: 0, version: made.record.version, audience: [uid])
            return (try Self.object(made.record, objects, &db), change)
        }
        if let change { announcer.tell(change) }
        return made
    }

    /// The list that a request of the same key made before.
    static func made(
        by uid: UserID, _ key: String?, _ objects: PlaylistObjects, _ db: inout WriteAccess
    ) throws -> Playlist? {
        guard let key,
            let same = try db.first(PlaylistRecord.self, "WHERE owner_uid = \(uid) AND request_key = \(key)")
        else { return nil }
        return try object(same, objects, &db)
    }

    static func object(
        _ record: PlaylistRecord, _ objects: PlaylistObjects, _ db: inout WriteAccess
    ) throws -> Playlist {
        guard let list = try objects.playlists([record], in: &db).first else { throw Refusal(.playlistNotFound) }
        return list
    }

    static func insert(
        _ record: PlaylistRecord, by uid: UserID, now: Int64, for listener: Listener, _ db: inout WriteAccess
    ) throws -> OpenPlaylist {
        try AdminRights.require(.libraryCollect, of: uid, now: now, in: &db)
        let count: Int = try db.value("SELECT count(*) FROM playlists WHERE owner_uid = \(uid)") ?? 0
        guard count < Limits.playlistsPerAccountMax else { throw Refusal(.playlistLimitReached) }
        try db.insert(record)
        return try OpenPlaylist(record.id, for: listener, in: &db)
    }

    /// Copies a list with the entries that the listener sees. The copy of a smart one has the same rule.
    ///
    /// - Throws: `playlistNotFound`, `playlistLimitReached`, `accountRequired`, `forbidden`, `busy`, `storage`.
    package func copy(_ request: PlaylistCopy, by listener: Listener) async throws(Refusal) -> Playlist {
        let uid = try Self.account(listener)
        let title = try request.title.map(Self.title)
        let (now, objects) = (clock.nowMilliseconds(), objects(for: listener))
        let (made, change) = try await dao.write { db in
            if let same = try Self.made(by: uid, request.key, objects, &db) { return (same, nil as PlaylistChange?) }
            let original = try OpenPlaylist(request.playlist, for: listener, in: &db)
            let record = PlaylistRecord(
                owner: uid, title: title ?? original.record.title, about: original.record.about, visibility: .private,
                rule: original.record.rule, requestKey: request.key, now: now)
            var copy = try Self.insert(record, by: uid, now: now, for: listener, &db)
            let rows = try db.all(
                """
                SELECT t.number, t.duration_ms FROM playlist_entries e JOIN tracks t ON t.number = e.track
                WHERE e.playlist = \(original.number) AND \(Access.condition(for: listener)) ORDER BY e.key, e.id
                """
            ) { row in (track: try row.next(Int64.self), duration: try row.next(Int64.self)) }
            let keys = FractionalKey.keys(between: nil, nil, count: rows.count)
            try db.insert(
                contentsOf: zip(rows, keys).map { row, key in
                    PlaylistEntryRecord(
                        number: nil, playlist: copy.number, id: .random(milliseconds: now), key: key.text,
                        track: row.track, by: uid, addedMilliseconds: now, durationMilliseconds: row.duration)
                })
            copy.record.entryCount = rows.count
            copy.record.durationMilliseconds = rows.reduce(0) { $0 + $1.duration }
            _ = try db.update(copy.record)
            let change = PlaylistChange(
                id: record.id, number: copy.number, before: 0, version: copy.record.version, audience: [uid])
            return (try Self.object(copy.record, objects, &db), change)
        }
        if let change { announcer.tell(change) }
        return made
    }

    // MARK: Changing

    /// Changes title, description, visibility or rule. Its owner may; the title and the description also collaborators.
    ///
    /// - Throws: `playlistNotFound`, `playlistForbidden`, `playlistConflict`, `playlistInvalidName`, `playlistSmart`
    /// for the rule of a list that has none, `accountRequired`, `invalid`, `busy`, `storage`.
    package func update(_ request: PlaylistUpdate, by listener: Listener) async throws(Refusal) -> Playlist {
        let uid = try Self.account(listener)
        let title = try request.title.map(Self.title)
        let about = try request.about.map(Self.about)
        let (now, objects) = (clock.nowMilliseconds(), objects(for: listener))
        let (updated, change) = try await dao.write { db in
            try AdminRights.require(.libraryCollect, of: uid, now: now, in: &db)
            var list = try OpenPlaylist(request.playlist, for: listener, in: &db)
            try list.requireEditor()
            if request.visibility != nil || request.rule != nil { try list.requireOwner() }
            if request.rule != nil, list.record.rule == nil { throw Refusal(.playlistSmart, field: "data.rule") }
            try list.require(version: request.version)
            let old = list.record
            // Told of the list's end: those who see it no longer.
            let audience = try list.audience(in: &db)
            if let title { (list.record.title, list.record.key) = (title, SearchKey(title).text) }
            list.record.about = about ?? old.about
            list.record.visibility = request.visibility ?? old.visibility
            list.record.rule = request.rule?.stored ?? old.rule
            guard list.record != old else { return (try Self.object(old, objects, &db), nil as PlaylistChange?) }
            list.record.version += 1
            list.record.changedMilliseconds = max(now, old.changedMilliseconds)
            _ = try db.update(list.record)
            var change = PlaylistChange(
                id: old.id, number: list.number, before: old.version, version: list.record.version, audience: audience)
            change.isReload = list.record.rule != old.rule
            return (try Self.object(list.record, objects, &db), change)
        }
        if let change { announcer.tell(change) }
        return updated
    }

    /// Erases a list, with its entries and all pins. Who may take down what others made erases theirs, too; that is a
    /// line of the journal.
    ///
    /// - Throws: `playlistNotFound`, `playlistForbidden`, `accountRequired`, `busy`, `storage`.
    package func delete(_ id: MusicID, by listener: Listener) async throws(Refusal) {
        let uid = try Self.account(listener)
        let (now, journal) = (clock.nowMilliseconds(), journal)
        let change = try await dao.write { db in
            try AdminRights.require(.libraryCollect, of: uid, now: now, in: &db)
            let list = try OpenPlaylist(id, for: listener, in: &db)
            if list.role != .owner {
                do { try AdminRights.require(.contentTakeDown, of: uid, now: now, in: &db) } catch {
                    throw Refusal(.playlistForbidden)
                }
                try journal.append(
                    JournalEntry(
                        .takenDown, actor: uid, user: list.record.owner, ["playlist": .text(id.rawValue)]), in: &db)
            }
            let change = PlaylistChange(
                id: id, number: list.number, before: list.record.version, version: list.record.version + 1,
                audience: try list.audience(in: &db))
            _ = try db.delete(PlaylistRecord.self, key: list.number)
            return change
        }
        announcer.tell(change)
    }

    /// Keeps a list among one's own, or no longer. Twice is no error.
    ///
    /// - Throws: `playlistNotFound`, also for a private one of somebody else; `playlistLimitReached`,
    ///   `accountRequired`, `busy`, `storage`.
    package func pin(_ request: PlaylistPin, by listener: Listener) async throws(Refusal) -> Playlist {
        let uid = try Self.account(listener)
        let (now, objects) = (clock.nowMilliseconds(), objects(for: listener))
        let (list, change) = try await dao.write { db in
            try AdminRights.require(.libraryCollect, of: uid, now: now, in: &db)
            let list = try OpenPlaylist(request.playlist, for: listener, in: &db)
            let key = PlaylistUserKey(list.number, uid)
            let isPinned = try db.exists(PlaylistPinRecord.self, key: key)
            var change: PlaylistChange?
            if isPinned != request.isPinned {
                if request.isPinned {
                    let count: Int = try db.value("SELECT count(*) FROM playlist_pins WHERE uid = \(uid)") ?? 0
                    guard count < Limits.playlistPinsMax else { throw Refusal(.playlistLimitReached) }
                    try db.insert(PlaylistPinRecord(playlist: list.number, uid: uid, pinnedMilliseconds: now))
                } else {
                    _ = try db.delete(PlaylistPinRecord.self, key: key)
                }
                change = PlaylistChange(
                    id: list.record.id, number: list.number, before: list.record.version,
                    version: list.record.version, audience: [uid])
            }
            return (try Self.object(list.record, objects, &db), change)
        }
        if let change { announcer.tell(change) }
        return list
    }
}

extension PlaylistRecord {
    /// A new list without entries.
    init(
        owner: UserID, title: String, about: String, visibility: PlaylistVisibility, rule: String?,
        requestKey: String?, now: Int64
    ) {
        self.init(
            number: nil, id: .random(milliseconds: now), owner: owner, title: title, key: SearchKey(title).text,
            about: about, visibility: visibility, rule: rule, requestKey: requestKey, createdMilliseconds: now,
            changedMilliseconds: now)
    }
}
