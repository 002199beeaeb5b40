internal import SonaDatabase
internal import SonaMedia
internal import SonaModel
internal import SonaText
internal import SonaTranscode
internal import SonaWire

/// Writes tracks with their artists, albums and genres.
///
/// Made for one transaction. Names that it finds or adds are remembered in `NameNumbers` for the transactions after,
/// once they are committed.
struct TrackWriter {
    let now: Int64
    let names: NameNumbers

    /// The sound of a track, as its file has it.
    struct Sound {
        var kind: String
        var durationMilliseconds: Int64
        var bitrate: Int
        var sampleRate: Int
        var channels: Int

        init(_ tags: SoundTags) {
            kind = tags.kind.rawValue
            durationMilliseconds = Int64(tags.durationMilliseconds)
            bitrate = tags.bitrate
            sampleRate = tags.sampleRate
            channels = tags.channels
        }
    }

    // MARK: Tracks

    /// Adds a track.
    ///
    /// - Parameters:
    ///   - keys: Of the description; `nil` if they are still to be made.
    ///   - place: Where the file lies, for albums without an album artist.
    /// - Returns: Its number.
    func add(
        _ description: TrackDescription, keys: TrackDescription.Keys? = nil, _ sound: Sound,
        in place: AlbumIdentity.Place, owner: UserID?, status: TrackStatus?, scope: Int64, _ db: inout WriteAccess
    ) throws -> Int64 {
        var track = TrackRecord(
            number: nil, id: .random(milliseconds: now), title: description.title, kind: sound.kind, owner: owner,
            status: status, scope: scope, addedMilliseconds: now, changedMilliseconds: now)
        try describe(&track, description, keys ?? TrackDescription.Keys(description), sound, in: place, &db)
        let number: Int64 = try db.insertReturning(track).number ?? 0
        try join(number, description, &db)
        return number
    }

    /// Brings a track up to date with its file and its edits.
    func update(
        _ number: Int64, _ description: TrackDescription, _ sound: Sound, in place: AlbumIdentity.Place,
        _ db: inout WriteAccess
    ) throws {
        guard let before = try db.first(TrackRecord.self, key: number) else { return }
        var description = description
        if let edits = try db.first(TrackEditRecord.self, key: number) { description.apply(edits.edits.value) }
        var track = before
        try describe(&track, description, TrackDescription.Keys(description), sound, in: place, &db)
        track.changedMilliseconds = now
        try db.updateChanges(track, from: before)
        try PlayCounters.uncount(number, &db)
        try db.execute("DELETE FROM track_artists WHERE track = \(number)")
        try db.execute("DELETE FROM track_genres WHERE track = \(number)")
        try join(number, description, &db)
        try PlayCounters.recount(number, &db)
        if let old = before.albumNumber, old != track.albumNumber { try Self.removeIfEmpty(album: old, &db) }
    }

    private func describe(
        _ track: inout TrackRecord, _ description: TrackDescription, _ keys: TrackDescription.Keys, _ sound: Sound,
        in place: AlbumIdentity.Place,
        _ db: inout WriteAccess
    ) throws {
        track.title = description.title
        track.artist = keys.artist
        track.album = description.album ?? ""
        track.titleKey = keys.titleKey
        track.artistKey = keys.artistKey
        track.albumKey = keys.albumKey
        track.titleSort = keys.titleSort
        track.artistSort = keys.artistSort
        track.albumSort = keys.albumSort
        track.albumNumber = try album(of: description, in: place, &db)
        track.disc = description.disc
        track.place = description.place
        track.year = description.year
        track.kind = sound.kind
        track.durationMilliseconds = sound.durationMilliseconds
        track.bitrate = sound.bitrate
        track.sampleRate = sound.sampleRate
        track.channels = sound.channels
    }

    private func join(_ track: Int64, _ description: TrackDescription, _ db: inout WriteAccess) throws {
        for (place, artist) in try numbers(of: description.artists, .artist, &db).enumerated() {
            try db.insert(TrackArtistRecord(track: track, place: place, artist: artist))
        }
        for (place, genre) in try numbers(of: description.genres, .genre, &db).enumerated() {
            try db.insert(TrackGenreRecord(track: track, place: place, genre: genre))
        }
    }

