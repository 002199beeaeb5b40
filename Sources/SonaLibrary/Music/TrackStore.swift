internal import SonaDatabase
internal import SonaMedia
package import SonaModel
package import SonaWire

/// Changes of tracks, and the way to their files.
package struct TrackStore: Sendable {
    let dao: MusicDAO
    private let files: TrackFiles
    let uploads: Uploads
    let journal: Journal
    let notifications: Notifications
    let clock: WallClock

    init(
        _ dao: MusicDAO, _ files: TrackFiles, uploads: Uploads, journal: Journal, notifications: Notifications,
        clock: WallClock
    ) {
        self.notifications = notifications
        self.dao = dao
        self.files = files
        self.uploads = uploads
        self.journal = journal
        self.clock = clock
    }

    // MARK: Files

    /// A track's file, open for reading.
    package struct OpenTrack: Sendable {
        /// The caller closes it.
        package let descriptor: Int32
        /// The format, a word of `SoundKind`.
        package let kind: String
        /// Tells one state of the file from all others.
        package let tag: String
        /// A name for downloads, with an ending.
        package let fileName: String
        package let access: TrackAccess
    }

    /// Opens the file of a track.
    ///
    /// - Throws: `trackNotFound`, also if the listener may hear nothing of it; `trackUnavailable` if the file is gone;
    ///   `busy`, `storage`.
    package func open(_ id: MusicID, for listener: Listener) async throws(Refusal) -> OpenTrack {
        let (found, access) = try await dao.read { db in
            guard let track = try db.first(TrackRecord.filter(TrackRecord.id == id)) else {
                throw Refusal(.trackNotFound)
            }
            let access = Access.to(try Access.rights(of: track, for: listener, in: &db), for: listener)
            guard access != .none else { throw Refusal(.trackNotFound) }
            return (try TrackFiles.find(track, in: &db), access)
        }
        guard let descriptor = files.open(found) else { throw Refusal(.trackUnavailable) }
        let track = found.track
        let title = track.artist.isEmpty ? track.title : "\(track.artist) - \(track.title)"
        return OpenTrack(
            descriptor: descriptor, kind: track.kind,
            tag: "\"\(track.id.rawValue).\(found.file.size).\(found.file.modifiedNanoseconds)\"",
            fileName: "\(title).\(Self.ending(found.file.name, track.kind))", access: access)
    }

    /// The ending of a file's name; the word for its format if it has none.
    private static func ending(_ name: [UInt8]?, _ kind: String) -> String {
        guard let name, let dot = name.lastIndex(of: UInt8(ascii: ".")), (1...8).contains(name.count - dot - 1) else {
            return kind
        }
        return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
    }

    // MARK: Edits

    /// Edits what a track says of itself, or takes it from the file again.
    ///
    /// - Throws: `trackNotFound`; `forbidden` unless the track is the account's own or it may curate; `invalid`,
    ///   `busy`, `storage`.
    package func update(_ request: TrackUpdate, by actor: UserID?) async throws(Refusal) {
        let reset = try Self.fields(request.reset)
        let (now, journal) = (clock.nowMilliseconds(), journal)
        try await dao.write { db in
            let track = try Self.changeable(request.track, by: actor, .libraryCurate, now: now, &db)
            guard let number = track.number,
                let file = try db.first(
                    MusicFileRecord.self, "WHERE track = \(number) AND tags IS NOT NULL ORDER BY number LIMIT 1"),
                let tags = file.tags.flatMap({ SoundTags(encoded: $0) })
            else { throw Refusal(.trackUnavailable) }
            let before = try db.first(TrackEditRecord.self, key: number)
            var edits = before?.edits.value ?? TrackEdits()
            edits.reset(reset)
            edits.take(request)
            if edits.isEmpty {
                try db.execute("DELETE FROM track_edits WHERE track = \(number)")
            } else {
                try db.upsert(
                    TrackEditRecord(track: number, edits: JSON(edits), by: actor, changedMilliseconds: now))
            }
            let directory = try file.directory.flatMap { try db.first(MusicDirectoryRecord.self, key: $0) }
            let place = AlbumIdentity.Place(
                folder: directory?.folder ?? TrackScope.own,
                directory: directory?.path ?? Array((track.owner?.rawValue ?? "").utf8))
            let name = file.name.map(SoundNames.stem) ?? track.title
            try TrackWriter(now: now, names: NameNumbers()).update(
                number, TrackDescription(tags, name: name), TrackWriter.Sound(tags), in: place, &db)
            if let actor, actor != track.owner {
                try journal.append(
                    JournalEntry(
                        .trackEdited, actor: actor, user: track.owner, ["track": .text(track.id.rawValue)]), in: &db)
            }
        }
    }

    /// Removes an upload. Its file goes soon after, unless another track is of the same content.
    ///
    /// - Throws: `trackNotFound`; `trackInFolder`; `forbidden`, `busy`, `storage`.
    package func remove(_ id: MusicID, by actor: UserID?) async throws(Refusal) {
        let (now, journal) = (clock.nowMilliseconds(), journal)
        let contents = try await dao.write { db -> [[UInt8]] in
            let track = try Self.changeable(id, by: actor, .libraryManage, now: now, &db)
            guard let number = track.number else { return [] }
            guard track.owner != nil else { throw Refusal(.trackInFolder) }
            let contents = try db.values(
                "SELECT content FROM music_files WHERE track = \(number) AND content IS NOT NULL", as: [UInt8].self)
            try TrackWriter.remove(number, &db)
            if actor != track.owner {
                try journal.append(
                    JournalEntry(
                        .trackRemoved, actor: actor, user: track.owner, ["track": .text(track.id.rawValue)]),
                    in: &db)
            }
            return contents
        }
        for content in contents { uploads.removeSoon(content) }
    }

    /// A track that an account may change, looked up where it is written.
    ///
    /// - Parameters:
    ///   - actor: `nil` for the operator.
    ///   - permission: What it takes to change tracks of others.
    private static func changeable(
        _ id: MusicID, by actor: UserID?, _ permission: Permission, now: Int64, _ db: inout WriteAccess
    ) throws -> TrackRecord {
        guard let track = try db.first(TrackRecord.filter(TrackRecord.id == id)) else { throw Refusal(.trackNotFound) }
        guard let actor, actor != track.owner else { return track }
        do {
            try AdminRights.require(permission, of: actor, now: now, in: &db)
        } catch {
            // A private track of somebody else does not exist for others.
            if track.scope == TrackScope.own { throw Refusal(.trackNotFound) }
            throw error
        }
        return track
    }

    private static func fields(_ words: [String]) throws(Refusal) -> [TrackField] {
        var fields: [TrackField] = []
        for (index, word) in words.enumerated() {
            guard let field = TrackField(rawValue: word) else {
                throw Refusal(.requestInvalid, "A track has no field \(word).", field: "data.reset[\(index)]")
            }
            fields.append(field)
        }
        return fields
    }
}

extension TrackEdits {
    fileprivate mutating func reset(_ fields: [TrackField]) {
        for field in fields {
            switch field {
            case .title: title = nil
            case .artists: artists = nil
            case .album: album = nil
            case .albumArtists: albumArtists = nil
            case .genres: genres = nil
            case .year: year = nil
            case .disc: disc = nil
            case .place: place = nil
            }
        }
    }

    fileprivate mutating func take(_ request: TrackUpdate) {
        title = request.title ?? title
        artists = request.artists ?? artists
        album = request.album ?? album
        albumArtists = request.albumArtists ?? albumArtists
        genres = request.genres ?? genres
        year = request.year ?? year
        disc = request.disc ?? disc
        place = request.place ?? place
    }
}