    // MARK: Names

    /// The numbers of artists or genres, each once, in their order. Names without a letter, digit or symbol are left out.
    private func numbers(
        of texts: [String], _ kind: NameNumbers.Kind, _ db: inout WriteAccess
    ) throws -> [Int64] {
        var numbers: [Int64] = []
        for text in texts {
            let key = SearchKey(text).text
            guard !key.isEmpty else { continue }
            let number = try names.number(kind, key) ?? find(text, key, kind, &db)
            if !numbers.contains(number) { numbers.append(number) }
        }
        return numbers
    }

    private func find(
        _ name: String, _ key: String, _ kind: NameNumbers.Kind, _ db: inout WriteAccess
    ) throws -> Int64 {
        let id = MusicID.random(milliseconds: now)
        let number: Int64
        switch kind {
        case .artist:
            if let known = try db.first(ArtistRecord.filter(ArtistRecord.key == key)) {
                number = known.number ?? 0
            } else {
                number =
                    try db.insertReturning(
                        ArtistRecord(number: nil, id: id, name: name, key: key, sort: SortNames.key(name))
                    ).number ?? 0
            }
        case .genre:
            if let known = try db.first(GenreRecord.filter(GenreRecord.key == key)) {
                number = known.number ?? 0
            } else {
                number =
                    try db.insertReturning(
                        GenreRecord(number: nil, id: id, name: name, key: key, sort: SortNames.key(name))
                    ).number ?? 0
            }
        }
        names.note(number, kind, key)
        return number
    }

    // MARK: Albums

    private func album(
        of track: TrackDescription, in place: AlbumIdentity.Place, _ db: inout WriteAccess
    ) throws -> Int64? {
        guard let name = track.album else { return nil }
        let identity = AlbumIdentity(track, in: place)
        let artists = identity.isVarious ? [] : track.albumArtists.isEmpty ? track.artists : track.albumArtists
        let artist = TrackDescription.line(artists.joined(separator: ", ")) ?? ""
        if var known = try db.first(AlbumRecord.filter(AlbumRecord.identity == identity.text)) {
            let number = known.number ?? 0
            let before = known
            known.year = known.year ?? track.year
            // Tracks of one directory without an album artist: two artists make it one of various artists.
            if identity.isByPlace, !known.artist.isEmpty, known.artistKey != SearchKey(artist).text {
                known.artist = ""
                known.artistKey = ""
                known.artistSort = SortNames.last
                try db.execute("DELETE FROM album_artists WHERE album = \(number)")
            }
            if known != before { try db.updateChanges(known, from: before) }
            return number
        }
        let number =
            try db.insertReturning(
                AlbumRecord(
                    number: nil, id: .random(milliseconds: now), name: name, key: SearchKey(name).text,
                    artist: artist, artistKey: SearchKey(artist).text, sort: SortNames.key(name),
                    artistSort: artist.isEmpty ? SortNames.last : SortNames.key(artists[0]), year: track.year,
                    identity: identity.text, addedMilliseconds: now)
            ).number ?? 0
        for (place, artist) in try numbers(of: artists, .artist, &db).enumerated() {
            try db.insert(AlbumArtistRecord(album: number, place: place, artist: artist))
        }
        return number
    }

    // MARK: Removal

    /// Removes a track with what was only for it: its album if it was the last one on it.
    static func remove(_ number: Int64, _ db: inout WriteAccess) throws {
        let album: Int64?? = try db.value("SELECT album FROM tracks WHERE number = \(number)")
        try PlayCounters.uncount(number, &db)
        try db.execute("DELETE FROM tracks WHERE number = \(number)")
        if let album = album ?? nil { try removeIfEmpty(album: album, &db) }
    }

    private static func removeIfEmpty(album: Int64, _ db: inout WriteAccess) throws {
        try db.execute(
            """
            DELETE FROM albums WHERE number = \(album)
                AND NOT EXISTS (SELECT 1 FROM tracks WHERE tracks.album = \(album))
            """)
    }
}
